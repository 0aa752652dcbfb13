"""``h2pc compare``: the differences between two networks, edge by edge."""

from __future__ import annotations

from functools import partial
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from h2pc.cli import options, outputs
from h2pc.cli.inputs import check_graph, graph_named
from h2pc.cli.printing import print_json, print_table

if TYPE_CHECKING:
    from h2pc.graphs import Dag
    from h2pc.report.identifiable import View

EXAMPLES = (
    "h2pc compare learned.bif alarm",
    "h2pc compare result.json truth.bif --json",
    "h2pc compare learned.bif alarm -o differences.svg",
)

_KINDS = {".svg": "svg", ".png": "png", ".pdf": "pdf", ".html": "html", ".csv": "edges"}


def compare(
    learned: Annotated[str, options.network_argument("Learned network")],
    reference: Annotated[str, options.network_argument("Reference network")],
    out: Annotated[
        Path | None,
        outputs.out_option(
            "Output file: a picture (.svg, .png, .pdf), a page (.html) or the table (.csv)."
        ),
    ] = None,
    view: Annotated[
        Literal["class", "dag"],
        options.option(
            "What is compared edge by edge: the equivalence classes (class), or the graphs (dag)."
        ),
    ] = "class",
    as_json: bool = False,
    quiet: bool = False,
) -> None:
    """Compare two networks, edge by edge.

    Prints structural Hamming distances, precision and recall, and every edge of the equivalence
    classes, in which an edge is directed only if all graphs of the class agree; with --view dag
    every edge of the graphs. Pictures and pages count the same.
    """
    check_graph(learned)
    check_graph(reference)

    from h2pc.metrics import compare_edges

    files = outputs.checked_outputs([] if out is None else [out], _KINDS)
    ours, theirs = graph_named(learned), graph_named(reference)
    answer = distances(ours, theirs, view)
    edges = compare_edges(ours, theirs, as_classes=view == "class")
    rows = [
        (edge.first, edge.second, edge.learned or "", edge.true or "", edge.verdict.value)
        for edge in edges
    ]
    headings = ("first", "second", "learned", "reference", "verdict")
    title = f"{learned} against {reference}"
    if as_json:
        cells = [[cell or None for cell in row] for row in rows]
        print_json({**answer, "edges": [dict(zip(headings, row, strict=True)) for row in cells]})
    else:
        if not quiet:
            print_table(title, headings, rows)
        for line in _sentences(answer):
            typer.echo(line)
    if files:
        table = {"edges": partial(outputs.csv_text, headings, rows)}
        contents = table | _shown(ours, theirs, title, view)
        outputs.write_all(files, contents, quiet=quiet or as_json)


def distances(learned: Dag, reference: Dag, view: View = "class") -> dict[str, Any]:
    """Return the distances between two graphs; precision, recall and counts of edges in a view."""
    from h2pc.metrics import dag_shd, edge_scores, shd

    scores = edge_scores(learned, reference, as_classes=view == "class")
    answer: dict[str, Any] = {
        "view": view,
        "shd": shd(learned, reference),
        "dag_shd": dag_shd(learned, reference),
    }
    for name in ("adjacency", "orientation"):
        agreement = getattr(scores, name)
        answer[name] = {what: getattr(agreement, what) for what in ("precision", "recall", "f1")}
    counts = ("right", "reversed", "differently_marked", "missing", "extra")
    return answer | {"counts": {name: getattr(scores, name) for name in counts}}


def _sentences(answer: dict[str, Any]) -> list[str]:
    """Return the numbers in words."""
    shd, dag_shd = answer["shd"], answer["dag_shd"]
    lines = [f"SHD {shd} between the equivalence classes, {dag_shd} between the graphs."]
    of = " of the graphs" if answer["view"] == "dag" else ""
    for name, word in (("adjacency", "Skeleton"), ("orientation", f"Arrowheads{of}")):
        numbers = ", ".join(f"{what} {value:.3f}" for what, value in answer[name].items())
        lines.append(f"{word}: {numbers}.")
    return [*lines, f"Edges{of}: {edge_counts(answer)}."]


def edge_counts(answer: dict[str, Any]) -> str:
    """Return the number of edges by verdict, in words."""
    return ", ".join(f"{n} {name.replace('_', ' ')}" for name, n in answer["counts"].items())


def _shown(learned: Dag, reference: Dag, title: str, view: View) -> dict[str, Any]:
    """Return functions that make the page of a graph, and pictures of both graphs in one."""
    from h2pc.algorithms.learn_result import LearnResult
    from h2pc.report.page import network_page
    from h2pc.report.pictures import plot_comparison

    result = LearnResult(learned, None, nan)  # a graph that was read has no score
    draw = partial(plot_comparison, learned, reference, view=view)
    pictures = {kind: partial(outputs.picture, draw, kind, title) for kind in outputs.PICTURES}
    page = partial(network_page, result, title=title, reference=reference, view=view)
    return {"html": page, **pictures}

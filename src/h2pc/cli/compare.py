"""``h2pc compare``: how far a learned network is from another one, edge by edge."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from h2pc.cli import options
from h2pc.cli.options import examples

if TYPE_CHECKING:
    from h2pc.graphs import Dag

EXAMPLES = examples(
    "h2pc compare learned.bif alarm",
    "h2pc compare result.json truth.bif --json",
    "h2pc compare learned.bif alarm -o differences.svg",
)

_KINDS = {".svg": "svg", ".png": "png", ".pdf": "pdf", ".html": "html", ".csv": "edges"}


def compare(
    learned: Annotated[str, options.graph_argument("What was learned")],
    reference: Annotated[str, options.graph_argument("What it is compared with")],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", help="Picture (.svg, .png, .pdf), page (.html) or table (.csv)."
        ),
    ] = None,
    as_json: options.AsJson = False,
    quiet: options.Quiet = False,
) -> None:
    """Compare two networks, edge by edge.

    Prints structural Hamming distances, precision and recall, and every edge. Edges are those of
    the equivalence classes: a direction that no data can tell is none.
    """
    from h2pc.cli import outputs
    from h2pc.cli.inputs import check_graph, graph_named
    from h2pc.cli.printing import note, print_json, print_table

    check_graph(learned)
    check_graph(reference)

    from h2pc.metrics import compare_edges

    files = outputs.checked_outputs([] if out is None else [out], _KINDS)
    ours, theirs = graph_named(learned), graph_named(reference)
    told = distances(ours, theirs)
    edges = compare_edges(ours, theirs)
    rows = [
        (edge.first, edge.second, edge.learned or "", edge.true or "", edge.verdict.value)
        for edge in edges
    ]
    headings = ("first", "second", "learned", "reference", "verdict")
    title = f"{learned} against {reference}"
    contents: dict[str, Any] = {
        "edges": partial(outputs.csv_text, headings, rows),
        "html": partial(_page, ours, theirs, title),
    }
    for kind in outputs.PICTURES:
        contents[kind] = partial(_picture, ours, theirs, kind, title)
    outputs.write_all(files, contents)
    if as_json:
        print_json(
            {**told, "edges": [dict(zip(headings, _or_null(row), strict=True)) for row in rows]}
        )
        return
    if not quiet:
        print_table(title, headings, rows)
    for line in _sentences(told):
        typer.echo(line)
    note(f"Wrote {out}.", unless=quiet or out is None)


def distances(learned: Dag, reference: Dag) -> dict[str, Any]:
    """Return every number that tells two graphs apart."""
    from h2pc.metrics import dag_shd, edge_scores

    scores = edge_scores(learned, reference)
    told: dict[str, Any] = {"shd": scores.shd, "dag_shd": dag_shd(learned, reference)}
    for name in ("adjacency", "orientation"):
        agreement = getattr(scores, name)
        told[name] = {
            "precision": agreement.precision,
            "recall": agreement.recall,
            "f1": agreement.f1,
        }
    counts = ("right", "reversed", "differently_marked", "missing", "extra")
    return told | {"counts": {name: getattr(scores, name) for name in counts}}


def _sentences(told: dict[str, Any]) -> list[str]:
    """Return the numbers in words."""
    lines = [f"SHD {told['shd']} between the classes, {told['dag_shd']} between the graphs."]
    for name, word in (("adjacency", "Skeleton"), ("orientation", "Arrowheads")):
        numbers = ", ".join(f"{what} {value:.3f}" for what, value in told[name].items())
        lines.append(f"{word}: {numbers}.")
    counts = ", ".join(f"{n} {name.replace('_', ' ')}" for name, n in told["counts"].items())
    return [*lines, f"Edges: {counts}."]


def _page(learned: Dag, reference: Dag, title: str) -> str:
    """Return the page of a graph whose edges are marked by what the reference says of them."""
    from h2pc.algorithms.learn_result import LearnResult
    from h2pc.report.page import network_page

    result = LearnResult(learned, None, 0.0, n_tests=0, n_scores=0, n_moves=0, seconds={})
    return network_page(result, title=title, reference=reference)


def _picture(learned: Dag, reference: Dag, kind: str, title: str) -> bytes:
    """Return the picture of both classes, one over the other."""
    from h2pc.cli.outputs import picture
    from h2pc.graphs import dag_to_cpdag
    from h2pc.report.pictures import plot_comparison

    classes = dag_to_cpdag(learned), dag_to_cpdag(reference)
    return picture(partial(plot_comparison, *classes), kind, title)


def _or_null(row: tuple[str, ...]) -> tuple[str | None, ...]:
    return tuple(cell or None for cell in row)

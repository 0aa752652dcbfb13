"""``h2pc learn``: learn a network from a table."""

from __future__ import annotations

from collections.abc import Container, Sequence
from math import exp
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from h2pc.cli import inputs, options, outputs
from h2pc.cli.compare import distances, edge_counts
from h2pc.cli.learning import BAYESIAN, LearningOptions
from h2pc.cli.printing import (
    decimal,
    listed,
    note,
    plural,
    print_json,
    print_table,
    q_value,
    tested,
    with_correlations,
)
from h2pc.errors import SettingError

if TYPE_CHECKING:
    from h2pc.algorithms.alternatives import Alternative
    from h2pc.algorithms.learn_result import LearnResult
    from h2pc.data import Dataset
    from h2pc.graphs import Dag
    from h2pc.learners.edge_links import EdgeLink
    from h2pc.learners.edge_table import EdgeTable
    from h2pc.learners.structure_learner import StructureLearner
    from h2pc.report.identifiable import View

EXAMPLES = (
    "h2pc learn data.csv",
    "h2pc learn data.csv -o network.bif -o network.html",
    "h2pc learn data.parquet --discretize 3 --targets lung,bronc --json",
    "h2pc learn data.csv --constraints known.toml --reference asia",
    "h2pc learn data.csv --fdr 0.05 -o edges.csv",
    "h2pc learn data.csv --alternatives 5",
    "zcat data.csv.gz | h2pc learn - -o - --format dot | dot -Tsvg > network.svg",
)

# Seconds from which on a run is announced.
_LONG = 60.0


def learn(
    file: options.DataFile,
    *,
    out: options.NetworkOutputs = None,
    format_: Literal["edges", "json", "dot", "bif"] = "edges",
    targets: Annotated[
        list[str] | None,
        options.names_option(
            "Learn only around these variables.", "--targets", "-t", show_default="all"
        ),
    ] = None,
    reference: str | None = None,
    view: Literal["class", "dag"] = "class",
    alternatives: int | None = None,
    learning: LearningOptions,
    table: inputs.TableOptions,
    checkpoint: Path | None = None,
    max_seconds: str | None = None,
    max_memory: str | None = None,
    max_conditioning: int | None = None,
    max_subset_tests: int | None = None,
    cluster: str | None = None,
    random_state: int = 0,
    n_jobs: int = -1,
    as_json: bool = False,
    quiet: bool = False,
    verbose: bool = False,
) -> None:
    """Learn a network from a table.

    Prints the edges: a -> b where the direction is identifiable, a -- b where it is not. Beside
    them is what the score would lose without each, and the decimal logarithm of the p-value for
    independence of parent and child given the other parents; between continuous variables also
    their partial correlation. The weakest p-value is the largest among the tests that tried to
    separate the two, and q the same adjusted for the number of pairs; --fdr keeps edges whose q is
    small. Files, but for pictures and pages, hold all directions; a .csv file has the whole table.
    """
    inputs.check_table(file)
    if reference is not None:
        inputs.check_graph(reference)
    files = outputs.checked_outputs(out, outputs.GRAPH_KINDS, on_stdout=format_, as_json=as_json)

    from h2pc.runs.limits import bytes_of, seconds_of

    most_memory = None if max_memory is None else bytes_of(max_memory)
    learner = learning.learner(
        random_state=random_state,
        n_jobs=n_jobs,
        progress=False if quiet else None,
        targets=targets or None,
        checkpoint=checkpoint,
        max_seconds=None if max_seconds is None else seconds_of(max_seconds),
        max_memory=most_memory,
        max_conditioning=max_conditioning,
        max_subset_tests=max_subset_tests,
    )
    truth = None if reference is None else inputs.graph_named(reference)
    data = table.data(file, max_memory=most_memory, quiet=quiet)
    inputs.check_names("--targets", targets or (), data.names)
    learning.check_names(data)
    _check_reference(truth, data)

    from h2pc.cli.network_files import NetworkFiles, check_parameters
    from h2pc.runs.workers import workers_of

    check_parameters(files, data)
    note(f"Learning with {learner!r} from {_size(data)}.", unless=not verbose)
    note(learning.choices(data), unless=quiet or data.kind == "discrete")
    with workers_of(cluster):
        _note_long_run(data, learner, quiet=quiet)
        result = learner.fit(data).result_
    others = None if alternatives is None else learner.find_alternatives(alternatives)
    links = learner.edge_table_
    if as_json:
        print_json(_answer(result, links, data, truth, others, view))
    else:
        if not outputs.has_stdout(files) and not (quiet and files):
            _print_edges(result, links, view)
            if others is not None:
                _print_alternatives(others, is_bayesian=result.settings["scoring"] in BAYESIAN)
        note(_summary(result, data), unless=quiet)
        if result.settings.get("fdr") is not None:
            note(_kept(result, data), unless=quiet)
        note(_comparison(result, truth, view), unless=quiet or truth is None)
    contents = NetworkFiles(
        result,
        data,
        learning,
        source=inputs.source_name(file),
        links=links,
        reference=None if targets else truth,
        highlight=targets or (),
        view=view,
    )
    outputs.write_all(files, contents.by_kind(), quiet=quiet or as_json)


def _note_long_run(data: Dataset, learner: StructureLearner, *, quiet: bool) -> None:
    """Say how long learning will take if that is long; nothing is timed where sizes rule it out."""
    from h2pc.learners.cost_estimate import estimate_of_long_run

    found = None if quiet else estimate_of_long_run(data, learner)
    if found is not None and found.seconds > _LONG:
        note(f"This takes {found}.")


def _size(data: Dataset) -> str:
    """Return the size of a data set in words."""
    return f"{plural(data.n_samples, 'sample')} of {plural(data.n_variables, 'variable')}"


def _check_reference(truth: Dag | None, data: Dataset) -> None:
    """Refuse a reference on other variables than those of the data."""
    if truth is None or sorted(truth.names) == list(data.names):
        return
    strange = sorted(frozenset(truth.names).symmetric_difference(data.names))
    raise SettingError(
        f"--reference must have the variables of the data; {strange[0]!r} is in one of them only."
    )


def _answer(
    result: LearnResult,
    links: EdgeTable,
    data: Dataset,
    truth: Dag | None,
    others: Sequence[Alternative] | None,
    view: View,
) -> dict[str, Any]:
    """Return the JSON object of a result."""
    answer: dict[str, Any] = {
        "variables": result.dag.names,
        "n_samples": data.n_samples,
        "kind": data.kind,
        "edges": result.dag.named_edges,
        "undirected": _undirected(result),
        "skeleton": None if result.skeleton is None else result.skeleton.named_edges,
        "links": links.links,
        "score": result.score,
        "n_tests": result.n_tests,
        "n_scores": result.n_scores,
        "n_moves": result.n_moves,
        "seconds": result.seconds,
        "settings": result.settings,
        "random_state": result.seed,
        "complete": result.complete,
        "n_cut": result.n_cut,
        "copies": dict(result.copies),
    }
    if result.settings.get("targets") is not None:
        answer["markov_boundaries"] = _boundaries(result)
    if truth is not None:
        answer["reference"] = _compared(result, truth, view)
    if others is not None:
        answer["alternatives"] = [
            {
                "edges": other.dag.named_edges,
                "score": other.score,
                "difference": other.difference,
                "changes": other.changes,
            }
            for other in others
        ]
    return answer


def _undirected(result: LearnResult) -> list[tuple[str, str]]:
    """Return the edges whose direction is not identifiable, as pairs (parent, child)."""
    from h2pc.report.identifiable import identifiable_directions

    directed = frozenset(identifiable_directions(result).named_directed)
    return [edge for edge in result.dag.named_edges if edge not in directed]


def _print_edges(result: LearnResult, table: EdgeTable, view: Literal["class", "dag"]) -> None:
    """Print the edges with the evidence for them, and the Markov boundaries of targets."""
    lines = frozenset(_undirected(result) if view == "class" else ())
    ordered = sorted((*_ends(link, lines), i) for i, link in enumerate(table))
    links = [table.links[i] for *_, i in ordered]
    columns: dict[str, list[Any]] = {
        "edge": [f"{first} {mark} {second}" for first, second, mark, _ in ordered],
        "score gain": [decimal(link.gain) for link in links],
        "correlation": [link.correlation for link in links],
        "log10 p": [tested(link.log10_p) for link in links],
        "given": [listed(link.given) for link in links],
    }
    if result.skeleton is not None:
        columns["weakest log10 p"] = [tested(link.weakest_log10_p) for link in links]
        columns["q"] = [q_value(link) for link in links]
    print_table("Edges", *with_correlations(columns))
    for target, boundary in _boundaries(result).items():
        typer.echo(f"Markov boundary of {target}: {listed(boundary)}")


def _ends(link: EdgeLink, undirected: Container[tuple[str, str]]) -> tuple[str, str, str]:
    """Return the ends of an edge, in the order of their names if it is undirected, and its mark."""
    edge = link.parent, link.child
    return (min(edge), max(edge), "--") if edge in undirected else (*edge, "->")


def _print_alternatives(others: Sequence[Alternative], *, is_bayesian: bool) -> None:
    """Print how much worse other graphs are, and in what they differ."""
    if not others:
        typer.echo("No other graph has a score that is at most 20 lower.")
        return
    headings = ["score difference", *(["odds"] if is_bayesian else []), "changes"]
    rows = [
        (
            f"{other.difference:+.2f}",
            *([f"{exp(min(other.difference, 700.0)):.2g}"] if is_bayesian else []),
            "; ".join(map(str, other.changes)),
        )
        for other in others
    ]
    print_table("Alternatives", headings, rows)


def _kept(result: LearnResult, data: Dataset) -> str:
    """Return how many edges a false discovery rate has kept, and why others have no q-value."""
    found = result.skeleton_result
    assert found is not None  # only learners with a skeleton have a rate
    edges, names = found.skeleton.edges, found.skeleton.names
    tests = [
        test
        for test in found.edge_tests.by_pair.values()
        if result.copies.keys().isdisjoint((names[test.x], names[test.y]))
    ]
    n_untested = sum(test.untested is not None for test in tests)
    why = (
        f"; {n_untested} have no q-value, as {plural(data.n_samples, 'sample')} are too few to "
        "test a variable that might explain them"
    )
    return (
        f"A false discovery rate of {result.settings['fdr']:g} keeps {len(edges)} of "
        f"{plural(len(tests), 'edge')} of the skeleton{why if n_untested else ''}."
    )


def _summary(result: LearnResult, data: Dataset) -> str:
    """Return the size, the score and the cost of a result in one sentence."""
    edges, variables = plural(len(result.dag.edges), "edge"), len(result.dag.names)
    return (
        f"{edges} between {plural(variables, 'variable')} from {plural(data.n_samples, 'sample')}; "
        f"{result.settings['scoring']} {decimal(result.score)}; {plural(result.n_tests, 'test')}; "
        f"{sum(result.seconds.values()):.2f} s."
    )


def _boundaries(result: LearnResult) -> dict[str, list[str]]:
    """Return the Markov boundaries of the targets, by name."""
    targets: Any = result.settings.get("targets")
    return {name: _boundary(result.dag, name) for name in targets or ()}


def _boundary(dag: Dag, name: str) -> list[str]:
    return [dag.names[v] for v in dag.markov_boundary(dag.variable(name))]


def _compared(result: LearnResult, truth: Dag, view: View) -> dict[str, Any]:
    """Return how a result differs from the truth; with targets, in their Markov boundaries only."""
    if result.settings.get("targets") is None:
        return distances(result.dag, truth, view)
    compared = {}
    for target, found in _boundaries(result).items():
        real = _boundary(truth, target)
        compared[target] = {
            "missing": sorted(set(real) - set(found)),
            "extra": sorted(set(found) - set(real)),
        }
    return {"markov_boundaries": compared}


def _comparison(result: LearnResult, truth: Dag | None, view: View) -> str:
    """Return how a result differs from the truth, in one sentence."""
    if truth is None:
        return ""
    compared = _compared(result, truth, view)
    if "shd" in compared:
        adjacency = compared["adjacency"]
        what, distance = ("classes", "shd") if view == "class" else ("graphs", "dag_shd")
        return (
            f"Against the reference: SHD {compared[distance]} between the {what} "
            f"({edge_counts(compared)}), skeleton precision {adjacency['precision']:.3f}, recall "
            f"{adjacency['recall']:.3f}."
        )
    parts = [
        f"{target}: missing {listed(wrong['missing'])}, extra {listed(wrong['extra'])}"
        for target, wrong in compared["markov_boundaries"].items()
    ]
    return f"Markov boundaries against the reference: {'; '.join(parts)}."

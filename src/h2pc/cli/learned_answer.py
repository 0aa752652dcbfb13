"""What ``h2pc learn`` says of a network: to people, and to machines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import typer

from h2pc.cli.compare import distances
from h2pc.cli.outputs import Output, has_stdout
from h2pc.cli.printing import decimal, finite, listed, note, plural, print_table

if TYPE_CHECKING:
    from h2pc.algorithms.learn_result import LearnResult
    from h2pc.data import Dataset
    from h2pc.graphs import Dag
    from h2pc.learners.edge_links import EdgeLink


def answer(
    result: LearnResult, links: Sequence[EdgeLink], data: Dataset, truth: Dag | None
) -> dict[str, Any]:
    """Return what --json prints."""
    told: dict[str, Any] = {
        "variables": result.dag.names,
        "n_samples": data.n_samples,
        "edges": result.dag.named_edges,
        "skeleton": None if result.skeleton is None else result.skeleton.named_edges,
        "links": [
            {
                "parent": link.parent,
                "child": link.child,
                "gain": link.gain,
                "log10_p": finite(link.log10_p),
                "given": link.given,
            }
            for link in links
        ],
        "score": result.score,
        "n_tests": result.n_tests,
        "n_scores": result.n_scores,
        "n_moves": result.n_moves,
        "seconds": dict(result.seconds),
        "settings": dict(result.settings),
        "seed": result.seed,
        "complete": result.complete,
        "n_cut": result.n_cut,
    }
    if result.settings.get("targets") is not None:
        told["markov_boundaries"] = _boundaries(result)
    if truth is not None:
        told["reference"] = _compared(result, truth)
    return told


def say(
    result: LearnResult,
    links: Sequence[EdgeLink],
    data: Dataset,
    truth: Dag | None,
    files: Sequence[Output],
    *,
    quiet: bool,
) -> None:
    """Print the edges and, beside them, a summary; the files may be all the answer there is."""
    if not has_stdout(files) and not (quiet and files):
        _print_edges(result, links)
    seconds = sum(result.seconds.values())
    note(
        f"{plural(len(links), 'edge')} between {plural(len(result.dag.names), 'variable')} from "
        f"{plural(data.n_samples, 'sample')}; {result.settings['score']} "
        f"{decimal(result.score)}; {plural(result.n_tests, 'test')}; {seconds:.2f} s.",
        unless=quiet,
    )
    if truth is not None:
        note(_distance_sentence(_compared(result, truth)), unless=quiet)
    for output in files:
        note(f"Wrote {output.path}.", unless=quiet or has_stdout([output]))


def _print_edges(result: LearnResult, links: Sequence[EdgeLink]) -> None:
    """Print the edges with what speaks for them, and the boundaries of targets."""
    rows = [
        (link.parent, link.child, decimal(link.gain), decimal(link.log10_p), listed(link.given))
        for link in links
    ]
    print_table("Edges", ("parent", "child", "score gain", "log10 p", "given"), rows)
    for target, boundary in _boundaries(result).items():
        typer.echo(f"Markov boundary of {target}: {listed(boundary)}")


def _boundaries(result: LearnResult) -> dict[str, list[str]]:
    """Return the Markov boundaries of the targets, by name."""
    dag, targets = result.dag, result.settings.get("targets")
    chosen: Any = () if targets is None else targets
    return {
        name: [dag.names[v] for v in dag.markov_boundary(dag.variable(name))] for name in chosen
    }


def _compared(result: LearnResult, truth: Dag) -> dict[str, Any]:
    """Return how far the result is from the truth: around targets, in their boundaries alone."""
    if result.settings.get("targets") is None:
        return distances(result.dag, truth)
    compared = {}
    for target, found in _boundaries(result).items():
        real = [truth.names[v] for v in truth.markov_boundary(truth.variable(target))]
        compared[target] = {
            "missing": sorted(set(real) - set(found)),
            "extra": sorted(set(found) - set(real)),
        }
    return {"markov_boundaries": compared}


def _distance_sentence(compared: dict[str, Any]) -> str:
    """Return how far the truth is, in one sentence."""
    if "shd" in compared:
        adjacency = compared["adjacency"]
        return (
            f"Against the reference: SHD {compared['shd']}, skeleton precision "
            f"{adjacency['precision']:.3f}, recall {adjacency['recall']:.3f}."
        )
    parts = [
        f"{target}: missing {listed(wrong['missing'])}, extra {listed(wrong['extra'])}"
        for target, wrong in compared["markov_boundaries"].items()
    ]
    return f"Markov boundaries against the reference: {'; '.join(parts)}."

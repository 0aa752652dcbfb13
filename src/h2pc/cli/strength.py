"""``h2pc strength``: bootstrap strengths of the edges."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import typer

from h2pc.cli import inputs, options, outputs
from h2pc.cli.command import resumable
from h2pc.cli.learning import LearningOptions
from h2pc.cli.printing import plural, print_json, print_table

if TYPE_CHECKING:
    from h2pc.graphs import Dag
    from h2pc.learners.edge_strengths import EdgeStrengths

EXAMPLES = (
    "h2pc strength data.csv --n-replicates 200 -o averaged.bif -o averaged.html",
    "h2pc strength data.csv --algorithm mmhc --checkpoint runs --threshold 0.5",
)

_WITHOUT_EFFECT = frozenset(
    ["n_jobs", "progress", "start", "targets", "checkpoint", "max_seconds", "max_memory"]
)
"""Parameters of learners that do not change the result here."""


def strength(
    file: options.DataFile,
    *,
    out: options.NetworkOutputs = None,
    n_replicates: int = 200,
    threshold: float | None = None,
    view: Literal["class", "dag"] = "class",
    learning: LearningOptions,
    table: inputs.TableOptions,
    checkpoint: Path | None = None,
    cluster: str | None = None,
    random_state: int = 0,
    n_jobs: int = -1,
    as_json: bool = False,
    quiet: bool = False,
) -> None:
    """Estimate the strength of edges by bootstrap.

    The strength of an edge is the share of the bootstrap samples whose network has it, its
    direction the share of these in which it points that way. The averaged network has the edges
    above the threshold; --out writes it. A .csv file gets the strengths of all edges. Pictures and
    pages have arrowheads where directions are identifiable; with --view dag, everywhere.
    """
    inputs.check_table(file)
    files = outputs.checked_outputs(out, outputs.GRAPH_KINDS, on_stdout="edges", as_json=as_json)
    learner = learning.learner(random_state=random_state, progress=False)
    data = table.data(file, quiet=quiet)

    from h2pc.learners.data_warnings import warn_of_untestable

    learning.check_names(data)
    ci = learning.test_on(data)  # refuses settings before any work is done
    if learning.algorithm in ("h2pc", "mmhc"):
        warn_of_untestable(ci)
    score = learning.score_on(data)

    from h2pc.algorithms.learn_result import LearnResult
    from h2pc.cli.network_files import NetworkFiles, check_parameters
    from h2pc.learners.bootstrap import edge_strengths
    from h2pc.runs.workers import workers_of

    check_parameters(files, data)
    with resumable(checkpoint), workers_of(cluster):
        strengths = edge_strengths(
            data,
            learner,
            n_replicates=n_replicates,
            random_state=random_state,
            n_jobs=n_jobs,
            checkpoint=checkpoint,
            progress=False if quiet else None,
        )
    averaged = strengths.averaged(threshold)
    limit = strengths.threshold if threshold is None else threshold
    if as_json:
        settings = learner.get_params().items()
        print_json(
            {
                "variables": strengths.names,
                "n_samples": data.n_samples,
                "n_replicates": n_replicates,
                "threshold": limit,
                "strengths": strengths.edges,
                "averaged": averaged.named_edges,
                "settings": {
                    name: value for name, value in settings if name not in _WITHOUT_EFFECT
                },
            }
        )
    elif not outputs.has_stdout(files):
        _print_strengths(strengths, averaged, limit)
    result = LearnResult(
        averaged,
        None,
        score.total(averaged.parent_sets),
        n_scores=len(averaged.names),
        settings={
            "algorithm": f"average of {learning.algorithm}",
            "scoring": learning.score_name(data),
            "n_replicates": n_replicates,
            "threshold": limit,
            **{kind: tuple(map(tuple, known)) for kind, known in learning.known_edges.items()},
        },
    )
    title = f"{learning.algorithm}, {plural(n_replicates, 'bootstrap sample')}"
    contents = NetworkFiles(result, data, learning, title, strengths=strengths, view=view)
    outputs.write_all(files, contents.by_kind(), quiet=quiet)


def _print_strengths(strengths: EdgeStrengths, averaged: Dag, limit: float) -> None:
    """Print all edges that were found, the strongest first."""
    kept = frozenset(averaged.named_edges)
    rows = [
        (
            edge.parent,
            edge.child,
            f"{edge.strength:.3f}",
            f"{edge.direction:.3f}",
            "yes" if (edge.parent, edge.child) in kept else "",
        )
        for edge in strengths.edges
    ]
    title = f"Edges in {plural(strengths.n_graphs, 'bootstrap sample')}"
    print_table(title, ("parent", "child", "strength", "direction", "averaged"), rows)
    typer.echo(f"{plural(len(kept), 'edge')} of the averaged network, stronger than {limit:.3f}.")

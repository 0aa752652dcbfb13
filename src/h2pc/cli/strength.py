"""``h2pc strength``: strengths of the edges in resampled data."""

from __future__ import annotations

from math import fsum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import typer

from h2pc.cli import inputs, options, outputs
from h2pc.cli.command import resumable
from h2pc.cli.learning import LearningOptions
from h2pc.cli.printing import plural, print_json, print_table
from h2pc.errors import SettingError

if TYPE_CHECKING:
    from h2pc.data import Dataset
    from h2pc.graphs import Dag
    from h2pc.learners.edge_strengths import EdgeStrengths
    from h2pc.learners.stability_selection import Assumption
    from h2pc.scores import LocalScore

EXAMPLES = (
    "h2pc strength data.csv --n-replicates 200 -o averaged.bif -o averaged.html",
    "h2pc strength data.csv --algorithm mmhc --checkpoint runs --threshold 0.5",
    "h2pc strength data.csv --targets lung,bronc --stratify sex",
    "h2pc strength data.csv --resampling subsample --max-false-edges 1",
)

_WITHOUT_EFFECT = frozenset(
    ["n_jobs", "progress", "start", "checkpoint", "max_seconds", "max_memory"]
)
"""Parameters of learners that do not change the result here."""

_SAMPLES = {"bootstrap": "bootstrap sample", "subsample": "subsample"}


class _Threshold(NamedTuple):
    """The threshold of the averaged network, how it was chosen, and the false edges above it."""

    value: float
    rule: str
    expected_false_edges: float | None
    """A bound by stability selection; None where there is none."""


def strength(
    file: options.DataFile,
    *,
    out: options.NetworkOutputs = None,
    n_replicates: int = 200,
    resampling: Literal["bootstrap", "subsample"] = "bootstrap",
    stratify: Annotated[
        str | None,
        options.option(
            "Discrete column: every sample has the same number of rows of each of its levels.",
            metavar="COLUMN",
        ),
    ] = None,
    targets: Annotated[
        list[str] | None,
        options.names_option(
            "Learn only around these variables.", "--targets", "-t", show_default="all"
        ),
    ] = None,
    threshold: float | None = None,
    max_false_edges: float | None = None,
    unimodal: bool = False,
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
    """Estimate the strength of edges from resampled data.

    The strength of an edge is the share of the samples whose network has it, its direction the
    share of these in which it points that way. The averaged network has the edges above the
    threshold; --out writes it. A .csv file gets the strengths of all edges, and a page has a slider
    that shows weaker ones. Pictures and pages have arrowheads where directions are identifiable;
    with --view dag, everywhere.
    """
    inputs.check_table(file)
    files = outputs.checked_outputs(out, outputs.GRAPH_KINDS, on_stdout="edges", as_json=as_json)
    _check_threshold(resampling, threshold, max_false_edges, unimodal=unimodal)
    learner = learning.learner(random_state=random_state, progress=False, targets=targets or None)
    data = table.data(file, quiet=quiet)

    from h2pc.learners.data_warnings import warn_of_untestable

    inputs.check_names("--targets", targets or (), data.names)
    inputs.check_names("--stratify", () if stratify is None else (stratify,), data.names)
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
            resampling=resampling,
            stratify=stratify,
            random_state=random_state,
            n_jobs=n_jobs,
            checkpoint=checkpoint,
            progress=False if quiet else None,
        )
    assumption: Assumption = "unimodal" if unimodal else "none"
    chosen = _chosen(strengths, threshold, max_false_edges, assumption)
    averaged = strengths.averaged(chosen.value)
    if as_json:
        settings = learner.get_params().items()
        print_json(
            {
                "variables": strengths.names,
                "n_samples": data.n_samples,
                "n_replicates": n_replicates,
                "resampling": resampling,
                "stratify": stratify,
                "targets": strengths.targets,
                "n_pairs": strengths.n_pairs,
                "threshold": chosen.value,
                "threshold_rule": chosen.rule,
                "expected_false_edges": chosen.expected_false_edges,
                "strengths": strengths.edges,
                "averaged": averaged.named_edges,
                "settings": {
                    name: value for name, value in settings if name not in _WITHOUT_EFFECT
                },
            }
        )
    elif not outputs.has_stdout(files):
        _print_strengths(strengths, averaged, chosen)
    result = LearnResult(
        averaged,
        None,
        _score_of(averaged, data, score),
        n_scores=len(averaged.names),
        settings={
            "algorithm": f"average of {learning.algorithm}",
            **_settings_of_tests(learning, data),
            "scoring": learning.score_name(data),
            "targets": strengths.targets,
            "n_replicates": n_replicates,
            "resampling": resampling,
            "stratify": stratify,
            "threshold": chosen.value,
            "threshold_rule": chosen.rule,
            "expected_false_edges": chosen.expected_false_edges,
            **{kind: tuple(map(tuple, known)) for kind, known in learning.known_edges.items()},
        },
    )
    contents = NetworkFiles(
        result,
        data,
        learning,
        source=inputs.source_name(file),
        how=plural(n_replicates, _SAMPLES[resampling]),
        strengths=strengths,
        highlight=strengths.targets or (),
        view=view,
    )
    outputs.write_all(files, contents.by_kind(), quiet=quiet)


def _settings_of_tests(learning: LearningOptions, data: Dataset) -> dict[str, Any]:
    """Return how the skeletons were learned, if there are any."""
    if learning.algorithm not in ("h2pc", "mmhc"):
        return {}
    rate = {} if learning.fdr is None else {"fdr": learning.fdr, "fdr_method": learning.fdr_method}
    own = {"variant": learning.variant, "symmetry": learning.symmetry}
    return own | learning.test_settings(data) | rate


def _check_threshold(
    resampling: str, threshold: float | None, max_false_edges: float | None, *, unimodal: bool
) -> None:
    """Refuse options of the threshold that contradict each other, before the work."""
    if threshold is not None and max_false_edges is not None:
        raise SettingError("--threshold and --max-false-edges both choose: expected one of them.")
    for name, given in (
        ("--max-false-edges", max_false_edges is not None),
        ("--unimodal", unimodal),
    ):
        if given and resampling != "subsample":
            raise SettingError(f"{name} needs --resampling subsample; got {resampling}.")


def _chosen(
    strengths: EdgeStrengths,
    threshold: float | None,
    max_false_edges: float | None,
    assumption: Assumption,
) -> _Threshold:
    """Return the threshold: as given, for a number of false edges, or estimated."""
    if max_false_edges is not None:
        value = strengths.threshold_for(max_false_edges, assumption=assumption)
        edges = "edge" if max_false_edges == 1 else "edges"
        rule = f"stability selection, at most {max_false_edges:g} false {edges} expected"
    elif threshold is not None:
        value, rule = threshold, "given"
    else:
        value, rule = strengths.threshold, "Scutari and Nagarajan (2013)"
    try:
        return _Threshold(value, rule, strengths.expected_false_edges(value, assumption=assumption))
    except SettingError:  # a threshold, or samples, without a bound
        return _Threshold(value, rule, None)


def _score_of(averaged: Dag, data: Dataset, score: LocalScore) -> float:
    """Return the score of a graph, which may lack variables of the data."""
    place = data.variables(averaged.names)
    return fsum(
        score.family(place[v], tuple(place[u] for u in parents))
        for v, parents in enumerate(averaged.parent_sets)
    )


def _print_strengths(strengths: EdgeStrengths, averaged: Dag, chosen: _Threshold) -> None:
    """Print all edges that were found, the strongest first, and how the threshold was chosen."""
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
    around = "" if strengths.targets is None else f" around {', '.join(strengths.targets)}"
    title = f"Edges in {plural(strengths.n_graphs, _SAMPLES[strengths.resampling])}{around}"
    print_table(title, ("parent", "child", "strength", "direction", "averaged"), rows)
    how = chosen.rule if chosen.rule == "given" else f"chosen by {chosen.rule}"
    typer.echo(
        f"{plural(len(kept), 'edge')} of the averaged network, stronger than {chosen.value:.3f} "
        f"({how})."
    )
    if chosen.expected_false_edges is not None:
        pairs = plural(strengths.n_pairs, "pair")
        typer.echo(
            f"False edges expected among {pairs}{' of the targets' if strengths.targets else ''}: "
            f"{chosen.expected_false_edges:.3g} at most."
        )

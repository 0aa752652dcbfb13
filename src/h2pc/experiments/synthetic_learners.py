"""Other learners on the samples of the first experiment, beside those of the paper."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from h2pc import Cpdag, Dag, __version__, load_network
from h2pc.checks import number, whole_number
from h2pc.errors import GraphError, SettingError
from h2pc.experiments.accuracy_learners import our_result
from h2pc.experiments.other_libraries import NoAnswerError, Peers
from h2pc.experiments.stored_results import ExperimentSetup, run_experiment
from h2pc.experiments.synthetic_cells import (
    SyntheticCell,
    checked_cells,
    cost,
    log_scores,
    new_sample,
    of_skeleton,
    training_sample,
)
from h2pc.graphs import consistent_extension
from h2pc.metrics import shd
from h2pc.runs.cells import CellResult, Record
from h2pc.scores import LocalScore

PAPER = "paper"
"""H2PC and MMHC with the settings of the paper, which share a folder."""
_OURS = {"default": ("h2pc", "H2PC()"), "default-mmhc": ("mmhc", "MMHC()")}
"""Names in the comparison of learners, and as one would write them."""
_THEIRS = {"miic": "pyagrum-miic", "tabu": "pyagrum-tabu"}
"""Names in the program that runs other libraries."""
OUR_OTHERS, OTHERS = tuple(_OURS), (*_OURS, *_THEIRS)


@dataclass(frozen=True)
class LearnerSetup(ExperimentSetup):
    """Settings of one of the other learners; what it does is decided by its own defaults."""

    experiment = "synthetic learner"
    checks: ClassVar = {"seed": whole_number(0), "n_new": whole_number(1), "limit": number(above=0)}

    learner: str
    """Its name on the command line, and that of its folder."""
    title: str
    """Its library, with the version, and what it is called there."""
    seed: int = 0
    """Seed of all samples."""
    equivalent_sample_size: float = 10.0
    """Weight of the prior of BDeu, by which networks are judged."""
    n_new: int = 50_000
    """Size of the new samples on which learned networks are scored."""
    limit: float = 600.0
    """Seconds after which a run is ended."""


def learner_setups(
    learners: Iterable[str], *, seed: int = 0, limit: float = 600.0, peers: Peers | None = None
) -> list[LearnerSetup]:
    """Return the settings of those learners that are not the paper's; all must be there."""
    chosen, known = list(learners), (PAPER, *OTHERS)
    if not chosen:
        raise SettingError("learners must have at least one entry.")
    for name in chosen:
        if name not in known:
            raise SettingError(f"learners must be some of {', '.join(known)}; got {name!r}.")
    names = [name for name in chosen if name != PAPER]
    titles = {name: f"h2pc {__version__}, {call}" for name, (_, call) in _OURS.items()}
    if not set(names) <= set(titles):
        titles |= _their_titles(peers or Peers())
    return [LearnerSetup(name, titles[name], seed, limit=limit) for name in names]


def _their_titles(peers: Peers) -> dict[str, str]:
    """Return the titles of the learners of other libraries."""
    if not peers.program.is_file():
        raise SettingError(
            f"{' and '.join(_THEIRS)} are run in the repository of h2pc only: expected the file "
            f"benchmarks/{peers.program.name}."
        )
    installed = peers.titles()
    if not set(_THEIRS.values()) <= set(installed):
        raise SettingError(
            f"{' and '.join(_THEIRS)} need pyAgrum, which is not installed "
            "(pip install --group peers)."
        )
    return {name: installed[theirs] for name, theirs in _THEIRS.items()}


def run_learner(
    folder: str | os.PathLike[str],
    networks: Iterable[str],
    sizes: Iterable[int],
    repetitions: int,
    setup: LearnerSetup,
    *,
    peers: Peers | None = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> int:
    """Run a learner on the samples of a grid that its folder does not have yet.

    Return how many cells the folder then has; those that took too long are among them.
    """
    cells = checked_cells(networks, sizes, repetitions)
    measure = partial(measured, setup=setup, peers=peers or Peers())
    return run_experiment(
        folder, cells, measure, setup, cost=cost, n_jobs=n_jobs, progress=progress
    )


def measured(cell: SyntheticCell, setup: LearnerSetup, peers: Peers) -> CellResult:
    """Return the quality of what a learner finds in the sample of a cell, and its running time.

    A learner that fails, or takes too long, has no answer, and the reason is kept.
    """
    network = load_network(cell.network, variant="paper")
    sample = training_sample(network, cell, setup.seed)
    graph: Dag | Cpdag
    counts: Record = {"n_tests": None, "n_scores": None}
    try:
        if setup.learner in _OURS:
            name, _ = _OURS[setup.learner]
            result, seconds = our_result(name, sample, setup.limit)
            graph = result.dag
            counts = {"n_tests": result.n_tests, "n_scores": result.n_scores}
        else:
            graph, taken = peers.learned(_THEIRS[setup.learner], sample, setup.limit)
            seconds = taken._asdict()
    except NoAnswerError as reason:
        return CellResult({"no_answer": str(reason)}, {})
    new = new_sample(network, cell, setup.seed, setup.n_new)
    scores = log_scores(sample, new, setup.equivalent_sample_size)
    return CellResult({**_quality(graph, network.dag, scores), **counts}, seconds)


def _quality(graph: Dag | Cpdag, true: Dag, scores: Mapping[str, LocalScore]) -> Record:
    """Return the performance indicators of a graph.

    A partially directed one is scored by a directed one of the same class; where its directions
    contradict each other, as those of MIIC may, there is none and no score.
    """
    found = {
        **of_skeleton(graph, true),
        "edges": len(graph.skeleton().edges),
        "shd": shd(graph, true),
    }
    try:
        dag = graph if isinstance(graph, Dag) else consistent_extension(graph)
    except GraphError:
        return found | dict.fromkeys(scores)
    return found | {name: score.total(dag.parent_sets) for name, score in scores.items()}

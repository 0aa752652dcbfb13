"""The paper's first experiment (section 4): H2PC and MMHC on samples of known networks."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import ClassVar, NamedTuple

import numpy as np

from h2pc import BayesianNetwork, Cpdag, Dag, Dataset, Skeleton, load_network, skeleton_scores
from h2pc.algorithms.learn_result import LearnResult
from h2pc.checks import whole_number
from h2pc.errors import SettingError
from h2pc.experiments.paper_learners import LEARNERS, PaperSetup, derived_seed, learned
from h2pc.experiments.stored_results import run_experiment
from h2pc.metrics import shd
from h2pc.runs.cells import CellResult, Record
from h2pc.scores import BIC, BDeu, LocalScore

# CPU seconds of one cell, measured; the number of variables alone predicts them badly.
_SIZES = (50, 500, 5000, 50_000)
_SECONDS = {
    "child": (0.04, 0.05, 0.07, 0.3),
    "insurance": (0.05, 0.08, 0.2, 1.3),
    "mildew": (0.14, 0.2, 0.23, 1.4),
    "alarm": (0.06, 0.09, 0.17, 0.5),
    "hailfinder": (0.09, 0.11, 0.22, 0.8),
    "munin1": (0.5, 0.6, 6.0, 140.0),
    "pigs": (1.4, 3.0, 7.0, 48.0),
    "link": (2.2, 6.0, 16.0, 180.0),
}


class SyntheticCell(NamedTuple):
    """One sample to learn from."""

    network: str
    size: int
    repetition: int


@dataclass(frozen=True)
class SyntheticSetup(PaperSetup):
    """Settings of the experiment; see :class:`PaperSetup`."""

    experiment = "synthetic"
    checks: ClassVar = {**PaperSetup.checks, "n_new": whole_number(1)}

    n_new: int = 50_000
    """Size of the new samples on which learned networks are scored."""


def run_synthetic(
    folder: str | os.PathLike[str],
    networks: Iterable[str],
    sizes: Iterable[int],
    repetitions: int,
    setup: SyntheticSetup | None = None,
    *,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> int:
    """Run the cells of a grid that a folder does not have yet; return how many it then has."""
    setup, cells = setup or SyntheticSetup(), checked_cells(networks, sizes, repetitions)
    measure = partial(measured, setup=setup)
    return run_experiment(
        folder, cells, measure, setup, cost=cost, n_jobs=n_jobs, progress=progress
    )


def checked_cells(
    networks: Iterable[str], sizes: Iterable[int], repetitions: int
) -> Sequence[SyntheticCell]:
    """Return all cells of a grid, whose networks must be in the library."""
    names, numbers = tuple(networks), tuple(sizes)
    for name in names:
        load_network(name)
    if not names or not numbers:
        raise SettingError("networks and sizes must have at least one entry each.")
    if min(numbers) < 1:
        raise SettingError(f"sizes must be at least 1; got {min(numbers)}.")
    if repetitions < 1:
        raise SettingError(f"repetitions must be at least 1; got {repetitions}.")
    return [SyntheticCell(*cell) for cell in product(names, numbers, range(repetitions))]


def cost(cell: SyntheticCell) -> float:
    """Return about the CPU seconds of a cell."""
    if cell.network in _SECONDS:
        sizes, seconds = np.log(_SIZES), np.log(_SECONDS[cell.network])
        return float(np.exp(np.interp(np.log(cell.size), sizes, seconds)))
    n_variables = len(load_network(cell.network).names)
    return float(6e-7 * n_variables**1.7 * cell.size**0.7 + 2e-3 * n_variables)


def measured(cell: SyntheticCell, setup: SyntheticSetup) -> CellResult:
    """Return the quality of what both algorithms learn from one sample, and their running times.

    A fit also counts for its skeleton, which is that of HPC or MMPC with the AND rule.
    """
    network = load_network(cell.network, variant="paper")
    sample = training_sample(network, cell, setup.seed)
    fits = {name: learned(name, sample, setup) for name in LEARNERS}
    new = new_sample(network, cell, setup.seed, setup.n_new)
    scores = log_scores(sample, new, setup.equivalent_sample_size)
    return CellResult(
        {name: _quality(result, network.dag, scores) for name, (result, _) in fits.items()},
        {name: seconds for name, (_, seconds) in fits.items()},
    )


def training_sample(network: BayesianNetwork, cell: SyntheticCell, seed: int) -> Dataset:
    """Return the sample to learn from, its columns in random order."""
    data = network.sample(cell.size, derived_seed(seed, *cell))
    return shuffled_columns(data, np.random.default_rng(derived_seed(seed, *cell, "columns")))


def shuffled_columns(data: Dataset, rng: np.random.Generator) -> Dataset:
    """Return the data with their columns in random order, which matters to some other libraries."""
    order = rng.permutation(data.n_variables).tolist()
    return Dataset.from_codes(
        data.codes[order],
        names=[data.names[v] for v in order],
        states=[data.states[v] for v in order],
    )


def new_sample(network: BayesianNetwork, cell: SyntheticCell, seed: int, n_new: int) -> Dataset:
    """Return the sample to score on: one for all sizes of a network and repetition."""
    return network.sample(n_new, derived_seed(seed, cell.network, cell.repetition, "new"))


def log_scores(
    sample: Dataset, new: Dataset, equivalent_sample_size: float
) -> dict[str, LocalScore]:
    """Return the scores of networks, on the sample they were learned from and on a new one."""
    return {
        f"{name}_{where}": score
        for where, data in (("train", sample), ("new", new))
        for name, score in (("bdeu", BDeu(data, equivalent_sample_size)), ("bic", BIC(data)))
    }


def of_skeleton(learned: Skeleton | Dag | Cpdag, true: Dag) -> Record:
    """Return the paper's performance indicators of a skeleton."""
    found = skeleton_scores(learned, true)
    return {
        "precision": found.precision,
        "recall": found.recall,
        "false_positive_rate": found.false_positive_rate,
        "distance": found.distance,
    }


def _quality(result: LearnResult, true: Dag, scores: Mapping[str, LocalScore]) -> Record:
    """Return the paper's performance indicators of a learned network and of its skeleton."""
    assert result.skeleton is not None  # both algorithms search inside one
    return {
        **of_skeleton(result.skeleton, true),
        "skeleton_edges": len(result.skeleton.edges),
        "n_tests": result.n_tests,
        "edges": len(result.dag.edges),
        "shd": shd(result.dag, true),
        "n_scores": result.n_scores,
        **{name: score.total(result.dag.parent_sets) for name, score in scores.items()},
    }

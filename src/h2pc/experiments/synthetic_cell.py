"""One cell of the synthetic experiment: sample, learn with H2PC and with MMHC, judge."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from time import perf_counter, process_time
from typing import Any

import numpy as np

from h2pc import H2PC, MMHC, BayesianNetwork, Dag, Dataset, load_network, skeleton_scores
from h2pc.algorithms.learn_result import LearnResult
from h2pc.experiments.synthetic_setup import Setup, SyntheticCell
from h2pc.metrics import shd
from h2pc.runs.cells import Outcome, Record
from h2pc.scores import BIC, BDeu, LocalScore

LEARNERS = {"h2pc": H2PC, "mmhc": MMHC}


def measured(cell: SyntheticCell, setup: Setup) -> Outcome:
    """Return what both learners make of one sample, and how long it takes them.

    Each fit counts twice: its skeleton is that of HPC or MMPC, with AND symmetry.

    Examples
    --------
    >>> outcome = measured(SyntheticCell("asia", 2000, 0), Setup())
    >>> outcome.results["h2pc"]["recall"] >= outcome.results["mmhc"]["recall"]
    True
    >>> sorted(outcome.seconds["mmhc"])
    ['cpu', 'search', 'skeleton', 'total']
    """
    _warm_up()
    network = load_network(cell.network, variant="paper")
    sample = training_sample(network, cell, setup.seed)
    fits = {name: _fit(name, sample, setup) for name in LEARNERS}
    scores = {
        f"{name}_{where}": score
        for where, data in (("train", sample), ("new", new_sample(network, cell, setup)))
        for name, score in (("bdeu", BDeu(data, setup.equivalent_sample_size)), ("bic", BIC(data)))
    }
    return Outcome(
        {name: _judged(result, network.dag, scores) for name, (result, _) in fits.items()},
        {name: seconds for name, (_, seconds) in fits.items()},
    )


def training_sample(network: BayesianNetwork, cell: SyntheticCell, seed: int) -> Dataset:
    """Return the sample to learn from, its columns in random order."""
    data = network.sample(cell.size, derived_seed(seed, *cell))
    rng = np.random.default_rng(derived_seed(seed, *cell, "columns"))
    order = rng.permutation(data.n_variables).tolist()
    return Dataset.from_codes(
        data.codes[order],
        names=[data.names[v] for v in order],
        states=[data.states[v] for v in order],
    )


def new_sample(network: BayesianNetwork, cell: SyntheticCell, setup: Setup) -> Dataset:
    """Return the sample to judge by: one for all sizes of a network and repetition."""
    return network.sample(
        setup.n_new, derived_seed(setup.seed, cell.network, cell.repetition, "new")
    )


def derived_seed(*parts: object) -> int:
    """Return the seed that belongs to these words and numbers.

    Examples
    --------
    >>> derived_seed(0, "asia", 50, 0) == derived_seed(0, "asia", 50, 0)
    True
    >>> derived_seed(0, "asia", 50, 0) == derived_seed(0, "asia", 50, 1)
    False
    """
    digest = hashlib.sha256("/".join(map(str, parts)).encode()).digest()
    return int.from_bytes(digest[:8], "big")


def _fit(name: str, data: Dataset, setup: Setup) -> tuple[LearnResult, Record]:
    """Return what a learner makes of the data, and the seconds from the data to the graph."""
    learner: Any = LEARNERS[name](
        alpha=setup.alpha,
        equivalent_sample_size=setup.equivalent_sample_size,
        patience=setup.patience,
        restarts=0,  # as in the paper
        second_power_rule=None,  # likewise
        progress=False,
    )
    wall, cpu = perf_counter(), process_time()
    result: LearnResult = learner.fit(data).result_
    total, busy = perf_counter() - wall, process_time() - cpu
    return result, {**result.seconds, "total": total, "cpu": busy}


def _judged(result: LearnResult, true: Dag, scores: Mapping[str, LocalScore]) -> Record:
    """Return the paper's performance indicators of a learned network and of its skeleton."""
    assert result.skeleton is not None  # both learners search inside one
    found = skeleton_scores(result.skeleton, true)
    return {
        "precision": found.precision,
        "recall": found.recall,
        "false_positive_rate": found.false_positive_rate,
        "distance": found.distance,
        "skeleton_edges": len(result.skeleton.edges),
        "n_tests": result.n_tests,
        "edges": len(result.dag.edges),
        "shd": shd(result.dag, true),
        "n_scores": result.n_scores,
        **{name: score.total(result.dag.parent_sets) for name, score in scores.items()},
    }


@cache
def _warm_up() -> None:
    """Load the compiled code: the first cell of a process would otherwise pay for it."""
    data = load_network("asia").sample(500)
    for name in LEARNERS:
        _fit(name, data, Setup())

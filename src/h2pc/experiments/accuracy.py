"""Accuracy of learned networks: H2PC and other learners on the same samples of known networks.

Run it as ``python -m h2pc.experiments.accuracy --plan seven --out FOLDER``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import numpy as np
from rich.console import Console

from h2pc import H2PC, MMHC, Cpdag, Dag, Dataset, HillClimbing, TabuSearch, load_network
from h2pc.errors import GraphError, H2pcError, SettingError
from h2pc.experiments.accuracy_tables import (
    NOTE,
    PLANS,
    AccuracyCell,
    AccuracyRuns,
    Plan,
    as_markdown,
    titled_tables,
)
from h2pc.experiments.other_libraries import PEERS, NoAnswerError, Peers
from h2pc.experiments.paper_learners import warm_up
from h2pc.experiments.stored_results import ExperimentSetup, run_experiment
from h2pc.experiments.synthetic_cells import shuffled_columns
from h2pc.graphs import consistent_extension
from h2pc.io.files import replace_file
from h2pc.metrics import edge_scores, network_score
from h2pc.runs.cells import RESULTS, TIMINGS, CellResult, Record, read_cells

_PAPER = {"variant": "paper"}
_RESTARTS = {**_PAPER, "restarts": 50}
_OR_RESTARTS = {**_RESTARTS, "symmetry": "or"}
_LEARNERS: dict[str, tuple[str, Any, dict[str, Any]]] = {
    "h2pc": ("H2PC of the paper", H2PC, _PAPER),
    "h2pc-default": ("H2PC", H2PC, {}),
    "h2pc-restarts": ("H2PC of the paper, 50 restarts", H2PC, _RESTARTS),
    "h2pc-or-restarts": ("H2PC of the paper, OR rule, 50 restarts", H2PC, _OR_RESTARTS),
    "mmhc": ("MMHC of the paper", MMHC, _PAPER),
    "mmhc-default": ("MMHC", MMHC, {}),
    "mmhc-restarts": ("MMHC of the paper, 50 restarts", MMHC, _RESTARTS),
    "hc": ("hill climbing", HillClimbing, {}),
    "tabu": ("tabu search", TabuSearch, {}),
}
OURS = {name: title for name, (title, _, _) in _LEARNERS.items()}


@dataclass(frozen=True)
class AccuracySetup(ExperimentSetup):
    """Settings of the experiment."""

    experiment = "accuracy"

    seed: int = 0
    """Seed of the first sample."""
    alpha: float = 0.05
    """Level of the independence tests."""
    equivalent_sample_size: float = 10.0
    """Weight of the prior of BDeu."""
    limit: float = 600.0
    """Seconds after which a run of another library is ended."""


def measured(cell: AccuracyCell, setup: AccuracySetup, peers: Peers) -> CellResult:
    """Return the quality of the graph that one learner learns from one sample, and its seconds."""
    data = sample(cell, setup.seed)
    graph: Dag | Cpdag
    try:
        if cell.learner in OURS:
            graph, seconds = our_graph(cell.learner, data, setup)
        else:
            size = setup.equivalent_sample_size
            graph, seconds = peers.learned(
                cell.learner, data, setup.limit, alpha=setup.alpha, equivalent_sample_size=size
            )
    except NoAnswerError as reason:
        return CellResult({"no_answer": str(reason)}, {})
    true = load_network(cell.network).dag
    return CellResult(quality(graph, true, data, setup), {"total": seconds})


def sample(cell: AccuracyCell, seed: int) -> Dataset:
    """Return the sample of a cell, the same for all learners, its columns in random order."""
    data = load_network(cell.network).sample(cell.n_samples, seed + cell.repetition)
    return shuffled_columns(data, np.random.default_rng((seed, cell.repetition)))


def our_graph(learner: str, data: Dataset, setup: AccuracySetup) -> tuple[Dag, float]:
    """Return the graph of one of our learners, and its seconds."""
    warm_up()
    made = _made(learner, setup)
    made._warns_of_data = False  # few samples are part of the experiment
    start = perf_counter()
    dag: Dag = made.fit(data).dag_
    return dag, perf_counter() - start


def quality(graph: Dag | Cpdag, true: Dag, data: Dataset, setup: AccuracySetup) -> Record:
    """Return the distance to the true graph, and the score on the training data."""
    scores = edge_scores(graph, true)
    try:
        dag = graph if isinstance(graph, Dag) else consistent_extension(graph)
        size = setup.equivalent_sample_size
        bdeu = network_score(dag, data, "bdeu", equivalent_sample_size=size)
    except GraphError:  # the directions that PC and MIIC find may contradict each other
        bdeu = None
    found = {"shd": scores.shd, "true_edges": len(true.edges)}
    return {**found, "bdeu": bdeu, "f1": scores.adjacency.f1}


def _made(learner: str, setup: AccuracySetup) -> Any:
    """Return one of our learners, not fitted yet."""
    _, kind, options = _LEARNERS[learner]
    if kind in (H2PC, MMHC):
        options = {**options, "alpha": setup.alpha, "progress": False}
    return kind(equivalent_sample_size=setup.equivalent_sample_size, **options)


def run_accuracy(
    folder: Path, plan: Plan, learners: Iterable[str], setup: AccuracySetup, peers: Peers
) -> AccuracyRuns:
    """Run the cells that the folder does not have yet; return all cells of the plan."""
    if plan.repetitions < 1:
        raise SettingError(f"repetitions must be at least 1; got {plan.repetitions}.")
    for network in plan.networks:
        load_network(network)
    cells = [
        AccuracyCell(network, plan.n_samples, repetition, learner)
        for network, repetition, learner in product(
            plan.networks, range(plan.repetitions), learners
        )
    ]
    run_experiment(folder, cells, lambda cell: measured(cell, setup, peers), setup)
    results, timings = (
        read_cells(folder / name, AccuracyCell._fields) for name in (RESULTS, TIMINGS)
    )
    return {cell: {**results[cell], "seconds": timings[cell].get("total")} for cell in cells}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the experiment with the options of the command line, and print its tables."""
    chosen = _parser().parse_args(arguments)
    options = {name: getattr(chosen, name) for name in Plan._fields}
    plan = PLANS[chosen.plan]._replace(**{k: v for k, v in options.items() if v is not None})
    setup = AccuracySetup(chosen.random_state, limit=chosen.limit)
    peers = Peers(chosen.peers, chosen.python)
    try:
        titles = OURS | peers.titles()
        learners = chosen.learners or tuple(titles)
        for learner in learners:
            if learner not in titles:
                raise SettingError(f"There is no learner {learner!r}, but {', '.join(titles)}.")
        with TemporaryDirectory() as scratch:
            runs = run_accuracy(Path(chosen.out or scratch), plan, learners, setup, peers)
    except H2pcError as error:
        raise SystemExit(str(error)) from None
    tables = titled_tables(runs, titles)
    console = Console(width=max(100, Console().width))
    for title, table in tables.items():
        console.print(table.as_rich(title))
    console.print(NOTE)
    if chosen.out:
        replace_file(Path(chosen.out) / "accuracy.md", as_markdown(tables))


def _parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--plan", choices=PLANS, default="seven", help="networks and samples")
    parser.add_argument("--networks", nargs="+", metavar="NAME", help="instead of the plan's")
    parser.add_argument("--n-samples", type=int, help="size of each sample, instead of the plan's")
    parser.add_argument(
        "--repetitions", type=int, help="number of samples of a network, instead of the plan's"
    )
    parser.add_argument("--learners", nargs="+", metavar="NAME", help="default: all")
    parser.add_argument("--random-state", type=int, default=0, help="seed of the first sample")
    parser.add_argument(
        "--limit", type=float, default=600.0, help="seconds after which other libraries are ended"
    )
    parser.add_argument("--out", metavar="FOLDER", help="folder of finished cells and tables")
    parser.add_argument(
        "--peers", type=Path, default=PEERS, help="program that runs other libraries"
    )
    parser.add_argument(
        "--python", default=sys.executable, help="interpreter that has other libraries"
    )
    return parser


if __name__ == "__main__":
    main()

"""Accuracy of learned networks: H2PC and other learners on the same samples of known networks.

Run it as ``python -m h2pc.experiments.accuracy --plan seven --out FOLDER``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar

import numpy as np
from rich.console import Console

from h2pc import BayesianNetwork, Cpdag, Dag, Dataset, load_network, read_network
from h2pc.checks import whole_number
from h2pc.errors import GraphError, H2pcError, SettingError
from h2pc.experiments.accuracy_comparison import comparison_table
from h2pc.experiments.accuracy_learners import OURS, our_graph
from h2pc.experiments.accuracy_tables import (
    NOTE,
    PLANS,
    AccuracyCell,
    AccuracyRuns,
    Plan,
    as_markdown,
    network_tables,
    summary_tables,
)
from h2pc.experiments.markdown_tables import MarkdownTable
from h2pc.experiments.other_libraries import PEERS, NoAnswerError, Peers
from h2pc.experiments.paper_learners import derived_seed
from h2pc.experiments.stored_results import ExperimentSetup, run_experiment
from h2pc.experiments.synthetic_cells import shuffled_columns
from h2pc.graphs import consistent_extension
from h2pc.io.files import replace_file
from h2pc.metrics import edge_scores, network_score
from h2pc.runs.cells import RESULTS, TIMINGS, CellResult, Record, read_cells

# Seeds of held-out samples have this bit, and those of training samples do not.
_HELD_OUT = 1 << 63


@dataclass(frozen=True)
class AccuracySetup(ExperimentSetup):
    """Settings of the experiment; our learners have those of their own."""

    experiment = "accuracy"
    checks: ClassVar = {"seed": whole_number(0), "n_held_out": whole_number(1)}

    seed: int = 0
    """Seed of the first sample."""
    alpha: float = 0.05
    """Level of the independence tests of others."""
    equivalent_sample_size: float = 10.0
    """Weight of the prior of BDeu and of the fitted tables."""
    limit: float = 600.0
    """Seconds after which a run is ended."""
    n_held_out: int = 10_000
    """Size of the sample that is held out."""


def measured(
    cell: AccuracyCell, true: BayesianNetwork, setup: AccuracySetup, peers: Peers
) -> CellResult:
    """Return the quality of the graph that one learner learns from one sample, and its seconds."""
    data = sample(true, cell, setup.seed)
    graph: Dag | Cpdag
    try:
        if cell.learner in OURS:
            graph, seconds = our_graph(cell.learner, data, setup.limit)
        else:
            size = setup.equivalent_sample_size
            graph, seconds = peers.learned(
                cell.learner, data, setup.limit, alpha=setup.alpha, equivalent_sample_size=size
            )
    except NoAnswerError as reason:
        return CellResult({"no_answer": str(reason)}, {})
    held_out = held_out_sample(true, cell, setup)
    size = setup.equivalent_sample_size
    return CellResult(quality(graph, true, data, held_out, size), seconds._asdict())


def sample(true: BayesianNetwork, cell: AccuracyCell, seed: int) -> Dataset:
    """Return the sample of a cell, the same for all learners, its columns in random order."""
    data = true.sample(cell.n_samples, seed + cell.repetition)
    return shuffled_columns(data, np.random.default_rng((seed, cell.repetition)))


def held_out_sample(true: BayesianNetwork, cell: AccuracyCell, setup: AccuracySetup) -> Dataset:
    """Return a sample that no learner sees: one for each network and repetition."""
    seed = derived_seed(setup.seed, cell.network, cell.repetition, "held out")
    return true.sample(setup.n_held_out, seed | _HELD_OUT)


def quality(
    graph: Dag | Cpdag,
    true: BayesianNetwork,
    data: Dataset,
    held_out: Dataset,
    equivalent_sample_size: float = 10.0,
) -> Record:
    """Return the distance to the true graph, the score on the training data, and the likelihood.

    The log-likelihood is that of a held-out sample, with tables fitted to the training data. Where
    directions contradict each other, as those of PC and MIIC may, there is neither.
    """
    scores = edge_scores(graph, true.dag)
    found: Record = {
        "shd": scores.shd,
        "true_edges": len(true.dag.edges),
        "missing": scores.missing,
        "extra": scores.extra,
        "directions": scores.reversed + scores.differently_marked,
        "f1": scores.adjacency.f1,
        "bdeu": None,
        "held_out": None,
        "held_out_true": float(true.log_likelihood(held_out).mean()),
    }
    try:
        dag = graph if isinstance(graph, Dag) else consistent_extension(graph)
    except GraphError:
        return found
    size = equivalent_sample_size
    found["bdeu"] = network_score(dag, data, "bdeu", equivalent_sample_size=size)
    try:
        learned = BayesianNetwork.fit(dag, data, equivalent_sample_size=size)
    except SettingError:  # a table would be too large
        return found
    return {**found, "held_out": float(learned.log_likelihood(held_out).mean())}


def network_name(source: str) -> str:
    """Return what a network of the library, or of a file, is called.

    Examples
    --------
    >>> network_name("asia"), network_name("networks/munin2.bif.gz")
    ('asia', 'munin2')
    """
    return Path(source).name.partition(".")[0]


def true_networks(sources: Iterable[str]) -> dict[str, BayesianNetwork]:
    """Return networks of the library and of files by name."""
    found: dict[str, BayesianNetwork] = {}
    for source in dict.fromkeys(sources):
        name = network_name(source)
        try:
            network = load_network(source) if source == name else read_network(source)
        except OSError as error:
            raise SettingError(f"{source} is no file of a network: {error.strerror}.") from None
        if not isinstance(network, BayesianNetwork):
            raise SettingError(f"{source} has continuous variables: expected discrete ones.")
        if name in found:
            raise SettingError(f"There are two networks {name!r}: expected names that differ.")
        found[name] = network
    return found


def run_accuracy(
    folder: Path,
    plans: Sequence[Plan],
    learners: Sequence[str],
    setup: AccuracySetup,
    peers: Peers,
    n_jobs: int | None = None,
) -> AccuracyRuns:
    """Run the cells that the folder does not have yet; return all that it has, the plans' first."""
    for plan in plans:
        if plan.repetitions < 1:
            raise SettingError(f"repetitions must be at least 1; got {plan.repetitions}.")
    networks = true_networks(source for plan in plans for source in plan.networks)
    cells = [
        AccuracyCell(network_name(source), n_samples, repetition, learner)
        for plan in plans
        for source, n_samples, repetition, learner in product(
            plan.networks, plan.n_samples, range(plan.repetitions), learners
        )
    ]
    run_experiment(
        folder,
        cells,
        lambda cell: measured(cell, networks[cell.network], setup, peers),
        setup,
        n_jobs=n_jobs,
    )
    stored = stored_runs(folder)
    return {cell: stored[cell] for cell in dict.fromkeys((*cells, *stored))}


def stored_runs(folder: Path) -> AccuracyRuns:
    """Return the finished cells of a folder, with their seconds."""
    results, timings = (
        read_cells(folder / name, AccuracyCell._fields) for name in (RESULTS, TIMINGS)
    )
    return {
        AccuracyCell(*cell): {
            **found,
            "seconds": timings[cell].get("total"),
            "cpu": timings[cell].get("cpu"),
        }
        for cell, found in results.items()
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the experiment with the options of the command line, and print its tables."""
    chosen = _parser().parse_args(arguments)
    changes = {name: value for name in Plan._fields if (value := getattr(chosen, name)) is not None}
    plans = [PLANS[name]._replace(**changes) for name in chosen.plan]
    peers = Peers(chosen.peers, chosen.python)
    try:
        setup = AccuracySetup(chosen.random_state, limit=chosen.limit)
        titles = OURS | peers.titles()
        learners = chosen.learners or tuple(titles)
        for learner in learners:
            if learner not in titles:
                raise SettingError(f"There is no learner {learner!r}, but {', '.join(titles)}.")
        with TemporaryDirectory() as scratch:
            folder = Path(chosen.out or scratch)
            runs = run_accuracy(folder, plans, learners, setup, peers, chosen.n_jobs)
        titles = {cell.learner: cell.learner for cell in runs} | titles
        tables = summary_tables(runs, titles)
        if chosen.base is not None:
            title = f"all learners beside {titles.get(chosen.base, chosen.base)}"
            tables[title] = comparison_table(runs, chosen.base, titles)
    except H2pcError as error:
        raise SystemExit(str(error)) from None
    _print(tables)
    if chosen.out:
        replace_file(folder / "accuracy.md", as_markdown(tables | network_tables(runs, titles)))


def _print(tables: Mapping[str, MarkdownTable]) -> None:
    """Print the tables; lines longer than those of the terminal are better than columns cut off."""
    drawn = [table.as_rich(title) for title, table in tables.items()]
    console = Console()
    for table in drawn:
        width = max(console.width, Console(width=1000).measure(table).maximum)
        Console(width=width).print(table)
    console.print(NOTE)


def _parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument(
        "--plan", choices=PLANS, nargs="+", default=["seven"], help="networks and samples"
    )
    parser.add_argument(
        "--networks",
        nargs="+",
        metavar="NAME",
        help="instead of the plan's: names of the library, and files of networks",
    )
    parser.add_argument(
        "--n-samples", type=int, nargs="+", metavar="N", help="sizes, instead of the plan's"
    )
    parser.add_argument(
        "--repetitions", type=int, help="number of samples of each size, instead of the plan's"
    )
    parser.add_argument("--learners", nargs="+", metavar="NAME", help="default: all")
    parser.add_argument("--base", metavar="NAME", help="learner to compare all others with")
    parser.add_argument("--random-state", type=int, default=0, help="seed of the first sample")
    parser.add_argument(
        "--limit", type=float, default=600.0, help="seconds after which a run is ended"
    )
    parser.add_argument("--n-jobs", type=int, help="processes; times are best with one")
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

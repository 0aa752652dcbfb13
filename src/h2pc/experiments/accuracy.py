"""How close learned networks come to the truth: H2PC beside other learners, on the same samples.

Run it as ``python -m h2pc.experiments.accuracy --plan seven --out FOLDER``.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from itertools import product
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from rich.console import Console
from rich.table import Table

from h2pc import H2PC, MMHC, Cpdag, Dag, Dataset, HillClimbing, TabuSearch, load_network
from h2pc import __version__ as version
from h2pc.errors import GraphError, H2pcError, SettingError
from h2pc.experiments.tables import TextTable
from h2pc.graph import consistent_extension
from h2pc.metrics import edge_scores, network_score
from h2pc.networks.files import replace_file
from h2pc.runs.cells import RESULTS, TIMINGS, CellStore, Outcome, Record, read_cells
from h2pc.runs.grid import run_cells

OURS = {"h2pc": "H2PC", "mmhc": "MMHC", "hc": "hill climbing", "tabu": "tabu search"}
PEERS = Path(__file__).parents[3] / "benchmarks" / "peers.py"
"""The program that runs other libraries; only the repository has it."""


class Plan(NamedTuple):
    """Networks, and the samples of each."""

    networks: tuple[str, ...]
    n_samples: int
    repetitions: int


SEVEN = Plan(("alarm", "child", "insurance", "hailfinder", "hepar2", "win95pts", "andes"), 5000, 5)
TEN = Plan(
    (
        "asia",
        "sachs",
        "child",
        "insurance",
        "water",
        "mildew",
        "alarm",
        "barley",
        "hepar2",
        "win95pts",
    ),
    10_000,
    1,
)
PLANS = {"seven": SEVEN, "ten": TEN}

# Single runs with 5,000 samples: the SHD of the authors' H2PC, and of bnlearn's.
REPORTED_RUNS = ("H2PC, authors (2014), one run*", "H2PC, bnlearn 5.2.1, one run*")
REPORTED_SHD = {
    "alarm": (3, 14),
    "child": (0, 4),
    "insurance": (23, 27),
    "hepar2": (57, 60),
    "andes": (58, 74),
}
# 10,000 samples: the mean of SHD / edges over the ten networks.
REPORTED_MEANS = {
    "H2PC, authors (2014)*": 0.32,
    "H2PC, bnlearn 5.2.1*": 0.42,
    "MMHC, bnlearn*": 0.57,
    "FGES*": 0.39,
    "GES, BDeu*": 0.31,
}
NOTE = (
    "SHD: between equivalence classes. BDeu: of the sample. F1: of the skeleton. Means over the "
    "runs. * Reported by others, on samples of their own."
)


class AccuracyCell(NamedTuple):
    """One sample, and who learns from it."""

    network: str
    n_samples: int
    repetition: int
    learner: str


@dataclass(frozen=True)
class Setup:
    """All that decides the outcome of a cell, besides its name."""

    seed: int = 0
    alpha: float = 0.05
    equivalent_sample_size: float = 10.0
    limit: float = 600.0
    """The seconds after which a run of another library is ended."""

    def settings(self) -> dict[str, object]:
        """Return what the folder of the experiment has to agree with."""
        return {"experiment": "accuracy", "version": version, **asdict(self)}


class NoAnswerError(H2pcError):
    """A learner did not come up with a graph."""


@dataclass(frozen=True)
class Peers:
    """Other libraries, behind a program that runs one of their learners in a process of its own."""

    program: Path = PEERS
    python: str = sys.executable

    def titles(self) -> dict[str, str]:
        """Return the learners that are there, and what to call them."""
        if not self.program.is_file():
            return {}
        try:
            listed = self._run([], limit=None)
        except OSError as error:
            raise SettingError(f"{self.python} does not run: {error.strerror}.") from None
        try:
            titles: dict[str, str] = json.loads(listed.stdout)
        except ValueError:
            complaint = _last_line(listed.stderr)
            raise SettingError(f"{self.program} does not list learners: {complaint}.") from None
        return titles

    def learned(self, learner: str, data: Dataset, setup: Setup) -> tuple[Dag | Cpdag, float]:
        """Return the graph of a learner, and the seconds it took."""
        with TemporaryDirectory() as folder:
            table, answer = Path(folder) / "data.npz", Path(folder) / "answer.json"
            order = list(data.variables(data.columns))
            names = np.array(data.columns)
            np.savez(table, codes=data.codes[order], cards=data.cards[order], names=names)
            options = ["--alpha", setup.alpha]
            options += ["--equivalent-sample-size", setup.equivalent_sample_size]
            try:
                run = self._run([learner, table, answer, *options], setup.limit)
            except subprocess.TimeoutExpired:
                raise NoAnswerError(f"over {setup.limit:g} s") from None
            if run.returncode != 0:
                raise NoAnswerError(f"failed: {_last_line(run.stderr)}")
            found = json.loads(answer.read_text())
        directed, undirected = found["directed"], found["undirected"]
        if undirected is None:
            return Dag.from_edges(data.names, directed), found["seconds"]
        return Cpdag(data.names, directed, undirected), found["seconds"]

    def _run(
        self, arguments: Sequence[object], limit: float | None
    ) -> subprocess.CompletedProcess[str]:
        """Run the program in one thread, for so many seconds at most."""
        return subprocess.run(
            [self.python, str(self.program), *map(str, arguments)],
            capture_output=True,
            text=True,
            timeout=limit,
            env=os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
            check=False,
        )


def measured(cell: AccuracyCell, setup: Setup, peers: Peers) -> Outcome:
    """Return how good the graph is that one learner makes of one sample, and its seconds.

    Examples
    --------
    >>> outcome = measured(AccuracyCell("child", 5000, 0, "h2pc"), Setup(), Peers())
    >>> outcome.results["shd"], outcome.results["true_edges"]
    (0, 25)
    """
    data = sample(cell, setup.seed)
    graph: Dag | Cpdag
    try:
        if cell.learner in OURS:
            graph, seconds = our_graph(cell.learner, data, setup)
        else:
            graph, seconds = peers.learned(cell.learner, data, setup)
    except NoAnswerError as reason:
        return Outcome({"no_answer": str(reason)}, {})
    true = load_network(cell.network).dag
    return Outcome(judged(graph, true, data, setup), {"total": seconds})


def sample(cell: AccuracyCell, seed: int) -> Dataset:
    """Return the sample of a cell, the same for all learners.

    The order of its columns is random: it is nothing to us, but to others.
    """
    data = load_network(cell.network).sample(cell.n_samples, seed + cell.repetition)
    order = np.random.default_rng((seed, cell.repetition)).permutation(data.n_variables).tolist()
    return Dataset.from_codes(
        data.codes[order],
        names=[data.names[v] for v in order],
        states=[data.states[v] for v in order],
    )


def our_graph(learner: str, data: Dataset, setup: Setup) -> tuple[Dag, float]:
    """Return the graph of one of our learners, and the seconds it took."""
    _load_compiled_code()
    made = _made(learner, setup)
    start = perf_counter()
    dag: Dag = made.fit(data).dag_
    return dag, perf_counter() - start


def judged(graph: Dag | Cpdag, true: Dag, data: Dataset, setup: Setup) -> Record:
    """Return the distance to the truth, and the fit to the data that the graph was learned from."""
    scores = edge_scores(graph, true)
    try:
        dag = graph if isinstance(graph, Dag) else consistent_extension(graph)
        size = setup.equivalent_sample_size
        bdeu = network_score(dag, data, "bdeu", equivalent_sample_size=size)
    except GraphError:  # the directions that PC and MIIC find may contradict each other
        bdeu = None
    n_edges = len(true.edges)
    return {"shd": scores.shd, "true_edges": n_edges, "bdeu": bdeu, "f1": scores.adjacency.f1}


def _made(learner: str, setup: Setup) -> Any:
    """Return one of our learners, not fitted yet."""
    prior: dict[str, Any] = {"equivalent_sample_size": setup.equivalent_sample_size}
    if learner in ("hc", "tabu"):
        return {"hc": HillClimbing, "tabu": TabuSearch}[learner](**prior)
    return {"h2pc": H2PC, "mmhc": MMHC}[learner](alpha=setup.alpha, progress=False, **prior)


@cache
def _load_compiled_code() -> None:
    """Learn something small: the first cell would otherwise pay for loading the code."""
    data = load_network("asia").sample(500)
    for learner in OURS:
        _made(learner, Setup()).fit(data)


def _last_line(text: str) -> str:
    """Return the last line of what a program complained about."""
    return (text.strip().splitlines() or ["no message"])[-1]


Runs = Mapping[AccuracyCell, Record]
"""What is known of every cell, its seconds included."""


def run_accuracy(
    folder: Path, plan: Plan, learners: Iterable[str], setup: Setup, peers: Peers
) -> Runs:
    """Run what is missing in the folder, one cell after the other, and return all of the plan."""
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
    fields = AccuracyCell._fields
    with CellStore(folder, fields, setup.settings()) as store:
        run_cells(cells, lambda cell: measured(cell, setup, peers), store)
    results, timings = (read_cells(folder / name, fields) for name in (RESULTS, TIMINGS))
    return {cell: {**results[cell], "seconds": timings[cell].get("total")} for cell in cells}


def titled_tables(runs: Runs, titles: Mapping[str, str]) -> dict[str, TextTable]:
    """Return a table for every network, and one for all of them, by their titles."""
    tables = {}
    for network in dict.fromkeys(cell.network for cell in runs):
        chosen = {cell: run for cell, run in runs.items() if cell.network == network}
        n_samples, n_runs = max((cell.n_samples, cell.repetition + 1) for cell in chosen)
        title = f"{network}, {n_samples:,} samples, mean of {n_runs}"
        tables[title] = network_table(chosen, titles)
    return {**tables, "all networks": means_table(runs, titles)}


def network_table(runs: Runs, titles: Mapping[str, str]) -> TextTable:
    """Return the means over the runs of every learner on one network, and what others report."""
    rows: list[tuple[str, ...]] = []
    for learner in dict.fromkeys(cell.learner for cell in runs):
        tried = [run for cell, run in runs.items() if cell.learner == learner]
        answers = [run for run in tried if "no_answer" not in run]
        title = titles[learner]
        if not answers:
            rows.append((f"{title}: {tried[0]['no_answer']}", "–", "–", "–", "–", "–"))
            continue
        some = "" if answers == tried else f" ({len(answers)} of {len(tried)} runs)"
        rows.append((title + some, *_means(answers)))
    first = next(iter(runs))
    if first.n_samples == SEVEN.n_samples:
        n_edges = len(load_network(first.network).dag.edges)
        for who, distance in zip(REPORTED_RUNS, REPORTED_SHD.get(first.network, ()), strict=False):
            rows.append((who, f"{distance}", f"{distance / n_edges:.3f}", "", "", ""))
    return TextTable(("learner", "SHD", "SHD / edges", "BDeu", "F1", "seconds"), rows)


def _means(answers: Sequence[Record]) -> tuple[str, ...]:
    """Return the mean of every column; there is no BDeu if an answer lacks it."""
    scores = [run["bdeu"] for run in answers]
    return (
        f"{mean(run['shd'] for run in answers):.1f}",
        f"{mean(run['shd'] / run['true_edges'] for run in answers):.3f}",
        "–" if None in scores else f"{mean(scores):,.1f}",
        f"{mean(run['f1'] for run in answers):.3f}",
        f"{mean(run['seconds'] for run in answers):.3g}",
    )


def means_table(runs: Runs, titles: Mapping[str, str]) -> TextTable:
    """Return the mean over the networks of SHD / edges, and what others report."""
    networks = {cell.network for cell in runs}
    rows: list[tuple[str, ...]] = []
    for learner in dict.fromkeys(cell.learner for cell in runs):
        ratios: dict[str, list[float]] = {}
        for cell, run in runs.items():
            if cell.learner == learner and "no_answer" not in run:
                ratios.setdefault(cell.network, []).append(run["shd"] / run["true_edges"])
        average = f"{mean(map(mean, ratios.values())):.3f}" if ratios else ""
        rows.append((titles[learner], average, f"{len(ratios)} of {len(networks)}"))
    if networks == set(TEN.networks) and {cell.n_samples for cell in runs} == {TEN.n_samples}:
        rows += [(who, f"{figure:.2f}", "10 of 10") for who, figure in REPORTED_MEANS.items()]
    return TextTable(("learner", "mean SHD / edges", "networks"), rows)


def printed(title: str, table: TextTable) -> Table:
    """Return a table for the terminal."""
    shown = Table(title=title)
    for column, heading in enumerate(table.headings):
        shown.add_column(heading, justify="right" if column else "left", no_wrap=True)
    for row in table.rows:
        shown.add_row(*row)
    return shown


def as_markdown(tables: Mapping[str, TextTable]) -> str:
    """Return the tables as a page."""
    parts = [f"## {title}\n\n{table.as_markdown()}" for title, table in tables.items()]
    return "\n".join(["# Accuracy of learned networks\n", *parts, NOTE.replace("*", "\\*")]) + "\n"


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the experiment that the command line asks for, and print its tables."""
    chosen = _parser().parse_args(arguments)
    asked = {"networks": chosen.networks, "n_samples": chosen.samples}
    asked |= {"repetitions": chosen.repetitions}
    plan = PLANS[chosen.plan]._replace(**{k: v for k, v in asked.items() if v is not None})
    setup = Setup(chosen.seed, chosen.alpha, chosen.equivalent_sample_size, chosen.limit)
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
    console = Console()
    if console.width < 100:
        console = Console(width=100)
    for title, table in tables.items():
        console.print(printed(title, table))
    console.print(NOTE)
    if chosen.out:
        replace_file(Path(chosen.out) / "accuracy.md", as_markdown(tables))


def _parser() -> argparse.ArgumentParser:
    """Return what the command line understands."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--plan", choices=PLANS, default="seven", help="networks and samples")
    parser.add_argument("--networks", nargs="+", metavar="NAME", help="instead of the plan's")
    parser.add_argument("--samples", type=int, help="size of each sample, instead of the plan's")
    parser.add_argument("--repetitions", type=int, help="samples of a network, likewise")
    parser.add_argument("--learners", nargs="+", metavar="NAME", help="by default all there are")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first sample")
    parser.add_argument("--alpha", type=float, default=0.05, help="level of the tests")
    parser.add_argument("--equivalent-sample-size", type=float, default=10.0, help="of BDeu")
    parser.add_argument("--limit", type=float, default=600.0, help="seconds for other libraries")
    parser.add_argument("--out", metavar="FOLDER", help="where finished cells and tables are kept")
    parser.add_argument("--peers", type=Path, default=PEERS, help="what runs other libraries")
    parser.add_argument("--python", default=sys.executable, help="the interpreter that has them")
    return parser


if __name__ == "__main__":
    main()

"""Other libraries' tests and learners, called as their users would, in the fastest way they offer.

A peer that is not installed is left out. All run in one thread.

As a program, it is what ``python -m h2pc.experiments.accuracy`` asks for the graphs of others:
``peers.py`` prints the learners that are there, ``peers.py LEARNER DATA ANSWER`` runs one of them.
The interpreter needs the other libraries, and not h2pc.
"""

from __future__ import annotations

import argparse
import importlib
import json
from collections.abc import Callable, Iterable
from importlib.metadata import PackageNotFoundError, version
from operator import itemgetter
from pathlib import Path
from time import perf_counter, process_time
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from peer_scores import BIC, BDeu, FamilyScore, Table, xges_scorer

if TYPE_CHECKING:
    from h2pc import Dataset

_RUNS, _SECONDS_OF_RUNS = 5, 0.2
"""A learner is timed so often, or until it took so long."""


def installed(module: str) -> ModuleType | None:
    """Return the module, or None where it cannot be imported."""
    try:
        return importlib.import_module(module)
    except ImportError:
        return None


def single_threaded_pyagrum() -> ModuleType | None:
    """Return pyAgrum, or None; ``BNLearner.setNumberOfThreads`` does not reach its tests."""
    pyagrum = installed("pyagrum")
    if pyagrum is not None:
        pyagrum.setNumberOfThreads(1)
    return pyagrum


def missing_peers() -> list[str]:
    """Return one sentence for every peer that is not there."""
    peers = {"pyAgrum": "pyagrum", "causal-learn": "causallearn"}
    return [
        f"{name} is not installed and left out; `pip install --group peers` brings it."
        for name, module in peers.items()
        if installed(module) is None
    ]


def versions() -> dict[str, str]:
    """Return the versions of whatever takes part."""
    found = {}
    for package in ("h2pc", "numba", "numpy", "pyagrum", "causal-learn"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


class CausalLearnTest:
    """causal-learn's G² test. It remembers every answer: :meth:`forget` before asking again."""

    def __init__(self, data: Dataset) -> None:
        from causallearn.utils.cit import CIT

        self._test = CIT(data.codes.T, "gsq")

    def forget(self) -> None:
        """Empty the cache of answers."""
        self._test.pvalue_cache.clear()

    def p_many(self, target: int, candidates: tuple[int, ...], z: tuple[int, ...]) -> list[float]:
        """Return the p-value of every candidate."""
        return [self._test(target, y, z) for y in candidates]


class PyAgrumTest:
    """pyAgrum's G² test; it keeps no answers, each call makes a new test in C++."""

    def __init__(self, data: Dataset, pyagrum: ModuleType) -> None:
        self._names = list(data.names)
        self._test = pyagrum.BNLearner(data.to_pandas()).G2

    def statistic_many(
        self, target: int, candidates: tuple[int, ...], z: tuple[int, ...]
    ) -> list[float]:
        """Return G² of every candidate (the p-value, which comes with it, is dropped)."""
        names, test = self._names, self._test
        x, knowing = names[target], [names[v] for v in z]
        return [test(x, names[y], knowing)[0] for y in candidates]


def causal_learn_pc(data: Dataset, alpha: float) -> Callable[[], Any]:
    """Return a run of causal-learn's PC with G² on the columns in their own order."""
    from causallearn.search.ConstraintBased.PC import pc

    rows = table_of(data).rows()
    return lambda: pc(rows, alpha, "gsq", show_progress=False)


def pyagrum_miic(data: Dataset, pyagrum: ModuleType) -> Callable[[], Any]:
    """Return a run of pyAgrum's MIIC; making the learner from the table is left out."""
    learner = pyagrum.BNLearner(data.to_pandas())
    learner.useMIIC()
    return learner.learnPDAG


def pyagrum_pc(data: Dataset, pyagrum: ModuleType, alpha: float) -> Callable[[], Any] | None:
    """Return a run of pyAgrum's PC with G², which came with version 3."""
    learner = pyagrum.BNLearner(data.to_pandas())
    if not hasattr(learner, "usePC"):
        return None
    learner.usePC()
    learner.useG2Test()
    learner.setPCAlpha(alpha)
    return learner.learnPDAG


class Graph(NamedTuple):
    """Edges as pairs of names, the parent first where there is a direction."""

    directed: list[tuple[str, str]]
    undirected: list[tuple[str, str]] | None
    """None in a directed graph, which stands for its equivalence class."""


def table_of(data: Dataset) -> Table:
    """Return the sample of a data set, its columns in their own order."""
    order = list(data.variables(data.columns))
    return Table(data.columns, data.codes[order], tuple(data.cards[order].tolist()))


class Task(NamedTuple):
    """What to learn from, and how."""

    table: Table
    alpha: float
    equivalent_sample_size: float


Run = tuple[Callable[[], Any], Callable[[Any], Graph]]
"""What learns, which is timed, and what reads the graph from what was learned."""


class Library(NamedTuple):
    """Another library: how it is called, installed and imported."""

    title: str
    distribution: str
    module: str


class Learner(NamedTuple):
    """A learner of whole graphs, and how to make a run of it."""

    library: Library
    title: str
    prepared: Callable[[Task], Run]


def declared_learner(table: Table) -> Any:
    """Return pyAgrum's learner, which would not count levels that do not occur by itself."""
    import pandas as pd
    import pyagrum

    pyagrum.setNumberOfThreads(1)
    template, columns = pyagrum.BayesNet(), {}
    for name, codes, card in zip(*table, strict=True):
        labels = [str(level) for level in range(card)]
        template.add(pyagrum.LabelizedVariable(name, name, labels))
        columns[name] = pd.Categorical.from_codes(codes, labels)
    return pyagrum.BNLearner(pd.DataFrame(columns), template)


def pyagrum_hill_climbing(task: Task) -> Run:
    """Return a run of greedy hill climbing with BDeu."""
    learner = declared_learner(task.table)
    learner.useGreedyHillClimbing()
    # useScoreBDeu would stay at a sample size of 1; BD with this prior is BDeu of any size.
    learner.useScoreBD()
    learner.useBDeuPrior(task.equivalent_sample_size)
    return learner.learnDAG, lambda found: Graph(named(found.arcs(), learner.nameFromId), None)


def pyagrum_tabu(task: Task) -> Run:
    """Return a run of the search with a tabu list and BIC, the list as long as pyAgrum chooses."""
    learner = declared_learner(task.table)
    learner.useLocalSearchWithTabuList()
    learner.useScoreBIC()
    return learner.learnDAG, lambda found: Graph(named(found.arcs(), learner.nameFromId), None)


def pyagrum_miic_nml(task: Task) -> Run:
    """Return a run of MIIC.

    The correction is the one of its authors: with pyAgrum's own choice, MDL, child loses its edges'
    directions. Where MIIC suspects a latent variable, the direction is the one of its graph.
    """
    learner = declared_learner(task.table)
    learner.useMIIC()
    learner.useNMLCorrection()

    def graph_of(found: Any) -> Graph:
        return Graph(*(named(edges, learner.nameFromId) for edges in (found.arcs(), found.edges())))

    return learner.learnPDAG, graph_of


def causal_learn_pc_graph(task: Task) -> Run:
    """Return a run of PC with G²."""
    from causallearn.search.ConstraintBased.PC import pc

    table = task.table
    rows = table.rows()
    return (
        lambda: pc(rows, task.alpha, "gsq", show_progress=False),
        lambda found: from_end_marks(found.G.graph, table.names),
    )


def causal_learn_ges_graph(task: Task) -> Run:
    """Return a run of GES with BDeu.

    Its sample size and its levels cannot be chosen: they are 1, and those that occur.
    """
    from causallearn.search.ScoreBased.GES import ges

    table = task.table
    rows = table.rows()
    return (
        lambda: ges(rows, "local_score_BDeu"),
        lambda found: from_end_marks(found["G"].graph, table.names),
    )


def xges_with(kind: type[FamilyScore]) -> Callable[[Task], Run]:
    """Return what makes runs of XGES with a score: its own are Gaussian, but it takes any other."""

    def prepared(task: Task) -> Run:
        from xges import XGES

        table = task.table
        rows, scorer = table.rows(), xges_scorer(kind(table, task.equivalent_sample_size))

        def graph_of(found: Any) -> Graph:
            marks = np.asarray(found.to_adjacency_matrix(), bool)
            both = np.argwhere(marks & ~marks.T), np.argwhere(np.triu(marks & marks.T))
            return Graph(*(named(edges.tolist(), table.names.__getitem__) for edges in both))

        return lambda: XGES().fit(rows, scorer=scorer, verbose=0), graph_of

    return prepared


PYAGRUM = Library("pyAgrum", "pyagrum", "pyagrum")
CAUSAL_LEARN = Library("causal-learn", "causal-learn", "causallearn")
XGES = Library("xges", "xges", "xges")
LEARNERS = {
    "pyagrum-ghc": Learner(PYAGRUM, "hill climbing, BDeu", pyagrum_hill_climbing),
    "pyagrum-tabu": Learner(PYAGRUM, "tabu, BIC", pyagrum_tabu),
    "pyagrum-miic": Learner(PYAGRUM, "MIIC", pyagrum_miic_nml),
    "causallearn-pc": Learner(CAUSAL_LEARN, "PC", causal_learn_pc_graph),
    "causallearn-ges": Learner(CAUSAL_LEARN, "GES, BDeu", causal_learn_ges_graph),
    "xges-bdeu": Learner(XGES, "XGES, BDeu", xges_with(BDeu)),
    "xges-bic": Learner(XGES, "XGES, BIC", xges_with(BIC)),
}


def named(edges: Iterable[tuple[int, int]], name: Callable[[int], str]) -> list[tuple[str, str]]:
    """Return edges between numbers as edges between names."""
    return [(name(u), name(v)) for u, v in sorted(edges)]


def from_end_marks(marks: NDArray[Any], names: tuple[str, ...]) -> Graph:
    """Return the graph that causal-learn writes as a matrix of the marks at the ends of edges.

    ``marks[v, u] == 1`` is an arrowhead at v of the edge between u and v, -1 a tail.
    """
    arrows, lines = [], []
    for u, v in zip(*np.nonzero(np.triu(marks != 0)), strict=True):
        ends = int(marks[u, v]), int(marks[v, u])
        if ends == (-1, 1):
            arrows.append((names[u], names[v]))
        elif ends == (1, -1):
            arrows.append((names[v], names[u]))
        elif ends == (-1, -1):
            lines.append((names[u], names[v]))
        else:
            raise SystemExit(f"{names[u]} and {names[v]} have the marks {ends}: no CPDAG has them.")
    return Graph(arrows, lines)


def answer(learner: str, task: Task) -> dict[str, Any]:
    """Run a learner; making it from the table and reading its graph are not timed.

    Runs of milliseconds are repeated, each with a learner of its own, and the fastest counts.
    """
    runs: list[dict[str, float]] = []
    while len(runs) < _RUNS and sum(seconds["seconds"] for seconds in runs) < _SECONDS_OF_RUNS:
        run, graph_of = LEARNERS[learner].prepared(task)
        wall, cpu = perf_counter(), process_time()
        found = run()
        runs.append({"seconds": perf_counter() - wall, "cpu": process_time() - cpu})
    return {**graph_of(found)._asdict(), **min(runs, key=itemgetter("cpu"))}


def installed_learners() -> dict[str, str]:
    """Return the title of every learner that is there, with the version of its library."""
    there = {
        library: version(library.distribution)
        for library in (PYAGRUM, CAUSAL_LEARN, XGES)
        if installed(library.module) is not None
    }
    return {
        name: f"{learner.library.title} {there[learner.library]}, {learner.title}"
        for name, learner in LEARNERS.items()
        if learner.library in there
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("learner", nargs="?", choices=LEARNERS, help="none lists what is there")
    parser.add_argument("data", nargs="?", type=Path, help="codes, cards and names in a .npz file")
    parser.add_argument("answer", nargs="?", type=Path, help="where the graph goes, as JSON")
    parser.add_argument("--alpha", type=float, default=0.05)
    parser.add_argument("--equivalent-sample-size", type=float, default=10.0)
    chosen = parser.parse_args()
    if chosen.learner is None:
        print(json.dumps(installed_learners()))
        return
    if chosen.answer is None:
        parser.error("a learner needs DATA and ANSWER")
    with np.load(chosen.data) as file:
        names = tuple(str(name) for name in file["names"])
        table = Table(names, file["codes"], tuple(file["cards"].tolist()))
    task = Task(table, chosen.alpha, chosen.equivalent_sample_size)
    chosen.answer.write_text(json.dumps(answer(chosen.learner, task)))


if __name__ == "__main__":
    main()

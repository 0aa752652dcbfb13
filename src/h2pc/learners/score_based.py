"""Searches among all graphs, or classes of graphs: from a table of data to a network."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass
from time import perf_counter
from typing import Any, ClassVar, Literal, Self

from h2pc.algorithms.class_search import class_search
from h2pc.algorithms.h2pc import Search
from h2pc.algorithms.hill_climbing import hill_climbing
from h2pc.algorithms.learn_result import LearnResult
from h2pc.algorithms.tabu import tabu_search
from h2pc.data import Dataset
from h2pc.graphs import Dag
from h2pc.learners.search_problem import SearchProblem
from h2pc.learners.structure_learner import StructureLearner
from h2pc.learners.validation import (
    NamedEdge,
    edge_constraints,
    start_graph,
    started_watch,
    warn_of_limits,
    with_choices,
)
from h2pc.random_state import RandomState
from h2pc.runs.limits import Limits
from h2pc.runs.progress import ProgressBar
from h2pc.scores.named import ScoreFactory, ScoreName, local_score


@dataclass(eq=False, repr=False)
class ScoreBasedLearner(StructureLearner):
    """A search that may join any two variables."""

    scoring: ScoreName | ScoreFactory = "auto"
    _: KW_ONLY
    equivalent_sample_size: float = 10.0
    start: Dag | None = None
    max_parents: int | None = None
    required: Iterable[NamedEdge] = ()
    forbidden: Iterable[NamedEdge] = ()
    tiers: Iterable[Iterable[str]] = ()
    progress: bool | None = None
    max_seconds: float | None = None
    max_memory: int | None = None

    score_of_counts: ClassVar[str] = "bdeu"
    """What ``scoring="auto"`` is for discrete data."""
    _search: ClassVar[Search]
    _search_params: ClassVar[dict[str, str]]
    """Parameters of the search, by those of the learner."""

    def fit(self, X: Any, y: object = None) -> Self:  # noqa: ARG002
        """Learn the network of the variables of ``X``; parameters as of :meth:`H2PC.fit`."""
        data = Dataset.from_data(X)
        params = with_choices(self._checked_params(), data, self.score_of_counts)
        limits = Limits(params["max_seconds"], params["max_memory"])
        watch = started_watch(limits, data, n_moves=data.n_variables * (data.n_variables - 1))
        start = perf_counter()
        problem = self._search_problem(data, params)
        with ProgressBar("Search", params["progress"]) as bar:
            found = self._search(
                problem.score,
                constraints=problem.constraints,
                start=start_graph(params["start"], data),
                poll=watch.poll,
                bar=bar,
                **{argument: params[name] for name, argument in self._search_params.items()},
            )
        result = LearnResult(
            Dag(data.names, found.parent_sets),
            None,
            score=found.score,
            n_scores=found.n_scores,
            n_moves=found.n_moves,
            seconds={"search": perf_counter() - start},
            complete=found.complete,
        )
        warn_of_limits(result, watch, has_checkpoint=None, stacklevel=2)
        return self._keep(X, data, result, {**params, "start": params["start"] or ()})

    def _search_problem(self, data: Dataset, params: Mapping[str, Any]) -> SearchProblem:
        return SearchProblem(
            data.names,
            local_score(data, params["scoring"], params["equivalent_sample_size"]),
            None,
            edge_constraints(data, params["required"], params["forbidden"], params["tiers"]),
            params["max_parents"],
        )


@dataclass(eq=False, repr=False, kw_only=True)
class HillClimbing(ScoreBasedLearner):
    """Learn a Bayesian network by greedy hill climbing, with random restarts.

    Parameters
    ----------
    scoring, equivalent_sample_size, max_parents : default="auto", 10.0, None
        As of :class:`H2PC`.
    start : Dag, default=None
        The graph to start from; by default the empty one.
    restarts : int, default=0
        The number of further climbs, each from the best graph so far after some random moves.
    perturbations : int, default=10
        The number of these moves.
    required, forbidden, tiers : iterable, default=()
        As of :class:`H2PC`.
    random_state : int, random generator or None, default=0
        The seed of the random moves.
    progress, max_seconds, max_memory : default=None
        As of :class:`H2PC`.

    Examples
    --------
    >>> from h2pc import HillClimbing, load_network
    >>> HillClimbing("bic").fit(load_network("asia").sample(5000, random_state=2)).n_tests_
    0
    """

    restarts: int = 0
    perturbations: int = 10
    random_state: RandomState = 0

    _search = staticmethod(hill_climbing)
    _search_params: ClassVar = {
        name: name for name in ("max_parents", "restarts", "perturbations", "random_state")
    }


@dataclass(eq=False, repr=False, kw_only=True)
class TabuSearch(ScoreBasedLearner):
    """Learn a Bayesian network by the tabu search of H2PC, free to join any two variables.

    Parameters
    ----------
    scoring, equivalent_sample_size, max_parents : default="auto", 10.0, None
        As of :class:`H2PC`.
    patience, tabu_size : int, default=15, 100
        As of :class:`H2PC`.
    start : Dag, default=None
        The graph to start from; by default the empty one.
    restarts : int, default=0
        The number of further searches, each from the best graph so far after some random moves.
    required, forbidden, tiers : iterable, default=()
        As of :class:`H2PC`.
    random_state : int, random generator or None, default=0
        As of :class:`H2PC`.
    progress, max_seconds, max_memory : default=None
        As of :class:`H2PC`.

    Examples
    --------
    >>> from h2pc import TabuSearch, load_network
    >>> TabuSearch().fit(load_network("asia").sample(5000, random_state=2)).skeleton_edges_
    []
    """

    patience: int = 15
    tabu_size: int = 100
    restarts: int = 0
    random_state: RandomState = 0

    _search = staticmethod(tabu_search)
    _search_params: ClassVar = {
        "max_parents": "max_parents",
        "patience": "patience",
        "tabu_size": "list_size",
        "restarts": "restarts",
        "random_state": "random_state",
    }


@dataclass(eq=False, repr=False, kw_only=True)
class GES(ScoreBasedLearner):
    """Learn a Bayesian network by a greedy search among equivalence classes.

    Every step inserts, deletes or turns one edge in some graph of the class. Directions that the
    data do not decide stay open on the way, so that no wrong one has to be undone later.

    Parameters
    ----------
    scoring, equivalent_sample_size, max_parents : default="auto", 10.0, None
        As of :class:`H2PC`, but that "auto" is "qnml" for discrete variables. The score should be
        equal for equivalent graphs, as all but "k2", "bds" and "fnml" are.
    start : Dag, default=None
        The graph to start from; by default the empty one.
    trials : {"variables", "pairs"} or None, default="variables"
        What is tried where no step gains any more: the search goes on from the graph in which one
        variable after the other has lost its edges; with "pairs" also from those in which one pair
        after the other is joined at a loss, the hundred pairs that cost least. None tries nothing.
    required, forbidden, tiers : iterable, default=()
        As of :class:`H2PC`; a tabu search from the class that was found sees to the directions.
    progress, max_seconds, max_memory : default=None
        As of :class:`H2PC`.

    References
    ----------
    D. M. Chickering (2002), Optimal structure identification with greedy search, Journal of Machine
    Learning Research 3. A. Nazaret, D. Blei (2024), Extremely greedy equivalence search, UAI.

    Examples
    --------
    >>> from h2pc import GES, load_network, shd
    >>> network = load_network("child")
    >>> shd(GES().fit(network.sample(5000, random_state=2)).cpdag_, network.dag)
    0
    """

    trials: Literal["variables", "pairs"] | None = "variables"

    score_of_counts = "qnml"
    _search = staticmethod(class_search)
    _search_params: ClassVar = {"max_parents": "max_parents", "trials": "trials"}

"""Hill climbing and tabu search among all graphs: from a table of data to a network."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Any

from h2pc.algorithms.hill_climbing import hill_climbing
from h2pc.algorithms.learn_result import LearnResult
from h2pc.algorithms.score_search import Search, searched
from h2pc.algorithms.tabu import tabu_search
from h2pc.data import Dataset
from h2pc.graphs import Dag
from h2pc.learners.structure_learner import StructureLearner
from h2pc.learners.validation import (
    NamedEdge,
    ScoreFactory,
    ScoreName,
    begun_watch,
    constraint_settings,
    edge_constraints,
    local_score,
    name_of,
    optional_number,
    run_limit_settings,
    start_graph,
    warn_of_limits,
    whole_number,
)
from h2pc.random_state import RandomState, seed_of
from h2pc.runs.limits import Limits


class ScoreBasedLearner(StructureLearner):
    """A search that may join any two variables."""

    score: ScoreName | ScoreFactory
    equivalent_sample_size: float
    required: Iterable[NamedEdge]
    forbidden: Iterable[NamedEdge]
    tiers: Iterable[Iterable[str]]
    start: Dag | None
    max_parents: int | None
    max_seconds: float | None
    max_memory: int | None

    @abstractmethod
    def _search_settings(self) -> dict[str, Any]:
        """Checked parameters of the search, besides those that all searches have."""

    @abstractmethod
    def _search(self) -> Search:
        """Return the search."""

    def _learned(self, data: Dataset) -> LearnResult:
        """Check the parameters, and learn."""
        own = self._search_settings()
        known = edge_constraints(data, self.required, self.forbidden, self.tiers)
        max_parents = optional_number("max_parents", self.max_parents, 0)
        limits = Limits(self.max_seconds, self.max_memory)
        n_moves = data.n_variables * (data.n_variables - 1)
        watch = begun_watch(limits, data, n_moves=n_moves)
        result = searched(
            local_score(data, self.score, self.equivalent_sample_size),
            data.names,
            partial(
                self._search(), start=start_graph(self.start, data), max_parents=max_parents, **own
            ),
            known,
            watch,
        )
        warn_of_limits(result, watch, resumable=None, stacklevel=3)
        settings = {
            "algorithm": type(self).__name__,
            "score": name_of(self.score),
            "equivalent_sample_size": float(self.equivalent_sample_size),
            "start": () if self.start is None else self.start.named_edges,
            "max_parents": max_parents,
            **own,
            **constraint_settings(known, data),
            **run_limit_settings(limits, result.complete),
        }
        return replace(
            result, settings=settings, seed=own["random_state"] if own["restarts"] else None
        )


class HillClimbing(ScoreBasedLearner):
    """Learn a Bayesian network by greedy hill climbing, with random restarts.

    Parameters
    ----------
    score, equivalent_sample_size, max_parents, required, forbidden, tiers
        As of :class:`H2PC`.
    max_seconds, max_memory
        As of :class:`H2PC`.
    start : Dag, optional
        The graph to start from; by default the empty one.
    restarts : int
        How often to start again from the best graph, after some random moves.
    perturbations : int
        The number of these moves.
    random_state : int, random generator or None
        The seed of these moves.

    Examples
    --------
    >>> from h2pc import HillClimbing, load_network
    >>> HillClimbing("bic").fit(load_network("asia").sample(5000, random_state=2)).n_tests_
    0
    """

    def __init__(
        self,
        score: ScoreName | ScoreFactory = "bdeu",
        *,
        equivalent_sample_size: float = 10.0,
        start: Dag | None = None,
        max_parents: int | None = None,
        restarts: int = 0,
        perturbations: int = 10,
        required: Iterable[NamedEdge] = (),
        forbidden: Iterable[NamedEdge] = (),
        tiers: Iterable[Iterable[str]] = (),
        random_state: RandomState = 0,
        max_seconds: float | None = None,
        max_memory: int | None = None,
    ) -> None:
        self.score = score
        self.equivalent_sample_size = equivalent_sample_size
        self.start = start
        self.max_parents = max_parents
        self.restarts = restarts
        self.perturbations = perturbations
        self.required = required
        self.forbidden = forbidden
        self.tiers = tiers
        self.random_state = random_state
        self.max_seconds = max_seconds
        self.max_memory = max_memory

    def _search(self) -> Search:
        return hill_climbing

    def _search_settings(self) -> dict[str, Any]:
        return {
            "restarts": whole_number("restarts", self.restarts, 0),
            "perturbations": whole_number("perturbations", self.perturbations, 1),
            "random_state": seed_of(self.random_state),
        }


class TabuSearch(ScoreBasedLearner):
    """Learn a Bayesian network by the tabu search of H2PC, free to join any two variables.

    Parameters
    ----------
    score, equivalent_sample_size, max_parents, patience, tabu_size, restarts
        As of :class:`H2PC`.
    required, forbidden, tiers, random_state, max_seconds, max_memory
        As of :class:`H2PC`.
    start : Dag, optional
        The graph to start from; by default the empty one.

    Examples
    --------
    >>> from h2pc import TabuSearch, load_network
    >>> TabuSearch().fit(load_network("asia").sample(5000, random_state=2)).skeleton_edges_
    []
    """

    def __init__(
        self,
        score: ScoreName | ScoreFactory = "bdeu",
        *,
        equivalent_sample_size: float = 10.0,
        start: Dag | None = None,
        max_parents: int | None = None,
        patience: int = 15,
        tabu_size: int = 100,
        restarts: int = 0,
        required: Iterable[NamedEdge] = (),
        forbidden: Iterable[NamedEdge] = (),
        tiers: Iterable[Iterable[str]] = (),
        random_state: RandomState = 0,
        max_seconds: float | None = None,
        max_memory: int | None = None,
    ) -> None:
        self.score = score
        self.equivalent_sample_size = equivalent_sample_size
        self.start = start
        self.max_parents = max_parents
        self.patience = patience
        self.tabu_size = tabu_size
        self.restarts = restarts
        self.required = required
        self.forbidden = forbidden
        self.tiers = tiers
        self.random_state = random_state
        self.max_seconds = max_seconds
        self.max_memory = max_memory

    def _search(self) -> Search:
        return tabu_search

    def _search_settings(self) -> dict[str, Any]:
        return {
            "patience": whole_number("patience", self.patience, 0),
            "list_size": whole_number("tabu_size", self.tabu_size, 0),
            "restarts": whole_number("restarts", self.restarts, 0),
            "random_state": seed_of(self.random_state),
        }

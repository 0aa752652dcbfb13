"""Searches that a watch may end; networks by score alone, the rivals of the hybrid learners."""

from __future__ import annotations

import math
from collections.abc import Sequence
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from h2pc.graph import Dag, Skeleton
from h2pc.independence.constrained import EdgeConstraints
from h2pc.runs.limits import Watch
from h2pc.scores.base import LocalScore, Scores
from h2pc.scores.counted import CountedScore
from h2pc.search import Found
from h2pc.structure.learn_result import LearnResult
from h2pc.variables import Var, Vars

if TYPE_CHECKING:
    from h2pc.structure.h2pc import Search


class WatchedScore(LocalScore):
    """The same scores as another one until a watch comes to its limit; then no change is worth it.

    A search that is told that every change is infinitely bad makes the moves that it knows of, at
    most one for every variable, and ends: its best graph and the score of it are right.

    Parameters
    ----------
    inner : LocalScore
        The score to ask.
    watch : Watch
        What is looked at before every piece of an answer.

    Examples
    --------
    >>> from h2pc import BDeu, Dataset
    >>> from h2pc.runs.limits import Limits
    >>> score = BDeu(Dataset.from_codes([[0, 1] * 20, [0, 1] * 20]))
    >>> watched = WatchedScore(score, Watch(Limits(max_memory=1)))
    >>> watched.changed(0, (), (1,)), watched.was_stopped
    (array([-inf]), True)
    """

    piece = 256
    """Families between two looks."""

    def __init__(self, inner: LocalScore, watch: Watch) -> None:
        self.inner = inner
        self.watch = watch
        self.was_stopped = False

    @property
    def n_variables(self) -> int:
        """The number of variables; they are 0, 1, …."""
        return self.inner.n_variables

    def family(self, child: Var, parents: Vars = ()) -> float:
        """Score of ``child`` with these parents, whatever the watch says."""
        return self.inner.family(child, parents)

    def changed(self, child: Var, parents: Vars, others: Vars) -> Scores:
        """Score of the family with one change; minus infinity once the watch is at its limit."""
        scores: Scores = np.full(len(others), -math.inf)
        for start in range(0, len(others), self.piece):
            if self.watch.reached is not None:
                self.was_stopped = True
                return np.full(len(others), -math.inf)
            some = others[start : start + self.piece]
            scores[start : start + self.piece] = self.inner.changed(child, parents, some)
        return scores


class FoundInTime(NamedTuple):
    """What a search found, and what it cost."""

    found: Found
    n_scores: int
    complete: bool
    """False where the watch ended it."""


def found_in_time(
    search: Search,
    score: LocalScore,
    skeleton: Skeleton | None,
    constraints: EdgeConstraints,
    watch: Watch,
) -> FoundInTime:
    """Best graph of a search, or the best until the watch came to its limit."""
    counted = CountedScore(score)
    watched = WatchedScore(counted, watch)
    asked = watched if watch.limits.are_watched else counted
    found = search(asked, skeleton, constraints=constraints)
    return FoundInTime(found, counted.n_scores, not watched.was_stopped)


def searched(
    score: LocalScore,
    names: Sequence[str],
    search: Search,
    constraints: EdgeConstraints | None = None,
    watch: Watch | None = None,
) -> LearnResult:
    """Directed graph of all variables, by a search that may join any two of them.

    Examples
    --------
    >>> from h2pc import load_network
    >>> from h2pc.scores import BIC
    >>> from h2pc.search import hill_climbing
    >>> data = load_network("asia").sample(5000, seed=2)
    >>> searched(BIC(data), data.names, hill_climbing).n_tests
    0
    """
    start = perf_counter()
    known = EdgeConstraints() if constraints is None else constraints
    found, n_scores, complete = found_in_time(search, score, None, known, watch or Watch())
    return LearnResult(
        Dag(names, found.parent_sets),
        None,
        score=found.score,
        n_tests=0,
        n_scores=n_scores,
        n_moves=found.n_moves,
        seconds={"search": perf_counter() - start},
        complete=complete,
    )

"""Networks by score alone: the rivals of the hybrid learners."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

from h2pc.graph import Dag
from h2pc.independence.constrained import EdgeConstraints
from h2pc.scores.base import LocalScore
from h2pc.scores.counted import CountedScore
from h2pc.structure.h2pc import Search
from h2pc.structure.learn_result import LearnResult


def searched(
    score: LocalScore,
    names: Sequence[str],
    search: Search,
    constraints: EdgeConstraints | None = None,
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
    counted = CountedScore(score)
    found = search(counted, None, constraints=constraints or EdgeConstraints())
    return LearnResult(
        Dag(names, found.parent_sets),
        None,
        score=found.score,
        n_tests=0,
        n_scores=counted.n_scores,
        n_moves=found.n_moves,
        seconds={"search": perf_counter() - start},
    )

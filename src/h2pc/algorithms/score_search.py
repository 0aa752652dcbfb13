"""Networks by score alone, the rivals of the hybrid learners; searches that a watch may end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter

from h2pc.algorithms.found import Found
from h2pc.algorithms.learn_result import LearnResult
from h2pc.graphs import Dag
from h2pc.independence.constraints import EdgeConstraints
from h2pc.runs.limits import Watch
from h2pc.scores.base import LocalScore

Search = Callable[..., Found]
"""Looks for a good graph, called as ``search(score, skeleton, constraints=…, poll=…)``."""


def poll_of(watch: Watch) -> Callable[[], bool] | None:
    """Return what tells a search whether it has to stop; None where nothing is watched."""
    if not watch.limits.are_watched:
        return None
    return lambda: watch.reached is not None


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
    >>> from h2pc.algorithms.hill_climbing import hill_climbing
    >>> data = load_network("asia").sample(5000, random_state=2)
    >>> searched(BIC(data), data.names, hill_climbing).n_tests
    0
    """
    start = perf_counter()
    known = EdgeConstraints() if constraints is None else constraints
    found = search(score, None, constraints=known, poll=poll_of(watch or Watch()))
    return LearnResult(
        Dag(names, found.parent_sets),
        None,
        score=found.score,
        n_tests=0,
        n_scores=found.n_scores,
        n_moves=found.n_moves,
        seconds={"search": perf_counter() - start},
        complete=found.complete,
    )

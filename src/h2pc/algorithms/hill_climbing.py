"""Hill climbing: the best move while there is one uphill, again from perturbed graphs."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import h2pc._engine as _engine
from h2pc.algorithms.search import (
    UNCONSTRAINED,
    Edge,
    SearchResult,
    run_search,
    search_space,
    seed_digits,
)
from h2pc.graphs import Dag, Skeleton
from h2pc.independence.constraints import EdgeConstraints
from h2pc.runs.progress import ProgressBar
from h2pc.scores.base import LocalScore


def hill_climbing(
    score: LocalScore,
    skeleton: Skeleton | None = None,
    *,
    start: Dag | Iterable[Edge] | None = None,
    max_parents: int | None = None,
    constraints: EdgeConstraints = UNCONSTRAINED,
    restarts: int = 0,
    perturbations: int = 10,
    random_state: int = 0,
    poll: Callable[[], bool] | None = None,
    bar: ProgressBar | None = None,
) -> SearchResult:
    """Local maximum of the score, the best of one or more climbs.

    A climb makes the legal move of the largest gain as long as that is positive; among equal gains
    the order is that of :func:`tabu_search`. A restart makes random legal moves from the best graph
    so far, and climbs again.

    Parameters
    ----------
    score, skeleton, start, max_parents, constraints, poll, bar
        As of :func:`tabu_search`, with the same defaults.
    restarts : int, default=0
        The number of climbs after the first one.
    perturbations : int, default=10
        The number of random moves before each of them. Adding, deleting and reversing an edge are
        equally likely where they are possible.
    random_state : int, default=0
        The seed of these moves.

    Returns
    -------
    SearchResult
        The best local maximum, the first among equals, and the moves of all climbs.

    See Also
    --------
    tabu_search : Goes on from local maxima without chance; it refuses the same settings.

    Examples
    --------
    >>> from h2pc import load_network
    >>> from h2pc.scores import BDeu
    >>> score = BDeu(load_network("asia").sample(5000, random_state=2))
    >>> once, often = hill_climbing(score), hill_climbing(score, restarts=5)
    >>> once.score <= often.score
    True
    """
    space = search_space(score.n_variables, skeleton, start, max_parents, constraints)
    return run_search(
        _engine.hill_climbing,
        score,
        space,
        restarts=restarts,
        perturbations=perturbations,
        seed=seed_digits(random_state),
        poll=poll,
        bar=bar,
    )

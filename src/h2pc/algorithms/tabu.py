"""Tabu search: the best move to a graph that was not visited lately, uphill or downhill."""

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


def tabu_search(
    score: LocalScore,
    skeleton: Skeleton | None = None,
    *,
    start: Dag | Iterable[Edge] | None = None,
    list_size: int = 100,
    patience: int = 15,
    max_parents: int | None = None,
    constraints: EdgeConstraints = UNCONSTRAINED,
    max_moves: int | None = None,
    restarts: int = 0,
    perturbations: int | None = None,
    random_state: int = 0,
    poll: Callable[[], bool] | None = None,
    bar: ProgressBar | None = None,
) -> SearchResult:
    """Best graph on a walk that avoids the graphs it visited lately.

    Every step adds, deletes or reverses one edge: the legal move of the largest gain, be it
    negative, that leads to a graph outside the tabu list. Among moves of equal gain, the parent of
    the smallest number decides, then the child; of one edge, the deletion comes before the
    reversal. Variables are numbered by name, so the order of columns does not matter.

    Parameters
    ----------
    score : LocalScore
        The score to maximise.
    skeleton : Skeleton, default=None
        The pairs that may be joined; by default all.
    start : Dag or iterable of (parent, child), default=None
        The graph to start from, by default the empty one. An edge outside the skeleton may be
        deleted; it is neither reversed nor added again.
    list_size : int, default=100
        The length of the tabu list: so many of the last graphs, the current one included, are not
        visited again.
    patience : int, default=15
        The number of successive moves without a new best score after which the search ends; with
        0 it ends before the first such move, at a local maximum.
    max_parents : int, default=None
        The largest number of parents of a variable; by default there is no limit.
    constraints : EdgeConstraints, default=EdgeConstraints()
        Edges that are there from the beginning to the end, and edges that never are.
    max_moves : int, default=None
        The largest number of moves of a walk; by default there is no limit.
    restarts : int, default=0
        The number of walks after the first one, each from the best graph so far after some random
        legal moves.
    perturbations : int, default=None
        The number of these moves; by default half as many as there are edges, and at least ten.
    random_state : int, default=0
        The seed of these moves.
    poll : callable, default=None
        Called without arguments every 20 ms or so; once it returns True, the search stops.
    bar : ProgressBar, default=None
        The bar that moves and trials advance; by default none.

    Returns
    -------
    SearchResult
        The best graph of all walks, the first among equals, and their moves.

    Raises
    ------
    SettingError
        If the start does not agree with the constraints, ``max_parents`` or the score.

    See Also
    --------
    hill_climbing : Moves uphill only, with random restarts.

    Examples
    --------
    >>> from h2pc import load_network
    >>> from h2pc.scores import BDeu
    >>> network = load_network("asia")
    >>> found = tabu_search(BDeu(network.sample(5000, random_state=2)), network.dag.skeleton())
    >>> found.n_moves_to_best, found.n_moves
    (11, 26)
    """
    space = search_space(score.n_variables, skeleton, start, max_parents, constraints)
    return run_search(
        _engine.tabu_search,
        score,
        space,
        list_size=list_size,
        patience=patience,
        max_moves=max_moves,
        restarts=restarts,
        perturbations=perturbations,
        seed=seed_digits(random_state),
        poll=poll,
        bar=bar,
    )

"""Tabu search: the best move to a graph that was not visited lately, uphill or downhill."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from random import Random

from h2pc.graph import Dag, Skeleton
from h2pc.independence.constrained import EdgeConstraints
from h2pc.scores.base import LocalScore
from h2pc.search.found import Found
from h2pc.search.gains import GainTable
from h2pc.search.hill_climbing import is_stopped, perturb
from h2pc.search.moves import Edge, Move
from h2pc.search.space import UNCONSTRAINED, SearchSpace, search_space

_MOST_RESTARTS, _MOST_RESTARTED_EDGES = 20, 2000


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
    restarts: int | None = 0,
    perturbations: int | None = None,
    seed: int = 0,
) -> Found:
    """Best graph on a walk that avoids the graphs it visited lately.

    Every step adds, deletes or turns round one edge: the legal move of the largest gain, be it
    negative, that leads to a graph outside the tabu list. Among moves of equal gain, the parent of
    the smallest number decides, then the child; of one edge, the deletion comes before the
    reversal. Variables are numbered by name, so the order of columns does not matter.

    Parameters
    ----------
    score : LocalScore
        The score to maximise.
    skeleton : Skeleton, optional
        The pairs that may be joined; by default all.
    start : Dag or iterable of (parent, child), optional
        The graph to start from, by default the empty one. An edge outside the skeleton may be
        deleted; it is neither turned round nor added again.
    list_size : int
        The length of the tabu list: so many of the last graphs, the current one included, are not
        visited again.
    patience : int
        The number of successive moves without a new best score after which the search ends; with
        0 it ends before the first such move, at a local maximum.
    max_parents : int, optional
        The largest number of parents of a variable; by default there is no limit.
    constraints : EdgeConstraints
        Edges that are there from the beginning to the end, and edges that never are.
    max_moves : int, optional
        The largest number of moves of a walk; by default there is no limit.
    restarts : int, optional
        The number of walks after the first one, each from the best graph so far after some random
        legal moves; None leaves it to :func:`usual_restarts`.
    perturbations : int, optional
        The number of these moves; by default half as many as there are edges, and at least ten.
    seed : int
        The seed of these moves.

    Returns
    -------
    Found
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
    >>> found = tabu_search(BDeu(network.sample(5000, seed=2)), network.dag.skeleton())
    >>> found.n_moves_to_best, found.n_moves
    (11, 26)
    """
    space = search_space(score.n_variables, skeleton, start, max_parents, constraints)
    trail: list[Move] = []
    walk = partial(_walk, trail=trail, list_size=list_size, patience=patience, max_moves=max_moves)
    best = walk(GainTable(score, space))
    dice = Random(seed)
    summit: GainTable | None = None
    for _ in range(usual_restarts(space) if restarts is None else restarts):
        if is_stopped(score):
            break
        if summit is None:
            summit = GainTable(score, replace(space, start=best.parent_sets))
        table = summit.copy()
        n_edges = sum(map(len, best.parent_sets))
        n_moves = max(10, n_edges // 2) if perturbations is None else perturbations
        perturb(table, n_moves, dice, trail)
        found = walk(table)
        if found.score > best.score:
            best, summit = found, None
    return replace(best, trail=tuple(trail))


def usual_restarts(space: SearchSpace) -> int:
    """Number of restarts that keeps their time in bounds: 20, fewer from a hundred edges on."""
    n_possible = sum(map(len, space.candidates)) // 2
    return min(_MOST_RESTARTS, _MOST_RESTARTED_EDGES // max(1, n_possible))


def _walk(
    table: GainTable, trail: list[Move], list_size: int, patience: int, max_moves: int | None
) -> Found:
    """Best graph on one walk; its moves are added to the trail."""
    visited = TabuList(list_size)
    best = Found(tuple(table.parent_sets), table.score, (), len(trail))
    n_vain = n_moves = 0
    while n_vain < max(patience, 1) and n_moves != max_moves:
        visited.add(table.key)
        step = table.best(visited)
        if step is None or (patience == 0 and step.gain <= 0.0):
            break
        table.make(step.move)
        trail.append(step.move)
        n_moves += 1
        if table.score > best.score:
            best = Found(tuple(table.parent_sets), table.score, (), len(trail))
            n_vain = 0
        else:
            n_vain += 1
    return best


class TabuList:
    """The keys of the last graphs, at most ``size`` of them.

    Examples
    --------
    >>> recent = TabuList(2)
    >>> for key in (1, 2, 3):
    ...     recent.add(key)
    >>> 1 in recent, 2 in recent, 3 in recent
    (False, True, True)
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._order: deque[int] = deque()
        self._keys: set[int] = set()

    def __contains__(self, key: object) -> bool:
        return key in self._keys

    def add(self, key: int) -> None:
        """Add a key that is not in the list; the oldest makes room."""
        self._order.append(key)
        self._keys.add(key)
        if len(self._order) > self._size:
            self._keys.remove(self._order.popleft())

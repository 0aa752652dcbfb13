"""Hill climbing: the best move while there is one uphill, again from perturbed graphs."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from h2pc.graph import Dag, Skeleton
from h2pc.independence.constrained import EdgeConstraints
from h2pc.scores.base import LocalScore
from h2pc.search.found import Found
from h2pc.search.gains import GainTable
from h2pc.search.moves import Edge, Move
from h2pc.search.space import UNCONSTRAINED, search_space


def hill_climbing(
    score: LocalScore,
    skeleton: Skeleton | None = None,
    *,
    start: Dag | Iterable[Edge] | None = None,
    max_parents: int | None = None,
    constraints: EdgeConstraints = UNCONSTRAINED,
    restarts: int = 0,
    perturbations: int = 10,
    seed: int = 0,
) -> Found:
    """Local maximum of the score, the best of one or more climbs.

    A climb makes the legal move of the largest gain as long as that is positive; among equal gains
    the order is that of :func:`tabu_search`. A restart makes random legal moves from the best graph
    so far, and climbs again.

    Parameters
    ----------
    score : LocalScore
        The score to maximise.
    skeleton : Skeleton, optional
        The pairs that may be joined; by default all.
    start : Dag or iterable of (parent, child), optional
        The graph to start from, by default the empty one. An edge outside the skeleton may be
        deleted; it is neither turned round nor added again.
    max_parents : int, optional
        The largest number of parents of a variable; by default there is no limit.
    constraints : EdgeConstraints
        Edges that are there from the beginning to the end, and edges that never are.
    restarts : int
        The number of climbs after the first one.
    perturbations : int
        The number of random moves before each of them. Adding, deleting and turning round are
        equally likely where they are possible.
    seed : int
        The seed of these moves.

    Returns
    -------
    Found
        The best local maximum, the first among equals, and the moves of all climbs.

    Raises
    ------
    SettingError
        If the start does not agree with the constraints, ``max_parents`` or the score.

    See Also
    --------
    tabu_search : Goes on from local maxima without chance.

    Examples
    --------
    >>> from h2pc import load_network
    >>> from h2pc.scores import BDeu
    >>> score = BDeu(load_network("asia").sample(5000, seed=2))
    >>> once, often = hill_climbing(score), hill_climbing(score, restarts=5)
    >>> once.score <= often.score
    True
    """
    table = GainTable(
        score, search_space(score.n_variables, skeleton, start, max_parents, constraints)
    )
    trail: list[Move] = []
    _climb(table, trail)
    n_moves_to_best = len(trail)
    dice = Random(seed)
    for _ in range(restarts):
        if is_stopped(score):
            break
        other = table.copy()
        perturb(other, perturbations, dice, trail)
        _climb(other, trail)
        if other.score > table.score:
            table, n_moves_to_best = other, len(trail)
    return Found(tuple(table.parent_sets), table.score, tuple(trail), n_moves_to_best)


def _climb(table: GainTable, trail: list[Move]) -> None:
    """Go uphill to a local maximum."""
    while (step := table.best()) is not None and step.gain > 0.0:
        table.make(step.move)
        trail.append(step.move)


def is_stopped(score: LocalScore) -> bool:
    """Whether the score has run out of time: no restart would find anything."""
    return bool(getattr(score, "was_stopped", False))


def perturb(table: GainTable, n_moves: int, dice: Random, trail: list[Move]) -> None:
    """Make so many random moves."""
    for _ in range(n_moves):
        move = table.random_move(dice)
        if move is None:
            return
        table.make(move)
        trail.append(move)

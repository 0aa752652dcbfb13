"""Searches for a graph of high score: moves, where a search may go, what it returns."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from operator import index
from typing import Any

import h2pc._engine as _engine
from h2pc.errors import SettingError
from h2pc.graphs import Dag, Skeleton
from h2pc.graphs.adjacency import adjacency
from h2pc.independence.constraints import EdgeConstraints
from h2pc.runs.progress import ProgressBar
from h2pc.scores.base import LocalScore
from h2pc.scores.table_score import engine_score
from h2pc.variables import Var, Vars, without

SECONDS_BETWEEN_POLLS = 0.02
"""How often a search checks whether it has to stop."""

UNCONSTRAINED = EdgeConstraints()
"""No edge is required or forbidden."""

Edge = tuple[Var, Var]
"""A parent and its child."""


@dataclass(frozen=True)
class Move:
    """One change of a graph. Moves of different kinds differ, whatever their edge."""

    parent: Var
    child: Var


class Add(Move):
    """The edge parent → child is added."""


class Delete(Move):
    """The edge parent → child is deleted."""


class Reverse(Move):
    """The edge parent → child is reversed."""


_KINDS = (Add, Delete, Reverse)  # as the engine numbers them


@dataclass(frozen=True)
class SearchResult:
    """The best graph of a search, and the moves that it made.

    Attributes
    ----------
    parent_sets : tuple of Vars
        The parents of every variable, sorted.
    score : float
        The sum of the scores of its families; it is exact.
    trail : tuple of Move
        All moves of the search, those after the best graph included.
    n_moves_to_best : int
        The number of moves up to the best graph.
    n_scores : int
        The number of family scores that the search needed.
    complete : bool
        False where the search was stopped: the graph is the best until then.

    Examples
    --------
    >>> moves = Add(0, 1), Delete(0, 1)
    >>> found = SearchResult(((), (0,)), -2.5, moves, n_moves_to_best=1)
    >>> found.edges, found.n_moves
    (((0, 1),), 2)
    """

    parent_sets: tuple[Vars, ...]
    score: float
    trail: tuple[Move, ...]
    n_moves_to_best: int
    n_scores: int = field(default=0, compare=False)
    complete: bool = True

    @property
    def edges(self) -> tuple[Edge, ...]:
        """Every (parent, child) pair, sorted."""
        pairs = ((u, v) for v, parents in enumerate(self.parent_sets) for u in parents)
        return tuple(sorted(pairs))

    @property
    def n_moves(self) -> int:
        """The number of moves that the search made."""
        return len(self.trail)


@dataclass(frozen=True)
class SearchSpace:
    """Where a search may go, and where it starts: the possible parents of every variable."""

    candidates: tuple[Vars, ...]
    """Variables that may become parents and cease to be, sorted."""
    required: tuple[Vars, ...]
    """Parents that stay; they are no candidates."""
    start: tuple[Vars, ...]
    """The first parents, sorted; one that is neither candidate nor required may only be deleted."""
    max_parents: int
    """The largest number of parents."""


def search_space(
    n_variables: int,
    skeleton: Skeleton | None,
    start: Dag | Iterable[Edge] | None,
    max_parents: int | None,
    constraints: EdgeConstraints,
) -> SearchSpace:
    """Space that the skeleton and the constraints leave; without skeleton any pair may be joined.

    Required edges are in from the beginning, inside the skeleton or not.
    """
    if skeleton is not None and len(skeleton.names) != n_variables:
        raise SettingError(
            f"The score and the skeleton must have the same variables; "
            f"they have {n_variables} and {len(skeleton.names)}."
        )
    required = _parent_sets(n_variables, constraints.required, "required")
    first = list(start.edges if isinstance(start, Dag) else start or ())
    for edge in first:
        if not constraints.allows(*edge):
            raise SettingError(f"The edge {edge} is forbidden, but there at the start.")
    space = SearchSpace(
        _candidates(n_variables, skeleton, constraints, required),
        required,
        _parent_sets(n_variables, (*first, *constraints.required), "at the start"),
        n_variables if max_parents is None else max_parents,
    )
    _check_start(space)
    return space


def _parent_sets(n_variables: int, edges: Iterable[Edge], place: str) -> tuple[Vars, ...]:
    """For every variable, its parents, sorted."""
    reversed_edges = []
    for u, v in edges:
        if not (0 <= u < n_variables and 0 <= v < n_variables):
            raise SettingError(
                f"The edge {(u, v)} is {place}; the variables go from 0 to {n_variables - 1}."
            )
        reversed_edges.append((v, u))
    return adjacency(n_variables, reversed_edges)


def _candidates(
    n_variables: int,
    skeleton: Skeleton | None,
    constraints: EdgeConstraints,
    required: tuple[Vars, ...],
) -> tuple[Vars, ...]:
    """For every variable, those that may become its parents and cease to be."""
    universe = tuple(range(n_variables))
    # A required edge is always there, and closes a cycle with its opposite.
    fixed: dict[Var, set[Var]] = {}
    for child, parents in enumerate(required):
        for parent in parents:
            fixed.setdefault(parent, set()).add(child)
            fixed.setdefault(child, set()).add(parent)
    allows_all = not (constraints.forbidden or constraints.tiers)
    adjacent = None if skeleton is None else skeleton.adjacent_sets
    found = []
    for child in universe:
        near = universe if adjacent is None else adjacent[child]
        candidates = without(near, child, *fixed.get(child, ())) if near else ()
        if not allows_all:
            candidates = tuple(v for v in candidates if constraints.allows(v, child))
        found.append(candidates)
    return tuple(found)


def _check_start(space: SearchSpace) -> None:
    """Raise an error unless the start is a graph that the space has room for."""
    try:
        with_parents = {v: above for v, above in enumerate(space.start) if above}
        TopologicalSorter(with_parents).prepare()
    except CycleError as error:
        raise SettingError(
            f"The edges at the start, with the required ones, make a cycle: {error.args[1]}."
        ) from error
    for child, parents in enumerate(space.start):
        if len(parents) > space.max_parents:
            raise SettingError(
                f"max_parents is {space.max_parents}, but variable {child} starts with "
                f"{len(parents)} parents: {parents}."
            )


def watched(
    poll: Callable[[], bool] | None, bar: ProgressBar | None
) -> Callable[[int, int], bool] | None:
    """What the engine calls now and then with the steps that are done and expected, if anything.

    The bar goes on from where it is.
    """
    if bar is None:
        return None if poll is None else lambda done, expected: poll()  # noqa: ARG005
    first = bar.done

    def look(done: int, expected: int) -> bool:
        bar.expect(first + expected - bar.expected)
        bar.advance(first + done - bar.done)
        return poll is not None and poll()

    return look


def run_search(
    search: Callable[..., tuple[Any, ...]],
    score: LocalScore,
    space: SearchSpace,
    *,
    poll: Callable[[], bool] | None,
    bar: ProgressBar | None,
    **settings: Any,
) -> SearchResult:
    """Run a search of the engine; ``settings`` are the parameters of that search alone."""
    parent_sets, total, steps, n_moves_to_best, n_scores, was_stopped = search(
        engine_score(score),
        _engine.SearchSpace(space.candidates, space.required, space.start, space.max_parents),
        poll=watched(poll, bar),
        poll_seconds=SECONDS_BETWEEN_POLLS,
        **settings,
    )
    moves: dict[tuple[int, int, int], Move] = {
        step: _KINDS[step[0]](*step[1:]) for step in set(steps)
    }
    trail = tuple([moves[step] for step in steps])
    return SearchResult(parent_sets, total, trail, n_moves_to_best, n_scores, not was_stopped)


def seed_digits(seed: int) -> list[int]:
    """Return the 32-bit digits of a seed, the lowest first; Python's ``random`` drops its sign.

    Examples
    --------
    >>> seed_digits(-(2**32) - 5)
    [5, 1]
    """
    number = abs(index(seed))
    return [number >> shift & 0xFFFFFFFF for shift in range(0, number.bit_length(), 32)]

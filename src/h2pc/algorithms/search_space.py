"""Where a search may go, and where it starts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter

from h2pc.algorithms.moves import Edge
from h2pc.errors import SettingError
from h2pc.graphs import Dag, Skeleton
from h2pc.independence.constraints import EdgeConstraints
from h2pc.variables import Var, Vars, without

UNCONSTRAINED = EdgeConstraints()
"""No edge is required or forbidden."""


@dataclass(frozen=True)
class SearchSpace:
    """Where a search may go, and where it starts: for every variable, what its parents may be."""

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
    first = _first_edges(start, constraints)
    space = SearchSpace(
        _candidates(n_variables, skeleton, constraints, required),
        required,
        _parent_sets(n_variables, (*first, *constraints.required), "at the start"),
        n_variables if max_parents is None else max_parents,
    )
    _check_start(space)
    return space


def _first_edges(start: Dag | Iterable[Edge] | None, constraints: EdgeConstraints) -> list[Edge]:
    """Edges to start from, all of which the constraints allow."""
    edges = list(start.edges if isinstance(start, Dag) else start or ())
    for edge in edges:
        if not constraints.allows(*edge):
            raise SettingError(f"The edge {edge} is forbidden, but there at the start.")
    return edges


def _parent_sets(n_variables: int, edges: Iterable[Edge], place: str) -> tuple[Vars, ...]:
    """For every variable, its parents, sorted."""
    parents: list[set[Var]] = [set() for _ in range(n_variables)]
    for u, v in edges:
        if not (0 <= u < n_variables and 0 <= v < n_variables):
            raise SettingError(
                f"The edge {(u, v)} is {place}; the variables go from 0 to {n_variables - 1}."
            )
        parents[v].add(u)
    return tuple(tuple(sorted(above)) for above in parents)


def _candidates(
    n_variables: int,
    skeleton: Skeleton | None,
    constraints: EdgeConstraints,
    required: tuple[Vars, ...],
) -> tuple[Vars, ...]:
    """For every variable, those that may become its parents and cease to be."""
    everyone = tuple(range(n_variables))
    # A required edge is always there, and closes a cycle with its opposite.
    fixed: list[set[Var]] = [set(parents) for parents in required]
    for child, parents in enumerate(required):
        for parent in parents:
            fixed[parent].add(child)
    allows_all = not (constraints.forbidden or constraints.tiers)
    found = []
    for child in everyone:
        near = everyone if skeleton is None else skeleton.adjacent(child)
        open_ones = without(near, child, *fixed[child])
        if not allows_all:
            open_ones = tuple(v for v in open_ones if constraints.allows(v, child))
        found.append(open_ones)
    return tuple(found)


def _check_start(space: SearchSpace) -> None:
    """Raise an error unless the start is a graph that the space has room for."""
    try:
        TopologicalSorter(dict(enumerate(space.start))).prepare()
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

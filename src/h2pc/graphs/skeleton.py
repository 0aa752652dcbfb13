"""Undirected graphs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

from h2pc.errors import GraphError
from h2pc.graphs.adjacency import adjacency, components, holds
from h2pc.graphs.checked_names import (
    Edge,
    End,
    both_ways,
    checked_names,
    directed_and_undirected,
    numbered_edges,
)
from h2pc.graphs.named_graph import NamedGraph, V
from h2pc.variables import Vars


@dataclass(frozen=True, init=False, repr=False)
class Skeleton(NamedGraph):
    """An undirected graph on named variables.

    Methods take a name or a number, and return names for a name, numbers for a number.

    Parameters
    ----------
    names : iterable of str
        Distinct names; variable ``v`` is the ``v``-th of them.
    edges : iterable of pairs
        Each pair joins two variables, given by name or by number, in any order.

    Attributes
    ----------
    names : tuple of str
        The names, in the order given.
    edges : tuple of pairs of int
        Each edge once, smaller number first, sorted.

    Examples
    --------
    >>> from h2pc import Skeleton
    >>> skeleton = Skeleton(["a", "b", "c"], [("c", "b"), ("a", "b")])
    >>> skeleton.edges
    ((0, 1), (1, 2))
    >>> skeleton.adjacent("b"), skeleton.adjacent(1)
    (('a', 'c'), (0, 2))
    >>> skeleton & Skeleton(["a", "b", "c"], [("a", "b")])
    Skeleton(('a', 'b', 'c'), [('a', 'b')])
    """

    names: tuple[str, ...]
    edges: tuple[Edge, ...]
    _is_directed = False

    def __init__(self, names: Iterable[str], edges: Iterable[Sequence[End]] = ()) -> None:
        names = checked_names(names)
        pairs = {(min(u, v), max(u, v)) for u, v in numbered_edges(names, edges)}
        object.__setattr__(self, "names", names)
        object.__setattr__(self, "edges", tuple(sorted(pairs)))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.names!r}, {list(self.named_edges)!r})"

    @property
    def named_edges(self) -> tuple[tuple[str, str], ...]:
        """Edges as pairs of names, in the order of ``edges``."""
        return self._named(self.edges)

    @cached_property
    def adjacent_sets(self) -> tuple[Vars, ...]:
        """For every variable, its neighbours, sorted."""
        return adjacency(len(self.names), both_ways(self.edges))

    def adjacent(self, v: V) -> tuple[V, ...]:
        """Neighbours of ``v``."""
        return self._like(v, self.adjacent_sets[self._number(v)])

    def degree(self, v: End) -> int:
        """Return the number of neighbours of ``v``."""
        return len(self.adjacent_sets[self._number(v)])

    def has_edge(self, u: End, v: End) -> bool:
        """Whether ``u`` and ``v`` are adjacent."""
        return holds(self.adjacent_sets[self._number(u)], self._number(v))

    def connected_components(self) -> tuple[Vars, ...]:
        """Classes of variables that paths join, each sorted, in the order of their first one."""
        return tuple(components(self.adjacent_sets))

    def union(self, other: Skeleton) -> Skeleton:
        """Edges of either graph, on the names of this one; also ``self | other``."""
        return Skeleton(self.names, self.edges + other.reordered(self.names).edges)

    def intersection(self, other: Skeleton) -> Skeleton:
        """Edges of both graphs, on the names of this one; also ``self & other``."""
        return Skeleton(self.names, set(self.edges) & set(other.reordered(self.names).edges))

    __or__ = union
    __and__ = intersection

    @classmethod
    def from_arcs(cls, names: Iterable[str], arcs: Iterable[Sequence[End]]) -> Self:
        """Graph with these pairs, each of which must be there both ways."""
        names = checked_names(names)
        directed, undirected = directed_and_undirected(names, arcs)
        for u, v in directed:
            raise GraphError(f"A Skeleton has no direction: {names[u]!r} → {names[v]!r}.")
        return cls(names, undirected)

    def _drawn(self) -> tuple[Vars, Sequence[Edge], Sequence[Edge]]:
        return self.variables, (), self.edges

    @property
    def _arcs(self) -> list[Edge]:
        return list(both_ways(self.edges))

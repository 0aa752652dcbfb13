"""Directed acyclic graphs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Self

from h2pc.errors import GraphError
from h2pc.graphs.adjacency import adjacency, holds, reached
from h2pc.graphs.checked_names import (
    Edge,
    End,
    checked_names,
    directed_and_undirected,
    numbered_edges,
)
from h2pc.graphs.d_separation import active_trails
from h2pc.graphs.named_graph import NamedGraph, V
from h2pc.graphs.skeleton import Skeleton
from h2pc.graphs.topological_order import GrowingOrder, topological_order
from h2pc.variables import Var, Vars, without


@dataclass(frozen=True, init=False, repr=False)
class Dag(NamedGraph):
    """A directed acyclic graph on named variables.

    Variables are the integers 0, 1, …, in the order of ``names``. Methods take a name or a number,
    and return names for a name, numbers for a number: a tuple in the order of ``names``. Two graphs
    are equal if names, their order and edges are; :meth:`reordered` helps to compare across orders.

    Parameters
    ----------
    names : iterable of str
        Distinct names; variable ``v`` is the ``v``-th of them.
    parents : sequence of iterables
        For every variable, its parents, given by name or by number.

    Attributes
    ----------
    names : tuple of str
        The names, in the order given.
    parent_sets : tuple of tuples of int
        The parents of every variable, sorted.
    topological_order : tuple of int
        All variables, parents before children; among those that may come next, by number.

    Examples
    --------
    >>> from h2pc import Dag
    >>> dag = Dag.from_edges(["rain", "sprinkler", "wet"], [("rain", "wet"), ("sprinkler", "wet")])
    >>> dag.parents("wet"), dag.spouses("rain"), dag.markov_boundary("rain")
    (('rain', 'sprinkler'), ('sprinkler',), ('sprinkler', 'wet'))
    >>> dag.parents(2)
    (0, 1)

    A common effect joins its causes once it is observed.

    >>> dag.d_separated("rain", "sprinkler"), dag.d_separated("rain", "sprinkler", ["wet"])
    (True, False)
    >>> Dag.from_edges(["a", "b"], [("a", "b"), ("b", "a")])
    Traceback (most recent call last):
    h2pc.errors.GraphError: The graph has a cycle: 'a' → 'b' → 'a'.
    """

    names: tuple[str, ...]
    parent_sets: tuple[Vars, ...]
    topological_order: Vars = field(compare=False)

    def __init__(self, names: Iterable[str], parents: Sequence[Iterable[End]]) -> None:
        names = checked_names(names)
        if len(parents) != len(names):
            raise GraphError(
                f"{len(names)} variables need as many parent sets; got {len(parents)}."
            )
        edges = ((parent, child) for child, above in enumerate(parents) for parent in above)
        parent_sets = _parent_sets(names, numbered_edges(names, edges))
        object.__setattr__(self, "names", names)
        object.__setattr__(self, "parent_sets", parent_sets)
        object.__setattr__(self, "topological_order", topological_order(names, parent_sets))

    @classmethod
    def from_edges(cls, names: Iterable[str], edges: Iterable[Sequence[End]] = ()) -> Self:
        """Graph with these (parent, child) pairs, given by name or by number."""
        names = checked_names(names)
        return cls(names, _parent_sets(names, numbered_edges(names, edges)))

    def __repr__(self) -> str:
        return f"Dag.from_edges({self.names!r}, {list(self.named_edges)!r})"

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        """Every (parent, child) pair, sorted."""
        return tuple(sorted((u, v) for v, above in enumerate(self.parent_sets) for u in above))

    @property
    def named_edges(self) -> tuple[tuple[str, str], ...]:
        """Edges as pairs of names, in the order of ``edges``."""
        return self._named(self.edges)

    @cached_property
    def child_sets(self) -> tuple[Vars, ...]:
        """For every variable, its children, sorted."""
        return adjacency(len(self.names), self.edges)

    def parents(self, v: V) -> tuple[V, ...]:
        """Variables with an edge to ``v``."""
        return self._like(v, self.parent_sets[self._number(v)])

    def children(self, v: V) -> tuple[V, ...]:
        """Variables with an edge from ``v``."""
        return self._like(v, self.child_sets[self._number(v)])

    def adjacent(self, v: V) -> tuple[V, ...]:
        """Parents and children of ``v``."""
        return self._like(v, self._adjacent(self._number(v)))

    def spouses(self, v: V) -> tuple[V, ...]:
        """Other parents of the children of ``v``, where not adjacent to ``v``."""
        number = self._number(v)
        return self._like(v, without(self._boundary(number), *self._adjacent(number)))

    def markov_boundary(self, v: V) -> tuple[V, ...]:
        """Parents, children and spouses of ``v``."""
        return self._like(v, self._boundary(self._number(v)))

    def ancestors(self, v: V) -> tuple[V, ...]:
        """Variables from which a directed path leads to ``v``."""
        return self._like(v, _beyond(self._number(v), self.parent_sets))

    def descendants(self, v: V) -> tuple[V, ...]:
        """Variables to which a directed path leads from ``v``."""
        return self._like(v, _beyond(self._number(v), self.child_sets))

    def has_edge(self, parent: End, child: End) -> bool:
        """Whether there is an edge from ``parent`` to ``child``."""
        return holds(self.parent_sets[self._number(child)], self._number(parent))

    def d_separated(self, x: End, y: End, z: Iterable[End] = ()) -> bool:
        """Whether ``z`` blocks every trail between ``x`` and ``y``.

        Parameters
        ----------
        x, y : str or int
            Two different variables, neither of them in ``z``.
        z : iterable of str or int, default=()
            The conditioning set.
        """
        x, y, *given = self._numbered((x, y, *z))
        if x == y or x in given or y in given:
            shown = [self.names[v] for v in given]
            raise GraphError(
                f"x, y and z must be disjoint; got x={self.names[x]!r}, y={self.names[y]!r}, "
                f"z={shown!r}."
            )
        return y not in active_trails(self, x, frozenset(given))

    def d_connected(self, x: V, z: Iterable[End] = ()) -> tuple[V, ...]:
        """Return all variables that ``z`` does not d-separate from ``x``, without ``x`` and ``z``.

        Parameters
        ----------
        x : str or int
            A variable that is not in ``z``.
        z : iterable of str or int, default=()
            The conditioning set.

        Examples
        --------
        >>> from h2pc import Dag
        >>> chain = Dag.from_edges(list("abcd"), [("a", "b"), ("b", "c"), ("c", "d")])
        >>> chain.d_connected("a"), chain.d_connected("a", ["c"])
        (('b', 'c', 'd'), ('b',))
        """
        number, *given = self._numbered((x, *z))
        if number in given:
            raise GraphError(f"x must not be in z; got x={x!r} and z with it.")
        return self._like(x, tuple(sorted(active_trails(self, number, frozenset(given)))))

    def skeleton(self) -> Skeleton:
        """Graph without directions."""
        return Skeleton(self.names, self.edges)

    def moral_graph(self) -> Skeleton:
        """Skeleton with the parents of every child joined."""
        married = (pair for above in self.parent_sets for pair in combinations(above, 2))
        return Skeleton(self.names, (*self.edges, *married))

    def with_edge(self, parent: End, child: End) -> Dag:
        """Graph with this edge added."""
        return Dag.from_edges(self.names, (*self.edges, (parent, child)))

    def without_edge(self, parent: End, child: End) -> Dag:
        """Graph without this edge, which must be there."""
        ((u, v),) = numbered_edges(self.names, [(parent, child)])
        if not self.has_edge(u, v):
            raise GraphError(f"There is no edge {self.names[u]!r} → {self.names[v]!r}.")
        return Dag.from_edges(self.names, (edge for edge in self.edges if edge != (u, v)))

    def reversed_edge(self, parent: End, child: End) -> Dag:
        """Graph with this edge, which must be there, reversed."""
        return self.without_edge(parent, child).with_edge(child, parent)

    @classmethod
    def from_arcs(cls, names: Iterable[str], arcs: Iterable[Sequence[End]]) -> Self:
        """Graph with these (parent, child) pairs; an edge both ways is refused."""
        names = checked_names(names)
        directed, undirected = directed_and_undirected(names, arcs)
        for u, v in undirected:
            raise GraphError(f"A Dag needs a direction between {names[u]!r} and {names[v]!r}.")
        return cls.from_edges(names, directed)

    @property
    def _arcs(self) -> list[Edge]:
        return list(self.edges)

    def _drawn(self) -> tuple[Vars, Sequence[Edge], Sequence[Edge]]:
        return self.topological_order, self.edges, ()

    def _adjacent(self, v: Var) -> Vars:
        """Parents and children of ``v``, sorted."""
        return tuple(sorted((*self.parent_sets[v], *self.child_sets[v])))

    def _boundary(self, v: Var) -> Vars:
        """Markov boundary of ``v``, sorted."""
        found = set(self._adjacent(v))
        for child in self.child_sets[v]:
            found.update(self.parent_sets[child])
        return tuple(sorted(found - {v}))


def greedy_dag(names: Iterable[str], edges: Iterable[Edge]) -> Dag:
    """Graph of the edges in the order given, without those that would close a cycle."""
    names = checked_names(names)
    order = GrowingOrder(len(names))
    return Dag.from_edges(names, [(u, v) for u, v in edges if order.add(u, v)])


def _parent_sets(names: tuple[str, ...], edges: Iterable[Edge]) -> tuple[Vars, ...]:
    """For every variable, its parents, sorted."""
    return adjacency(len(names), ((v, u) for u, v in edges))


def _beyond(v: Var, steps: tuple[Vars, ...]) -> Vars:
    """Variables that at least one step leads to from ``v``, sorted."""
    return tuple(sorted(reached((v,), steps) - {v}))

"""Partially directed graphs, and the classes of equivalent directed ones that they stand for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import heapify, heappop, heappush
from typing import Self

from h2pc.errors import GraphError
from h2pc.graphs.adjacency import adjacency, holds
from h2pc.graphs.checked_names import (
    Edge,
    End,
    both_ways,
    checked_names,
    directed_and_undirected,
    numbered_edges,
)
from h2pc.graphs.dag import Dag
from h2pc.graphs.named_graph import NamedGraph, V
from h2pc.graphs.skeleton import Skeleton
from h2pc.variables import Var, Vars


@dataclass(frozen=True, init=False, repr=False)
class Cpdag(NamedGraph):
    """A graph with directed and undirected edges.

    :func:`dag_to_cpdag` makes the completed ones, where each edge that all equivalent graphs
    direct alike is directed and every other edge is not; background knowledge may lead to others,
    which :meth:`is_completed` tells apart. Methods take a name or a number, and return names for a
    name, numbers for a number.

    Parameters
    ----------
    names : iterable of str
        Distinct names; variable ``v`` is the ``v``-th of them.
    directed : iterable of pairs
        (parent, child) pairs, given by name or by number.
    undirected : iterable of pairs
        Pairs in any order, given by name or by number.

    Attributes
    ----------
    names : tuple of str
        The names, in the order given.
    directed : tuple of pairs of int
        The (parent, child) pairs, sorted.
    undirected : tuple of pairs of int
        Each undirected edge once, smaller number first, sorted.

    Examples
    --------
    >>> from h2pc import Cpdag
    >>> cpdag = Cpdag(["a", "b", "c", "d"], [("a", "c"), ("b", "c")], [("a", "d")])
    >>> cpdag.parents("c"), cpdag.neighbours("a"), cpdag.adjacent("a")
    (('a', 'b'), ('d',), ('c', 'd'))
    >>> cpdag.is_completed()
    True
    """

    names: tuple[str, ...]
    directed: tuple[Edge, ...]
    undirected: tuple[Edge, ...]

    def __init__(
        self,
        names: Iterable[str],
        directed: Iterable[Sequence[End]] = (),
        undirected: Iterable[Sequence[End]] = (),
    ) -> None:
        names = checked_names(names)
        arrows = set(numbered_edges(names, directed))
        lines = {(min(u, v), max(u, v)) for u, v in numbered_edges(names, undirected)}
        for u, v in sorted(arrows):
            if (v, u) in arrows or (min(u, v), max(u, v)) in lines:
                raise GraphError(f"{names[u]!r} and {names[v]!r} are joined in more than one way.")
        object.__setattr__(self, "names", names)
        object.__setattr__(self, "directed", tuple(sorted(arrows)))
        object.__setattr__(self, "undirected", tuple(sorted(lines)))

    def __repr__(self) -> str:
        directed, undirected = list(self.named_directed), list(self.named_undirected)
        return f"Cpdag({self.names!r}, {directed!r}, {undirected!r})"

    @property
    def named_directed(self) -> tuple[tuple[str, str], ...]:
        """Directed edges as (parent, child) pairs of names, in the order of ``directed``."""
        return self._named(self.directed)

    @property
    def named_undirected(self) -> tuple[tuple[str, str], ...]:
        """Undirected edges as pairs of names, in the order of ``undirected``."""
        return self._named(self.undirected)

    @cached_property
    def parent_sets(self) -> tuple[Vars, ...]:
        """For every variable, its parents, sorted."""
        return adjacency(len(self.names), ((v, u) for u, v in self.directed))

    @cached_property
    def child_sets(self) -> tuple[Vars, ...]:
        """For every variable, its children, sorted."""
        return adjacency(len(self.names), self.directed)

    @cached_property
    def neighbour_sets(self) -> tuple[Vars, ...]:
        """For every variable, those that an undirected edge joins to it, sorted."""
        return adjacency(len(self.names), both_ways(self.undirected))

    def parents(self, v: V) -> tuple[V, ...]:
        """Variables with a directed edge to ``v``."""
        return self._like(v, self.parent_sets[self._number(v)])

    def children(self, v: V) -> tuple[V, ...]:
        """Variables with a directed edge from ``v``."""
        return self._like(v, self.child_sets[self._number(v)])

    def neighbours(self, v: V) -> tuple[V, ...]:
        """Variables joined to ``v`` by an undirected edge."""
        return self._like(v, self.neighbour_sets[self._number(v)])

    def adjacent(self, v: V) -> tuple[V, ...]:
        """Parents, children and neighbours of ``v``."""
        return self._like(v, self._adjacent(self._number(v)))

    def has_edge(self, u: End, v: End) -> bool:
        """Whether there is an edge from ``u`` to ``v``, or an undirected one between them."""
        tail, head = self._number(u), self._number(v)
        return holds(self.child_sets[tail], head) or holds(self.neighbour_sets[tail], head)

    def skeleton(self) -> Skeleton:
        """Graph without directions."""
        return Skeleton(self.names, self.directed + self.undirected)

    def is_completed(self) -> bool:
        """Whether this is the graph of an equivalence class: that of its own extension."""
        try:
            return dag_to_cpdag(consistent_extension(self)) == self
        except GraphError:
            return False

    @classmethod
    def from_arcs(cls, names: Iterable[str], arcs: Iterable[Sequence[End]]) -> Self:
        """Graph with these (parent, child) pairs; those that are there both ways are undirected."""
        names = checked_names(names)
        return cls(names, *directed_and_undirected(names, arcs))

    @property
    def _arcs(self) -> list[Edge]:
        return [*self.directed, *both_ways(self.undirected)]

    def _adjacent(self, v: Var) -> Vars:
        """Parents, children and neighbours of ``v``, sorted."""
        return tuple(sorted((*self.parent_sets[v], *self.child_sets[v], *self.neighbour_sets[v])))

    def _drawn(self) -> tuple[Vars, Sequence[Edge], Sequence[Edge]]:
        try:
            order = consistent_extension(self).topological_order
        except GraphError:  # then some arrows may lead upwards
            order = self.variables
        return order, self.directed, self.undirected


def dag_to_cpdag(dag: Dag) -> Cpdag:
    """Completed graph of the class of all graphs equivalent to ``dag``.

    An edge is directed where every graph with the same d-separations directs it so.

    Parameters
    ----------
    dag : Dag
        Any member of the class.

    Returns
    -------
    Cpdag
        The completed partially directed graph of the class.

    Notes
    -----
    Chickering (1995), *A transformational characterization of equivalent Bayesian network
    structures*: the parents of a variable are all labelled by looking at the last of them.

    Examples
    --------
    >>> from h2pc.graphs import Dag, dag_to_cpdag
    >>> dag_to_cpdag(Dag.from_edges(["a", "b", "c"], [("a", "b"), ("b", "c")]))
    Cpdag(('a', 'b', 'c'), [], [('a', 'b'), ('b', 'c')])
    >>> dag_to_cpdag(Dag.from_edges(["a", "b", "c"], [("a", "b"), ("c", "b")]))
    Cpdag(('a', 'b', 'c'), [('a', 'b'), ('c', 'b')], [])
    """
    position = {v: i for i, v in enumerate(dag.topological_order)}
    compelled: dict[Var, frozenset[Var]] = {}
    for y in dag.topological_order:
        parents = frozenset(dag.parent_sets[y])
        if not parents:
            continue
        x = max(parents, key=position.__getitem__)
        inherited = compelled.get(x, frozenset())
        directed_so_far = not inherited <= parents
        unshielded = not parents <= {x, *dag.parent_sets[x]}
        compelled[y] = parents if directed_so_far or unshielded else inherited
    return Cpdag(
        dag.names,
        [(u, v) for u, v in dag.edges if u in compelled[v]],
        [(u, v) for u, v in dag.edges if u not in compelled[v]],
    )


def consistent_extension(pdag: Cpdag) -> Dag:
    """Directed graph with the same edges and the same v-structures.

    Parameters
    ----------
    pdag : Cpdag
        Any partially directed graph, completed or not.

    Returns
    -------
    Dag
        The undirected edges have got a direction, the others have kept theirs. Where there is a
        choice, names decide: the order of the variables changes nothing.

    Raises
    ------
    GraphError
        Where no such graph exists.

    Notes
    -----
    Dor and Tarsi (1992), *A simple algorithm to construct a consistent extension of a partially
    oriented graph*: take away one possible sink after the other.

    Examples
    --------
    >>> from h2pc.graphs import Cpdag, consistent_extension
    >>> pdag = Cpdag(["a", "b", "c"], [("c", "b")], [("a", "b")])
    >>> consistent_extension(pdag).named_edges
    (('b', 'a'), ('c', 'b'))
    """
    rank = {name: i for i, name in enumerate(sorted(pdag.names, reverse=True))}
    joined = {v for edge in (*pdag.directed, *pdag.undirected) for v in edge}
    adjacent = {v: set(pdag.adjacent(v)) for v in joined}
    children = {v: set(pdag.child_sets[v]) for v in adjacent}
    neighbours = {v: set(pdag.neighbour_sets[v]) for v in adjacent}

    def is_sink(v: Var) -> bool:
        """Whether all edges of ``v`` may come in without a new v-structure."""
        return not children[v] and all(
            len(adjacent[v]) <= len(adjacent[w]) and adjacent[v] - {w} <= adjacent[w]
            for w in neighbours[v]
        )

    left = set(adjacent)
    sinks = [(rank[pdag.names[v]], v) for v in left if is_sink(v)]
    heapify(sinks)
    parents: list[Vars] = [() for _ in pdag.names]
    while sinks:
        _, v = heappop(sinks)
        if v not in left:
            continue
        left.remove(v)
        parents[v] = tuple(adjacent[v])
        for w in parents[v]:
            children[w].discard(v)
            neighbours[w].discard(v)
            adjacent[w].discard(v)
        # A sink stays one when others go, and only what was adjacent to v can become one.
        for w in parents[v]:
            if is_sink(w):
                heappush(sinks, (rank[pdag.names[w]], w))
    if left:
        stuck = ", ".join(repr(pdag.names[v]) for v in sorted(left)[:10])
        raise GraphError(f"The graph has no consistent extension; no sink is left among {stuck}.")
    return Dag(pdag.names, parents)


def equivalent(dag1: Dag, dag2: Dag) -> bool:
    """Whether two graphs on the same names, in any order, have the same d-separations.

    Examples
    --------
    >>> from h2pc.graphs import Dag, equivalent
    >>> equivalent(Dag.from_edges(["a", "b"], [(0, 1)]), Dag.from_edges(["a", "b"], [(1, 0)]))
    True
    """
    return dag_to_cpdag(dag1) == dag_to_cpdag(dag2.reordered(dag1.names))

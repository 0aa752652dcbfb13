"""Who leads to whom, kept up to date while edges come and go."""

from __future__ import annotations

from h2pc.errors import GraphError
from h2pc.graph.bitsets import members
from h2pc.graph.dag import Dag
from h2pc.variables import Var


class Reachability:
    """A directed acyclic graph that changes, with its transitive closure.

    A search asks many times whether an edge would close a cycle and changes the graph seldom: the
    answer is one look at a bitset, the work is done by the changes. Unlike a :class:`Dag` this is
    no value: :meth:`add_edge` and :meth:`remove_edge` change it.

    Parameters
    ----------
    n_variables : int
        The number of variables; there is no edge at first.

    Examples
    --------
    >>> from h2pc.graph import Reachability
    >>> graph = Reachability(3)
    >>> graph.add_edge(0, 1)
    >>> graph.add_edge(1, 2)
    >>> graph.creates_cycle(2, 0), graph.creates_cycle(0, 2)
    (True, False)
    >>> graph.remove_edge(1, 2)
    >>> graph.creates_cycle(2, 0)
    False
    """

    def __init__(self, n_variables: int) -> None:
        self._parents = [0] * n_variables
        self._children = [0] * n_variables
        self._ancestors = [0] * n_variables
        self._descendants = [0] * n_variables

    @classmethod
    def of(cls, dag: Dag) -> Reachability:
        """Start from the edges of ``dag``."""
        graph = cls(len(dag.names))
        graph._parents = list(dag.parent_bits)
        graph._children = list(dag.child_bits)
        graph._ancestors = list(dag.ancestor_bits)
        for u in reversed(dag.topological_order):
            graph._descendants[u] = _closed(graph._children[u], graph._descendants)
        return graph

    def has_edge(self, u: Var, v: Var) -> bool:
        """Whether the edge u → v is there."""
        return bool(self._children[u] >> v & 1)

    def has_path(self, u: Var, v: Var) -> bool:
        """Whether one or more edges lead from ``u`` to ``v``."""
        return bool(self._descendants[u] >> v & 1)

    def creates_cycle(self, u: Var, v: Var) -> bool:
        """Whether the edge u → v would close a cycle."""
        return u == v or bool(self._descendants[v] >> u & 1)

    def reversal_creates_cycle(self, u: Var, v: Var) -> bool:
        """Whether turning the edge u → v round would close a cycle."""
        return bool(self._children[u] & self._ancestors[v])

    def add_edge(self, u: Var, v: Var) -> None:
        """Add the edge u → v, which must not close a cycle."""
        if self.creates_cycle(u, v):
            raise GraphError(f"The edge {u} → {v} would close a cycle.")
        self._children[u] |= 1 << v
        self._parents[v] |= 1 << u
        if self.has_path(u, v):
            return
        above = self._ancestors[u] | 1 << u
        below = self._descendants[v] | 1 << v
        for a in members(above):
            self._descendants[a] |= below
        for d in members(below):
            self._ancestors[d] |= above

    def remove_edge(self, u: Var, v: Var) -> None:
        """Remove the edge u → v, which must be there."""
        if not self.has_edge(u, v):
            raise GraphError(f"There is no edge {u} → {v}.")
        self._children[u] ^= 1 << v
        self._parents[v] ^= 1 << u
        if self._children[u] & self._ancestors[v]:
            return  # another path still leads from u to v
        above = members(self._ancestors[u] | 1 << u)
        below = members(self._descendants[v] | 1 << v)
        # Who leads to another has more descendants: in this order, children come first.
        for a in sorted(above, key=lambda a: self._descendants[a].bit_count()):
            self._descendants[a] = _closed(self._children[a], self._descendants)
        for d in sorted(below, key=lambda d: self._ancestors[d].bit_count()):
            self._ancestors[d] = _closed(self._parents[d], self._ancestors)


def _closed(nearest: int, closure: list[int]) -> int:
    """``nearest`` with all that their entries in ``closure`` hold."""
    bits = nearest
    for v in members(nearest):
        bits |= closure[v]
    return bits

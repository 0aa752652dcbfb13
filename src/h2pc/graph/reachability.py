"""Who leads to whom, kept up to date while edges come and go."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

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
    >>> graph.detours[0].tolist()
    [False, False, True]
    >>> graph.remove_edge(1, 2)
    >>> graph.creates_cycle(2, 0)
    False
    """

    def __init__(self, n_variables: int) -> None:
        self._n_variables = n_variables
        self._parents: list[list[Var]] = [[] for _ in range(n_variables)]
        self._children: list[list[Var]] = [[] for _ in range(n_variables)]
        self._child_bits = [0] * n_variables
        self._descendants = [0] * n_variables
        # The detours twice: integers combine quickly, the matrix has columns and answers in bulk.
        self._detour_bits = [0] * n_variables
        self._detours = np.zeros((n_variables, n_variables), np.bool_)

    @classmethod
    def of(cls, dag: Dag) -> Reachability:
        """Start from the edges of ``dag``."""
        graph = cls(len(dag.names))
        graph._parents = [list(parents) for parents in dag.parent_sets]
        graph._children = [list(members(bits)) for bits in dag.child_bits]
        graph._child_bits = list(dag.child_bits)
        graph._look_down(list(reversed(dag.topological_order)))
        return graph

    def copy(self) -> Reachability:
        """Return the same graph, which changes on its own from now on."""
        graph = Reachability(0)
        graph._n_variables = self._n_variables
        graph._parents = [parents.copy() for parents in self._parents]
        graph._children = [children.copy() for children in self._children]
        graph._child_bits = self._child_bits.copy()
        graph._descendants = self._descendants.copy()
        graph._detour_bits = self._detour_bits.copy()
        graph._detours = self._detours.copy()
        return graph

    @property
    def detours(self) -> NDArray[np.bool_]:
        """Whether two or more edges in a row lead from u (the row) to v (the column), as a matrix.

        Where they do, u → v cannot be turned round, nor v → u be added. The matrix follows the
        changes of the graph and cannot be changed itself.
        """
        view = self._detours.view()
        view.flags.writeable = False
        return view

    def has_edge(self, u: Var, v: Var) -> bool:
        """Whether the edge u → v is there."""
        return bool(self._child_bits[u] >> v & 1)

    def has_path(self, u: Var, v: Var) -> bool:
        """Whether one or more edges lead from ``u`` to ``v``."""
        return bool(self._descendants[u] >> v & 1)

    def creates_cycle(self, u: Var, v: Var) -> bool:
        """Whether the edge u → v would close a cycle."""
        return u == v or bool(self._descendants[v] >> u & 1)

    def reversal_creates_cycle(self, u: Var, v: Var) -> bool:
        """Whether turning the edge u → v round would close a cycle."""
        return bool(self._detour_bits[u] >> v & 1)

    def add_edge(self, u: Var, v: Var) -> None:
        """Add the edge u → v, which must not close a cycle."""
        if self.creates_cycle(u, v):
            raise GraphError(f"The edge {u} → {v} would close a cycle.")
        if self.has_edge(u, v):
            return
        self._parents[v].append(u)
        self._children[u].append(v)
        self._child_bits[u] |= 1 << v
        if self.has_path(u, v):
            return  # a detour leads the same way
        farther = self._descendants[v]
        below = farther | 1 << v
        self._descendants[u] |= below
        self._detour_bits[u] |= farther
        row = self._detours[v].copy()
        row[self._children[v]] = True
        self._detours[u] |= row
        if above := self._above(u):
            for a in above:
                self._descendants[a] |= below
                self._detour_bits[a] |= below
            row[v] = True
            self._detours[above] |= row

    def remove_edge(self, u: Var, v: Var) -> None:
        """Remove the edge u → v, which must be there."""
        if not self.has_edge(u, v):
            raise GraphError(f"There is no edge {u} → {v}.")
        self._parents[v].remove(u)
        self._children[u].remove(v)
        self._child_bits[u] ^= 1 << v
        if self.reversal_creates_cycle(u, v):
            return  # a detour leads the same way
        # Who leads to another has more descendants: in this order, children come first.
        above = sorted(self._above(u), key=lambda a: self._descendants[a].bit_count())
        self._look_down([u, *above])

    def _above(self, u: Var) -> list[Var]:
        """Variables that lead to ``u``."""
        if not self._parents[u]:
            return []
        column = self._detours[:, u].copy()
        column[self._parents[u]] = True
        above: list[Var] = column.nonzero()[0].tolist()
        return above

    def _look_down(self, variables: list[Var]) -> None:
        """Take what the children of these variables reach, children first."""
        changed = []
        for v in variables:
            bits = 0
            for c in self._children[v]:
                bits |= self._descendants[c]
            self._descendants[v] = bits | self._child_bits[v]
            if bits != self._detour_bits[v]:
                self._detour_bits[v] = bits
                changed.append(v)
        if not changed:
            return
        width = -(-self._n_variables // 8)
        packed = b"".join([self._detour_bits[v].to_bytes(width, "little") for v in changed])
        rows = np.frombuffer(packed, np.uint8).reshape(len(changed), width)
        bits_of = np.unpackbits(rows, axis=1, count=self._n_variables, bitorder="little")
        self._detours[changed] = bits_of.view(np.bool_)

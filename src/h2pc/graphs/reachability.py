"""Which variables lead to which, while edges are added and removed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import h2pc._engine as _engine
from h2pc.errors import GraphError
from h2pc.graphs.dag import Dag
from h2pc.variables import Var


class Reachability:
    """A directed acyclic graph that changes, with its transitive closure.

    Whether an edge would close a cycle is one look at a matrix; the work is done by the changes.
    Unlike a :class:`Dag` this is no value: :meth:`add_edge` and :meth:`remove_edge` change it.

    Parameters
    ----------
    n_variables : int
        The number of variables; there is no edge at first.

    Examples
    --------
    >>> from h2pc.graphs.reachability import Reachability
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
        self._graph = _engine.Reachability(n_variables)

    @classmethod
    def of(cls, dag: Dag) -> Reachability:
        """Start from the edges of ``dag``."""
        graph = cls(len(dag.names))
        for u, v in dag.edges:
            graph.add_edge(u, v)
        return graph

    def copy(self) -> Reachability:
        """Return the same graph, which changes on its own from now on."""
        graph = Reachability(0)
        graph._graph = self._graph.copy()
        return graph

    @property
    def detours(self) -> NDArray[np.bool_]:
        """Whether two or more edges in a row lead from u (the row) to v (the column), as a matrix.

        Where they do, u → v cannot be reversed, nor v → u be added.
        """
        return np.asarray(self._graph.detours(), np.uint8).view(np.bool_)

    def has_edge(self, u: Var, v: Var) -> bool:
        """Whether there is an edge u → v."""
        return bool(self._graph.has_edge(u, v))

    def has_path(self, u: Var, v: Var) -> bool:
        """Whether one or more edges lead from ``u`` to ``v``."""
        return bool(self._graph.has_path(u, v))

    def creates_cycle(self, u: Var, v: Var) -> bool:
        """Whether the edge u → v would close a cycle."""
        return u == v or self.has_path(v, u)

    def reversal_creates_cycle(self, u: Var, v: Var) -> bool:
        """Whether reversing the edge u → v would close a cycle."""
        return bool(self._graph.has_detour(u, v))

    def add_edge(self, u: Var, v: Var) -> None:
        """Add the edge u → v, which must not close a cycle."""
        if self.creates_cycle(u, v):
            raise GraphError(f"The edge {u} → {v} would close a cycle.")
        self._graph.add_edge(u, v)

    def remove_edge(self, u: Var, v: Var) -> None:
        """Remove the edge u → v, which must be there."""
        if not self.has_edge(u, v):
            raise GraphError(f"There is no edge {u} → {v}.")
        self._graph.remove_edge(u, v)

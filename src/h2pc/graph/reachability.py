"""Who leads to whom, kept up to date while edges come and go."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from h2pc._kernels import paths
from h2pc.errors import GraphError
from h2pc.graph.dag import Dag
from h2pc.variables import Var


class Reachability:
    """A directed acyclic graph that changes, with its transitive closure.

    A search asks many times whether an edge would close a cycle and changes the graph seldom: the
    answer is one look at a matrix, the work is done by the changes. Unlike a :class:`Dag` this is
    no value: :meth:`add_edge` and :meth:`remove_edge` change it.

    Parameters
    ----------
    n_variables : int
        The number of variables; there is no edge at first.

    Examples
    --------
    >>> from h2pc.graph.reachability import Reachability
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
        self._edges = np.zeros((n_variables, n_variables), np.uint8)
        self._detours = np.zeros((n_variables, n_variables), np.uint8)

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
        graph._edges, graph._detours = self._edges.copy(), self._detours.copy()
        return graph

    @property
    def detours(self) -> NDArray[np.bool_]:
        """Whether two or more edges in a row lead from u (the row) to v (the column), as a matrix.

        Where they do, u → v cannot be turned round, nor v → u be added. The matrix follows the
        changes of the graph and cannot be changed itself.
        """
        view = self._detours.view(np.bool_)
        view.flags.writeable = False
        return view

    def has_edge(self, u: Var, v: Var) -> bool:
        """Whether the edge u → v is there."""
        return bool(self._edges[u, v])

    def has_path(self, u: Var, v: Var) -> bool:
        """Whether one or more edges lead from ``u`` to ``v``."""
        return bool(self._edges[u, v] or self._detours[u, v])

    def creates_cycle(self, u: Var, v: Var) -> bool:
        """Whether the edge u → v would close a cycle."""
        return u == v or self.has_path(v, u)

    def reversal_creates_cycle(self, u: Var, v: Var) -> bool:
        """Whether turning the edge u → v round would close a cycle."""
        return bool(self._detours[u, v])

    def add_edge(self, u: Var, v: Var) -> None:
        """Add the edge u → v, which must not close a cycle."""
        if self.creates_cycle(u, v):
            raise GraphError(f"The edge {u} → {v} would close a cycle.")
        paths.add_edge(self._edges, self._detours, u, v)

    def remove_edge(self, u: Var, v: Var) -> None:
        """Remove the edge u → v, which must be there."""
        if not self.has_edge(u, v):
            raise GraphError(f"There is no edge {u} → {v}.")
        paths.remove_edge(self._edges, self._detours, u, v)

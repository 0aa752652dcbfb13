"""What graphs on named variables have in common: names and numbers, and other libraries.

For other libraries an edge is a pair from tail to head; an undirected edge is there both ways.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, ClassVar, Literal, Self, TypeVar

from h2pc.errors import DataTypeError, GraphError, SettingError
from h2pc.graphs.checked_names import Edge, End, checked_names, listed, numbered
from h2pc.graphs.exchange import optional_module
from h2pc.variables import Var, Vars

V = TypeVar("V", int, str)
"""A variable, by number or by name; what comes back has the same form."""


class NamedGraph(ABC):
    """A graph whose variables are the integers 0, 1, …, in the order of their ``names``."""

    names: tuple[str, ...]
    _is_directed: ClassVar[bool] = True
    """Whether any graph of the class has directed edges."""

    @property
    def variables(self) -> Vars:
        """All variables, from 0 to the last."""
        return tuple(range(len(self.names)))

    def variable(self, name: str) -> Var:
        """Return the number of the variable called ``name``."""
        return self._numbered((name,))[0]

    def reordered(self, names: Iterable[str]) -> Self:
        """Equal graph but for its ``names``, which come in another order."""
        names = checked_names(names)
        strange = sorted(set(self.names) ^ set(names))
        if strange:
            raise GraphError(
                f"The graphs must have the same names; they differ in {listed(strange)}."
            )
        return self.from_arcs(names, self._named(self._arcs))

    def subgraph(self, variables: Iterable[End]) -> Self:
        """Graph on ``variables`` alone, renumbered in the order given."""
        names = [self.names[v] for v in self._numbered(variables)]
        kept = frozenset(names)
        arcs = [arc for arc in self._named(self._arcs) if kept.issuperset(arc)]
        return self.from_arcs(names, arcs)

    def to_networkx(self) -> Any:
        """Return the graph for networkx; its nodes are the names.

        Returns
        -------
        networkx.DiGraph or networkx.Graph
            A ``Graph`` of a :class:`Skeleton`; else a ``DiGraph``, undirected edges both ways.

        Examples
        --------
        >>> from h2pc import Dag
        >>> Dag.from_edges(["a", "b"], [("a", "b")]).to_networkx().edges
        OutEdgeView([('a', 'b')])
        """
        nx = optional_module("networkx", "graphs")
        graph = nx.DiGraph() if self._is_directed else nx.Graph()
        graph.add_nodes_from(self.names)
        graph.add_edges_from(self._named(self._arcs))
        return graph

    @classmethod
    def from_networkx(cls, graph: Any) -> Self:
        """Return a graph of networkx as one of this class.

        Parameters
        ----------
        graph : networkx.DiGraph or networkx.Graph
            Its nodes must be strings; their order becomes the order of the variables.

        Raises
        ------
        GraphError
            If a :class:`Dag` would need a direction, or a :class:`Skeleton` would lose one.

        Examples
        --------
        >>> import networkx as nx
        >>> from h2pc import Dag
        >>> Dag.from_networkx(nx.DiGraph([("a", "b")]))
        Dag.from_edges(('a', 'b'), [('a', 'b')])
        """
        if not (hasattr(graph, "nodes") and hasattr(graph, "is_directed")):
            raise DataTypeError(f"Expected a networkx graph; got {type(graph).__name__}.")
        arcs = [edge[:2] for edge in graph.edges]
        if not graph.is_directed():
            arcs += [(v, u) for u, v in arcs]
        return cls.from_arcs(graph.nodes, arcs)

    def to_adjacency_frame(self, library: Literal["pandas", "polars"] = "pandas") -> Any:
        """Return a data frame of zeros and ones: a row per tail, a column per head.

        Parameters
        ----------
        library : {"pandas", "polars"}, default="pandas"
            The library of the data frame.

        Returns
        -------
        pandas.DataFrame or polars.DataFrame
            Rows are in the order of the columns; in pandas they have the names too. Undirected
            edges are there both ways.

        Examples
        --------
        >>> from h2pc import Dag
        >>> Dag.from_edges(["a", "b"], [("a", "b")]).to_adjacency_frame()
           a  b
        a  0  1
        b  0  0
        """
        if library not in ("pandas", "polars"):
            raise SettingError(f"library must be 'pandas' or 'polars'; got {library!r}.")
        frames, names = optional_module(library, library), list(self.names)
        cells = [[0] * len(names) for _ in names]
        for tail, head in self._arcs:
            cells[tail][head] = 1
        if library == "polars":
            return frames.DataFrame(cells, schema=names, orient="row")
        return frames.DataFrame(cells, index=names, columns=names, dtype=int)

    @classmethod
    def from_adjacency_frame(cls, frame: Any) -> Self:
        """Return the graph of a data frame of zeros and ones: a row per tail, a column per head.

        Parameters
        ----------
        frame : pandas.DataFrame or polars.DataFrame
            The columns give the names. Rows are matched by name where a pandas index holds the
            names, else they must be in the order of the columns.

        Examples
        --------
        >>> import pandas as pd
        >>> from h2pc import Dag
        >>> Dag.from_adjacency_frame(pd.DataFrame({"a": [0, 0], "b": [1, 0]}))
        Dag.from_edges(('a', 'b'), [('a', 'b')])
        """
        if not (hasattr(frame, "columns") and hasattr(frame, "to_numpy")):
            raise DataTypeError(f"Expected a pandas or polars frame; got {type(frame).__name__}.")
        names = checked_names(frame.columns)
        rows = frame.to_numpy().tolist()
        if len(rows) != len(names):
            raise GraphError(f"{len(names)} columns need as many rows; got {len(rows)}.")
        arcs = []
        for tail, row in zip(_row_names(frame, names), rows, strict=True):
            for head, entry in zip(names, row, strict=True):
                if entry not in (0, 1):
                    raise GraphError(
                        f"Row {tail!r}, column {head!r}: expected 0 or 1, got {entry!r}."
                    )
                if entry:
                    arcs.append((tail, head))
        return cls.from_arcs(names, arcs)

    @classmethod
    @abstractmethod
    def from_arcs(cls, names: Iterable[str], arcs: Iterable[Sequence[End]]) -> Self:
        """Return the graph with ``arcs`` from tail to head, undirected edges both ways."""

    def to_html(self, caption: str | None = None) -> str:
        """Return a drawing for notebooks: a caption and an SVG; large graphs get a caption only.

        Parameters
        ----------
        caption : str, default=None
            The caption; by default the kind of graph, and the numbers of variables and edges.

        Examples
        --------
        >>> from h2pc import Dag
        >>> Dag.from_edges(["a", "b"], [("a", "b")]).to_html()[:39]
        '<div>Dag of 2 variables and 1 edge</div'
        """
        from h2pc.graphs.svg import graph_html

        order, directed, undirected = self._drawn()
        n_edges = len(directed) + len(undirected)
        sizes = f"{len(self.names)} variables and {n_edges} edge{'s' * (n_edges != 1)}"
        usual = f"{type(self).__name__} of {sizes}"
        return graph_html(self.names, order, directed, undirected, caption or usual)

    def _repr_html_(self) -> str:
        return self.to_html()

    @abstractmethod
    def _drawn(self) -> tuple[Vars, Sequence[Edge], Sequence[Edge]]:
        """Return variables from the top of a drawing, and directed and undirected edges."""

    @property
    @abstractmethod
    def _arcs(self) -> list[Edge]:
        """Edges from tail to head, undirected ones both ways."""

    def _named(self, edges: Iterable[Edge]) -> tuple[tuple[str, str], ...]:
        """Return edges as pairs of names."""
        return tuple((self.names[u], self.names[v]) for u, v in edges)

    @cached_property
    def _numbers(self) -> dict[str, Var]:
        return {name: v for v, name in enumerate(self.names)}

    def _numbered(self, ends: Iterable[End]) -> Vars:
        """Return the numbers of variables, which are checked."""
        return numbered(self.names, ends, self._numbers)

    def _number(self, v: End) -> Var:
        """Return the number of a variable; numbers are not checked, for speed."""
        return self._numbered((v,))[0] if isinstance(v, str) else v

    def _like(self, v: V, found: Vars) -> tuple[V, ...]:
        """Return variables by name if ``v`` is one, else by number."""
        return tuple(self.names[u] for u in found) if isinstance(v, str) else found


def _row_names(frame: Any, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the name of the variable of every row."""
    index = list(getattr(frame, "index", range(len(names))))
    if index == list(range(len(names))):
        return names
    if set(index) != set(names):
        strange = sorted(map(repr, set(index) ^ set(names)))
        raise GraphError(f"The index must hold the names of the columns; see {strange[0]}.")
    return checked_names(index)

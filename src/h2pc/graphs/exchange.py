"""Graphs to and from networkx, DOT and adjacency data frames.

An undirected edge is one that is there both ways; ``kind`` says what to read: a :class:`Dag`, a
:class:`Skeleton` or a :class:`Cpdag`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any, Literal, TypeVar, overload

from h2pc.errors import DataTypeError, GraphError, SettingError
from h2pc.graphs.cpdag import Cpdag
from h2pc.graphs.dag import Dag
from h2pc.graphs.dot import dot_graph, quoted
from h2pc.graphs.skeleton import Skeleton
from h2pc.graphs.validation import Edge, checked_names, numbered_edges

Graph = Dag | Skeleton | Cpdag
"""Any of the three kinds."""

G = TypeVar("G", bound=Graph)


def to_networkx(graph: Graph) -> Any:
    """``graph`` as a networkx graph whose nodes are the names.

    Parameters
    ----------
    graph : Dag, Skeleton or Cpdag
        The graph.

    Returns
    -------
    networkx.DiGraph or networkx.Graph
        A ``Graph`` for a skeleton; else a ``DiGraph``, with undirected edges both ways.

    Examples
    --------
    >>> from h2pc.graphs import Dag, to_networkx
    >>> to_networkx(Dag.from_edges(["a", "b"], [("a", "b")])).edges
    OutEdgeView([('a', 'b')])
    """
    nx = _needed("networkx", "graphs")
    exported = nx.Graph() if isinstance(graph, Skeleton) else nx.DiGraph()
    exported.add_nodes_from(graph.names)
    exported.add_edges_from((graph.names[u], graph.names[v]) for u, v in _arcs(graph))
    return exported


@overload
def from_networkx(graph: Any) -> Dag: ...
@overload
def from_networkx(graph: Any, kind: type[G]) -> G: ...
def from_networkx(graph: Any, kind: type[Any] = Dag) -> Any:
    """Read a networkx graph.

    Parameters
    ----------
    graph : networkx.DiGraph or networkx.Graph
        Its nodes must be strings; their order becomes the order of the variables.
    kind : {Dag, Skeleton, Cpdag}, default=Dag
        What to read.

    Returns
    -------
    Dag, Skeleton or Cpdag
        The graph.

    Examples
    --------
    >>> import networkx as nx
    >>> from h2pc.graphs import from_networkx
    >>> from_networkx(nx.DiGraph([("a", "b")]))
    Dag.from_edges(('a', 'b'), [('a', 'b')])
    """
    if not (hasattr(graph, "nodes") and hasattr(graph, "is_directed")):
        raise DataTypeError(f"Expected a networkx graph; got {type(graph).__name__}.")
    arcs = [edge[:2] for edge in graph.edges]
    if not graph.is_directed():
        arcs += [(v, u) for u, v in arcs]
    return _graph(kind, graph.nodes, arcs)


def to_dot(graph: Graph) -> str:
    """``graph`` in the DOT language of Graphviz.

    Parameters
    ----------
    graph : Dag, Skeleton or Cpdag
        The graph.

    Returns
    -------
    str
        A ``graph`` for a skeleton; else a ``digraph``, with ``dir=none`` for undirected edges.

    Examples
    --------
    >>> from h2pc.graphs import Cpdag, to_dot
    >>> print(to_dot(Cpdag(["a", "b", "c"], [("a", "b")], [("b", "c")])), end="")
    digraph {
      "a";
      "b";
      "c";
      "a" -> "b";
      "b" -> "c" [dir=none];
    }
    """
    ids = [quoted(name) for name in graph.names]
    lines = [f"{name};" for name in ids]
    if isinstance(graph, Skeleton):
        lines += [f"{ids[u]} -- {ids[v]};" for u, v in graph.edges]
    elif isinstance(graph, Dag):
        lines += [f"{ids[u]} -> {ids[v]};" for u, v in graph.edges]
    else:
        lines += [f"{ids[u]} -> {ids[v]};" for u, v in graph.directed]
        lines += [f"{ids[u]} -> {ids[v]} [dir=none];" for u, v in graph.undirected]
    head = "graph" if isinstance(graph, Skeleton) else "digraph"
    return "\n".join([f"{head} {{", *(f"  {line}" for line in lines), "}", ""])


@overload
def from_dot(text: str) -> Dag: ...
@overload
def from_dot(text: str, kind: type[G]) -> G: ...
def from_dot(text: str, kind: type[Any] = Dag) -> Any:
    """Read a graph in the DOT language of Graphviz.

    Parameters
    ----------
    text : str
        One graph: nodes, chains of edges, quoted and plain names, comments. Attributes are passed
        over, except ``dir``; subgraphs and ports are not read.
    kind : {Dag, Skeleton, Cpdag}, default=Dag
        What to read.

    Returns
    -------
    Dag, Skeleton or Cpdag
        The graph, its variables in the order in which the text first names them.

    Raises
    ------
    FileFormatError
        Where the text cannot be read; the message names the line.

    Examples
    --------
    >>> from h2pc.graphs import from_dot
    >>> from_dot("digraph { rain -> wet -> slippery; sprinkler -> wet }").names
    ('rain', 'wet', 'slippery', 'sprinkler')
    """
    return _graph(kind, *dot_graph(text))


def to_adjacency_frame(graph: Graph, library: Literal["pandas", "polars"] = "pandas") -> Any:
    """``graph`` as a data frame of zeros and ones: a row per tail, a column per head.

    Parameters
    ----------
    graph : Dag, Skeleton or Cpdag
        The graph; undirected edges are there both ways.
    library : {"pandas", "polars"}, default="pandas"
        Whose data frame.

    Returns
    -------
    pandas.DataFrame or polars.DataFrame
        Rows are in the order of the columns; in pandas they carry the names too.

    Examples
    --------
    >>> from h2pc.graphs import Dag, to_adjacency_frame
    >>> to_adjacency_frame(Dag.from_edges(["a", "b"], [("a", "b")]))
       a  b
    a  0  1
    b  0  0
    """
    if library not in ("pandas", "polars"):
        raise SettingError(f"library must be 'pandas' or 'polars'; got {library!r}.")
    frames = _needed(library, library)
    heads = {name: [0] * len(graph.names) for name in graph.names}
    for u, v in _arcs(graph):
        heads[graph.names[v]][u] = 1
    if library == "polars":
        return frames.DataFrame(heads)
    return frames.DataFrame(heads, index=list(graph.names), columns=list(graph.names), dtype=int)


@overload
def from_adjacency_frame(frame: Any) -> Dag: ...
@overload
def from_adjacency_frame(frame: Any, kind: type[G]) -> G: ...
def from_adjacency_frame(frame: Any, kind: type[Any] = Dag) -> Any:
    """Read a data frame of zeros and ones: a row per tail, a column per head.

    Parameters
    ----------
    frame : pandas.DataFrame or polars.DataFrame
        The columns give the names. Rows are matched by name where a pandas index holds the names,
        else they must be in the order of the columns.
    kind : {Dag, Skeleton, Cpdag}, default=Dag
        What to read.

    Returns
    -------
    Dag, Skeleton or Cpdag
        The graph.

    Examples
    --------
    >>> import pandas as pd
    >>> from h2pc.graphs import from_adjacency_frame
    >>> from_adjacency_frame(pd.DataFrame({"a": [0, 0], "b": [1, 0]}))
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
                raise GraphError(f"Row {tail!r}, column {head!r}: expected 0 or 1, got {entry!r}.")
            if entry:
                arcs.append((tail, head))
    return _graph(kind, names, arcs)


def _row_names(frame: Any, names: tuple[str, ...]) -> tuple[str, ...]:
    """Name of the variable of every row."""
    index = list(getattr(frame, "index", range(len(names))))
    if index == list(range(len(names))):
        return names
    if set(index) != set(names):
        strange = sorted(map(repr, set(index) ^ set(names)))
        raise GraphError(f"The index must hold the names of the columns; see {strange[0]}.")
    return checked_names(index)


def _arcs(graph: Graph) -> list[Edge]:
    """Edges from tail to head, undirected ones both ways."""
    directed = graph.edges if isinstance(graph, Dag) else ()
    undirected = graph.edges if isinstance(graph, Skeleton) else ()
    if isinstance(graph, Cpdag):
        directed, undirected = graph.directed, graph.undirected
    return [*directed, *undirected, *((v, u) for u, v in undirected)]


def _graph(kind: type[Graph], names: Iterable[str], arcs: Iterable[Sequence[str]]) -> Graph:
    """Graph of this ``kind`` with ``arcs`` from tail to head, undirected edges both ways."""
    names = checked_names(names)
    pairs = set(numbered_edges(names, arcs))
    undirected = sorted((u, v) for u, v in pairs if u < v and (v, u) in pairs)
    directed = sorted((u, v) for u, v in pairs if (v, u) not in pairs)
    if kind is Cpdag:
        return Cpdag(names, directed, undirected)
    if kind is Dag:
        for u, v in undirected:
            raise GraphError(f"A Dag needs a direction between {names[u]!r} and {names[v]!r}.")
        return Dag.from_edges(names, directed)
    if kind is Skeleton:
        for u, v in directed:
            raise GraphError(f"A Skeleton has no direction: {names[u]!r} → {names[v]!r}.")
        return Skeleton(names, undirected)
    raise SettingError(f"kind must be Dag, Skeleton or Cpdag; got {kind!r}.")


def _needed(module: str, extra: str) -> Any:
    """Import a library that only some users have."""
    try:
        return import_module(module)
    except ImportError as error:
        hint = f"This needs {module}: pip install 'h2pc[{extra}]'."
        raise ImportError(hint, name=module) from error

"""Names and edges to and from networkx and adjacency data frames.

An edge is a pair from tail to head; an undirected edge is there both ways.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import Any

from h2pc.errors import DataTypeError, GraphError, SettingError
from h2pc.graphs.checked_names import Edge, checked_names

NamedArcs = tuple[tuple[str, ...], list[tuple[str, str]]]
"""The names of a graph, and its edges."""


def networkx_graph(names: tuple[str, ...], arcs: Iterable[Edge], *, is_directed: bool) -> Any:
    """Return a ``DiGraph`` of networkx, or a ``Graph``."""
    nx = optional_module("networkx", "graphs")
    graph = nx.DiGraph() if is_directed else nx.Graph()
    graph.add_nodes_from(names)
    graph.add_edges_from((names[u], names[v]) for u, v in arcs)
    return graph


def networkx_arcs(graph: Any) -> NamedArcs:
    """Return the nodes and edges of a graph of networkx."""
    if not (hasattr(graph, "nodes") and hasattr(graph, "is_directed")):
        raise DataTypeError(f"Expected a networkx graph; got {type(graph).__name__}.")
    arcs = [edge[:2] for edge in graph.edges]
    if not graph.is_directed():
        arcs += [(v, u) for u, v in arcs]
    return checked_names(graph.nodes), arcs


def adjacency_frame(names: tuple[str, ...], arcs: Iterable[Edge], library: str) -> Any:
    """Return a data frame of zeros and ones, of pandas or polars."""
    if library not in ("pandas", "polars"):
        raise SettingError(f"library must be 'pandas' or 'polars'; got {library!r}.")
    frames = optional_module(library, library)
    heads = {name: [0] * len(names) for name in names}
    for u, v in arcs:
        heads[names[v]][u] = 1
    if library == "polars":
        return frames.DataFrame(heads)
    return frames.DataFrame(heads, index=list(names), columns=list(names), dtype=int)


def adjacency_arcs(frame: Any) -> NamedArcs:
    """Return the columns of a data frame, and an edge for every 1 in it."""
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
    return names, arcs


def _row_names(frame: Any, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the name of the variable of every row."""
    index = list(getattr(frame, "index", range(len(names))))
    if index == list(range(len(names))):
        return names
    if set(index) != set(names):
        strange = sorted(map(repr, set(index) ^ set(names)))
        raise GraphError(f"The index must hold the names of the columns; see {strange[0]}.")
    return checked_names(index)


def optional_module(module: str, extra: str) -> Any:
    """Import a module of a library that comes with an extra of h2pc."""
    try:
        return import_module(module)
    except ImportError as error:
        hint = f"This needs {module.partition('.')[0]}: pip install 'h2pc[{extra}]'."
        raise ImportError(hint, name=module) from error

"""How two variables are joined in a graph, pair by pair: what distances between graphs compare."""

from __future__ import annotations

from enum import StrEnum

from h2pc.errors import GraphError
from h2pc.graphs import Cpdag, Dag, dag_to_cpdag
from h2pc.variables import Var

Pair = tuple[Var, Var]
"""Two variables, the smaller one first."""


class Mark(StrEnum):
    """How an edge joins two variables, read from the first to the second."""

    FORWARD = "→"
    BACKWARD = "←"
    UNDIRECTED = "–"


def marks(graph: Dag | Cpdag) -> dict[Pair, Mark]:
    """Return the mark of every edge, by its pair of variables."""
    if not isinstance(graph, Dag | Cpdag):
        raise GraphError(f"A Dag or a Cpdag was expected; got a {type(graph).__name__}.")
    found: dict[Pair, Mark] = {}
    if isinstance(graph, Cpdag):
        found.update(dict.fromkeys(graph.undirected, Mark.UNDIRECTED))
    for u, v in graph.edges if isinstance(graph, Dag) else graph.directed:
        found[min(u, v), max(u, v)] = Mark.FORWARD if u < v else Mark.BACKWARD
    return found


def as_class(graph: Dag | Cpdag) -> Cpdag:
    """Return the graph of the equivalence class; a Cpdag stands for itself."""
    return dag_to_cpdag(graph) if isinstance(graph, Dag) else graph

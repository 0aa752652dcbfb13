"""How the edges of a graph join two variables."""

from __future__ import annotations

from enum import StrEnum

from h2pc.errors import GraphError
from h2pc.graphs.cpdag import Cpdag
from h2pc.graphs.dag import Dag
from h2pc.variables import Var

Pair = tuple[Var, Var]
"""Two variables, the smaller one first."""


class Mark(StrEnum):
    """How an edge joins two variables, read from the first to the second."""

    FORWARD = "→"
    BACKWARD = "←"
    UNDIRECTED = "–"


def edge_marks(graph: Dag | Cpdag) -> dict[Pair, Mark]:
    """Return the mark of every edge, by its pair of variables."""
    if not isinstance(graph, Dag | Cpdag):
        raise GraphError(f"A Dag or a Cpdag was expected; got a {type(graph).__name__}.")
    found: dict[Pair, Mark] = {}
    if isinstance(graph, Cpdag):
        found.update(dict.fromkeys(graph.undirected, Mark.UNDIRECTED))
    for u, v in graph.edges if isinstance(graph, Dag) else graph.directed:
        found[min(u, v), max(u, v)] = Mark.FORWARD if u < v else Mark.BACKWARD
    return found

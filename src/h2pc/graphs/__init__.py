"""Graphs as immutable values."""

from h2pc.graphs.cpdag import Cpdag, consistent_extension, cpdag_to_dag, dag_to_cpdag, equivalent
from h2pc.graphs.d_separation import d_separated, reachable
from h2pc.graphs.dag import Dag, is_dag
from h2pc.graphs.exchange import (
    from_adjacency_frame,
    from_dot,
    from_networkx,
    to_adjacency_frame,
    to_dot,
    to_networkx,
)
from h2pc.graphs.skeleton import Skeleton

__all__ = [
    "Cpdag",
    "Dag",
    "Skeleton",
    "consistent_extension",
    "cpdag_to_dag",
    "d_separated",
    "dag_to_cpdag",
    "equivalent",
    "from_adjacency_frame",
    "from_dot",
    "from_networkx",
    "is_dag",
    "reachable",
    "to_adjacency_frame",
    "to_dot",
    "to_networkx",
]

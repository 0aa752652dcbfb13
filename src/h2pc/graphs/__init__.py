"""Graphs as immutable values."""

from h2pc.graphs.cpdag import Cpdag, consistent_extension, dag_to_cpdag, equivalent
from h2pc.graphs.dag import Dag, greedy_dag
from h2pc.graphs.edge_marks import Mark, edge_marks
from h2pc.graphs.mpdag import dag_to_mpdag
from h2pc.graphs.skeleton import Skeleton

__all__ = [
    "Cpdag",
    "Dag",
    "Mark",
    "Skeleton",
    "consistent_extension",
    "dag_to_cpdag",
    "dag_to_mpdag",
    "edge_marks",
    "equivalent",
    "greedy_dag",
]

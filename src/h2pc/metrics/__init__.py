"""Measures of how good a learned structure is."""

from h2pc.graphs import Mark
from h2pc.metrics.agreement import Agreement
from h2pc.metrics.edge_scores import (
    ComparedEdge,
    EdgeScores,
    Verdict,
    compare_edges,
    edge_scores,
)
from h2pc.metrics.network_score import network_score
from h2pc.metrics.shd import dag_shd, shd
from h2pc.metrics.skeleton_scores import SkeletonScores, skeleton_scores

__all__ = [
    "Agreement",
    "ComparedEdge",
    "EdgeScores",
    "Mark",
    "SkeletonScores",
    "Verdict",
    "compare_edges",
    "dag_shd",
    "edge_scores",
    "network_score",
    "shd",
    "skeleton_scores",
]

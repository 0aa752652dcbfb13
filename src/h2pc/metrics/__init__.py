"""How good a learned structure is."""

from h2pc.metrics.skeleton import SkeletonScores, skeleton_scores

__all__ = ["SkeletonScores", "skeleton_scores"]

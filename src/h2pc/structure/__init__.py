"""Whole structures, made of the neighbourhoods of every variable."""

from h2pc.structure.neighbourhoods import Learned, Learner, neighbourhoods
from h2pc.structure.result import SkeletonResult
from h2pc.structure.skeletons import Symmetry, learned_skeleton

__all__ = [
    "Learned",
    "Learner",
    "SkeletonResult",
    "Symmetry",
    "learned_skeleton",
    "neighbourhoods",
]

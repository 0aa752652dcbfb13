"""Whole structures, made of the neighbourhoods of every variable."""

from h2pc.structure.explanations import Explanation, explained_neighbours
from h2pc.structure.h2pc import h2pc
from h2pc.structure.learn_result import LearnResult
from h2pc.structure.links import EdgeLink, edge_links
from h2pc.structure.neighbourhoods import Learned, Learner, neighbourhoods
from h2pc.structure.result import SkeletonResult
from h2pc.structure.searched import Search, searched
from h2pc.structure.separators import separating_sets
from h2pc.structure.skeletons import Symmetry, learned_skeleton
from h2pc.structure.strengths import EdgeStrength, EdgeStrengths

__all__ = [
    "EdgeLink",
    "EdgeStrength",
    "EdgeStrengths",
    "Explanation",
    "LearnResult",
    "Learned",
    "Learner",
    "Search",
    "SkeletonResult",
    "Symmetry",
    "edge_links",
    "explained_neighbours",
    "h2pc",
    "learned_skeleton",
    "neighbourhoods",
    "searched",
    "separating_sets",
]

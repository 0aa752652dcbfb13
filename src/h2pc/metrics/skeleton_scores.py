"""How close a learned skeleton is to the true one (section 4 of the paper)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from h2pc.graphs import Cpdag, Dag, Skeleton
from h2pc.metrics.agreement import Agreement


@dataclass(frozen=True)
class SkeletonScores(Agreement):
    """Right and wrong among all pairs of variables.

    Attributes
    ----------
    true_positives, false_positives : int
        Learned edges that are in the true skeleton, and that are not.
    false_negatives, true_negatives : int
        Pairs without a learned edge that should have one, and that should not.

    Examples
    --------
    >>> scores = SkeletonScores(3, 1, 3, 8)
    >>> scores.precision, scores.recall, scores.f1
    (0.75, 0.5, 0.6)
    """

    true_negatives: int

    @property
    def false_positive_rate(self) -> float:
        """Share of the pairs that are not joined in truth, but by a learned edge."""
        wrong = self.false_positives
        return wrong / (wrong + self.true_negatives) if wrong else 0.0

    @property
    def distance(self) -> float:
        """Euclidean distance from perfect precision and recall."""
        return math.hypot(1.0 - self.precision, 1.0 - self.recall)


def skeleton_scores(
    learned: Skeleton | Dag | Cpdag, true: Skeleton | Dag | Cpdag
) -> SkeletonScores:
    """Scores of a learned skeleton; variables are matched by name.

    Parameters
    ----------
    learned : Skeleton, Dag or Cpdag
        What was learned; directions do not matter.
    true : Skeleton, Dag or Cpdag
        The truth, on the same names in any order.

    Returns
    -------
    SkeletonScores
        Precision, recall, F1, false positive rate, distance, and the counts behind them.

    Examples
    --------
    >>> from h2pc import Dag, Skeleton, skeleton_scores
    >>> true = Dag.from_edges(["a", "b", "c"], [("a", "b"), ("c", "b")])
    >>> scores = skeleton_scores(Skeleton(["c", "b", "a"], [("b", "a")]), true)
    >>> scores.precision, scores.recall, scores.false_positive_rate, scores.distance
    (1.0, 0.5, 0.0, 0.5)
    """
    truth = _skeleton(true)
    edges = set(_skeleton(learned).reordered(truth.names).edges)
    right = len(edges & set(truth.edges))
    wrong, missed = len(edges) - right, len(truth.edges) - right
    n_pairs = math.comb(len(truth.names), 2)
    return SkeletonScores(right, wrong, missed, n_pairs - right - wrong - missed)


def _skeleton(graph: Skeleton | Dag | Cpdag) -> Skeleton:
    """Return the graph without directions."""
    return graph if isinstance(graph, Skeleton) else graph.skeleton()

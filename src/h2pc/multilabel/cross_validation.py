"""Cross-validation of several multi-label classifiers on the same folds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import mean, stdev
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata, wilcoxon
from sklearn.base import BaseEstimator, clone
from sklearn.utils import _safe_indexing

from h2pc.multilabel.folds import label_folds
from h2pc.multilabel.label_metrics import multilabel_scores
from h2pc.multilabel.label_structure import label_dag
from h2pc.multilabel.powerset_classifier import PowersetClassifier
from h2pc.multilabel.training_set import labelled

# Of more differences the distribution of the signed ranks is close to normal.
_MOST_EXACT = 50

SCORES = ("subset_accuracy", "hamming_loss", "micro_f1", "macro_f1", "example_f1")


@dataclass(frozen=True)
class FoldScores:
    """The scores of one classifier in every fold."""

    name: str
    folds: tuple[dict[str, float], ...]
    """The scores of :class:`MultilabelScores` in each fold."""

    def values(self, score: str) -> list[float]:
        """Return a score in every fold."""
        return [fold[score] for fold in self.folds]

    def mean(self, score: str) -> float:
        """Return the mean of a score."""
        return mean(self.values(score))

    def deviation(self, score: str) -> float:
        """Return the standard deviation of a score between folds."""
        return stdev(self.values(score))

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain values, fit for JSON."""
        scores = {
            score: {
                "mean": self.mean(score),
                "sd": self.deviation(score),
                "folds": self.values(score),
            }
            for score in SCORES
        }
        return {"method": self.name, "scores": scores}


def cross_validated(
    classifiers: Mapping[str, Any],
    X: Any,
    Y: Any,
    *,
    folds: int = 10,
    structure: Any = None,
    random_state: int | None = 0,
    stratify: bool | None = None,
    done: Callable[[int], None] | None = None,
) -> list[FoldScores]:
    """Return the scores of several classifiers, all of them on the same folds.

    The graph of labels and features is learned once for each fold, and shared by the classifiers
    that need it.

    Parameters
    ----------
    classifiers : mapping of str to classifier
        The classifiers, by name; they are not changed.
    X : array, sparse matrix or table, samples by features
        The features.
    Y : array or table of 0 and 1, samples by labels
        The labels.
    folds : int, default=10
        The number of folds.
    structure : learner such as H2PC() or MMHC(), default=None
        Learns the graph in place of the learners of the classifiers; None is H2PC().
    random_state : int or None, default=0
        The seed of the split.
    stratify : bool or None, default=None
        Whether folds are stratified, as in :func:`~h2pc.multilabel.folds.label_folds`.
    done : callable, default=None
        Called with the number of each fold, from 1 on, when it is done.

    Returns
    -------
    list of FoldScores
        One for each classifier: its name, and its scores in every fold.

    Examples
    --------
    >>> from h2pc import BinaryRelevance, CompactForestClassifier, LabelPowerset
    >>> from h2pc.multilabel.cross_validation import cross_validated
    >>> X, Y = [[0], [1], [2], [3]] * 10, [[0, 0], [1, 0], [1, 1], [0, 1]] * 10
    >>> forest = CompactForestClassifier(5, random_state=0)
    >>> models = {"BR": BinaryRelevance(forest), "LP": LabelPowerset(forest)}
    >>> [found.mean("subset_accuracy") for found in cross_validated(models, X, Y, folds=2)]
    [1.0, 1.0]
    """
    found: dict[str, list[dict[str, float]]] = {name: [] for name in classifiers}
    parts = label_folds(Y, folds, random_state, stratify=stratify)
    for number, (train, test) in enumerate(parts, 1):
        x, y = _safe_indexing(X, train), _safe_indexing(Y, train)
        dag = None
        for name, classifier in classifiers.items():
            own = clone(classifier)
            if isinstance(own, PowersetClassifier) and own.needs_structure:
                if dag is None:
                    dag = label_dag(structure, labelled(BaseEstimator(), x, y)[0], own.n_jobs)
                own.set_params(structure=dag)
            predicted = own.fit(x, y).predict(_safe_indexing(X, test))
            found[name].append(asdict(multilabel_scores(_safe_indexing(Y, test), predicted)))
        if done is not None:
            done(number)
    return [FoldScores(name, tuple(scores)) for name, scores in found.items()]


def p_values(first: FoldScores, second: FoldScores) -> dict[str, float | None]:
    """Return the p-value of Wilcoxon's signed-rank test for every score; None if folds are equal.

    Folds share most of the samples that are learned from: take it as a hint.
    """
    found = {}
    for score in SCORES:
        pairs = zip(first.values(score), second.values(score), strict=True)
        # The last digits are noise, and would turn ties into differences.
        differences = [round(one - other, 9) for one, other in pairs]
        found[score] = signed_rank_p_value(differences, "two-sided")
    return found


def signed_rank_p_value(
    differences: Sequence[float], alternative: Literal["greater", "two-sided"]
) -> float | None:
    """Return the p-value of Wilcoxon's signed-rank test, without the differences that are zero.

    Up to 50 differences have the exact one, also with ties.

    Examples
    --------
    >>> signed_rank_p_value([1.0, 2.0, 3.0, 0.0], "greater")
    0.125
    >>> signed_rank_p_value([0.0], "greater") is None
    True
    """
    found = [difference for difference in differences if difference]
    if len(found) > _MOST_EXACT:
        return float(wilcoxon(found, alternative=alternative).pvalue)
    return _exact_p_value(np.array(found), alternative) if found else None


def _exact_p_value(
    differences: NDArray[np.float64], alternative: Literal["greater", "two-sided"]
) -> float:
    """Return the p-value by all signs that the differences may have; scipy's takes seconds."""
    doubled = np.rint(2 * rankdata(np.abs(differences))).astype(int)  # ties have half ranks
    n_ways = np.zeros(doubled.sum() + 1)
    n_ways[0] = 1.0
    for rank in doubled:
        n_ways[rank:] += n_ways[:-rank].copy()
    positive = doubled[differences > 0].sum()
    greater, less = n_ways[positive:].sum(), n_ways[: positive + 1].sum()
    extreme = greater if alternative == "greater" else min(2 * min(greater, less), n_ways.sum())
    return float(extreme / n_ways.sum())

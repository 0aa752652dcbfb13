"""Probabilities that a classifier predicts for samples that it was not fitted on."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.base import clone
from sklearn.ensemble._forest import ForestClassifier
from sklearn.model_selection import KFold

from h2pc.multilabel.powerset_model import fit_with

_FOLDS = 3
"""Inner folds, where a classifier has no samples out of bag."""


def held_out_proba(
    classifier: Any,
    X: Any,
    codes: NDArray[np.int64],
    n_classes: int,
    weights: NDArray[np.float64] | None,
    seed: int,
) -> NDArray[np.float64]:
    """Return the probability of each class for every sample that a classifier is fitted on.

    Forests tell it out of bag; of other classifiers copies are fitted in three folds. A row is NaN
    where no tree is without the sample. Classifiers without probabilities give 0 and 1.
    """
    if is_bagged(classifier):
        return out_of_bag_proba(classifier, X)
    found = np.zeros((len(codes), n_classes))
    n_folds = min(_FOLDS, len(codes))
    if n_folds < 2:
        return np.full_like(found, np.nan)
    for train, test in KFold(n_folds, shuffle=True, random_state=seed).split(codes):
        own = None if weights is None else weights[train]
        if np.ptp(codes[train]) == 0:
            found[test, codes[train][0]] = 1.0
            continue
        fitted = fit_with(clone(classifier), X[train], codes[train], own)
        if hasattr(fitted, "predict_proba"):
            found[np.ix_(test, fitted.classes_)] = fitted.predict_proba(X[test])
        else:
            found[test, fitted.predict(X[test])] = 1.0
    return found


def is_bagged(classifier: Any) -> bool:
    """Whether the trees of a forest are grown on bootstrap samples."""
    return isinstance(classifier, ForestClassifier) and bool(classifier.bootstrap)


def out_of_bag_proba(forest: Any, X: Any) -> NDArray[np.float64]:
    """Return the mean, over the trees without a sample, of the probabilities of its classes.

    The rows of ``X`` are the samples that the forest is fitted on, in their order.
    """
    n_samples = X.shape[0]
    total = np.zeros((n_samples, len(forest.classes_)))
    n_trees = np.zeros(n_samples)
    # As trees want it: otherwise each of them would make a copy of its own.
    x = X.tocsr().astype(np.float32) if issparse(X) else np.ascontiguousarray(X, np.float32)
    for tree, drawn in zip(forest.estimators_, forest.estimators_samples_, strict=True):
        outside = np.ones(n_samples, np.bool_)
        outside[drawn] = False
        rows = np.flatnonzero(outside)
        if rows.size:
            total[rows] += tree.predict_proba(x[rows], check_input=False)
            n_trees[rows] += 1
    with np.errstate(invalid="ignore"):
        return total / n_trees[:, np.newaxis]

"""A classifier of several labels at once: every combination of them is a class."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.dummy import DummyClassifier
from sklearn.utils import gen_batches

from h2pc.multilabel.pruned_combinations import pruned
from h2pc.multilabel.training_set import Columns, in_order

# Probabilities held at once: thousands of classes times all samples may be too many.
_BATCH_CELLS = 8_000_000


@dataclass(frozen=True, eq=False)
class PowersetModel:
    """A fitted classifier of the combinations of some labels."""

    features: Columns
    """The columns of ``X`` that the classifier is fitted on, in its order."""
    labels: Columns
    """The columns of ``Y`` that it predicts."""
    combinations: NDArray[np.int8]
    """The labels of each class, 0 or 1, in lexicographic order; classes by labels."""
    classifier: Any

    def predict(self, X: Any) -> NDArray[np.int8]:
        """Return the most probable combination of the labels of each sample."""
        return self._by_batch(X, lambda x: self.combinations[self.classifier.predict(x)])

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probability of each label of each sample."""
        return self._by_batch(X, lambda x: marginals(self._joint(x), self.combinations))

    def predict_joint_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probability of each combination for each sample."""
        return self._joint(in_order(X, self.features))

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return for each label the best decision with it, less the best one without it."""
        return self._by_batch(X, self._decisions)

    def _joint(self, x: Any) -> NDArray[np.float64]:
        return np.asarray(self.classifier.predict_proba(x), np.float64)

    def _decisions(self, x: Any) -> NDArray[np.float64]:
        if len(self.combinations) == 1 or not hasattr(self.classifier, "decision_function"):
            # Frequencies alone: half of the samples would be where the decision is zero.
            return marginals(self._joint(x), self.combinations) - 0.5
        found = np.asarray(self.classifier.decision_function(x), np.float64)
        if found.ndim == 1:  # of two classes
            found = np.column_stack((np.zeros_like(found), found))
        decided = np.empty((len(found), self.combinations.shape[1]))
        for j, present in enumerate(self.combinations.T == 1):
            if present.all() or not present.any():
                decided[:, j] = 1.0 if present.all() else -1.0
            else:
                decided[:, j] = found[:, present].max(axis=1) - found[:, ~present].max(axis=1)
        return decided

    def _by_batch(self, X: Any, predict: Callable[[Any], NDArray[Any]]) -> NDArray[Any]:
        """Return the predictions for all samples, made for some of them at a time."""
        x = in_order(X, self.features)
        size = max(1, _BATCH_CELLS // len(self.combinations))
        return np.concatenate([predict(x[rows]) for rows in gen_batches(X.shape[0], size)])


def marginals(
    probabilities: NDArray[np.float64], combinations: NDArray[np.int8]
) -> NDArray[np.float64]:
    """Return the probability of each label, given those of the combinations."""
    # Sums of probabilities may end a little above 1.
    return np.minimum(probabilities @ combinations, 1.0)


def label_combinations(Y: ArrayLike) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
    """Return the distinct rows of ``Y`` in lexicographic order, and the number of each row.

    Examples
    --------
    >>> combinations, codes = label_combinations([[0, 1], [1, 1], [0, 1], [0, 0]])
    >>> combinations.tolist(), codes.tolist()
    ([[0, 0], [0, 1], [1, 1]], [1, 2, 1, 0])
    """
    labels = np.asarray(Y, np.int8)
    packed = np.packbits(labels, axis=1)  # the first label is the most significant bit
    keys: NDArray[Any] = packed
    if packed.shape[1] <= 8:  # one number for each row, which is sorted much faster
        room = np.zeros((len(packed), 8), np.uint8)
        room[:, : packed.shape[1]] = packed
        keys = room.view(">u8").ravel().astype(np.uint64)
    axis = None if keys.ndim == 1 else 0
    _, first, codes = np.unique(keys, axis=axis, return_index=True, return_inverse=True)
    combinations = labels[first]
    combinations.flags.writeable = False
    return combinations, codes.reshape(-1).astype(np.int64)


def frequent_combinations(
    Y: NDArray[Any], least: int
) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
    """Return the combinations of at least so many samples, and the nearest one of each sample."""
    combinations, codes = label_combinations(Y)
    if least > 1:
        combinations, codes = label_combinations(combinations[pruned(codes, combinations, least)])
    return combinations, codes


def row_numbers(rows: NDArray[np.int8], among: NDArray[np.int8]) -> NDArray[np.int64]:
    """Return the number of each row among distinct rows; -1 if it is none of them."""
    kinds, of = label_combinations(rows)
    number = {row.tobytes(): i for i, row in enumerate(np.ascontiguousarray(among))}
    return np.array([number.get(row.tobytes(), -1) for row in kinds], np.int64)[of]


def fitted_model(
    base: Any,
    X: Any,
    Y: NDArray[Any],
    features: Columns,
    labels: Columns,
    weights: NDArray[np.float64] | None = None,
    least: int = 1,
) -> PowersetModel:
    """Return the model of some labels given some features; ``base`` is fitted in place.

    With a single combination, or without features, frequencies are all there is to learn.
    Combinations of fewer than ``least`` samples are no classes.
    """
    combinations, codes = frequent_combinations(Y[:, labels], least)
    learns = len(combinations) > 1 and features.size > 0
    classifier = base if learns else DummyClassifier(strategy="prior")
    fit_with(classifier, in_order(X, features), codes, weights)
    return PowersetModel(features, labels, combinations, classifier)


def fit_with(
    classifier: Any, X: Any, codes: NDArray[np.int64], weights: NDArray[np.float64] | None
) -> Any:
    """Fit a classifier, with weights of the samples if there are any."""
    if weights is None:
        return classifier.fit(X, codes)
    return classifier.fit(X, codes, sample_weight=weights)

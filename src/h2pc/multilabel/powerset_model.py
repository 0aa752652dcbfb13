"""A classifier of several labels at once: every combination of them is a class."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.dummy import DummyClassifier
from sklearn.utils import gen_batches

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
        return self._by_batch(X, lambda x: self._marginals(self.classifier.predict_proba(x)))

    def predict_joint_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probability of each combination for each sample."""
        found: NDArray[np.float64] = self.classifier.predict_proba(in_order(X, self.features))
        return found

    def _marginals(self, probabilities: NDArray[Any]) -> NDArray[np.float64]:
        """Return the probability of each label, given those of the combinations."""
        # Sums of probabilities may end a little above 1.
        return np.minimum(np.asarray(probabilities, np.float64) @ self.combinations, 1.0)

    def _by_batch(self, X: Any, predict: Callable[[Any], NDArray[Any]]) -> NDArray[Any]:
        """Return the predictions for all samples, made for some of them at a time."""
        x = in_order(X, self.features)
        size = max(1, _BATCH_CELLS // len(self.combinations))
        return np.concatenate([predict(x[rows]) for rows in gen_batches(X.shape[0], size)])


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


def fitted_model(
    base: Any, X: Any, Y: NDArray[Any], features: Columns, labels: Columns
) -> PowersetModel:
    """Return the model of some labels given some features; ``base`` is fitted in place.

    With a single combination, or without features, frequencies are all there is to learn.
    """
    combinations, codes = label_combinations(Y[:, labels])
    learns = len(combinations) > 1 and features.size > 0
    classifier = base if learns else DummyClassifier(strategy="prior")
    classifier.fit(in_order(X, features), codes)
    return PowersetModel(features, labels, combinations, classifier)

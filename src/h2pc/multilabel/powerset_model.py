"""A classifier for a few labels at once: each combination of them is a class."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.dummy import DummyClassifier
from sklearn.utils import gen_batches

from h2pc.multilabel.label_classes import LabelClasses
from h2pc.multilabel.training_set import Columns, in_order

# Probabilities held at once: thousands of classes times all samples may be too many.
_BATCH_CELLS = 8_000_000


@dataclass(frozen=True, eq=False)
class PowersetModel:
    """A fitted classifier of the combinations of some labels."""

    features: Columns
    """The columns of ``X`` that it sees, in the order in which it sees them."""
    labels: Columns
    """The columns of ``Y`` that it tells."""
    classes: LabelClasses
    classifier: Any

    def mode(self, X: Any) -> NDArray[np.int8]:
        """Return the most probable combination of the labels for each sample."""
        return self._by_batch(X, lambda x: self.classes.labels(self.classifier.predict(x)))

    def marginals(self, X: Any) -> NDArray[np.float64]:
        """Return the probability of each label for each sample."""
        return self._by_batch(X, lambda x: self.classes.marginals(self.classifier.predict_proba(x)))

    def probabilities(self, X: Any) -> NDArray[np.float64]:
        """Return the probability of each combination for each sample."""
        found: NDArray[np.float64] = self.classifier.predict_proba(in_order(X, self.features))
        return found

    def _by_batch(self, X: Any, answer: Callable[[Any], NDArray[Any]]) -> NDArray[Any]:
        """Return the answers for all samples, found for a part of them at a time."""
        seen = in_order(X, self.features)
        size = max(1, _BATCH_CELLS // len(self.classes))
        return np.concatenate([answer(seen[rows]) for rows in gen_batches(X.shape[0], size)])


def fitted_model(
    base: Any, X: Any, Y: NDArray[Any], features: Columns, labels: Columns
) -> PowersetModel:
    """Return the model of some labels by some features; ``base`` is fitted in place."""
    classes, codes = LabelClasses.of(Y[:, labels])
    classifier = base if can_be_told(classes, features) else DummyClassifier(strategy="prior")
    return PowersetModel(features, labels, classes, classifier.fit(in_order(X, features), codes))


def can_be_told(classes: LabelClasses, features: Columns) -> bool:
    """Whether there is something to tell and to tell it by; else the most frequent class is it."""
    return len(classes) > 1 and features.size > 0

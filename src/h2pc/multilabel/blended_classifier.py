"""Classifiers of label combinations that are made of others: products of factors, and blends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.special import softmax

from h2pc.multilabel.powerset_model import PowersetModel, row_numbers
from h2pc.multilabel.training_set import Columns

Floats = NDArray[np.float64]

_LEAST = 1e-2
"""Added to all probabilities of a distribution together, before their logarithms are taken: no
classifier alone rules out a combination."""


@dataclass(frozen=True, eq=False)
class BlendedClassifier:
    """A geometric mean of a classifier of combinations, and of a product over parts of the labels.

    The probability of a combination is proportional to
    ``(joint ** (1 - weight) * product ** weight) ** power``, over the combinations of training.
    """

    joint: PowersetModel | None
    """Of all labels together; None where ``weight`` is 1."""
    parts: tuple[PowersetModel, ...]
    """Of parts of the labels, whose columns are those of ``combinations``; none if it is 0."""
    combinations: NDArray[np.int8]
    weight: float = 0.0
    """The weight of the parts."""
    power: float = 1.0
    """Above 1 probabilities become clearer, below 1 less clear."""

    @property
    def classes_(self) -> NDArray[np.int64]:
        """The numbers of the combinations."""
        return np.arange(len(self.combinations))

    def predict_proba(self, X: Any) -> Floats:
        """Return the probability of each combination."""
        joint = None if self.joint is None else self.joint.predict_joint_proba(X)
        product = None
        if self.parts:
            told = [part.predict_joint_proba(X) for part in self.parts]
            product = factor_product(self.parts, told, self.combinations)
        return blended(joint, product, self.weight, self.power)

    def predict(self, X: Any) -> NDArray[np.int64]:
        """Return the most probable combination; the first one among equals."""
        best: NDArray[np.int64] = self.predict_proba(X).argmax(axis=1)
        return best


def blended(
    joint: Floats | None, product: Floats | None, weight: float, power: float = 1.0
) -> Floats:
    """Return the weighted geometric mean of two distributions to some power, normalised."""
    logs: Any = 0.0
    for told, share in ((joint, 1.0 - weight), (product, weight)):
        if told is not None and share > 0.0:
            logs = logs + share * power * np.log(told + _LEAST / told.shape[1])
    found: Floats = softmax(logs, axis=1)
    return found


def factor_product(
    parts: Sequence[PowersetModel], told: Sequence[Floats], combinations: NDArray[np.int8]
) -> Floats:
    """Return the product over independent parts, normalised over the combinations.

    ``told`` are the probabilities of the combinations of each part, samples by combinations.
    """
    usual, steps, rows, columns, first = 0.0, [], [], [], 0
    for part, p in zip(parts, told, strict=True):
        # The last one stands for combinations that the part does not have.
        logs = np.log(np.pad(p, ((0, 0), (0, 1))) + _LEAST / p.shape[1])
        of = row_numbers(combinations[:, part.labels], part.combinations) % logs.shape[1]
        # Sums start where each part has its most frequent combination; few differ from that.
        most = int(np.bincount(of).argmax())
        usual = usual + logs[:, most]
        other = np.flatnonzero(of != most)
        rows.append(other)
        columns.append(first + of[other])
        steps.append(logs - logs[:, [most]])
        first += logs.shape[1]
    row, column = np.concatenate(rows), np.concatenate(columns)
    changes = csr_array((np.ones(row.size), (row, column)), (len(combinations), first))
    logs = (changes @ np.concatenate(steps, axis=1).T).T + np.asarray(usual)[:, np.newaxis]
    found: Floats = softmax(logs, axis=1)
    return found


def on_columns(model: PowersetModel, features: Columns, labels: Columns) -> PowersetModel:
    """Return a model that finds its features and labels among these columns, which are sorted."""
    return replace(
        model,
        features=np.searchsorted(features, model.features),
        labels=np.searchsorted(labels, model.labels),
    )

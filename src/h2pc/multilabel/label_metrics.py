"""Scores of predicted labels: subset accuracy, Hamming loss, F1 (section 5 of the paper)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from h2pc.errors import DataError

Labels = NDArray[np.int8]


@dataclass(frozen=True)
class MultilabelScores:
    """Scores of the predicted labels of some samples.

    F1 is 2 TP / (2 TP + FP + FN), and 1 where no label is present and none is predicted.
    """

    subset_accuracy: float
    """Share of the samples with all labels right: the global accuracy of the paper."""
    hamming_loss: float
    """Share of the labels of all samples that are wrong."""
    macro_f1: float
    """Mean over the labels of their F1."""
    micro_f1: float
    """F1 of the labels of all samples together."""
    example_f1: float
    """Mean over the samples of the F1 of their labels."""


def multilabel_scores(true: Any, predicted: Any) -> MultilabelScores:
    """Return the scores of predicted labels.

    Parameters
    ----------
    true : array, sparse matrix or table, shape (n_samples, n_labels)
        The true labels, 0 or 1.
    predicted : array, sparse matrix or table of the same shape
        The predicted labels, in the same order.

    Returns
    -------
    MultilabelScores
        Subset accuracy, Hamming loss and three kinds of F1.

    Raises
    ------
    DataError
        If the shapes differ, or a label is neither 0 nor 1.

    Examples
    --------
    >>> from h2pc import multilabel_scores
    >>> scores = multilabel_scores([[1, 0], [1, 1]], [[1, 0], [0, 1]])
    >>> scores.subset_accuracy, scores.hamming_loss
    (0.5, 0.25)
    """
    truth, guess = _labels("true", true), _labels("predicted", predicted)
    if truth.shape != guess.shape:
        raise DataError(
            f"predicted is of shape {guess.shape}: expected {truth.shape}, that of true"
        )
    return MultilabelScores(
        subset_accuracy=float((truth == guess).all(axis=1).mean()),
        hamming_loss=float((truth != guess).mean()),
        macro_f1=_mean_f1(truth, guess, axis=0),
        micro_f1=_mean_f1(truth, guess, axis=None),
        example_f1=_mean_f1(truth, guess, axis=1),
    )


def _mean_f1(truth: Labels, guess: Labels, axis: int | None) -> float:
    """Return the mean F1 of the columns, of the rows, or the one of all labels."""
    # scikit-learn takes a single column for a vector of classes, and so do its averages.
    right = (truth & guess).sum(axis=axis, dtype=np.int64)
    present = truth.sum(axis=axis, dtype=np.int64) + guess.sum(axis=axis, dtype=np.int64)
    return float(np.where(present == 0, 1.0, 2.0 * right / np.maximum(present, 1)).mean())


def _labels(what: str, values: Any) -> Labels:
    """Return a table of zeros and ones."""
    table = values.toarray() if issparse(values) else np.asarray(values)
    if table.ndim != 2 or 0 in table.shape:
        raise DataError(f"{what} is of shape {table.shape}: expected samples by labels")
    if not np.isin(table, (0, 1)).all():
        raise DataError(f"{what} holds other values than 0 and 1: expected these")
    return table.astype(np.int8)

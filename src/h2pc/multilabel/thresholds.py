"""Thresholds on the probabilities of labels, one for each label."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from h2pc.errors import DataError, SettingError

# Differences of F1 below it are rounding: such values are ties.
_TIE = 1e-12


def tuned_thresholds(
    Y: ArrayLike, probabilities: ArrayLike, *, sample_weight: ArrayLike | None = None
) -> NDArray[np.float64]:
    """Return the threshold of each label with the highest F1; it is predicted from there on.

    F1 of a label is 2 TP / (2 TP + FP + FN). It is 0 if the label is predicted for no sample and
    some have it, so some threshold at or below the highest probability is better. Probabilities
    should be those of samples that the model was not fitted on.

    Thresholds are midpoints between neighbouring probabilities of a label; the lowest is half of
    the lowest probability. Of equally good ones it is the closest to 0.5, and the higher of two.
    A label that all samples have, or none, has the threshold 0.5.

    Parameters
    ----------
    Y : array, shape (n_samples, n_labels)
        The true labels, 0 or 1.
    probabilities : array, shape (n_samples, n_labels)
        The probability of each label.
    sample_weight : array, shape (n_samples,), default=None
        Weights of the samples, from 0 on; None is 1 for each.

    Returns
    -------
    array of float, shape (n_labels,)
        Predict ``probabilities >= thresholds``.

    Raises
    ------
    DataError
        If shapes differ, or a label, probability or weight is not what it has to be.

    Examples
    --------
    >>> from h2pc.multilabel.thresholds import tuned_thresholds
    >>> Y = [[1], [0], [1], [0]]
    >>> tuned_thresholds(Y, [[0.5], [0.25], [0.375], [0.0]])
    array([0.3125])
    """
    y, p = np.asarray(Y), np.asarray(probabilities, np.float64)
    _check(y, p)
    weights = _weights(sample_weight, len(y))
    y, p, weights = y[weights > 0], p[weights > 0], weights[weights > 0]
    found = [
        _threshold(label == 1, column, weights) for label, column in zip(y.T, p.T, strict=True)
    ]
    return np.array(found, np.float64)


def _threshold(present: NDArray[np.bool_], p: NDArray[np.float64], weights: Any) -> float:
    """Return the threshold of one label."""
    if present.all() or not present.any():
        return 0.5
    order = np.argsort(-p, kind="stable")
    values = p[order]
    last = np.flatnonzero(np.append(values[1:] != values[:-1], True))
    true = np.cumsum(weights[order] * present[order])[last]
    predicted = np.cumsum(weights[order])[last]
    f1 = 2 * true / (predicted + true[-1])  # if samples from each value on are predicted
    upper = values[last]
    lower = np.append(upper[1:], 0.0)
    middles = (lower + upper) / 2
    middles[middles <= lower] = upper[middles <= lower]  # no number is between the two
    ties = middles[f1 >= f1.max() - _TIE]  # from high to low
    return float(ties[np.argmin(np.abs(ties - 0.5))])


def _check(y: NDArray[Any], p: NDArray[np.float64]) -> None:
    """Refuse labels and probabilities that cannot be used."""
    if y.ndim != 2 or y.shape != p.shape:
        raise DataError(
            f"Y is of shape {y.shape} and probabilities of {p.shape}: expected samples by labels, "
            "the same for both"
        )
    if not np.isin(y, (0, 1)).all():
        raise DataError("Y has a value that is neither 0 nor 1")
    if not ((p >= 0) & (p <= 1)).all():
        row, j = np.argwhere(~((p >= 0) & (p <= 1)))[0].tolist()
        raise DataError(
            f"the probability of label {j} is {p[row, j]} in row {row}: expected 0 to 1"
        )


def _weights(sample_weight: ArrayLike | None, n_samples: int) -> NDArray[np.float64]:
    """Return the weight of each sample."""
    if sample_weight is None:
        return np.ones(n_samples)
    weights = np.asarray(sample_weight, np.float64)
    if weights.shape != (n_samples,):
        raise DataError(f"sample_weight is of shape {weights.shape}: expected ({n_samples},)")
    if not (np.isfinite(weights) & (weights >= 0)).all():
        raise DataError(
            "sample_weight has a value that is negative or no number: expected 0 or more"
        )
    return weights


def check_thresholds(thresholds: Any) -> None:
    """Refuse thresholds that are neither tuned nor probabilities."""
    if thresholds is None or (isinstance(thresholds, str) and thresholds == "tuned"):
        return
    try:
        values = np.asarray(thresholds, np.float64)
    except (TypeError, ValueError):
        values = np.array(np.nan)
    if values.ndim > 1 or not ((values >= 0) & (values <= 1)).all():
        raise SettingError(
            f"thresholds must be 'tuned', a number from 0 to 1 or one for each label, or None; "
            f"got {thresholds!r}."
        )

"""The regression of a variable on its parents; the same bits for any order of the samples."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Directions of the standardised parents with less than this share of their variance are rounding.
_SINGULAR = 1e-13

# Residuals of so many units in the last place are rounding errors.
_ROUNDING = 16 * float(np.finfo(np.float64).eps)


class Regression(NamedTuple):
    """A linear function of the parents, and the variance of what it leaves."""

    intercept: float
    coefficients: Floats
    variance: float
    unexplained: float
    """The share of the child's variance that is left."""


def regression(child: Floats, parents: Floats) -> Regression:
    """Return the least-squares fit to complete samples, one row of ``parents`` for each.

    Of many fits, as of collinear parents, it is the one with the smallest standardised
    coefficients. The variance is that of maximum likelihood, and 0 where only rounding errors are
    left.
    """
    n = child.shape[-1]
    own, wide = _standardised(child[np.newaxis]), _standardised(parents)
    units = own.unit[0] / wide.unit
    inverse = _pseudo_inverse(order_free_sum(wide.scores[:, np.newaxis] * wide.scores) / n)
    scaled, left = np.zeros(len(parents)), own.scores[0]
    for _ in range(2):  # the second round corrects the rounding errors of the first
        scaled = scaled + inverse @ (order_free_sum(wide.scores * left) / n)
        left = own.scores[0] - _weighted(scaled, wide.scores)
    share = float(order_free_sum(left**2) / n)
    sizes = np.abs(wide.mean) / wide.unit + 2.0
    size = abs(own.mean[0]) / own.unit[0] + 2.0 + float(np.abs(scaled) @ sizes)
    if share <= (_ROUNDING * size) ** 2:
        share = 0.0
    coefficients = scaled * units
    intercept = float(own.mean[0] - _weighted(coefficients, wide.mean))
    unit = float(own.unit[0])
    return Regression(intercept, coefficients, share * unit * unit, share)


def order_free_sum(values: Floats) -> Floats:
    """Return the sum along the last axis, the same for any order of the numbers.

    The numbers are cut into two parts, each so coarse that its sums have no rounding errors.
    """
    total: Floats = np.zeros(values.shape[:-1])
    for _ in range(2):
        _, exponent = np.frexp(np.abs(values).max(axis=-1, keepdims=True))
        grid = np.ldexp(1.5, exponent + values.shape[-1].bit_length() + 1)
        coarse = (values + grid) - grid
        total = total + coarse.sum(axis=-1)
        values = values - coarse
    return total


class _Standardised(NamedTuple):
    """Numbers of some variables: their means, their units and (number - mean) / unit."""

    mean: Floats
    unit: Floats
    scores: Floats


def _standardised(values: Floats) -> _Standardised:
    """Return the variables with mean 0 and standard deviation 1; constants are 0, in units of 1."""
    n = values.shape[-1]
    _, exponent = np.frexp(np.abs(values).max(axis=-1, initial=0.0))
    small = np.ldexp(values, -exponent[:, np.newaxis])  # so that squares stay finite
    mean = order_free_sum(small) / n
    centred = small - mean[:, np.newaxis]
    deviation = np.sqrt(order_free_sum(centred**2) / n)
    is_constant = deviation <= _ROUNDING
    deviation[is_constant] = 1.0
    centred[is_constant] = 0.0
    unit = np.where(is_constant, 1.0, np.ldexp(deviation, exponent))
    return _Standardised(np.ldexp(mean, exponent), unit, centred / deviation[:, np.newaxis])


def _pseudo_inverse(correlations: Floats) -> Floats:
    """Return the inverse of a correlation matrix, within the directions that it has."""
    spread, directions = np.linalg.eigh(correlations)
    kept = spread > _SINGULAR * len(spread)
    chosen = directions[:, kept]
    return np.asarray((chosen / spread[kept]) @ chosen.T)


def _weighted(weights: Floats, rows: Floats) -> Floats:
    """Return the weighted sum of rows, added up in their order."""
    total: Floats = np.zeros(rows.shape[1:])
    for weight, row in zip(weights, rows, strict=True):
        total = total + weight * row
    return total

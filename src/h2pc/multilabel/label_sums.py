"""Distributions of the number of labels that are present, joined over independent factors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Sums of labels that are less probable than it are cut, at the end of a distribution.
_TAIL = 1e-22

Products = dict[tuple[int, int], Floats]
"""The distribution of the number of labels in the factors from one number to another."""


def size_products(by_size: Sequence[Floats]) -> Products:
    """Return the products of halves, of halves of halves, and so on."""
    found: Products = {}

    def add(start: int, stop: int) -> Floats:
        middle = (start + stop) // 2
        whole = (
            by_size[start]
            if stop - start == 1
            else _convolved(add(start, middle), add(middle, stop))
        )
        found[start, stop] = whole
        return whole

    add(0, len(by_size))
    return found


def weights_of_rests(products: Products, left: NDArray[np.intp], k: int, n: int) -> Floats:
    """Return Σ_t P(|y| - |y_f| = t) 2 / (t + s) for s from k + 1 to k + n; samples, factors, s."""
    n_factors = max(stop for _, stop in products)
    found = np.empty((left.size, n_factors, n))
    width = products[0, n_factors].shape[1]
    inverses = 2 / (np.arange(width)[:, np.newaxis] + np.arange(k + 1, k + n + 1))
    for f, rest in _rests(products, left, 0, n_factors, np.ones((left.size, 1))):
        # A rest may be cut a little later than the whole.
        found[:, f] = rest[:, :width] @ inverses[: rest.shape[1]]
    return found


def _rests(
    products: Products, left: NDArray[np.intp], start: int, stop: int, outside: Floats
) -> Iterator[tuple[int, Floats]]:
    """Yield each factor with the distribution of the number of labels in all others.

    Each half is joined with what is outside the other: nothing is divided, so nothing cancels.
    """
    if stop - start == 1:
        yield start, outside
        return
    middle = (start + stop) // 2
    one, other = products[start, middle][left], products[middle, stop][left]
    yield from _rests(products, left, start, middle, _convolved(outside, other))
    yield from _rests(products, left, middle, stop, _convolved(outside, one))


def _convolved(one: Floats, other: Floats) -> Floats:
    """Return the distribution of the sum of two independent numbers, row by row, without tail."""
    wide, narrow = (one, other) if one.shape[1] >= other.shape[1] else (other, one)
    width = wide.shape[1]
    found = np.zeros((len(wide), width + narrow.shape[1] - 1))
    for s in range(narrow.shape[1]):
        found[:, s : s + width] += wide * narrow[:, s, np.newaxis]
    above = np.flatnonzero(found.max(axis=0) > _TAIL)
    return found[:, : above[-1] + 1]

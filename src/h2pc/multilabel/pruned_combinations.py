"""Fewer classes: samples of rare label combinations join those of the nearest frequent one."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from h2pc.checks import whole_number

_LEAST = whole_number(1)


def pruned(codes: ArrayLike, combinations: ArrayLike, least: int) -> NDArray[np.int64]:
    """Return the number of a frequent combination for each sample.

    Read, Pfahringer and Holmes (2008) leave out the samples of rare combinations, and bring them
    back with frequent subsets of their labels. Here every sample stays, once: a rare combination
    becomes the frequent one that differs in the fewest labels; of several, the most frequent; then
    the first.

    Parameters
    ----------
    codes : array of int, shape (n_samples,)
        The number of the combination of each sample.
    combinations : array of 0 and 1, shape (n_combinations, n_labels)
        The combinations.
    least : int
        A combination of so many samples is frequent. Where there is none, those of most samples
        are.

    Returns
    -------
    array of int, shape (n_samples,)
        The numbers of combinations, all of them frequent.

    Examples
    --------
    >>> from h2pc.multilabel.pruned_combinations import pruned
    >>> combinations = [[0, 0, 0], [0, 1, 1], [1, 0, 0], [1, 1, 1]]
    >>> pruned([0, 0, 1, 2, 2, 2, 3, 3], combinations, least=2).tolist()
    [0, 0, 3, 2, 2, 2, 3, 3]
    """
    own, table = np.asarray(codes, np.int64), np.asarray(combinations, np.float32)
    counts = np.bincount(own, minlength=len(table))
    frequent = np.flatnonzero(counts >= min(_LEAST("least", least), counts.max()))
    by_frequency = frequent[np.argsort(-counts[frequent], kind="stable")]
    rare = np.setdiff1d(np.arange(len(table)), frequent)
    nearest = np.arange(len(table))
    nearest[rare] = by_frequency[_differences(table[rare], table[by_frequency]).argmin(axis=1)]
    found: NDArray[np.int64] = nearest[own]
    return found


def _differences(one: NDArray[Any], other: NDArray[Any]) -> NDArray[Any]:
    """Return in how many labels each row of one table differs from each row of another."""
    found: NDArray[Any] = one.sum(axis=1)[:, None] + other.sum(axis=1) - 2 * one @ other.T
    return found

"""Predicted label sets of the highest expected F1, from the probabilities of factors.

Factors are groups of labels that are independent of each other given the features. Expected F1 is
maximised by GFM (Dembczyński, Waegeman, Cheng and Hüllermeier, NeurIPS 2011); its parameters are
joined over factors by convolution (F-GFM, Gasse and Aussem, ECML 2016).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, overload

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from sklearn.utils import gen_batches

from h2pc.errors import DataError
from h2pc.multilabel.label_sums import Floats, size_products, weights_of_rests

Labels = NDArray[np.int8]

# Differences below it are rounding: such values are ties.
_TIE = 1e-12
# Numbers held at once.
_BATCH_CELLS = 16_000_000
# Sizes of predicted sets that are tried together, at first.
_SIZES = 16


@dataclass(frozen=True, eq=False)
class FactorProbabilities:
    """The probabilities of the combinations of some labels, for each sample."""

    columns: NDArray[np.intp]
    """The positions of the labels among all labels."""
    combinations: Labels
    """Distinct combinations of the labels, 0 or 1; combinations by labels."""
    probabilities: Floats
    """Samples by combinations; rows sum to 1 up to rounding."""

    def __post_init__(self) -> None:
        n_combinations, n_labels = self.combinations.shape
        if self.columns.shape != (n_labels,):
            raise DataError(f"columns is of shape {self.columns.shape}: expected ({n_labels},)")
        if self.probabilities.ndim != 2 or self.probabilities.shape[1] != n_combinations:
            raise DataError(
                f"probabilities is of shape {self.probabilities.shape}: expected samples by "
                f"{n_combinations} combinations"
            )


Factors = Sequence[FactorProbabilities]


@overload
def expected_f1_sets(
    factors: Factors, n_labels: int, *, return_expected: Literal[False] = False
) -> Labels: ...
@overload
def expected_f1_sets(
    factors: Factors, n_labels: int, *, return_expected: Literal[True]
) -> tuple[Labels, Floats]: ...
def expected_f1_sets(
    factors: Factors, n_labels: int, *, return_expected: bool = False
) -> Labels | tuple[Labels, Floats]:
    """Return the label set of each sample with the highest expected F1.

    F1 of a predicted set ``h`` and a true set ``y`` is ``2 |y ∩ h| / (|y| + |h|)``, and 1 where
    both are empty. The maximiser is exact. Of sets that are equally good (up to 1e-12) it is the
    one of fewest labels, and then the one of the first columns.

    Parameters
    ----------
    factors : sequence of FactorProbabilities
        Factors of the labels; each label is in one.
    n_labels : int
        The number of labels.
    return_expected : bool, default=False
        Whether the expected F1 of the sets is returned too.

    Returns
    -------
    sets : array of int8, shape (n_samples, n_labels)
        The sets that maximise expected F1.
    expected : array of float, shape (n_samples,)
        Their expected F1, if ``return_expected``.

    Raises
    ------
    DataError
        If a label is in no factor or in several, or the probabilities of a sample sum to nothing.

    Examples
    --------
    Absence is the more probable value of both labels, and yet both are predicted.

    >>> import numpy as np
    >>> label = np.array([[0], [1]], np.int8)
    >>> factors = [
    ...     FactorProbabilities(np.array([0]), label, np.array([[0.6, 0.4]])),
    ...     FactorProbabilities(np.array([1]), label, np.array([[0.6, 0.4]])),
    ... ]
    >>> sets, expected = expected_f1_sets(factors, 2, return_expected=True)
    >>> sets.tolist(), expected.round(3).tolist()
    ([[1, 1]], [0.48])
    """
    n_samples = _n_samples(factors, n_labels)
    sets, expected = np.zeros((n_samples, n_labels), np.int8), np.zeros(n_samples)
    sums = _LabelSums.of(sorted(factors, key=lambda factor: int(factor.columns.min())))
    for rows in gen_batches(n_samples, max(1, _BATCH_CELLS // sums.n_cells)):
        sets[rows, sums.labels], expected[rows] = _maximisers(sums, rows)
    return (sets, expected) if return_expected else sets


def _n_samples(factors: Factors, n_labels: int) -> int:
    """Return the number of samples; every label must be in one factor."""
    columns = np.concatenate([factor.columns for factor in factors] or [np.empty(0, np.intp)])
    if not np.array_equal(np.sort(columns), np.arange(n_labels)):
        raise DataError(
            f"factors have columns {columns.tolist()}: expected each of 0 to {n_labels - 1} once"
        )
    sizes = {len(factor.probabilities) for factor in factors}
    if len(sizes) != 1:
        raise DataError(f"factors have {sorted(sizes)} samples: expected the same number in each")
    return sizes.pop()


@dataclass(frozen=True, eq=False)
class _LabelSums:
    """What gives P(|y_f| = s) and P(y_i = 1, |y_f| = s) for each factor f and label i of it.

    A cell is a label with a size that its factor can have while the label is present.
    """

    factors: Factors
    bounds: NDArray[np.intp]
    """Where the sizes of each factor begin among those of all; and their number."""
    size_sums: csr_array
    """Combinations of all factors by sizes of all factors."""
    cell_sums: csr_array
    """Combinations of all factors by cells, which are in the order of labels and sizes."""
    cell_factors: NDArray[np.intp]
    cell_sizes: NDArray[np.intp]
    labels: NDArray[np.intp]
    """The labels that have a cell; all others are never present."""
    starts: NDArray[np.intp]
    """The first cell of each label."""

    @classmethod
    def of(cls, factors: Factors) -> _LabelSums:
        """Return the sums over the combinations of the factors."""
        sizes = [factor.combinations.sum(axis=1, dtype=np.intp) for factor in factors]
        widths = np.array([some.max() + 1 for some in sizes])
        bounds = np.concatenate(([0], np.cumsum(widths)))
        size = np.concatenate(sizes)
        owner = np.repeat(np.arange(len(factors)), [len(some) for some in sizes])
        n = len(size)

        present = [np.nonzero(factor.combinations) for factor in factors]
        first = np.cumsum([0, *map(len, sizes)])
        row = np.concatenate([i + at for (i, _), at in zip(present, first[:-1], strict=True)])
        label = np.concatenate(
            [factor.columns[j] for (_, j), factor in zip(present, factors, strict=True)]
        )
        keys = np.column_stack((label, size[row], owner[row]))
        cells, place = np.unique(keys, axis=0, return_inverse=True)
        labels, starts = np.unique(cells[:, 0], return_index=True)
        return cls(
            factors,
            bounds,
            csr_array((np.ones(n), (np.arange(n), bounds[owner] + size)), shape=(n, bounds[-1])),
            csr_array((np.ones(len(row)), (row, place.ravel())), shape=(n, len(cells))),
            cells[:, 2],
            cells[:, 1],
            labels,
            starts,
        )

    @property
    def n_cells(self) -> int:
        """The numbers that are held for one sample."""
        n, n_sizes = self.size_sums.shape
        depth = len(self.factors).bit_length()
        held = n + n_sizes * (depth + 1) + 2 * self.cell_sums.shape[1]
        return int(held + len(self.factors) * (_SIZES + self.largest))

    @property
    def largest(self) -> int:
        """The largest number of labels of one factor that are present together."""
        return int(np.diff(self.bounds).max() - 1)

    def probabilities(self, rows: slice) -> tuple[list[Floats], Floats]:
        """Return P(|y_f| = s) of each factor, and P(y_i = 1, |y_f| = s) in cells."""
        parts = [np.asarray(factor.probabilities[rows], np.float64) for factor in self.factors]
        totals = [part.sum(axis=1, keepdims=True) for part in parts]
        if not all((np.isfinite(total) & (total > 0)).all() for total in totals):
            raise DataError("probabilities of a sample sum to 0 or are no numbers: expected 1")
        p = np.concatenate([part / n for part, n in zip(parts, totals, strict=True)], axis=1)
        by_size = p @ self.size_sums
        ends = zip(self.bounds[:-1], self.bounds[1:], strict=True)
        return [by_size[:, one:end] for one, end in ends], p @ self.cell_sums


def _maximisers(sums: _LabelSums, rows: slice) -> tuple[Labels, Floats]:
    """Return the best sets of a batch of samples, over the labels with cells, and their F1."""
    by_size, cells = sums.probabilities(rows)
    products = size_products(by_size)
    total = products[0, len(by_size)]
    best = total[:, 0].copy()  # the empty set
    best_size = np.zeros(len(best), np.intp)
    gains = np.zeros((len(best), len(sums.labels)))
    best_gains = gains.copy()
    left, n_left, block = np.arange(len(best)), len(sums.labels), _SIZES
    bound = _bounds(total, n_left)
    k = 1
    while True:
        # A sample is done if no larger set can be better.
        may_be_better = bound > best[left, np.newaxis] + _TIE
        left, bound = left[may_be_better.any(axis=1)], bound[may_be_better.any(axis=1)]
        if not left.size:
            break
        n_left = int(np.flatnonzero(may_be_better.any(axis=0))[-1]) + 1
        room = _BATCH_CELLS // (left.size * len(sums.factors)) - sums.largest
        block = min(max(_SIZES, min(2 * block, room)), n_left)
        weights = weights_of_rests(products, left, k, block + sums.largest)
        flat = weights.reshape(left.size, -1)
        place = sums.cell_factors * weights.shape[2] + sums.cell_sizes - 1
        some = cells[left]
        for size in range(k, k + block):
            gains = np.add.reduceat(
                some * np.take(flat, place + (size - k), axis=1), sums.starts, axis=1
            )
            value = _sum_of_highest(gains, size)
            better = value > best[left] + _TIE
            improved = left[better]
            best[improved], best_size[improved] = value[better], size
            best_gains[improved] = gains[better]
        k += block
        bound = np.minimum(bound[:, block:], _bounds_by_gains(gains, k, total.shape[1] - 1))
    return _highest(best_gains, best_size), np.minimum(best, 1.0)


def _bounds(total: Floats, n: int) -> Floats:
    """Return Σ_s P(|y| = s) 2 min(s, k) / (s + k): no set of k labels is better, k = 1 to n."""
    s, k = np.arange(total.shape[1])[:, np.newaxis], np.arange(1, n + 1)
    return np.asarray(total @ (2 * np.minimum(s, k) / (s + k)))


def _bounds_by_gains(gains: Floats, k: int, largest: int) -> Floats:
    """Return bounds for sets of k labels and more, given the gains of labels in sets of k - 1.

    A gain is a sum over s of something / (s + k), with s up to the largest number of labels.
    """
    highest = -np.sort(-gains, axis=1).cumsum(axis=1)
    sizes = np.arange(k, gains.shape[1] + 1)
    return np.asarray(highest[:, k - 1 :] * ((largest + k - 1) / (largest + sizes)))


def _sum_of_highest(gains: Floats, n: int) -> Floats:
    """Return the sum of the n highest gains of each row."""
    n_out = gains.shape[1] - n
    chosen = np.partition(gains, n_out - 1, axis=1)[:, n_out:] if n_out else gains
    return np.asarray(chosen.sum(axis=1))


def _highest(gains: Floats, n: NDArray[np.intp]) -> Labels:
    """Return the n labels of highest gain in each row; of ties, those of the first columns."""
    order = np.argsort(-np.round(gains, 12), axis=1, kind="stable")
    found = np.zeros(gains.shape, np.int8)
    chosen = np.arange(gains.shape[1]) < n[:, np.newaxis]
    np.put_along_axis(found, order, chosen.astype(np.int8), axis=1)
    return found

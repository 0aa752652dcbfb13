"""Samples like those of a table in which x ⊥ y | z is known to hold, or not to hold.

*Independent*: x is permuted within the strata of z, so that both keep their relation to z. A
continuous z has no strata. There the residuals of a linear regression of x on z are permuted,
within a few bins of z; a discrete x is permuted within these bins itself.

*Linked*: rows are drawn with replacement, and x is permuted, as above, in some of them. The share
that is kept, √(1 - df / T), takes away what chance adds to the statistic T of the table: the
expected statistic of such a sample is about that of the table.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from h2pc.data import Dataset
from h2pc.data.discretize import Discretizer
from h2pc.data.encoding import code_dtype
from h2pc.variables import Var, Vars

_NAMES = ("x", "y", "z0", "z1", "z2", "z3")
"""Of the variables of a question, in the order of their numbers."""

# Bins of a continuous z: what x and y have in common within a bin stays as a difference between
# bins, about n (bins / n)² of the statistic; with √n / 4 bins it is at most 1 / 16.
_ROWS_PER_SQUARED_BIN = 16


@dataclass(frozen=True, eq=False)
class Column:
    """One variable: levels, or numbers where ``n_levels`` is 0."""

    values: NDArray[Any]
    n_levels: int = 0

    @property
    def is_continuous(self) -> bool:
        """Whether these are numbers."""
        return self.n_levels == 0

    @property
    def is_present(self) -> NDArray[np.bool_]:
        """Which values are not missing."""
        missing = np.isnan(self.values) if self.is_continuous else self.values >= self.n_levels
        return np.asarray(~missing)

    @property
    def varies(self) -> bool:
        """Whether there are two values or more."""
        return bool(np.unique(self.values[self.is_present]).size > 1)

    def taken(self, rows: NDArray[Any]) -> Column:
        """Return some rows."""
        return Column(self.values[rows], self.n_levels)

    def cut(self, levels: int) -> Column:
        """Return numbers as levels, of about equally many samples."""
        if not self.is_continuous:
            return self
        edges = Discretizer(levels=levels).edges_of("numbers", self.values)
        return Column(np.searchsorted(edges, self.values, side="left"), edges.size + 1)


Question = tuple[Column, ...]
"""Samples of x, y and z, complete: whether x ⊥ y | z."""


def question_of(data: Dataset, x: Var, y: Var, z: Vars) -> Question:
    """Return the complete samples of some variables, in an order that is that of no rows."""
    columns = [column_of(data, v) for v in (x, y, *z)]
    is_complete = np.logical_and.reduce([column.is_present for column in columns])
    columns = [column.taken(is_complete) for column in columns]
    order = np.lexsort([column.values for column in columns[::-1]])
    return tuple(column.taken(order) for column in columns)


def column_of(data: Dataset, v: Var) -> Column:
    """Return a variable of a data set."""
    repeats = 1 if data.weights is None else data.weights
    if data.is_continuous[v]:
        return Column(np.repeat(data.values[int(data.is_continuous[:v].sum())], repeats))
    return Column(np.repeat(data.codes[v].astype(np.int64), repeats), int(data.cards[v]))


def dataset_of(question: Question) -> Dataset:
    """Return the samples of a question as a data set; its variables are numbered alike."""
    names = _NAMES[: len(question)]
    cards = np.array([column.n_levels for column in question])
    levels = [0 if column.is_continuous else column.values for column in question]
    codes = np.zeros((len(question), question[0].values.size), code_dtype(int(cards.max()) + 1))
    for row, own in zip(codes, levels, strict=True):
        row[:] = own
    numbers = [column.values for column in question if column.is_continuous]
    return Dataset(
        names,
        names,
        codes,
        cards,
        tuple(tuple(range(card)) for card in cards.tolist()),
        None,
        cards == 0,
        np.array(numbers, np.float64).reshape(len(numbers), codes.shape[1]),
    )


def independent_sample(question: Question, rng: np.random.Generator) -> Question:
    """Return samples of the same size in which x ⊥ y | z holds."""
    x, y, *z = question
    return Column(_permuted(x, z, rng), x.n_levels), y, *z


def linked_sample(question: Question, kept: float, rng: np.random.Generator) -> Question:
    """Return samples of the same size in which a share ``kept`` has the table's x."""
    n = question[0].values.size
    rows = rng.integers(0, n, n)
    x, y, *z = (column.taken(rows) for column in question)
    lost = np.flatnonzero(rng.random(n) >= kept)
    values = x.values.copy()
    values[lost] = _permuted(x.taken(lost), [column.taken(lost) for column in z], rng)
    return Column(values, x.n_levels), y, *z


def _permuted(x: Column, z: Sequence[Column], rng: np.random.Generator) -> NDArray[Any]:
    """Return x permuted given z."""
    if x.values.size == 0:
        return x.values
    bins = _bins(z, x.values.size)
    if not x.is_continuous or not any(column.is_continuous for column in z):
        return _permuted_within(bins, x.values, rng)
    fitted = _fitted(x, z)
    return np.asarray(fitted + _permuted_within(bins, x.values - fitted, rng))


def _permuted_within(
    bins: NDArray[np.int64], values: NDArray[Any], rng: np.random.Generator
) -> NDArray[Any]:
    permuted = np.empty_like(values)
    permuted[np.argsort(bins, kind="stable")] = values[np.lexsort((rng.random(bins.size), bins))]
    return permuted


def _bins(z: Sequence[Column], n: int) -> NDArray[np.int64]:
    """Return the stratum of the discrete z of every sample, cut into bins of the continuous z."""
    bins = np.zeros(n, np.int64)
    for column in z:
        if not column.is_continuous:
            bins = bins * column.n_levels + column.values
            bins = np.unique(bins, return_inverse=True)[1]
    numbers = [column.values for column in z if column.is_continuous]
    if not numbers:
        return bins
    cut = np.zeros(n, np.int64)
    for stratum in range(int(bins.max()) + 1):
        rows = np.flatnonzero(bins == stratum)
        n_halvings = int(math.log2(max(1.0, math.sqrt(rows.size / _ROWS_PER_SQUARED_BIN))))
        _halve(rows, numbers, n_halvings, cut)
    return np.asarray(bins * (int(cut.max()) + 1) + cut)


def _halve(
    rows: NDArray[np.int64], numbers: list[NDArray[Any]], times: int, cut: NDArray[np.int64]
) -> None:
    """Cut rows at the median of each of some numbers in turn; ``cut`` gets the bins."""
    if times == 0:
        return
    first, *others = numbers
    is_high = first[rows] > np.median(first[rows])
    cut[rows] = 2 * cut[rows] + is_high
    for half in (rows[is_high], rows[~is_high]):
        _halve(half, [*others, first], times - 1, cut)


def _fitted(x: Column, z: Sequence[Column]) -> NDArray[np.float64]:
    """Return the values of a linear regression of x on z; levels enter by indicators."""
    parts = [np.ones((x.values.size, 1))]
    for column in z:
        values = column.values[:, np.newaxis]
        if column.is_continuous:
            centred = values - values.mean()
            parts.append(centred / (np.abs(centred).max() or 1.0))
        else:
            parts.append((values == np.arange(1, column.n_levels)).astype(np.float64))
    design = np.hstack(parts)
    mean = x.values.mean()
    slopes = np.linalg.lstsq(design, x.values - mean, rcond=None)[0]
    return np.asarray(mean + design @ slopes)

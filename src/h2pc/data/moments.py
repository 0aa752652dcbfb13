"""Second moments of continuous and mixed data: sums of products that are exact in any order.

A continuous variable is one column; a discrete one has an indicator column for every observed level
but the first. A column is centred near its mean, scaled by a power of two, and rounded to integers
``high · 2^s + low`` of 42 bits or so, whose slices ``high`` and ``low`` are so short that BLAS adds
up their products without rounding (Ozaki, Ogita, Oishi and Rump, 2012). So moments do not depend on
the order of rows and columns, on threads, or on how they are added up.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from h2pc._engine import Moments
from h2pc.errors import DataError

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

MOST_BITS = 21
"""Of a slice. Sums of 512 products of such slices, and of their sums, are below 2^53."""

MOST_LEVELS = 100
"""Of a discrete variable that has columns: the time of a test grows with the cube of these."""

MOST_DENSE = 4096
"""Columns of which all correlations are kept, whatever the number of rows."""

_MOST_DENSE_OF_MANY_ROWS = 10_000
"""Where rows are more than columns, so many: a gigabyte, and three with missing cells."""

_BLOCK = 1024


class Table(Protocol):
    """What moments need of a data set; see :class:`h2pc.Dataset`."""

    @property
    def is_continuous(self) -> NDArray[np.bool_]: ...  # noqa: D102
    @property
    def values(self) -> Floats: ...  # noqa: D102
    @property
    def codes(self) -> NDArray[Any]: ...  # noqa: D102
    @property
    def cards(self) -> Integers: ...  # noqa: D102


class Products(NamedTuple):
    """Sums of products of two blocks of columns: of the slices, and of the sums of slices."""

    high: Integers
    low: Integers
    both: Integers


class CorrelationBlock(NamedTuple):
    """The correlations of some variables, or of their columns, with others."""

    rows: range
    columns: range
    values: Floats


class Column(NamedTuple):
    """What makes integers of the values of a column: ``rint((x · factors - centre) · scale)``."""

    variable: int
    place: int
    """The row of ``values``, or the level."""
    factors: tuple[float, float]
    centre: float
    scale: float
    exponent: int
    """Of two: the integer times this power is x less the centre, in the units of the data."""


@dataclass(frozen=True, eq=False)
class Columns:
    """The columns of a table."""

    data: Table
    slice_bits: int
    first: Integers
    """The first column of every variable, and the number of all."""
    all: tuple[Column, ...]
    is_complete: bool

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return int(self.data.codes.shape[1])

    def values(self, column: Column, rows: slice) -> Floats:
        """Values of a column, NaN where they are missing."""
        if self.data.is_continuous[column.variable]:
            return self.data.values[column.place, rows]
        card = self.data.cards[column.variable]
        return _indicator(self.data.codes[column.variable, rows], column.place, card)

    def slices(self, block: range, rows: slice) -> tuple[Floats, Floats]:
        """High and low slices of the integers of some columns; 0 where values are missing."""
        n = len(range(self.n_rows)[rows])
        whole = np.empty((len(block), n))
        for own, place in zip(whole, block, strict=True):
            column = self.all[place]
            np.multiply(self.values(column, rows), column.factors[0], out=own)
            own *= column.factors[1]
            own -= column.centre
            own *= column.scale
        np.rint(whole, out=whole)
        if not self.is_complete:
            np.nan_to_num(whole, copy=False)
        high = whole * 2.0**-self.slice_bits
        np.rint(high, out=high)
        low = high * -(2.0**self.slice_bits)
        low += whole
        return high, low

    def missing(self) -> NDArray[np.bool_]:
        """In which rows every variable is missing."""
        found: NDArray[np.bool_] = self.data.codes == self.data.cards[:, None]
        found[self.data.is_continuous] = np.isnan(self.data.values)
        return found


def _indicator(codes: NDArray[Any], level: int, card: int) -> Floats:
    found: Floats = (codes == level).astype(np.float64)
    found[codes == card] = np.nan
    return found


def columns_of(data: Table) -> Columns:
    """Return the columns of a table; constant variables, and those of many levels, have none."""
    n_rows = data.codes.shape[1]
    bits = min(MOST_BITS, int((61.8 - math.log2(max(n_rows, 1))) / 2))
    first, made, is_complete, place = [0], list[Column](), True, 0
    for v, continuous in enumerate(data.is_continuous.tolist()):
        if continuous:
            values = data.values[place]
            low, high = _extremes(values)
            if math.isnan(low):
                is_complete = False
                low, high = _extremes(values[~np.isnan(values)])
            if low < high:
                made.append(Column(v, place, *_centred(values, low, high, bits)))
            place += 1
        else:
            card = int(data.cards[v])
            counts = np.bincount(data.codes[v], minlength=card + 1)
            is_complete &= bool(counts[card] == 0)
            levels = np.flatnonzero(counts[:card]).tolist()
            for level in levels[1:] if len(levels) <= MOST_LEVELS else ():
                values = _indicator(data.codes[v], level, card)
                made.append(Column(v, level, *_centred(values, 0.0, 1.0, bits)))
        first.append(len(made))
    return Columns(data, bits, np.array(first), tuple(made), is_complete)


def _extremes(values: Floats) -> tuple[float, float]:
    return float(values.min(initial=np.inf)), float(values.max(initial=-np.inf))


def _centred(
    values: Floats, low: float, high: float, bits: int
) -> tuple[tuple[float, float], float, float, int]:
    """Return factors, centre, scale and exponent of a column.

    The centre is the mean, rounded in a way that does not depend on the order of the rows.
    """
    down = -math.frexp(max(abs(low), abs(high)))[1]
    half = down // 2
    factor, more = math.ldexp(1.0, half), math.ldexp(1.0, down - half)
    low, high = low * factor * more, high * factor * more
    middle = low / 2 + high / 2
    spread = math.frexp(max(high - middle, middle - low))[1]
    total, n = 0.0, 0
    for start in range(0, len(values), 1 << 16):
        part = values[start : start + (1 << 16)] * factor
        part *= more
        part -= middle
        part *= 2.0 ** (26 - spread)
        np.rint(part, out=part)
        part = part[~np.isnan(part)]
        total += float(part.sum())  # of integers below 2^26: exact
        n += len(part)
    centre = middle + total / n * 2.0 ** (spread - 26)
    largest = math.frexp(max(high - centre, centre - low))[1]
    return (factor, more), centre, 2.0 ** (2 * bits - largest), largest - 2 * bits - down


def _row_chunks(columns: Columns) -> Iterator[slice]:
    size = 1 << (51 - 2 * columns.slice_bits)
    return (slice(start, start + size) for start in range(0, columns.n_rows, size))


def _products(columns: Columns, one: range, other: range) -> Products:
    """Return the sums of products of the integers of two blocks of columns."""
    shape = (len(one), len(other))
    totals = Products(*(np.zeros(shape, np.int64) for _ in range(3)))
    for rows in _row_chunks(columns):
        high, low = columns.slices(one, rows)
        high_2, low_2 = (high, low) if one == other else columns.slices(other, rows)
        totals.high[:] += (high @ high_2.T).astype(np.int64)
        totals.low[:] += (low @ low_2.T).astype(np.int64)
        high += low
        if one != other:
            high_2 += low_2
        totals.both[:] += (high @ high_2.T).astype(np.int64)
    return totals


def _deviations(columns: Columns, products: Products, sums: Integers, other: Integers) -> Floats:
    """Sums of products of deviations from the means, as the engine finds them."""
    unit = 2.0**columns.slice_bits
    found = products.high.astype(np.float64)
    found *= unit
    found += (products.both - products.high - products.low).astype(np.float64)
    found *= unit
    found += products.low
    found -= np.multiply.outer(sums.astype(np.float64), other.astype(np.float64)) / columns.n_rows
    return found


def _sums(columns: Columns) -> tuple[Integers, Floats]:
    """Return the sums of the integers of all columns, and the squares of their deviations."""
    sums = np.zeros(len(columns.all), np.int64)
    high_2, low_2, both_2 = (np.zeros(len(columns.all), np.int64) for _ in range(3))
    for block in _column_blocks(columns):
        for rows in _row_chunks(columns):
            high, low = columns.slices(block, rows)
            part = high.sum(axis=1) * 2.0**columns.slice_bits
            sums[block] += part.astype(np.int64) + low.sum(axis=1).astype(np.int64)
            high_2[block] += np.einsum("ij,ij->i", high, high).astype(np.int64)
            low_2[block] += np.einsum("ij,ij->i", low, low).astype(np.int64)
            high += low
            both_2[block] += np.einsum("ij,ij->i", high, high).astype(np.int64)
    unit = 2.0**columns.slice_bits
    squares = high_2.astype(np.float64) * unit + (both_2 - high_2 - low_2).astype(np.float64)
    squares = squares * unit + low_2
    squares -= sums.astype(np.float64) * sums.astype(np.float64) / columns.n_rows
    return sums, squares


def _column_blocks(columns: Columns, size: int = _BLOCK) -> list[range]:
    n = len(columns.all)
    return [range(start, min(start + size, n)) for start in range(0, n, size)]


def correlation_blocks(columns: Columns, *, size: int = _BLOCK) -> Iterator[CorrelationBlock]:
    """Yield the correlations of all pairs of columns of complete data, some of them at a time.

    Blocks are those on the diagonal and above it; nothing larger than a block is held.

    Parameters
    ----------
    columns : Columns
        The columns, of :func:`columns_of`.
    size : int, default=1024
        Columns of a block.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> import numpy as np
    >>> table = SimpleNamespace(
    ...     is_continuous=np.array([True, True]), values=np.array([[1.0, 2, 3], [2.0, 4, 7]]),
    ...     codes=np.zeros((2, 3), np.uint8), cards=np.array([0, 0]))
    >>> [block] = correlation_blocks(columns_of(table))
    >>> block.values.round(4).tolist()
    [[1.0, 0.9934], [0.9934, 1.0]]
    """
    if not columns.is_complete:
        raise DataError("correlations of all pairs at once need data without missing values.")
    sums, squares = _sums(columns)
    yield from _correlation_blocks(columns, sums, np.sqrt(squares), size)


def _correlation_blocks(
    columns: Columns, sums: Integers, roots: Floats, size: int
) -> Iterator[CorrelationBlock]:
    blocks = _column_blocks(columns, size)
    for i, one in enumerate(blocks):
        for other in blocks[i:]:
            products = _products(columns, one, other)
            found = _deviations(columns, products, sums[one], sums[other])
            found /= np.multiply.outer(roots[one], roots[other])
            np.clip(found, -1.0, 1.0, out=found)
            if one == other:
                np.fill_diagonal(found, 1.0)
            yield CorrelationBlock(one, other, found)


def bytes_of_moments(data: Table) -> int:
    """Return how many bytes making the moments takes at most, besides the data."""
    n, n_rows = _most_columns(data), data.codes.shape[1]
    has_holes = np.isnan(data.values).any() or any(map(_has_missing, data.codes, data.cards))
    pairs = n * n * 8 * (3 if has_holes else 1) if _is_dense(data) else 0
    rows = n * n_rows * 8 if has_holes or not pairs else 0
    return 2 * (pairs + rows)  # the engine has a copy


def _has_missing(codes: NDArray[Any], card: int) -> bool:
    return bool(card > 0 and (codes == card).any())


def _most_columns(data: Table) -> int:
    """Return the number of columns, if all levels occur and nothing is constant."""
    levels = np.minimum(data.cards, MOST_LEVELS)
    return int(np.maximum(levels - 1, data.is_continuous).sum())


def _is_dense(data: Table) -> bool:
    """Whether the moments of all pairs of columns are kept."""
    n_rows = int(data.codes.shape[1])
    return _most_columns(data) <= max(MOST_DENSE, min(n_rows, _MOST_DENSE_OF_MANY_ROWS))


def moments_of(data: Table) -> Moments:
    """Return the engine's moments of a data set."""
    columns = columns_of(data)
    n = len(columns.all)
    sums, squares = _sums(columns)
    is_dense = _is_dense(data)
    given: dict[str, Any] = {}
    if not columns.is_complete:
        missing = columns.missing()
        kept = np.flatnonzero(missing.any(axis=0)) if is_dense else np.arange(columns.n_rows)
        given["missing"] = np.ascontiguousarray(missing[:, kept], np.uint8)
        given["slices"] = _kept_slices(columns, kept)
        if is_dense:
            given["products"] = tuple(_all_products(columns))
    elif is_dense:
        matrix = np.empty((n, n))
        for block in _correlation_blocks(columns, sums, np.sqrt(squares), _BLOCK):
            rows, others = (slice(r.start, r.stop) for r in (block.rows, block.columns))
            matrix[rows, others] = block.values
            matrix[others, rows] = block.values.T
        given["correlations"] = matrix
    else:
        given["slices"] = _kept_slices(columns, np.arange(columns.n_rows))
    return Moments(
        columns.n_rows,
        columns.slice_bits,
        columns.first,
        np.array([column.exponent for column in columns.all], np.int64),
        sums,
        squares,
        **given,
    )


def _all_products(columns: Columns) -> Products:
    n = len(columns.all)
    found = Products(*(np.empty((n, n), np.int64) for _ in range(3)))
    blocks = _column_blocks(columns)
    for i, one in enumerate(blocks):
        for other in blocks[i:]:
            rows, others = slice(one.start, one.stop), slice(other.start, other.stop)
            for all_of, some in zip(found, _products(columns, one, other), strict=True):
                all_of[rows, others] = some
                all_of[others, rows] = some.T
    return found


def _kept_slices(
    columns: Columns, kept: Integers
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    shape = (len(columns.all), len(kept))
    high, low = np.empty(shape, np.float32), np.empty(shape, np.float32)
    for column in range(len(columns.all)):
        one, other = columns.slices(range(column, column + 1), slice(None))
        high[column], low[column] = one[0, kept], other[0, kept]
    return high, low

"""Test statistics from tables of counts, summed in integers so that no order of sums matters.

Half of a statistic is held as a 64-bit integer with ``shift`` fractional bits. Integer addition is
associative: permuting rows or levels, swapping the two variables, or counting in another way gives
the same bits.
"""

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from h2pc._kernels._jit import inlined, part

_MOST_SHIFT = 49  # the differences of n·ln n stay below 2^5, and a double carries 53 bits


def fixed_point_shift(n_samples: int) -> int:
    """Return the number of fractional bits that leaves room for n·ln n and sums of it."""
    return _shift_for(n_samples * math.log(n_samples + 1.0))


def pearson_shift(n_samples: int, most_levels: int) -> int:
    """Return the number of fractional bits that leaves room for half of Pearson's statistic."""
    return _shift_for(float(n_samples) * most_levels)


def _shift_for(largest: float) -> int:
    return min(_MOST_SHIFT, 61 - math.ceil(math.log2(largest + 1.0)))


@lru_cache(maxsize=8)
def x_log_x_table(n_samples: int, shift: int) -> NDArray[np.int64]:
    """``n · ln n`` in fixed point for n = 0 … n_samples.

    Summed up from the differences of neighbours, which a double holds to 1e-15, while n·ln n
    itself would be rounded at 1e-11 for n = 50,000.
    """
    n = np.arange(1, n_samples, dtype=np.float64)
    steps = np.log(n + 1.0) + n * np.log1p(1.0 / n)
    table = np.zeros(n_samples + 1, np.int64)
    np.cumsum(np.rint(np.ldexp(steps, shift)).astype(np.int64), out=table[2:])
    table.flags.writeable = False
    return table


@inlined
def half_g2_of_four(a, b, c, d, x_log_x):
    """Half of G² in fixed point, and the adjusted df, of a table of two rows and two columns."""
    half = x_log_x[a] + x_log_x[b] + x_log_x[c] + x_log_x[d]
    half -= x_log_x[a + b] + x_log_x[c + d] + x_log_x[a + c] + x_log_x[b + d]
    varies = (a + b > 0) & (c + d > 0) & (a + c > 0) & (b + d > 0)
    return half + x_log_x[a + b + c + d], np.int64(varies)


@part
def half_g2_of_fours(table, n_strata, inner, x_log_x):
    """Sum of :func:`half_g2_of_four` over ``n_strata`` × ``inner`` tables that lie interleaved."""
    half = df = np.int64(0)
    for stratum in range(n_strata):
        for level in range(inner):
            base = 4 * stratum * inner + level
            h, d = half_g2_of_four(
                table[base],
                table[base + inner],
                table[base + 2 * inner],
                table[base + 3 * inner],
                x_log_x,
            )
            half += h
            df += d
    return half, df


@part
def half_g2(table, n_strata, n_rows, n_columns, inner, columns, x_log_x):
    """Half of G² in fixed point, and the adjusted df, over ``n_strata`` × ``inner`` tables."""
    half = df = np.int64(0)
    for stratum in range(n_strata):
        for level in range(inner):
            base = stratum * n_rows * n_columns * inner + level
            h, d = _half_g2_of_one(table, base, n_rows, n_columns, inner, columns, x_log_x)
            half += h
            df += d
    return half, df


@inlined
def _half_g2_of_one(table, base, n_rows, n_columns, step, columns, x_log_x):
    """Half of G² in fixed point, and the adjusted df, of the table that begins at ``base``."""
    half = total = np.int64(0)
    rows = occupied = np.int64(0)
    for c in range(n_columns):
        columns[c] = 0
    for _ in range(n_rows):
        row_sum = np.int64(0)
        for c in range(n_columns):
            n = table[base]
            half += x_log_x[n]
            row_sum += n
            columns[c] += n
            base += step
        half -= x_log_x[row_sum]
        total += row_sum
        rows += row_sum > 0
    for c in range(n_columns):
        half -= x_log_x[columns[c]]
        occupied += columns[c] > 0
    if rows < 2 or occupied < 2:
        return np.int64(0), np.int64(0)
    return half + x_log_x[total], (rows - 1) * (occupied - 1)


@part
def half_pearson(table, n_strata, n_rows, n_columns, inner, columns, shift):
    """Half of Pearson's chi-square in fixed point, and the adjusted df, over all strata."""
    half = df = np.int64(0)
    for stratum in range(n_strata):
        for level in range(inner):
            base = stratum * n_rows * n_columns * inner + level
            h, d = _half_pearson_of_one(
                table, base, n_rows, n_columns * inner, n_columns, inner, columns, shift
            )
            half += h
            df += d
    return half, df


@part
def _half_pearson_of_one(table, base, n_rows, row_step, n_columns, column_step, columns, shift):
    """Half of Pearson's chi-square in fixed point, and the adjusted df, of one stratum.

    Σ n² N / (row sum · column sum) - N: every term is rounded to the fixed point by itself.
    """
    for c in range(n_columns):
        columns[c] = 0
    total = np.int64(0)
    rows = 0
    for r in range(n_rows):
        row_sum = np.int64(0)
        for c in range(n_columns):
            n = table[base + r * row_step + c * column_step]
            row_sum += n
            columns[c] += n
        total += row_sum
        rows += row_sum > 0
    occupied = 0
    for c in range(n_columns):
        occupied += columns[c] > 0
    if rows < 2 or occupied < 2:
        return np.int64(0), np.int64(0)
    half = np.int64(0)
    unit = math.ldexp(0.5, shift)
    for r in range(n_rows):
        row_sum = np.int64(0)
        for c in range(n_columns):
            row_sum += table[base + r * row_step + c * column_step]
        if row_sum > 0:
            for c in range(n_columns):
                if columns[c] > 0:
                    n = table[base + r * row_step + c * column_step]
                    expected = (np.float64(row_sum) * np.float64(columns[c])) / total
                    half += np.int64(np.rint((n - expected) * (n - expected) / expected * unit))
    return half, np.int64(rows - 1) * (occupied - 1)


@inlined
def half_of_strata(table, n_strata, n_rows, n_columns, inner, columns, rules):
    """Half of the statistic in fixed point, and the adjusted df, over all strata."""
    if not rules.is_g2:
        return half_pearson(table, n_strata, n_rows, n_columns, inner, columns, rules.shift)
    if n_rows == 2 and n_columns == 2:
        return half_g2_of_fours(table, n_strata, inner, rules.x_log_x)
    return half_g2(table, n_strata, n_rows, n_columns, inner, columns, rules.x_log_x)

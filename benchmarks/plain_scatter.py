"""The kernel one would write first: a pass over the bytes for every test.

The yardstick of ``tests_per_second.py``. It is not naive: the rows are looked up outside the loop,
each size of the conditioning set has a loop of its own, indices are unsigned so that no wraparound
is checked, and all candidates are tested in one compiled call. What it lacks is all that h2pc adds:
bitmaps, shared work between candidates, counts by subtraction, a table of n·ln n.

It is compiled by numba, which h2pc itself does not need: :func:`installed` tells whether that is
there.
"""

import math

import numpy as np

try:
    import numba
except ImportError:
    numba = None

MOST_CONDITIONS = 3
_MOST_TERMS = 100_000  # of a series; the square root of the degrees of freedom mostly does


def installed() -> bool:
    """Whether there is a compiler for it."""
    return numba is not None


def _compiled(function):
    """Return the function, compiled where that is possible."""
    return function if numba is None else numba.njit(nogil=True, error_model="numpy")(function)


@_compiled
def log_p_many(codes, cards, target, candidates, z):
    """Log p-value of (target ⊥ candidate | z) for every candidate; at most three variables in z."""
    n_strata = np.uint64(1)
    for v in z:
        n_strata *= np.uint64(cards[v])
    most_levels = np.int64(0)
    for v in candidates:
        most_levels = max(most_levels, cards[v])
    table = np.empty(n_strata * np.uint64(cards[target] * most_levels), np.int32)
    columns = np.empty(most_levels, np.int64)
    log_p = np.empty(candidates.size)
    for i in range(candidates.size):
        card = cards[candidates[i]]
        _count(codes, cards, target, candidates[i], z, table)
        log_p[i] = _log_p(table, np.int64(n_strata), cards[target], card, columns)
    return log_p


@_compiled
def _count(codes, cards, target, candidate, z, table):
    n_t, n_y = np.uint64(cards[target]), np.uint64(cards[candidate])
    t, y = codes[target], codes[candidate]
    n_table = n_t * n_y
    for v in z:
        n_table *= np.uint64(cards[v])
    for i in range(n_table):
        table[i] = 0
    if z.size == 0:
        for r in range(t.size):
            table[t[r] * n_y + y[r]] += 1
    elif z.size == 1:
        a = codes[z[0]]
        for r in range(t.size):
            table[(a[r] * n_t + t[r]) * n_y + y[r]] += 1
    elif z.size == 2:
        a, b = codes[z[0]], codes[z[1]]
        n_b = np.uint64(cards[z[1]])
        for r in range(t.size):
            table[((a[r] * n_b + b[r]) * n_t + t[r]) * n_y + y[r]] += 1
    else:
        a, b, c = codes[z[0]], codes[z[1]], codes[z[2]]
        n_b, n_c = np.uint64(cards[z[1]]), np.uint64(cards[z[2]])
        for r in range(t.size):
            table[(((a[r] * n_b + b[r]) * n_c + c[r]) * n_t + t[r]) * n_y + y[r]] += 1


@_compiled
def _x_log_x(n):
    return n * math.log(n) if n > 0 else 0.0


@_compiled
def _log_p(table, n_strata, n_t, n_y, columns):
    """Log p-value of G² with adjusted degrees of freedom."""
    half = 0.0
    df = np.int64(0)
    for stratum in range(n_strata):
        columns[:n_y] = 0
        total = np.int64(0)
        rows = occupied = 0
        for i in range(n_t):
            row_sum = np.int64(0)
            start = (stratum * n_t + i) * n_y
            for j in range(n_y):
                n = table[start + j]
                half += _x_log_x(n)
                row_sum += n
                columns[j] += n
            half -= _x_log_x(row_sum)
            rows += row_sum > 0
            total += row_sum
        if total == 0:
            continue
        for j in range(n_y):
            half -= _x_log_x(columns[j])
            occupied += columns[j] > 0
        half += _x_log_x(total)
        df += (rows - 1) * (occupied - 1)
    return _log_sf(max(0.0, half), 0.5 * df)


@_compiled
def _log_sf(x, a):
    """Log of the upper incomplete gamma function over Γ(a): the chi-square tail at 2x, df = 2a."""
    if a == 0.0 or x == 0.0:
        return 0.0
    log_front = a * math.log(x) - x - math.lgamma(a)
    if x < a + 1.0:  # one minus the series of the lower tail
        term = total = 1.0 / a
        for n in range(1, _MOST_TERMS):
            term *= x / (a + n)
            total += term
            if term < 1e-16 * total:
                break
        return math.log1p(-math.exp(log_front) * total)
    b = x + 1.0 - a  # the continued fraction, by Lentz's method
    c, d = 1e300, 1.0 / b
    fraction = d
    for n in range(1, _MOST_TERMS):
        b += 2.0
        numerator = n * (a - n)
        d = 1.0 / (numerator * d + b)
        c = b + numerator / c
        fraction *= c * d
        if abs(c * d - 1.0) < 1e-15:
            break
    return log_front + math.log(fraction)

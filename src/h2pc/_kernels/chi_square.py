"""The chi-square distribution's upper tail, as a logarithm that never underflows."""

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from h2pc._kernels._jit import kernel, part

_FINITE_SUM_DF = 64
N_CRITICAL = 65  # degrees of freedom, from 0 on, whose critical statistics are kept
_ERFC_UNDERFLOWS = 600.0


@part
def _log_erfc_sqrt(h):
    """Log of erfc(√h)."""
    if h < _ERFC_UNDERFLOWS:
        return math.log(math.erfc(math.sqrt(h)))
    return -h + math.log(_erfcx_sqrt_asymptotic(h))


@part
def _erfcx_sqrt_asymptotic(h):
    """e^h erfc(√h) for large h (Abramowitz and Stegun 7.1.23); 1e-12 relative from 600 on."""
    r = 0.5 / h
    return (1.0 - r * (1.0 - 3.0 * r * (1.0 - 5.0 * r * (1.0 - 7.0 * r)))) / math.sqrt(math.pi * h)


@part
def _log_sf_even(h, a):
    """Log of e^-h Σ_{k<a} h^k / k!, for a = df / 2 whole and small."""
    total = 1.0
    for k in range(a - 1, 0, -1):
        total = 1.0 + total * h / k
    return math.log(total) - h


@part
def _log_sf_odd(h, a):
    """Log of erfc(√h) + e^-h Σ_{k≤a} h^(k-1/2) / Γ(k+1/2), for a = (df - 1) / 2 whole and small."""
    total = 0.0
    if a > 0:
        total = 1.0
        for k in range(a - 1, 0, -1):
            total = 1.0 + total * h / (k + 0.5)
        total *= 2.0 * math.sqrt(h / math.pi)
    if h < _ERFC_UNDERFLOWS:
        return math.log(math.erfc(math.sqrt(h)) + math.exp(-h) * total)
    return math.log(_erfcx_sqrt_asymptotic(h) + total) - h


@part
def _log_sf_by_lower_series(h, a):
    """Log of 1 - P(a, h), P by its power series: for h below a + 1."""
    term = 1.0
    total = 1.0
    k = a
    while term > 1e-17 * total:
        k += 1.0
        term *= h / k
        total += term
    log_p = -h + a * math.log(h) - math.lgamma(a + 1.0) + math.log(total)
    return math.log1p(-math.exp(log_p)) if log_p < 0.0 else -math.inf


@part
def _log_sf_by_upper_sum(h, a):
    """Log of Q(a, h) by the falling sum from its largest term: for h from a + 1 on."""
    log_first = -h + (a - 1.0) * math.log(h) - math.lgamma(a)
    term = 1.0
    total = 1.0
    k = a - 1.0
    while k > 0.75 and term > 1e-17 * total:
        term *= k / h
        total += term
        k -= 1.0
    if k == 0.5:  # the sum over half-integers ends in erfc
        total += math.exp(_log_erfc_sqrt(h) - log_first)
    return log_first + math.log(total)


@part
def log_sf(statistic, df):
    """Log of P(chi-square with df > statistic); 0 where df is 0."""
    h = 0.5 * statistic
    if df <= 0 or h <= 0.0:
        return 0.0
    if df <= _FINITE_SUM_DF:
        if df % 2 == 0:
            return min(0.0, _log_sf_even(h, df // 2))
        return min(0.0, _log_sf_odd(h, df // 2))
    a = 0.5 * df
    if h < a + 1.0:
        return _log_sf_by_lower_series(h, a)
    return _log_sf_by_upper_sum(h, a)


@kernel("void(float64[::1], int64[::1], float64[::1])")
def log_sf_many(statistics, df, log_p):
    """Write the log of the upper tail for every statistic into ``log_p``."""
    for i in range(statistics.size):
        log_p[i] = log_sf(statistics[i], df[i])


@lru_cache(maxsize=64)
def critical_statistics(log_alpha: float) -> NDArray[np.float64]:
    """Largest statistic that means independence, for each of the first degrees of freedom."""
    df = np.arange(N_CRITICAL)
    low, high = np.zeros(N_CRITICAL), np.full(N_CRITICAL, 2.0 * N_CRITICAL - 4.0 * log_alpha)
    log_p = np.empty(N_CRITICAL)
    for _ in range(64):
        middle = 0.5 * (low + high)
        log_sf_many(middle, df, log_p)
        low, high = np.where(log_p > log_alpha, (middle, high), (low, middle))
    low[0] = math.inf  # nothing varies, whatever the statistic
    low.flags.writeable = False
    return low

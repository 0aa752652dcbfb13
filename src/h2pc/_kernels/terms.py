"""The terms that scores of families are made of, summed in integers so that no order matters.

The term of a count is ln Γ(n + a) - ln Γ(a), or n·ln n where a = 0; no sample, no term. Each is
rounded once to a 64-bit integer with ``shift`` fractional bits. A score is the sum over the cells
of (parents, child) less that over the configurations of the parents. Cells ask for no order of
their variables: those of {x, y, …} add up to the same bits whoever is the child.
"""

import math
from typing import NamedTuple

import numpy as np

from h2pc._kernels._jit import inlined, part

CELLS, CONFIGURATIONS = 0, 1
N_KNOWN = 256  # counts whose term is looked up once it is known
NOTHING, ONE_EACH = -1.0, -2.0  # in the place of a: terms of 0, and of one unit
_UNKNOWN = np.iinfo(np.int64).min
_LARGE = 1e4  # differences of ln Γ lose digits; two terms of its series have all of them


class Terms(NamedTuple):
    """The terms of cells and of configurations, as far as they are known."""

    alphas: np.ndarray
    """(2, 2): a and ln Γ(a) of both."""
    known: np.ndarray
    """(2, N_KNOWN)."""
    shift: int


@part
def _term(n, alpha, log_gamma, shift):
    """Term of a count in fixed point."""
    if alpha < 0.0:
        return np.int64(alpha == ONE_EACH)
    if alpha == 0.0:
        term = n * math.log(n)
    elif alpha < _LARGE:
        term = math.lgamma(n + alpha) - log_gamma
    else:
        term = (alpha + n - 0.5) * math.log1p(n / alpha) + n * (math.log(alpha) - 1.0)
        term += (1.0 / (alpha + n) - 1.0 / alpha) / 12.0
    return np.int64(np.rint(math.ldexp(term, shift)))


@inlined
def _known_term(n, which, terms):
    """Term of a count, worked out where it is met for the first time."""
    if n >= N_KNOWN:
        return _term(n, terms.alphas[which, 0], terms.alphas[which, 1], terms.shift)
    term = terms.known[which, n]
    if term == _UNKNOWN:
        term = _term(n, terms.alphas[which, 0], terms.alphas[which, 1], terms.shift)
        terms.known[which, n] = term
    return term


@part
def choose(terms, which, alpha):
    """Make ready for the terms of another ``alpha``."""
    if alpha != terms.alphas[which, 0]:
        terms.alphas[which, 0] = alpha
        terms.alphas[which, 1] = math.lgamma(alpha) if alpha > 0.0 else 0.0
        terms.known[which, 0] = 0
        for n in range(1, N_KNOWN):
            terms.known[which, n] = _UNKNOWN


@part
def sum_of_table(terms, table, n_configurations, n_levels, card, columns):
    """Sum over ``table[configuration, level, candidate]``; every column is a configuration."""
    total = np.int64(0)
    start = 0
    for _ in range(n_configurations):
        for c in range(card):
            columns[c] = 0
        for _ in range(n_levels):
            for c in range(card):
                n = table[start + c]
                if n > 0:
                    total += _known_term(n, CELLS, terms)
                    columns[c] += n
            start += card
        for c in range(card):
            total -= _known_term(columns[c], CONFIGURATIONS, terms)
    return total


@part
def sum_of_rows(terms, view, child, candidate, starts, order, table, columns):
    """Sum over the rows of one configuration after the other, split by a candidate or -1.

    ``table[candidate, level]`` and ``columns[candidate]`` are to work in.
    """
    x = view.code_rows[child] * view.n_rows
    y = view.code_rows[max(candidate, 0)] * view.n_rows
    n_levels = view.cards[child]
    card = view.cards[candidate] if candidate >= 0 else np.int64(1)
    for c in range(card):
        columns[c] = 0
    for cell in range(card * n_levels):
        table[cell] = 0
    total = np.int64(0)
    for configuration in range(starts.size - 1):
        for i in range(starts[configuration], starts[configuration + 1]):
            r = order[i]
            c = np.int64(view.codes[y + r]) if candidate >= 0 else np.int64(0)
            n = view.weights[r] if view.weighted else np.int64(1)
            table[c * n_levels + view.codes[x + r]] += n
            columns[c] += n
        for i in range(starts[configuration], starts[configuration + 1]):
            r = order[i]
            c = np.int64(view.codes[y + r]) if candidate >= 0 else np.int64(0)
            cell = c * n_levels + view.codes[x + r]
            if table[cell] > 0:
                total += _known_term(table[cell], CELLS, terms)
                total -= _known_term(columns[c], CONFIGURATIONS, terms)
                table[cell] = 0
                columns[c] = 0
    return total

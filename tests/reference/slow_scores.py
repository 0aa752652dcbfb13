"""The textbook twins of the scores: one family at a time, counted in dictionaries."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from functools import cache

import mpmath

from h2pc.data import Dataset
from h2pc.scores import AIC, BIC, FNML, K2, QNML, BDeu, BDs, LocalScore, LogLikelihood
from h2pc.variables import Var, Vars

Term = Callable[[int, float], float]


def counts(data: Dataset, child: Var, parents: Vars) -> tuple[Counter, Counter]:
    """How often every cell and every configuration occurs; only those that do."""
    weights = [1] * data.n_rows if data.weights is None else data.weights.tolist()
    cells: Counter = Counter()
    configurations: Counter = Counter()
    for row, weight in zip(data.codes[[*sorted(parents), child]].T.tolist(), weights, strict=True):
        cells[tuple(row)] += weight
        configurations[tuple(row[:-1])] += weight
    return cells, configurations


def sizes(data: Dataset, child: Var, parents: Vars) -> tuple[int, int]:
    """The number of levels of the child, and of possible configurations."""
    cards = data.cards.tolist()
    return cards[child], math.prod(cards[x] for x in parents)


def log_rising(n: int, a: float) -> float:
    """The logarithm of a (a + 1) … (a + n - 1)."""
    return math.lgamma(n + a) - math.lgamma(a)


def precise_log_rising(n: int, a: float) -> float:
    """The same with digits enough for any a."""
    with mpmath.workdps(400):
        return float(mpmath.loggamma(n + mpmath.mpf(a)) - mpmath.loggamma(mpmath.mpf(a)))


def slow_dirichlet(
    data: Dataset, child: Var, parents: Vars, of_cells: float, of_table: float, term: Term
) -> float:
    """Log marginal likelihood with so many imaginary samples in a cell and in a whole table."""
    cells, configurations = counts(data, child, parents)
    return math.fsum(
        [term(n, of_cells) for n in cells.values()]
        + [-term(n, of_table) for n in configurations.values()]
    )


def slow_bdeu(
    data: Dataset, child: Var, parents: Vars, ess: float = 10.0, term: Term = log_rising
) -> float:
    r, q = sizes(data, child, parents)
    return slow_dirichlet(data, child, parents, ess / (q * r), ess / q, term)


def slow_bds(data: Dataset, child: Var, parents: Vars, ess: float = 10.0) -> float:
    r, _ = sizes(data, child, parents)
    q = len(counts(data, child, parents)[1])
    return slow_dirichlet(data, child, parents, ess / (q * r), ess / q, log_rising)


def slow_k2(data: Dataset, child: Var, parents: Vars) -> float:
    r, _ = sizes(data, child, parents)
    return slow_dirichlet(data, child, parents, 1.0, r, log_rising)


def slow_log_likelihood(data: Dataset, child: Var, parents: Vars) -> float:
    cells, configurations = counts(data, child, parents)
    return math.fsum(n * math.log(n / configurations[cell[:-1]]) for cell, n in cells.items())


def slow_bic(data: Dataset, child: Var, parents: Vars) -> float:
    r, q = sizes(data, child, parents)
    penalty = 0.5 * math.log(data.n_samples) * (r - 1) * q
    return slow_log_likelihood(data, child, parents) - penalty


def slow_aic(data: Dataset, child: Var, parents: Vars) -> float:
    r, q = sizes(data, child, parents)
    return slow_log_likelihood(data, child, parents) - (r - 1) * q


@cache
def slow_log_regret(n: int, k: int) -> float:
    """The linear recurrence C(n, k + 2) = C(n, k + 1) + n / k · C(n, k), with digits to spare."""
    with mpmath.workdps(30):
        one_cell = mpmath.mpf(1)
        two_cells = term = mpmath.mpf(1)
        for h in range(n):  # binomial(n, h) (h / n)^h …, summed as Q(n) of Knuth
            term *= mpmath.mpf(n - h) / n
            two_cells += term
            if term < two_cells * mpmath.mpf("1e-30"):
                break
        if k == 1:
            return 0.0
        for i in range(1, k - 1):
            one_cell, two_cells = two_cells, two_cells + mpmath.mpf(n) / i * one_cell
        return float(mpmath.log(two_cells))


MOST_CELLS = 10_000  # for the recurrence


def log_regret(n: int, k: int) -> float:
    """The same; for more cells by the sum of Mononen and Myllymäki (2008), term by term."""
    if k <= MOST_CELLS:
        return slow_log_regret(n, k)
    with mpmath.workdps(40):
        term = total = mpmath.mpf(1)
        for j in range(n):
            term *= mpmath.mpf(n - j) / n * (k - 1 + j) / (j + 1)
            total += term
        return float(mpmath.log(total))


def slow_qnml(data: Dataset, child: Var, parents: Vars) -> float:
    r, q = sizes(data, child, parents)
    n = data.n_samples
    regret = log_regret(n, r * q) - log_regret(n, q)
    return slow_log_likelihood(data, child, parents) - regret


def slow_fnml(data: Dataset, child: Var, parents: Vars) -> float:
    r, _ = sizes(data, child, parents)
    regrets = [log_regret(n, r) for n in counts(data, child, parents)[1].values()]
    return slow_log_likelihood(data, child, parents) - math.fsum(regrets)


TWINS: dict[Callable[[Dataset], LocalScore], Callable[[Dataset, Var, Vars], float]] = {
    BDeu: slow_bdeu,
    BDs: slow_bds,
    K2: slow_k2,
    LogLikelihood: slow_log_likelihood,
    BIC: slow_bic,
    AIC: slow_aic,
    QNML: slow_qnml,
    FNML: slow_fnml,
}


class OneByOne(LocalScore):
    """The scores of another one, every family computed alone and noted in ``families``."""

    def __init__(self, inner: LocalScore) -> None:
        self.inner = inner
        self.families: list[tuple[Var, Vars]] = []

    @property
    def n_variables(self) -> int:
        return self.inner.n_variables

    def family(self, child: Var, parents: Vars = ()) -> float:
        self.families.append((child, parents))
        return self.inner.family(child, parents)

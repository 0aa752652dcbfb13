"""The textbook twins of the engine's counting: one table at a time, one stratum at a time."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence

import mpmath
import numpy as np
from numpy.typing import NDArray

from h2pc.data import Dataset
from h2pc.independence.base import CITest, LogP, Outcome
from h2pc.variables import Var, Vars

Stratum = Counter[tuple[int, int]]
"""How often the levels (i, j) of the two variables occur."""


def strata(data: Dataset, x: Var, y: Var, z: Vars) -> list[Stratum]:
    """The table of x and y in every stratum of z that occurs."""
    tables: dict[tuple[int, ...], Stratum] = defaultdict(Counter)
    weights = np.ones(data.n_rows, int) if data.weights is None else data.weights
    columns = data.codes[[x, y, *z]].T.tolist()
    for (i, j, *k), weight in zip(columns, weights.tolist(), strict=True):
        tables[tuple(k)][i, j] += weight
    return list(tables.values())


def margins(table: Stratum) -> tuple[Counter[int], Counter[int]]:
    """Row and column sums; only those above 0."""
    rows: Counter[int] = Counter()
    columns: Counter[int] = Counter()
    for (i, j), n in table.items():
        rows[i] += n
        columns[j] += n
    return rows, columns


def g2(table: Stratum) -> float:
    """G² = 2 Σ n ln(n N / (row sum · column sum)) over the cells that occur."""
    rows, columns = margins(table)
    total = table.total()
    return 2.0 * math.fsum(
        n * math.log(n * total / (rows[i] * columns[j])) for (i, j), n in table.items()
    )


def pearson(table: Stratum) -> float:
    """Σ (n - e)² / e, where e = row sum · column sum / N, over all cells."""
    rows, columns = margins(table)
    total = table.total()
    expected = {(i, j): rows[i] * columns[j] / total for i in rows for j in columns}
    return math.fsum((table[cell] - e) ** 2 / e for cell, e in expected.items())


def adjusted_df(table: Stratum) -> int:
    """(rows - 1) · (columns - 1), those without a sample left out."""
    rows, columns = margins(table)
    return (len(rows) - 1) * (len(columns) - 1)


def plain_df(data: Dataset, x: Var, y: Var, z: Vars) -> int:
    """The degrees of freedom of the table of all levels."""
    cards = data.cards.tolist()
    return (cards[x] - 1) * (cards[y] - 1) * math.prod(cards[v] for v in z)


def log_tail(statistic: float, df: int) -> float:
    """Log of P(χ² > statistic), to 60 digits and then rounded."""
    if df == 0:
        return 0.0
    with mpmath.workdps(60):
        half = mpmath.mpf(statistic) / 2
        upper = mpmath.gammainc(mpmath.mpf(df) / 2, half, mpmath.inf, regularized=True)
        return float(mpmath.log(upper))


def slow_outcome(
    data: Dataset,
    x: Var,
    y: Var,
    z: Vars = (),
    *,
    statistic: Callable[[Stratum], float] = g2,
    power_rule: float = 5.0,
    adjust_df: bool = True,
) -> Outcome:
    """One test in full, as section 2.4 of the paper says it."""
    cells = math.prod(data.cards[[x, y, *z]].tolist())
    if data.n_samples < power_rule * cells:
        return Outcome(0.0, 0, 0.0, performed=False)
    tables = strata(data, x, y, z)
    total = math.fsum(statistic(table) for table in tables)
    df = sum(map(adjusted_df, tables)) if adjust_df else plain_df(data, x, y, z)
    return Outcome(total, df, log_tail(max(total, 0.0), df), performed=True)


def slow_merged_rows(
    codes: NDArray[np.integer], variables: Sequence[Var], weights: Sequence[int]
) -> tuple[list[int], list[int]]:
    """First row and total weight of each distinct row of ``variables``, by first occurrence."""
    first: dict[tuple[int, ...], int] = {}
    total: Counter[tuple[int, ...]] = Counter()
    for i, (row, weight) in enumerate(zip(codes[list(variables)].T.tolist(), weights, strict=True)):
        first.setdefault(tuple(row), i)
        total[tuple(row)] += weight
    return list(first.values()), [total[row] for row in first]


class OneByOne(CITest):
    """The answers of another test, by way of Python: every test alone and noted in ``asked``."""

    def __init__(self, inner: CITest) -> None:
        super().__init__(inner.alpha)
        self.inner = inner
        self.asked: list[tuple[Var, Var, Vars]] = []

    def log_p_given(self, target: Var, candidates: Vars, z: Vars) -> LogP:
        asked = [(target, x, z) for x in candidates]
        self.asked += asked
        return np.array([self.inner.log_p_given(target, (x,), z)[0] for x in candidates])

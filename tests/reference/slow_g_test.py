"""The textbook twin of the compiled G² test: one contingency table at a time, in plain numpy."""

from __future__ import annotations

import math
from collections.abc import Sequence

import mpmath
import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import chi2

from h2pc.independence.base import CITest, LogP
from h2pc.variables import Var, Vars


class SlowGTest(CITest):
    """G² test of categorical columns; levels are those observed unless ``n_levels`` says more."""

    def __init__(
        self,
        columns: Sequence[ArrayLike],
        alpha: float = 0.05,
        power_rule: float = 5.0,
        adjust_df: bool = True,
        n_levels: Sequence[int] | None = None,
    ) -> None:
        super().__init__(alpha)
        self.codes = [np.unique(np.asarray(column), return_inverse=True)[1] for column in columns]
        self.n_levels = n_levels or [int(column.max()) + 1 for column in self.codes]
        self.n_samples = len(self.codes[0])
        self.power_rule = power_rule
        self.adjust_df = adjust_df
        self.answers: dict[tuple[Var, Var, Vars], float] = {}

    def log_p_given(self, target: Var, candidates: Vars, z: Vars) -> LogP:
        return np.array([self._answer(target, x, z) for x in candidates])

    def _answer(self, x: Var, y: Var, z: Vars) -> float:
        question = (min(x, y), max(x, y), tuple(sorted(z)))
        if question not in self.answers:
            self.answers[question] = self._log_p(*question)
        return self.answers[question]

    def _log_p(self, x: Var, y: Var, z: Vars) -> float:
        if not self.has_power(x, y, z):
            return 0.0
        statistic, df = self.g2(x, y, z)
        return log_survival(statistic, df) if df > 0 else 0.0

    def has_power(self, x: Var, y: Var, z: Vars) -> bool:
        """Whether there are enough samples for every possible cell."""
        cells = math.prod(self.n_levels[v] for v in (x, y, *z))
        return self.n_samples >= self.power_rule * cells

    def g2(self, x: Var, y: Var, z: Vars) -> tuple[float, int]:
        """G² and its degrees of freedom, summed over the strata of ``z``."""
        n = self._table(x, y, z)
        rows, columns = n.sum(axis=2, keepdims=True), n.sum(axis=1, keepdims=True)
        total = n.sum(axis=(1, 2), keepdims=True)
        seen = n > 0
        ratio = (n * total)[seen] / (rows * columns)[seen]
        # Exact, so that neither the order of levels nor that of x and y decides between equals.
        statistic = 2.0 * math.fsum(n[seen] * np.log(ratio))
        if not self.adjust_df:
            strata = math.prod(self.n_levels[v] for v in z)
            return statistic, (self.n_levels[x] - 1) * (self.n_levels[y] - 1) * strata
        df_rows = np.maximum((rows > 0).sum(axis=(1, 2)) - 1, 0)
        df_columns = np.maximum((columns > 0).sum(axis=(1, 2)) - 1, 0)
        return statistic, int((df_rows * df_columns).sum())

    def _table(self, x: Var, y: Var, z: Vars) -> np.ndarray:
        """Counts ``n[k, i, j]``: only the strata that occur."""
        stratum = np.zeros(self.n_samples, np.int64)
        for v in z:
            stratum = np.unique(stratum * self.n_levels[v] + self.codes[v], return_inverse=True)[1]
        n = np.zeros((int(stratum.max()) + 1, self.n_levels[x], self.n_levels[y]))
        np.add.at(n, (stratum, self.codes[x], self.codes[y]), 1.0)
        return n


def log_survival(statistic: float, df: int) -> float:
    """Logarithm of P(χ² > statistic), also where the probability itself underflows."""
    log_p = float(chi2.logsf(statistic, df))
    if log_p > -700.0:
        return log_p
    tail = mpmath.gammainc(df / 2, statistic / 2, mpmath.inf, regularized=True)
    return float(mpmath.log(tail))

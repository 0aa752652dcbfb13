"""What tests on contingency tables share that are written in Python: tables and the power rule."""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from h2pc.data import Dataset
from h2pc.errors import SettingError
from h2pc.independence.base import CITest, LogP, Outcome
from h2pc.variables import Var, Vars

Table = NDArray[np.int64]
"""Counts as table[stratum, level of x, level of y], of the strata that occur."""

NOT_PERFORMED = Outcome(0.0, 0, 0.0, performed=False)
CONSTANT = Outcome(0.0, 0, 0.0, performed=True)
"""Where one of the two is constant in every stratum."""

_MOST_CACHED = 1 << 18


class StratifiedTest(CITest):
    """A test of the tables of x and y in the strata of z; parameters as of :class:`GTest`.

    A new one is a class with the method ``_tested``. The pair comes in the order of names, and z is
    sorted, so that a test and its mirror image are one.
    """

    def __init__(self, data: Dataset, alpha: float = 0.05, *, power_rule: float = 5.0) -> None:
        super().__init__(alpha)
        if not (math.isfinite(power_rule) and power_rule >= 0.0):
            raise SettingError(f"power_rule must be a number from 0 on; got {power_rule!r}.")
        if data.kind != "discrete":
            _ = data.index  # refuses continuous variables
        self.data = data
        self.power_rule = float(power_rule)
        self._cached: dict[tuple[Var, Var, Vars], float] = {}

    @abstractmethod
    def _tested(self, table: Table, x: Var, y: Var, z: Vars) -> Outcome:
        """Return the outcome for a table with at least one sample."""

    def log_p_given(self, target: Var, candidates: Vars, z: Vars) -> LogP:
        """Log p-value of (target ⊥ candidate | z) for every candidate, whatever the context."""
        return np.array([self._log_p(target, x, z) for x in candidates], np.float64)

    def _log_p(self, x: Var, y: Var, z: Vars) -> float:
        key = (min(x, y), max(x, y), tuple(sorted(set(z))))
        found = self._cached.get(key)
        if found is None:
            found = self.outcome(*key).log_p
            if len(self._cached) >= _MOST_CACHED:
                self._cached.clear()
            self._cached[key] = found
        return found

    def outcome(self, x: Var, y: Var, z: Vars = ()) -> Outcome:
        """Test x ⊥ y | z, with the statistic and its degrees of freedom."""
        x, y, z = min(x, y), max(x, y), tuple(sorted(set(z)))
        if x in z or y in z:
            return CONSTANT
        if not self._has_power(x, y, z):
            return NOT_PERFORMED
        table = tables_of(self.data, x, y, z)
        return self._tested(table, x, y, z) if table.size else CONSTANT

    def performs(self, x: Var, y: Var, z: Vars = ()) -> bool:
        """Whether the power rule lets x ⊥ y | z be tested."""
        return x in z or y in z or self._has_power(x, y, z)

    def _has_power(self, x: Var, y: Var, z: Vars) -> bool:
        fewest = self.power_rule * math.prod(self.data.cards[[x, y, *z]].tolist())
        if fewest > self.data.n_samples:
            return False
        if self.data.is_complete or self.power_rule == 0.0:
            return True
        is_complete = complete_rows(self.data, (x, y, *z))
        weights = self.data.weights
        n = is_complete.sum() if weights is None else weights[is_complete].sum()
        return bool(fewest <= n)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_cached": {}}


def tables_of(data: Dataset, x: Var, y: Var, z: Vars) -> Table:
    """Return the tables of x and y in the strata of z, of the samples that are complete in them."""
    codes, cards, weights = data.codes[[x, y, *z]], data.cards[[x, y, *z]].tolist(), data.weights
    if not data.is_complete:
        is_complete = complete_rows(data, (x, y, *z))
        codes = codes[:, is_complete]
        weights = None if weights is None else weights[is_complete]
    stratum, n_strata = _strata(codes[2:], cards[2:])
    cells = (stratum * cards[0] + codes[0]) * cards[1] + codes[1]
    counts = np.bincount(cells, weights, n_strata * cards[0] * cards[1])
    table = counts.astype(np.int64).reshape(n_strata, cards[0], cards[1])
    return np.ascontiguousarray(table[table.any(axis=(1, 2))])


def complete_rows(data: Dataset, variables: Vars) -> NDArray[np.bool_]:
    """Return which rows have a value of each of these variables."""
    chosen = list(variables)
    return np.asarray((data.codes[chosen] < data.cards[chosen, np.newaxis]).all(axis=0))


def _strata(codes: NDArray[Any], cards: list[int]) -> tuple[NDArray[np.int64], int]:
    """Return the stratum of every sample, and their number; some may be empty."""
    stratum, n_strata = np.zeros(codes.shape[1], np.int64), 1
    for column, card in zip(codes, cards, strict=True):
        stratum, n_strata = stratum * card + column, n_strata * card
        if n_strata > codes.shape[1]:
            found, stratum = np.unique(stratum, return_inverse=True)
            n_strata = len(found)
    return stratum, n_strata

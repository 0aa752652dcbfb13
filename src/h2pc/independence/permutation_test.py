"""Permutation tests of conditional independence, for samples too small for the chi-square law."""

from __future__ import annotations

import hashlib
import math
from typing import Literal

from h2pc._engine import log_chi_square_tail_of_fraction, permuted_statistic
from h2pc.checks import one_of, whole_number
from h2pc.data import Dataset
from h2pc.independence.base import Outcome
from h2pc.independence.stratified_test import CONSTANT, StratifiedTest, Table
from h2pc.random_state import RandomState, seed_of
from h2pc.variables import Var, Vars


class PermutationTest(StratifiedTest):
    """Permutation test of conditional independence: y is permuted within the strata of z.

    The p-value is (1 + b) / (1 + B), where b of B permutations reach the statistic of the sample.
    Drawing stops once b is so large that independence is certain; B is then what was drawn. Where
    no permutation reaches the statistic, the p-value continues below 1 / (1 + B) as the tail of a
    chi-square law does, from the largest permuted statistic on, so that strong links are ranked.

    The semi-parametric test (Tsamardinos and Borboudakis, 2010) is the tail of a chi-square law
    whose degrees of freedom are the mean of the permuted statistics. This mean is computed exactly,
    over all permutations, and nothing is drawn.

    Parameters
    ----------
    data : Dataset
        The sample, discrete. Where cells are missing, a test has the samples that are complete in
        its own variables.
    alpha : float, default=0.05
        Independence means p > alpha.
    statistic : {"g2", "chi2"}, default="g2"
        The statistic: G² or Pearson's.
    n_permutations : int, default=999
        The number of permutations, B.
    semiparametric : bool, default=False
        Whether the permutations give degrees of freedom instead of a p-value.
    random_state : int, RandomState instance or None, default=0
        The seed. That of one test comes from it and from the names of its variables, so that
        neither the order of tests nor that of rows, columns or levels changes a p-value.
    power_rule : float, default=5.0
        Fewest samples per cell for a test to be performed; 0 performs every test.

    Examples
    --------
    >>> from h2pc import Dataset, PermutationTest
    >>> data = Dataset.from_codes([[0, 0, 1, 1] * 5, [0, 0, 1, 1] * 5, [0, 1, 0, 1] * 5])
    >>> test = PermutationTest(data)
    >>> test.log_p_many(0, (1, 2)) > test.log_alpha
    array([False,  True])
    >>> round(PermutationTest(data, semiparametric=True).outcome(0, 1).df, 3)
    1.083
    """

    def __init__(
        self,
        data: Dataset,
        alpha: float = 0.05,
        *,
        statistic: Literal["g2", "chi2"] = "g2",
        n_permutations: int = 999,
        semiparametric: bool = False,
        random_state: RandomState = 0,
        power_rule: float = 5.0,
    ) -> None:
        super().__init__(data, alpha, power_rule=power_rule)
        self.statistic = one_of(("g2", "chi2"))("statistic", statistic)
        self.n_permutations = whole_number(1)("n_permutations", n_permutations)
        self.semiparametric = bool(semiparametric)
        self.seed = seed_of(random_state)
        self._enough = self._certain_independence()

    def _certain_independence(self) -> int:
        """Return the fewest permutations reaching the statistic with which p > alpha."""
        total: int = 1 + self.n_permutations
        n = max(0, math.floor(self.alpha * total) - 2)
        while not self.independent(math.log((1 + n) / total)):
            n += 1
        return n

    def _tested(self, table: Table, x: Var, y: Var, z: Vars) -> Outcome:
        value, mean, n_drawn, n_reached, largest = permuted_statistic(
            table,
            is_g2=self.statistic == "g2",
            n_permutations=0 if self.semiparametric else self.n_permutations,
            enough=self._enough,
            seed=self._seed_of(x, y, z),
        )
        if mean == 0.0:
            return CONSTANT
        if self.semiparametric:
            log_p = log_chi_square_tail_of_fraction(value, mean)
        else:
            log_p = math.log((1 + n_reached) / (1 + n_drawn))
            if n_reached == 0:
                log_p += log_chi_square_tail_of_fraction(value, mean)
                log_p -= log_chi_square_tail_of_fraction(largest, mean)
        return Outcome(value, mean, log_p, performed=True)

    def _seed_of(self, x: Var, y: Var, z: Vars) -> int:
        """Return the seed of one test: by names, which other columns do not change."""
        names = self.data.names
        text = repr((self.seed, names[x], names[y], *(names[v] for v in z)))
        digest = hashlib.blake2b(text.encode("utf-8", "backslashreplace"), digest_size=8)
        return int.from_bytes(digest.digest(), "little")

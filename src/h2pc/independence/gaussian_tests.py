"""Tests of continuous and mixed data by partial correlations.

*Fisher's z* for continuous variables. *Degenerate Gaussian* likelihood ratio for mixed ones
(Andrews, Ramsey and Cooper, 2019): a discrete variable enters by indicator columns. Where cells are
missing, a test has the samples that are complete in its own variables.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import h2pc._engine as _engine
from h2pc.data import Dataset
from h2pc.errors import DataError
from h2pc.independence.base import CITest, LogP, Outcome
from h2pc.variables import Var, Vars


class CovarianceTest(CITest):
    """What the tests by partial correlations share; parameters as of :class:`MixedTest`."""

    _is_fisher: ClassVar[bool]

    def __init__(self, data: Dataset, alpha: float = 0.05, *, power_rule: float = 5.0) -> None:  # noqa: ARG002
        super().__init__(alpha)
        self.data = data
        self._gaussian_test = self._made()

    def _made(self) -> _engine.GaussianTest:
        return _engine.GaussianTest(self.data.moments, self._is_fisher, self.log_alpha)

    @property
    def _engine(self) -> _engine.Test:
        return self._gaussian_test

    def log_p_given(self, target: Var, candidates: Vars, z: Vars) -> LogP:
        """Log p-value of (target ⊥ candidate | z) for every candidate, whatever the context."""
        return self._gaussian_test.log_p_many(None, target, candidates, z)

    def outcome(self, x: Var, y: Var, z: Vars = ()) -> Outcome:
        """Test x ⊥ y | z, with the statistic and its degrees of freedom."""
        return Outcome(*self._gaussian_test.outcome(x, y, z))

    def correlation(self, x: Var, y: Var, z: Vars = ()) -> float | None:
        """Partial correlation of x and y given z; None where one of them is discrete.

        It is 0 where z determines one of them.
        """
        if not (self.data.is_continuous[x] and self.data.is_continuous[y]):
            return None
        return self._gaussian_test.correlation(x, y, z)

    def performs(self, x: Var, y: Var, z: Vars = ()) -> bool:
        """Whether there are enough samples for x ⊥ y | z to be tested."""
        return self._gaussian_test.performs(x, y, z)

    def unperformed(self, target: Var, given: Mapping[Var, Vars]) -> Vars:
        """Variables whose test of ``target`` given some others is not performed, sorted."""
        return self._gaussian_test.unperformed(target, given)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_gaussian_test"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ |= state
        self._gaussian_test = self._made()


class GaussianTest(CovarianceTest):
    """The test of partial correlation, by Fisher's z: for continuous variables.

    The statistic is (n - k - 3) artanh(r)², of one degree of freedom, k being the number of
    conditions. A variable that these determine is independent of all others given them. A test of
    fewer than k + 4 samples is not performed, which means independence.

    Parameters
    ----------
    data : Dataset
        The sample; all variables must be continuous.
    alpha : float, default=0.05
        Independence means p > alpha.
    power_rule : float, default=5.0
        Not used: there are no cells to have samples.

    Examples
    --------
    >>> import numpy as np
    >>> from h2pc import Dataset, GaussianTest
    >>> a, noise, more = np.random.default_rng(0).normal(size=(3, 500))
    >>> b = a + noise
    >>> test = GaussianTest(Dataset.from_data({"a": a, "b": b, "c": b + more}))
    >>> round(test.correlation(0, 2), 2), round(test.correlation(0, 2, (1,)), 2)
    (0.61, 0.04)
    >>> test.log_p_many(0, (1, 2)) > test.log_alpha
    array([False, False])
    >>> test.outcome(0, 2, (1,)).p > 0.05
    True
    """

    _is_fisher = True

    def _made(self) -> _engine.GaussianTest:
        if not self.data.is_continuous.all():
            name = self.data.names[int(self.data.is_continuous.argmin())]
            raise DataError(
                f"variable {name!r} is not continuous, as the Gaussian test expects: take the test "
                f"of mixed data (MixedTest, test='mixed'), or cut all numbers with h2pc.discretize"
            )
        return super()._made()


class MixedTest(CovarianceTest):
    """The likelihood-ratio test of the degenerate Gaussian model: for variables of any kind.

    A discrete variable enters by an indicator column for each observed level but one (Andrews,
    Ramsey and Cooper, 2019). The statistic is -ln Λ of Wilks with the factor of Bartlett,
    n - 1 - k(z) - (k(x) + k(y) + 1) / 2, of k(x) k(y) degrees of freedom, k being numbers of
    columns. Columns that others determine do not count. A variable of more than 100 levels is
    independent of all others: it would have too many columns.

    Parameters
    ----------
    data : Dataset
        The sample.
    alpha : float, default=0.05
        Independence means p > alpha.
    power_rule : float, default=5.0
        Not used: a test is performed where n > k(x) + k(y) + k(z) + 1.

    Examples
    --------
    >>> import numpy as np
    >>> from h2pc import Dataset, MixedTest
    >>> size = np.random.default_rng(0).normal(size=300)
    >>> kind = np.where(size > 0.5, "large", np.where(size < -0.5, "small", "middle"))
    >>> test = MixedTest(Dataset.from_data({"kind": kind, "size": size}))
    >>> outcome = test.outcome(0, 1)
    >>> outcome.df, outcome.p < 0.001
    (2, True)
    """

    _is_fisher = False

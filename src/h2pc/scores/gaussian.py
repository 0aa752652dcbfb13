"""Scores of linear Gaussian networks; discrete variables enter by indicator columns.

The score of a family is the difference of the scores of two sets, with and without the child, each
rounded once to a multiple of a power of two. So graphs with the same independences score exactly
the same, unless cells are missing.
"""

from __future__ import annotations

from typing import Any, ClassVar

import h2pc._engine as _engine
from h2pc._engine import GaussianScoreKind
from h2pc.checks import number
from h2pc.data import Dataset
from h2pc.errors import DataError, SettingError
from h2pc.scores.table_score import SampleScore


class GaussianLogLikelihood(SampleScore):
    """Log likelihood of linear regressions with normal residuals, those that fit best.

    Variances are those of maximum likelihood, divided by n. The residual of a variable has at least
    1e-9 of its variance. More parents never make it worse.

    Parameters
    ----------
    data : Dataset
        The sample; a discrete variable has an indicator column for each observed level but one.

    Examples
    --------
    >>> from h2pc import Dataset
    >>> from h2pc.scores import GaussianLogLikelihood
    >>> score = GaussianLogLikelihood(Dataset.from_values([[0.0, 1, 2, 3], [0.0, 1, 1, 2]]))
    >>> round(score.family(0), 4), round(score.family(0, (1,)), 4)
    (-6.122, -1.5169)
    """

    _kind: ClassVar[GaussianScoreKind] = GaussianScoreKind.log_likelihood

    def _for_engine(self) -> Any:
        return _engine.GaussianScore(self.data.moments, self._kind)


class GaussianBIC(GaussianLogLikelihood):
    """Gaussian log likelihood, less half of ln n for every parameter.

    A continuous child has an intercept, a coefficient for each parent, and a variance. A family of
    k columns whose parents have q has k q + k (k + 1) / 2 + k parameters, as in the degenerate
    Gaussian score (Andrews, Ramsey and Cooper, 2019).

    Parameters
    ----------
    data : Dataset
        The sample.

    Examples
    --------
    >>> import numpy as np
    >>> from h2pc import Dataset
    >>> from h2pc.scores import GaussianBIC
    >>> a, b = np.random.default_rng(0).normal(size=(2, 100))
    >>> score = GaussianBIC(Dataset.from_values([a, b, a + b]))
    >>> score.changed(0, (), (1, 2)) > score.family(0)
    array([False,  True])
    >>> score.total([(), (0,), ()]) == score.total([(1,), (), ()])
    True
    """

    _kind = GaussianScoreKind.bic


class GaussianAIC(GaussianLogLikelihood):
    """Gaussian log likelihood, less one for every parameter; these as of :class:`GaussianBIC`.

    Parameters
    ----------
    data : Dataset
        The sample.

    Examples
    --------
    >>> from h2pc import Dataset
    >>> from h2pc.scores import GaussianAIC, GaussianLogLikelihood
    >>> data = Dataset.from_values([[0.0, 1, 2, 3], [0.0, 1, 1, 2]])
    >>> round(GaussianLogLikelihood(data).family(0, (1,)) - GaussianAIC(data).family(0, (1,)), 6)
    3.0
    """

    _kind = GaussianScoreKind.aic


class BGe(SampleScore):
    """Log marginal likelihood with a normal-Wishart prior: for continuous variables.

    As corrected by Kuipers, Moffa and Heckerman (2014). The prior mean is that of the sample, and
    the prior scale matrix the one that they recommend, on variables that are standardised to
    variance 1: scores do not depend on the units of the data, and are those of the standardised
    sample.

    Parameters
    ----------
    data : Dataset
        The sample; all variables must be continuous.
    prior_mean_weight : float, default=1.0
        What the prior mean is worth, in samples.
    prior_weight : float, default=None
        What the prior scale matrix is worth, in samples: more than the number of variables plus
        one. By default the number of variables, plus ``prior_mean_weight``, plus one.

    Examples
    --------
    >>> import numpy as np
    >>> from h2pc import Dataset
    >>> from h2pc.scores import BGe
    >>> a, b = np.random.default_rng(0).normal(size=(2, 100))
    >>> score = BGe(Dataset.from_values([a, b, a + b]))
    >>> score.changed(0, (), (1, 2)) > score.family(0)
    array([False,  True])
    """

    def __init__(
        self, data: Dataset, prior_mean_weight: float = 1.0, prior_weight: float | None = None
    ) -> None:
        mean_weight = number(above=0.0)("prior_mean_weight", prior_mean_weight)
        weight = number(optional=True)("prior_weight", prior_weight)
        if not data.is_continuous.all():
            name = data.names[int(data.is_continuous.argmin())]
            raise DataError(
                f"variable {name!r} is not continuous, as the score 'bge' expects: take "
                f"scoring='bic', or cut all numbers with h2pc.discretize"
            )
        if weight is not None and weight <= data.n_variables + 1:
            raise SettingError(
                f"prior_weight must be a number above {data.n_variables + 1}, the number of "
                f"variables plus one, or None; got {prior_weight!r}."
            )
        super().__init__(data)
        self.prior_mean_weight: float = mean_weight
        self.prior_weight: float = weight or data.n_variables + mean_weight + 1.0

    def _for_engine(self) -> Any:
        moments = self.data.moments
        n_constant = self.data.n_variables - moments.n_columns
        return _engine.GaussianScore(
            moments, GaussianScoreKind.bge, self.prior_mean_weight, self.prior_weight - n_constant
        )

"""Bayesian scores that spread an imaginary sample evenly: BDeu, and BDs for sparse data."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from h2pc._kernels.terms import NOTHING, ONE_EACH
from h2pc.data import Dataset
from h2pc.errors import SettingError
from h2pc.scores.base import Scores
from h2pc.scores.table_score import LARGEST, TableScore

TINY = 5e-324  # the smallest number above 0


class BDeu(TableScore):
    """Log marginal likelihood with a uniform prior (Heckerman, Geiger and Chickering, 1995).

    The prior is worth ``equivalent_sample_size`` samples, spread evenly over all cells of a family,
    those of levels that do not occur included. Graphs with the same independences score exactly
    the same.

    Parameters
    ----------
    data : Dataset
        The sample.
    equivalent_sample_size : float
        What the prior is worth, in samples.

    Examples
    --------
    >>> from h2pc import Dataset
    >>> from h2pc.scores import BDeu
    >>> score = BDeu(Dataset.from_codes([[0, 0, 1, 1] * 5, [0, 0, 1, 1] * 5, [0, 1, 0, 1] * 5]))
    >>> score.changed(0, (), (1, 2)) > score.family(0)
    array([ True, False])
    >>> score.total([(), (0,), ()]) == score.total([(1,), (), ()])
    True
    """

    def __init__(self, data: Dataset, equivalent_sample_size: float = 10.0) -> None:
        if not (math.isfinite(equivalent_sample_size) and equivalent_sample_size > 0.0):
            raise SettingError(
                f"equivalent_sample_size must be a number above 0; got {equivalent_sample_size!r}."
            )
        self.equivalent_sample_size = float(equivalent_sample_size)
        super().__init__(data, room=abs(math.log(equivalent_sample_size)))

    def _scored(
        self, question: NDArray[np.int64], n_levels: int, configurations: list[int]
    ) -> Scores:
        """Spread the imaginary sample over the cells that are possible."""
        return self._summed(question, self._alphas(n_levels, configurations))

    def _alphas(self, n_levels: int, configurations: list[int]) -> NDArray[np.float64]:
        """Return the share of every cell and configuration, for each number of configurations."""
        size = self.equivalent_sample_size
        shares = [size / min(n, LARGEST) for q in configurations for n in (n_levels * q, q)]
        # Never 0, which would stand for the log-likelihood.
        return np.array([share or TINY for share in shares]).reshape(-1, 2)


class BDs(BDeu):
    """BDeu whose prior leaves out the configurations that do not occur (Scutari, 2016).

    The imaginary sample is spread over the configurations of the parents that have a sample, so
    that none of it is lost on the others. Graphs with the same independences may differ.

    Parameters
    ----------
    data : Dataset
        The sample.
    equivalent_sample_size : float
        What the prior is worth, in samples.

    Examples
    --------
    Where every configuration occurs, nothing is different.

    >>> from h2pc import Dataset
    >>> from h2pc.scores import BDeu, BDs
    >>> data = Dataset.from_codes([[0, 0, 1, 1], [0, 1, 1, 1], [2, 2, 1, 1]], cards=[2, 2, 3])
    >>> BDs(data).family(0, (1,)) == BDeu(data).family(0, (1,))
    True
    >>> BDs(data).family(0, (2,)) == BDeu(data).family(0, (2,))
    False
    """

    def _scored(
        self, question: NDArray[np.int64], n_levels: int, configurations: list[int]
    ) -> Scores:
        """Count the configurations that occur, then spread the imaginary sample over them."""
        counting = np.full((len(configurations), 2), (NOTHING, ONE_EACH))
        observed = np.ldexp(-self._summed(question, counting), self._shift)
        return self._summed(question, self._alphas(n_levels, list(map(int, observed.tolist()))))

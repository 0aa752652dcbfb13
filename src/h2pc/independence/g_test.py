"""G² and Pearson's chi-square: tests on contingency tables.

Power rule and degrees of freedom adjustment, which they share, are in ``table_test.py``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from h2pc._kernels.statistics import fixed_point_shift, pearson_shift, x_log_x_table
from h2pc.data import Dataset
from h2pc.independence.table_test import TableTest


class GTest(TableTest):
    """The G² test of conditional independence, the test of the paper.

    Parameters
    ----------
    data : Dataset
        The sample.
    alpha : float
        Independence means p > alpha.
    power_rule : float
        Fewest samples per cell for a test to be performed; 0 performs every test.
    adjust_df : bool
        Whether rows and columns of zeros reduce the degrees of freedom.
    remembered : int, optional
        Answers to remember, 32 bytes each, rounded up to a power of two; 0 for none. By default as
        many as learning a whole network may need, up to 25 for every sample and two million.
    bytes_for_rounds : int
        Most bytes for the rounds of IAMBFDR that are remembered.

    Examples
    --------
    >>> from h2pc import Dataset, GTest
    >>> data = Dataset.from_codes([[0, 0, 1, 1] * 10, [0, 0, 1, 1] * 10, [0, 1, 0, 1] * 10])
    >>> test = GTest(data)
    >>> test.log_p_many(0, (1, 2)) > test.log_alpha
    array([False,  True])
    >>> outcome = test.outcome(0, 1)
    >>> round(outcome.statistic, 3), outcome.df, outcome.performed
    (55.452, 1, True)
    """

    @staticmethod
    def _fixed_point(data: Dataset) -> tuple[NDArray[np.int64], int]:
        shift = fixed_point_shift(data.n_samples)
        return x_log_x_table(data.n_samples, shift), shift


class ChiSquareTest(TableTest):
    """Pearson's chi-square test of conditional independence; parameters as of :class:`GTest`.

    Examples
    --------
    >>> from h2pc import ChiSquareTest, Dataset
    >>> data = Dataset.from_codes([[0, 0, 1, 1] * 10, [0, 0, 1, 1] * 10])
    >>> ChiSquareTest(data).outcome(0, 1).statistic
    40.0
    """

    @staticmethod
    def _fixed_point(data: Dataset) -> tuple[NDArray[np.int64], int]:
        return np.empty(0, np.int64), pearson_shift(data.n_samples, int(data.cards.max()))

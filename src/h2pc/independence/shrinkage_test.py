"""The test of mutual information with James-Stein shrinkage."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from h2pc._engine import log_chi_square_tail
from h2pc.independence.base import Outcome
from h2pc.independence.stratified_test import CONSTANT, StratifiedTest, Table
from h2pc.variables import Var, Vars


class ShrinkageTest(StratifiedTest):
    """Test of mutual information by a James-Stein estimate (Hausser and Strimmer, 2009).

    The frequencies of the cells of the table of x, y and z shrink towards the uniform distribution,
    the more the smaller the sample. The statistic is 2 n I, where I is the conditional mutual
    information of these frequencies; its law is taken for chi-square. The paper has the table of x
    and y; that z belongs to the table is as in bnlearn (``mi-sh``). Levels and strata without any
    sample have no cells.

    Parameters
    ----------
    data : Dataset
        The sample, discrete. Where cells are missing, a test has the samples that are complete in
        its own variables.
    alpha : float, default=0.05
        Independence means p > alpha.
    power_rule : float, default=5.0
        Fewest samples per cell for a test to be performed; 0 performs every test.

    Examples
    --------
    >>> from h2pc import Dataset, GTest, ShrinkageTest
    >>> data = Dataset.from_codes([[0, 0, 1, 1] * 10, [0, 0, 1, 1] * 9 + [1, 1, 0, 0]])
    >>> shrunk, plain = ShrinkageTest(data).outcome(0, 1), GTest(data).outcome(0, 1)
    >>> round(shrunk.statistic, 3), round(plain.statistic, 3), shrunk.df
    (23.373, 29.445, 1)
    """

    def _tested(self, table: Table, x: Var, y: Var, z: Vars) -> Outcome:  # noqa: ARG002
        n = table[:, table.any(axis=(0, 2))][:, :, table.any(axis=(0, 1))]
        df = n.shape[0] * (n.shape[1] - 1) * (n.shape[2] - 1)
        if df == 0:
            return CONSTANT
        statistic = max(0.0, 2.0 * int(n.sum()) * _shrunk_information(n))
        log_p = log_chi_square_tail(np.array([statistic]), np.array([df]))
        return Outcome(statistic, df, float(log_p[0]), performed=True)


def _shrunk_information(n: Table) -> float:
    """Return the conditional mutual information of the shrunk frequencies of a table, in nats."""
    total, uniform = int(n.sum()), 1.0 / n.size
    intensity = _intensity(int((n**2).sum()), total, n.size)

    def shrunk(axes: tuple[int, ...]) -> NDArray[np.float64]:
        """Return the shrunk frequencies, summed over some axes: by sums of integers."""
        n_cells = math.prod(n.shape[axis] for axis in axes)
        shares = n.sum(axis=axes, keepdims=True) / total
        return np.asarray(intensity * (uniform * n_cells) + (1.0 - intensity) * shares)

    p = shrunk(())
    ratios = p * shrunk((1, 2)) / (shrunk((2,)) * shrunk((1,)))
    present = p > 0.0
    # The sum is exact, so that the order of levels and strata changes no bit.
    return math.fsum(p[present] * np.log(ratios[present]))


def _intensity(squares: int, total: int, n_cells: int) -> float:
    """Return how much a table shrinks, from 0 to 1: equation 6 of the paper.

    Its sums of squared frequencies are those of the counts, divided by the square of their number.
    """
    above = total**2 - squares
    below = (total - 1) * (squares * n_cells - total**2)
    return 1.0 if below <= above * n_cells else above * n_cells / below

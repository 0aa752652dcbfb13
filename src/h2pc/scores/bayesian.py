"""Bayesian scores, log marginal likelihoods: BDeu, BDs for sparse data, and K2."""

from __future__ import annotations

from typing import Any

from h2pc._engine import ScoreKind
from h2pc._engine import TableScore as EngineScore
from h2pc.checks import number
from h2pc.data import Dataset
from h2pc.scores.table_score import TableScore


class BDeu(TableScore):
    """Log marginal likelihood with a uniform prior (Heckerman, Geiger and Chickering, 1995).

    The prior is worth ``equivalent_sample_size`` samples, spread evenly over all cells of a family,
    those of levels that do not occur included. Graphs with the same independences score exactly
    the same, unless cells are missing.

    Parameters
    ----------
    data : Dataset
        The sample.
    equivalent_sample_size : float, default=10.0
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

    _kind = ScoreKind.bdeu

    def __init__(self, data: Dataset, equivalent_sample_size: float = 10.0) -> None:
        size = number(above=0.0)("equivalent_sample_size", equivalent_sample_size)
        super().__init__(data)
        self.equivalent_sample_size: float = size

    def _for_engine(self) -> Any:
        return EngineScore(self.data.index, self._kind, self.equivalent_sample_size)


class BDs(BDeu):
    """BDeu whose prior leaves out the configurations that do not occur (Scutari, 2016).

    The imaginary sample is spread over the configurations of the parents that have a sample, so
    that none of it is lost on the others. Graphs with the same independences may differ.

    Parameters
    ----------
    data : Dataset
        The sample.
    equivalent_sample_size : float, default=10.0
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

    _kind = ScoreKind.bds


class K2(TableScore):
    """Log marginal likelihood with one imaginary sample in every cell (Cooper, Herskovits, 1992).

    Parameters
    ----------
    data : Dataset
        The sample.

    Examples
    --------
    The first of two levels, then the second after one sample of the first: 1/2 · 1/3.

    >>> from math import exp
    >>> from h2pc import Dataset
    >>> from h2pc.scores import K2
    >>> round(exp(-K2(Dataset.from_codes([[0, 1]])).family(0)), 6)
    6.0
    """

    def _for_engine(self) -> Any:
        return EngineScore(self.data.index, ScoreKind.k2)

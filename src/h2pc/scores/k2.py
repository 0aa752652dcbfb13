"""K2: every table of probabilities is as likely as any other beforehand."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from h2pc.data import Dataset
from h2pc.scores.base import Scores
from h2pc.scores.table_score import TableScore


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

    def __init__(self, data: Dataset) -> None:
        super().__init__(data)

    def _scored(
        self, question: NDArray[np.int64], n_levels: int, configurations: list[int]
    ) -> Scores:
        """Score with a sample in every cell, so with as many as there are levels in each table."""
        return self._summed(question, np.full((len(configurations), 2), (1.0, n_levels)))

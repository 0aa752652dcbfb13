"""The log likelihood, and what is left of it after a penalty for every parameter: BIC, AIC."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from h2pc.data import Dataset
from h2pc.scores.base import Scores
from h2pc.scores.table_score import LARGEST, TableScore

_MORE_BITS = 64  # of a penalty, before so many of them are rounded to the unit of the scores
_HALF = 1 << (_MORE_BITS - 1)


class LogLikelihood(TableScore):
    """Log likelihood of the sample, with the probabilities that fit it best.

    More parents never make it worse.

    Parameters
    ----------
    data : Dataset
        The sample.

    Examples
    --------
    >>> from h2pc import Dataset
    >>> from h2pc.scores import LogLikelihood
    >>> score = LogLikelihood(Dataset.from_codes([[0, 0, 1, 1], [0, 0, 1, 1]]))
    >>> round(score.family(0), 6), score.family(0, (1,))  # 4 · ln ½, and no doubt left
    (-2.772589, 0.0)
    """

    def __init__(self, data: Dataset) -> None:
        super().__init__(data)

    def _scored(
        self,
        question: NDArray[np.int64],
        n_levels: int,  # noqa: ARG002
        configurations: list[int],
    ) -> Scores:
        """Score with terms n·ln n."""
        return self._summed(question, np.zeros((len(configurations), 2)))


class PenalizedLikelihood(LogLikelihood):
    """Log likelihood less a penalty for every parameter.

    A family has as many parameters as cells, less one for each configuration. The penalties of
    both are rounded by themselves: so they cancel between the families of a graph as the terms do.

    Parameters
    ----------
    data : Dataset
        The sample.
    penalty : float
        What a parameter costs, in nats.
    """

    def __init__(self, data: Dataset, penalty: float) -> None:
        super().__init__(data)
        self.penalty = penalty
        self._penalty = round(math.ldexp(penalty, self._shift + _MORE_BITS))

    def _scored(
        self, question: NDArray[np.int64], n_levels: int, configurations: list[int]
    ) -> Scores:
        """Score with terms n·ln n, and subtract the penalties."""
        units = [self._units(n_levels * q) - self._units(q) for q in configurations]
        penalties = np.array([float(min(n, LARGEST)) for n in units])
        scores = super()._scored(question, n_levels, configurations)
        scores -= np.ldexp(penalties, -self._shift)
        return scores

    def _units(self, n: int) -> int:
        """Return the penalty for so many parameters, in the unit of the scores."""
        return (n * self._penalty + _HALF) >> _MORE_BITS


class BIC(PenalizedLikelihood):
    """Bayesian information criterion (Schwarz, 1978): a parameter costs half of ln n.

    Levels that do not occur have parameters, too. Graphs with the same independences score exactly
    the same.

    Parameters
    ----------
    data : Dataset
        The sample.

    Examples
    --------
    >>> from math import log
    >>> from h2pc import Dataset
    >>> from h2pc.scores import BIC
    >>> score = BIC(Dataset.from_codes([[0, 0, 1, 1] * 5, [0, 0, 1, 1] * 5]))
    >>> round(score.family(0, (1,)) / log(20), 6)  # certain, but for two parameters
    -1.0
    """

    def __init__(self, data: Dataset) -> None:
        super().__init__(data, 0.5 * math.log(data.n_samples))


class AIC(PenalizedLikelihood):
    """Akaike information criterion (1974): a parameter costs one nat.

    Levels that do not occur have parameters, too. Graphs with the same independences score exactly
    the same.

    Parameters
    ----------
    data : Dataset
        The sample.

    Examples
    --------
    >>> from h2pc import Dataset
    >>> from h2pc.scores import AIC
    >>> AIC(Dataset.from_codes([[0, 0, 1, 1], [0, 0, 1, 1]])).family(0, (1,))
    -2.0
    """

    def __init__(self, data: Dataset) -> None:
        super().__init__(data, 1.0)

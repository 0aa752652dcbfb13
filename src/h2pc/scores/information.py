"""The log likelihood, and what is left of it after a penalty for every parameter: BIC, AIC."""

from __future__ import annotations

from typing import Any

from h2pc._engine import ScoreKind
from h2pc._engine import TableScore as EngineScore
from h2pc.scores.table_score import TableScore


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

    _kind = ScoreKind.log_likelihood

    def _for_engine(self) -> Any:
        return EngineScore(self.data.index, self._kind)


class BIC(LogLikelihood):
    """Bayesian information criterion (Schwarz, 1978): a parameter costs half of ln n.

    A family has as many parameters as cells, less one for each configuration; levels that do not
    occur have parameters, too. Graphs with the same independences score exactly the same, unless
    cells are missing.

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

    _kind = ScoreKind.bic


class AIC(LogLikelihood):
    """Akaike information criterion (1974): a parameter costs one nat.

    A family has as many parameters as cells, less one for each configuration; levels that do not
    occur have parameters, too. Graphs with the same independences score exactly the same, unless
    cells are missing.

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

    _kind = ScoreKind.aic

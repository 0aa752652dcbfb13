"""K2: every table of probabilities is as likely as any other beforehand."""

from __future__ import annotations

from typing import Any

from h2pc._engine import ScoreKind
from h2pc._engine import TableScore as EngineScore
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

    def _for_engine(self) -> Any:
        return EngineScore(self.data.index, ScoreKind.k2)

"""Normalized maximum likelihood: the log likelihood less its regret, with no parameter to choose.

The regret of a table of k cells is the logarithm of the sum, over all samples of its size, of their
largest likelihood. It is exact to 12 digits for any number of samples and cells.
"""

from __future__ import annotations

from typing import Any

from h2pc._engine import ScoreKind
from h2pc._engine import TableScore as EngineScore
from h2pc.scores.table_score import TableScore


class QNML(TableScore):
    """Quotient normalized maximum likelihood (Silander et al., 2018).

    A family has its log likelihood, less the regret of a table of all its cells, plus that of a
    table of the configurations of its parents. Levels that do not occur have cells, too. There is
    no parameter to choose. Graphs with the same independences score exactly the same, unless cells
    are missing.

    Parameters
    ----------
    data : Dataset
        The sample.

    References
    ----------
    T. Silander, J. Leppä-aho, E. Jääsaari, T. Roos (2018), Quotient normalized maximum likelihood
    criterion for learning Bayesian network structures, AISTATS.

    Examples
    --------
    >>> from h2pc import Dataset
    >>> from h2pc.scores import QNML
    >>> score = QNML(Dataset.from_codes([[0, 0, 1, 1] * 5, [0, 0, 1, 1] * 5, [0, 1, 0, 1] * 5]))
    >>> score.changed(0, (), (1, 2)) > score.family(0)
    array([ True, False])
    >>> score.total([(), (0,), ()]) == score.total([(1,), (), ()])
    True
    """

    _kind = ScoreKind.qnml

    def _for_engine(self) -> Any:
        return EngineScore(self.data.index, self._kind)


class FNML(QNML):
    """Factorized normalized maximum likelihood (Silander et al., 2008).

    A family has its log likelihood, less the regret of the child's levels for every configuration
    of the parents, on the samples that the configuration has. Levels that do not occur count, too.
    Graphs with the same independences may differ.

    Parameters
    ----------
    data : Dataset
        The sample.

    References
    ----------
    T. Silander, T. Roos, P. Kontkanen, P. Myllymäki (2008), Factorized normalized maximum
    likelihood criterion for learning Bayesian network structures, PGM.

    Examples
    --------
    Two samples of different levels are ¼ likely at best. Of the four possible samples, two are of
    one level and certain at best: ¼ / (1 + 1 + ¼ + ¼).

    >>> from math import exp
    >>> from h2pc import Dataset
    >>> from h2pc.scores import FNML
    >>> round(exp(FNML(Dataset.from_codes([[0, 1]])).family(0)), 6)
    0.1
    """

    _kind = ScoreKind.fnml

"""Scores by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from h2pc.checks import chosen, number
from h2pc.data import Dataset
from h2pc.errors import SettingError
from h2pc.scores.base import LocalScore
from h2pc.scores.bayesian import K2, BDeu, BDs
from h2pc.scores.information import AIC, BIC, LogLikelihood
from h2pc.scores.nml import FNML, QNML

ScoreName = Literal["bdeu", "bic", "aic", "loglik", "k2", "bds", "qnml", "fnml"]

ScoreFactory = Callable[[Dataset], LocalScore]
"""Makes a score, called as ``factory(data)``."""

SCORES: dict[str, type[LocalScore]] = {
    "bdeu": BDeu,
    "bds": BDs,
    "aic": AIC,
    "bic": BIC,
    "fnml": FNML,
    "k2": K2,
    "loglik": LogLikelihood,
    "qnml": QNML,
}


def local_score(
    data: Dataset, scoring: str | ScoreFactory = "bdeu", equivalent_sample_size: object = 10.0
) -> LocalScore:
    """Return the score on the data that goes by a name, or that a function makes.

    Parameters
    ----------
    data : Dataset
        The sample.
    scoring : str or callable, default="bdeu"
        "bdeu", "bic", "aic", "loglik", "k2", "bds", "qnml", "fnml", or a function that is called
        with the data and returns a LocalScore.
    equivalent_sample_size : float, default=10.0
        The weight of the prior of BDeu and BDs.

    Examples
    --------
    >>> type(local_score(Dataset.from_codes([[0, 0, 1, 1]]), "bic")).__name__
    'BIC'
    """
    size: float = number(above=0.0)("equivalent_sample_size", equivalent_sample_size)
    if not callable(scoring):
        kind = chosen("scoring", scoring, SCORES)
        return kind(data, size) if issubclass(kind, BDeu) else kind(data)  # type: ignore[call-arg]
    made: object = scoring(data)
    if not isinstance(made, LocalScore):
        raise SettingError(
            f"scoring must make a LocalScore; {scoring!r} made a {type(made).__name__}."
        )
    return made

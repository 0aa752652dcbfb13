"""Scores by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, get_args

from h2pc.checks import chosen, number
from h2pc.data import Dataset
from h2pc.errors import DataError, SettingError
from h2pc.scores.base import LocalScore
from h2pc.scores.bayesian import K2, BDeu, BDs
from h2pc.scores.gaussian import BGe, GaussianAIC, GaussianBIC, GaussianLogLikelihood
from h2pc.scores.information import AIC, BIC, LogLikelihood
from h2pc.scores.nml import FNML, QNML

ScoreName = Literal["auto", "bdeu", "bic", "aic", "loglik", "k2", "bds", "qnml", "fnml", "bge"]
SCORE_NAMES: tuple[str, ...] = get_args(ScoreName)

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
"""Of discrete data."""

GAUSSIAN_SCORES: dict[str, type[LocalScore]] = {
    "aic": GaussianAIC,
    "bic": GaussianBIC,
    "loglik": GaussianLogLikelihood,
    "bge": BGe,
}
"""Of data with continuous variables."""


def suitable_score(data: Dataset, of_counts: str = "bdeu") -> str:
    """Return the name of the score that ``scoring="auto"`` takes for some data.

    ``of_counts`` is that of discrete data, which depends on the learner.
    """
    return of_counts if data.kind == "discrete" else "bic"


def local_score(
    data: Dataset, scoring: str | ScoreFactory = "auto", equivalent_sample_size: object = 10.0
) -> LocalScore:
    """Return the score on the data that goes by a name, or that a function makes.

    Parameters
    ----------
    data : Dataset
        The sample.
    scoring : str or callable, default="auto"
        A name, or a function that is called with the data and returns a LocalScore. "bic", "aic"
        and "loglik" take the class that suits the data; "bdeu", "bds", "k2", "qnml" and "fnml"
        are for discrete data, "bge" is for continuous ones; "auto" is "bdeu" for discrete data, and
        else "bic".
    equivalent_sample_size : float, default=10.0
        The weight of the prior of BDeu and BDs.

    Examples
    --------
    >>> type(local_score(Dataset.from_codes([[0, 0, 1, 1]]), "bic")).__name__
    'BIC'
    >>> type(local_score(Dataset.from_values([[0.5, 1.0, 2.5]]), "bic")).__name__
    'GaussianBIC'
    """
    size: float = number(above=0.0)("equivalent_sample_size", equivalent_sample_size)
    if not callable(scoring):
        kind = _score_class(data, scoring)
        return kind(data, size) if issubclass(kind, BDeu) else kind(data)  # type: ignore[call-arg]
    made: object = scoring(data)
    if not isinstance(made, LocalScore):
        raise SettingError(
            f"scoring must make a LocalScore; {scoring!r} made a {type(made).__name__}."
        )
    return made


def _score_class(data: Dataset, scoring: object) -> type[LocalScore]:
    chosen("scoring", scoring, dict.fromkeys(SCORE_NAMES))
    name = suitable_score(data) if scoring == "auto" else str(scoring)
    if data.kind != "discrete" and name in SCORES and name not in GAUSSIAN_SCORES:
        variable = data.names[int(data.is_continuous.argmax())]
        raise DataError(
            f"variable {variable!r} is continuous, and the score {name!r} is for discrete data: "
            f"take scoring='bic', or cut the numbers with h2pc.discretize"
        )
    if data.kind == "discrete" and name in SCORES:
        return SCORES[name]
    return GAUSSIAN_SCORES[name]

"""Scores: how well a family of a network fits the data."""

from h2pc.scores.base import LocalScore, Scores
from h2pc.scores.bayesian import K2, BDeu, BDs
from h2pc.scores.gaussian import BGe, GaussianAIC, GaussianBIC, GaussianLogLikelihood
from h2pc.scores.information import AIC, BIC, LogLikelihood
from h2pc.scores.nml import FNML, QNML

__all__ = [
    "AIC",
    "BIC",
    "FNML",
    "K2",
    "QNML",
    "BDeu",
    "BDs",
    "BGe",
    "GaussianAIC",
    "GaussianBIC",
    "GaussianLogLikelihood",
    "LocalScore",
    "LogLikelihood",
    "Scores",
]

"""How well a family of a network fits the data."""

from h2pc.scores.base import LocalScore, Scores
from h2pc.scores.bdeu import BDeu, BDs
from h2pc.scores.information import AIC, BIC, LogLikelihood
from h2pc.scores.k2 import K2

__all__ = [
    "AIC",
    "BIC",
    "K2",
    "BDeu",
    "BDs",
    "LocalScore",
    "LogLikelihood",
    "Scores",
]

"""Scores that the engine computes: what all of them share."""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property
from typing import Any

import h2pc._engine as _engine
from h2pc.data import Dataset
from h2pc.scores.base import LocalScore, Scores
from h2pc.variables import Var, Vars


class EngineScore(LocalScore):
    """What the scores of the engine share: they are multiples of the same power of two."""

    @property
    def unit(self) -> float:
        """The power of two of which all scores are multiples."""
        return float(2.0**-self._engine_score.n_fraction_bits)

    def family(self, child: Var, parents: Vars = ()) -> float:
        """Score of ``child`` with these parents, in any order."""
        score: float = self._engine_score.family(child, parents)
        return score

    def changed(self, child: Var, parents: Vars, others: Vars) -> Scores:
        """Score of the family with one change, for every one of ``others``."""
        scores: Scores = self._engine_score.changed(child, parents, others)
        return scores

    @abstractmethod
    def _for_engine(self) -> Any:
        """Return the score as the engine has it."""

    @cached_property
    def _engine_score(self) -> Any:
        return self._for_engine()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_engine_score"}


class SampleScore(EngineScore):
    """A score of a sample.

    Where cells are missing, a score is the average over the complete rows of a family, times the
    number of all rows, less a penalty for gains by chance.

    Parameters
    ----------
    data : Dataset
        The sample.
    """

    def __init__(self, data: Dataset) -> None:
        self.data = data

    @property
    def n_variables(self) -> int:
        """The number of variables; they are 0, 1, …."""
        return self.data.n_variables


class TableScore(SampleScore):
    """A score of counts: a sum of terms, one for every cell and configuration with a sample."""


def engine_score(score: LocalScore) -> Any:
    """Return a score as the engine has it; those that are written in Python are called back."""
    kind = type(score)
    if (
        isinstance(score, EngineScore)
        and kind.family is EngineScore.family
        and kind.changed is EngineScore.changed
    ):
        return score._engine_score
    return _engine.CallbackScore(score.n_variables, score.family, score.changed)

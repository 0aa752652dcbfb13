"""Scores of counts: what all of them share.

A score is a sum of terms, one for every cell and configuration that has a sample, each rounded to a
multiple of the same power of two (see :mod:`h2pc._kernels.terms`).
"""

from __future__ import annotations

import math
from abc import abstractmethod

import numpy as np
from numpy.typing import NDArray

from h2pc._kernels.families import family_scores
from h2pc._kernels.handles import handle_of
from h2pc._kernels.sample import Settings
from h2pc.data import Dataset
from h2pc.data.counts import sample_of
from h2pc.scores.base import LocalScore, Scores
from h2pc.variables import Var, Vars

LARGEST = 1 << 1000
"""Sizes of families beyond this are taken as this: a float can hold it, and sums of it."""

_MANY_PARAMETERS = 1 << 14  # of a family; penalties for more of them may come to be rounded


class TableScore(LocalScore):
    """What the scores of counts share.

    Parameters
    ----------
    data : Dataset
        The sample.
    room : float
        The largest term of a sample, in nats, beyond what its number of levels and of other
        samples explain.
    """

    def __init__(self, data: Dataset, room: float = 0.0) -> None:
        self.data = data
        self._cards: list[int] = data.cards.tolist()
        self._shift = _fraction_bits(data, room)
        settings = Settings(np.empty(0, np.int64), self._shift, 0.0, True, 0.0)
        self._handle = handle_of(sample_of(data, 0), settings)

    @property
    def n_variables(self) -> int:
        """The number of variables; they are 0, 1, …."""
        return len(self._cards)

    def family(self, child: Var, parents: Vars = ()) -> float:
        """Score of ``child`` with these parents, in any order."""
        question = np.array((len(parents), *parents, child, child))  # itself: no change
        configurations = [math.prod(self._cards[x] for x in parents)]
        return float(self._scored(question, self._cards[child], configurations)[0])

    def changed(self, child: Var, parents: Vars, others: Vars) -> Scores:
        """Score of the family with one change, for every one of ``others``."""
        if not others:
            return np.empty(0)
        question = np.array((len(parents), *parents, child, *others))
        cards = self._cards
        now = math.prod(cards[x] for x in parents)
        configurations = [now // cards[x] if x in parents else now * cards[x] for x in others]
        return self._scored(question, cards[child], configurations)

    @abstractmethod
    def _scored(
        self, question: NDArray[np.int64], n_levels: int, configurations: list[int]
    ) -> Scores:
        """Answer a question of the kernel.

        ``n_levels`` are those of the child; ``configurations`` has their possible number after
        each change.
        """

    def _summed(self, question: NDArray[np.int64], alphas: NDArray[np.float64]) -> Scores:
        """Return the sums of terms; ``alphas`` has those of cells and configurations."""
        sums: Scores = family_scores(*self._handle.arguments, question, alphas)
        return sums


def _fraction_bits(data: Dataset, room: float) -> int:
    """Return the number of fractional bits that keeps any sum over a graph below 2^52 units."""
    log_n = math.log(data.n_samples + 1.0)
    per_sample = 2.0 * log_n + math.log(int(data.cards.max())) + room
    per_family = data.n_samples * per_sample + _MANY_PARAMETERS * (0.5 * log_n + 1.0)
    return 52 - math.ceil(math.log2(data.n_variables * per_family))

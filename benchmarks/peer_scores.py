"""A table of codes, and scores of its families, for searches of other libraries that take any."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Labels = NDArray[np.int64]


class Table(NamedTuple):
    """The sample: a row of codes for every column, in the order of the columns."""

    names: tuple[str, ...]
    codes: NDArray[np.integer[Any]]
    cards: tuple[int, ...]
    """The number of levels of each, whether they occur or not."""

    def rows(self) -> NDArray[np.int64]:
        """Return the sample as most libraries take it."""
        return np.ascontiguousarray(self.codes.T, np.int64)


class FamilyScore(ABC):
    """The score of a variable and its parents; each is computed once."""

    def __init__(self, table: Table, equivalent_sample_size: float) -> None:
        self.table, self.equivalent_sample_size = table, equivalent_sample_size
        self._scores: dict[tuple[int, tuple[int, ...]], float] = {}

    def __call__(self, child: int, parents: Iterable[int]) -> float:
        """Return the score of a family."""
        family = child, tuple(sorted(parents))
        if family not in self._scores:
            codes, cards = self.table.codes, self.table.cards
            rows = np.zeros(codes.shape[1], np.int64)
            for parent in family[1]:  # numbered anew each time: the product of levels has no bound
                rows = np.unique(rows * cards[parent] + codes[parent], return_inverse=True)[1]
            n_rows = math.prod(cards[parent] for parent in family[1])
            cells = rows * cards[child] + codes[child]
            self._scores[family] = self.score(rows, cells, n_rows, cards[child])
        return self._scores[family]

    @abstractmethod
    def score(self, rows: Labels, cells: Labels, n_rows: int, n_levels: int) -> float:
        """Return the score, from the configuration of the parents and the cell of every sample."""


class BDeu(FamilyScore):
    """BDeu."""

    def score(self, rows: Labels, cells: Labels, n_rows: int, n_levels: int) -> float:
        """Return the logarithm of the marginal likelihood."""
        per_row = self.equivalent_sample_size / n_rows
        return _log_rising(cells, per_row / n_levels) - _log_rising(rows, per_row)


class BIC(FamilyScore):
    """BIC."""

    def score(self, rows: Labels, cells: Labels, n_rows: int, n_levels: int) -> float:
        """Return the log-likelihood less log(n) / 2 for every free parameter."""
        penalty = 0.5 * math.log(rows.size) * n_rows * (n_levels - 1)
        return _log_powers(cells) - _log_powers(rows) - penalty


def _log_rising(labels: Labels, prior: float) -> float:
    """Return the sum of log(gamma(count + prior) / gamma(prior)) over all labels that occur."""
    counts = np.bincount(labels)
    sizes, times = np.unique(counts[counts > 0], return_counts=True)
    start = math.lgamma(prior)
    pairs = zip(sizes.tolist(), times.tolist(), strict=True)
    return math.fsum(n * (math.lgamma(size + prior) - start) for size, n in pairs)


def _log_powers(labels: Labels) -> float:
    """Return the sum of count * log(count) over all labels."""
    counts = np.bincount(labels)
    occurring = counts[counts > 0]
    return float(occurring @ np.log(occurring))


def xges_scorer(score: FamilyScore) -> Any:
    """Return a score as xges takes it."""
    from xges.scorer import ScorerInterface

    class Scorer(ScorerInterface):
        n_variables = len(score.table.names)

        def __deepcopy__(self, memo: object) -> Scorer:
            return self  # XGES copies itself for every edge, and would copy the data as well

        def local_score(self, target: int, parents: Iterable[int]) -> float:
            return score(target, parents)

    return Scorer()

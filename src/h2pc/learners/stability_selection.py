"""Error bounds of stability selection with complementary pairs (Shah and Samworth, 2013)."""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

Assumption = Literal["none", "unimodal"]
ASSUMPTIONS: tuple[Assumption, ...] = ("none", "unimodal")

# Theorem 2 has other constants where graphs join more than this share of the pairs.
_LARGEST_SHARE = 1 / math.sqrt(3)


class Selections(NamedTuple):
    """How many pairs the graphs of complementary halves join."""

    n_graphs: int
    """Two for each split of the rows."""
    n_pairs: int
    """The pairs that can be joined."""
    mean: float
    """The number of these that a graph joins, on average."""

    def bound(self, n_joined: int, assumption: Assumption) -> float | None:
        """Bound on the expected number of false pairs among those that ``n_joined`` graphs join.

        A pair is false if a graph of half the rows joins it with a probability of at most
        ``mean / n_pairs``, as one that is drawn at random. None where the bound does not hold.
        """
        if self.n_pairs == 0 or n_joined > self.n_graphs:
            return 0.0
        tau = n_joined / self.n_graphs
        if assumption == "none":
            factor = 1 / (2 * tau - 1) if 2 * n_joined > self.n_graphs else None  # Theorem 1
        else:
            factor = self._unimodal_factor(n_joined)
        return None if factor is None else factor * self.mean**2 / self.n_pairs

    def _unimodal_factor(self, n_joined: int) -> float | None:
        """Return C(tau, B) of Theorem 2, which begins at tau = 1/2 + 1/B."""
        tau, n_splits = n_joined / self.n_graphs, self.n_graphs // 2
        share = self.mean / self.n_pairs
        if share > _LARGEST_SHARE or n_joined < n_splits + 2:
            return None
        if 4 * n_joined > 3 * self.n_graphs:
            return 4 * (1 - tau + 1 / (2 * n_splits)) / (1 + 1 / n_splits)
        if tau <= 0.5 + min(share**2, 1 / (2 * n_splits) + 0.75 * share**2):
            return None
        return 1 / (2 * (2 * tau - 1 - 1 / (2 * n_splits)))

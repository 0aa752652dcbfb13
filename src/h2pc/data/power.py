"""The power rule on a whole table: which tests have too few samples to be performed.

The rule itself is ``TableTest::has_power`` in ``src/engine/table_test.hpp``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True)
class UntestedShares:
    """The tests that the power rule leaves out.

    Attributes
    ----------
    marginal : float
        The share of pairs of variables that are not tested.
    given_one : float
        The share of pairs given one other variable that are not tested.
    """

    marginal: float
    given_one: float


def untested_shares(cards: ArrayLike, n_samples: int, power_rule: float = 5.0) -> UntestedShares:
    """Return which shares of the tests the power rule leaves out; constants are not counted.

    Parameters
    ----------
    cards : array of int
        The number of levels of each variable.
    n_samples : int
        The number of samples.
    power_rule : float, default=5.0
        Fewest samples per cell for a test to be performed.

    Examples
    --------
    >>> untested_shares([2, 2, 3], n_samples=55)
    UntestedShares(marginal=0.0, given_one=1.0)
    """
    sizes, counts = np.unique(_variables(cards), return_counts=True)
    m = int(counts.sum())
    if power_rule == 0.0 or m < 2:
        return UntestedShares(0.0, 0.0)
    reversed_sums = np.append(np.cumsum(counts[::-1])[::-1], 0)

    def n_larger(products: NDArray[Any]) -> NDArray[Any]:
        """Return, for each product, how many variables make more cells of it than may be."""
        most = np.floor(n_samples / (products * power_rule))
        most -= most * products * power_rule > n_samples  # division rounds
        most += (most + 1) * products * power_rule <= n_samples
        return reversed_sums[np.searchsorted(sizes, most, side="right")]

    ones = sizes.astype(np.float64)
    squares = int(counts[ones**2 * power_rule > n_samples].sum())
    pairs = int((counts * n_larger(ones)).sum()) - squares
    if m < 3:
        return UntestedShares(pairs / (m * (m - 1)), 0.0)
    triples = int((np.outer(counts, counts) * n_larger(np.outer(ones, ones))).sum())
    twice = int((counts * n_larger(ones**2)).sum())  # the same variable at two places
    cubes = int(counts[ones**3 * power_rule > n_samples].sum())
    distinct = triples - 3 * twice + 2 * cubes
    return UntestedShares(pairs / (m * (m - 1)), distinct / (m * (m - 1) * (m - 2)))


def untestable(cards: ArrayLike, n_samples: int, power_rule: float = 5.0) -> Sequence[int]:
    """Return the variables of which no test is performed, not even with the smallest other one.

    Examples
    --------
    >>> untestable([2, 61, 2], n_samples=500)
    [1]
    """
    all_cards = np.asarray(cards, np.int64)
    others = np.flatnonzero(all_cards > 1)
    if power_rule == 0.0 or others.size < 2:
        return []
    smallest = np.partition(all_cards[others], 1)[:2].tolist()
    found = []
    for v in others.tolist():
        card = int(all_cards[v])
        partner = smallest[1] if card == smallest[0] else smallest[0]
        if float(card) * partner * power_rule > n_samples:
            found.append(v)
    return found


def _variables(cards: ArrayLike) -> NDArray[Any]:
    """Return the numbers of levels that are more than one."""
    found = np.asarray(cards, np.int64)
    return found[found > 1]

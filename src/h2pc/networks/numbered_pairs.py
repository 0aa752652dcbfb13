"""Pairs of variables by number, to draw edges at random."""

from __future__ import annotations

import math


def numbered_pair(number: int) -> tuple[int, int]:
    """Return a pair by its number: (0, 1), (0, 2), (1, 2), (0, 3), ….

    Examples
    --------
    >>> [numbered_pair(number) for number in range(4)]
    [(0, 1), (0, 2), (1, 2), (0, 3)]
    """
    larger = (1 + math.isqrt(1 + 8 * number)) // 2
    return number - math.comb(larger, 2), larger

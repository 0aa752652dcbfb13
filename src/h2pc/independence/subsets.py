"""Subsets of a pool, in the order in which searches for a separating set try them."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

from h2pc.variables import Vars


def subsets_tried(
    z: Vars | None,
    pool: Vars,
    *,
    base: Vars = (),  # noqa: ARG001
    min_size: int = 0,
    max_size: int | None = None,
) -> int:
    """Return how many subsets a search looks at until it stops with ``z``, or finds nothing."""
    largest = len(pool) if max_size is None else min(max_size, len(pool))
    if z is None:
        return sum(comb(len(pool), size) for size in range(min_size, largest + 1))
    tried = sum(comb(len(pool), size) for size in range(min_size, len(z)))
    position = -1
    for i, member in enumerate(z):  # the rank of a combination in lexicographic order
        previous, position = position, pool.index(member)
        for skipped in range(previous + 1, position):
            tried += comb(len(pool) - skipped - 1, len(z) - i - 1)
    return tried + 1


def pieces_of_subsets(
    pool: Vars, size: int, n_subsets: float, most: float
) -> Iterator[tuple[Vars, Vars]]:
    """Pieces of the first ``n_subsets`` subsets of this size, in their order, ``most`` in each.

    The subsets of a piece (first, rest) begin with ``first`` and go on in ``rest``.

    Examples
    --------
    >>> list(pieces_of_subsets((1, 2, 3, 4), 2, n_subsets=4, most=2))
    [((1,), (2, 3)), ((1,), (4,)), ((2,), (3,))]
    """
    if comb(len(pool), size) <= min(n_subsets, most):
        yield (), pool
    elif size == 1:
        stop = int(min(n_subsets, len(pool)))
        step = int(min(most, len(pool)))
        for start in range(0, stop, step):
            yield (), pool[start : min(start + step, stop)]
    else:
        for i in range(len(pool) - size + 1):
            if n_subsets <= 0:
                return
            begun = pool[i + 1 :]
            for first, rest in pieces_of_subsets(begun, size - 1, n_subsets, most):
                yield (pool[i], *first), rest
            n_subsets -= comb(len(begun), size - 1)

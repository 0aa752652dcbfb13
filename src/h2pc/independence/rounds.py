"""Rounds of IAMBFDR that are remembered about every target, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from h2pc.variables import Var

MOST_BYTES = 1 << 29
"""For the rounds of all targets together."""
_ROUNDS = 16
"""Of one target; runs among other candidates mostly differ in the later ones."""

Remembered = tuple[NDArray[np.uint64], NDArray[np.float64]]
"""Keys of the sets of members, and a row of answers for each: what the kernel wants."""


class Rounds:
    """The rounds of the last targets; a thread that asks has those of its target for itself.

    Parameters
    ----------
    n_variables : int
        The length of a row.
    most_bytes : int
        For the rounds of all targets together.

    Examples
    --------
    >>> remembered = Rounds(5)
    >>> with remembered.about(3) as (keys, rows):
    ...     rows.shape
    (16, 5)
    """

    def __init__(self, n_variables: int, most_bytes: int = MOST_BYTES) -> None:
        self._n_variables, self._most_bytes = n_variables, most_bytes
        self._n_targets = most_bytes // (8 * _ROUNDS * n_variables)
        self._tables: dict[Var, Remembered] = {}

    @contextmanager
    def about(self, target: Var) -> Iterator[Remembered]:
        """Rounds of a target; new ones where there are none, or another thread has them."""
        table = self._tables.pop(target, None)  # one step: no other thread gets it as well
        if table is None:
            keys = np.zeros((_ROUNDS + 1, 2), np.uint64)
            table = keys, np.empty((_ROUNDS, self._n_variables))
        yield table
        self._tables[target] = table
        with suppress(KeyError, StopIteration, RuntimeError):  # other threads forget some, too
            while len(self._tables) > self._n_targets:
                del self._tables[next(iter(self._tables))]

    def emptied(self) -> Rounds:
        """Return as much room, with nothing remembered."""
        return Rounds(self._n_variables, self._most_bytes)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies in other processes begin with nothing."""
        return Rounds, (self._n_variables, self._most_bytes)

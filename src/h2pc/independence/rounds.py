"""Rounds of IAMBFDR that are remembered about every target, in bounded memory."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from h2pc.variables import Var

MOST_BYTES = 1 << 29
"""For the rounds of all targets together."""
_ROOM_BYTES = 1 << 24
"""For the counts of one thread; only what is written to takes memory."""
_ROUNDS = 16
"""Of one target; runs among other candidates mostly differ in the later ones."""

Table = tuple[NDArray[np.uint64], NDArray[np.float64]]
"""Keys of the sets of members, and a row of answers for each."""
Remembered = tuple[NDArray[np.uint64], NDArray[np.float64], NDArray[np.int32]]
"""The same, and room for counts: what the kernel wants."""


class Rounds:
    """The rounds of the last targets; a thread that asks has those of its target for itself.

    Room for counts is lent to it, too: new memory every time would cost more than counting.

    Parameters
    ----------
    n_variables : int
        The length of a row.
    most_bytes : int
        For the rounds of all targets together.
    room_bytes : int
        For the counts of one thread.

    Examples
    --------
    >>> remembered = Rounds(5)
    >>> keys, rows, room = remembered.lent(3)
    >>> rows.shape
    (16, 5)
    >>> remembered.give_back(3, (keys, rows, room))
    """

    def __init__(
        self, n_variables: int, most_bytes: int = MOST_BYTES, room_bytes: int = _ROOM_BYTES
    ) -> None:
        self._n_variables, self._most_bytes, self._room_bytes = n_variables, most_bytes, room_bytes
        self._n_targets = most_bytes // (8 * _ROUNDS * n_variables)
        self._tables: dict[Var, Table] = {}
        self._rooms: list[NDArray[np.int32]] = []

    def lent(self, target: Var) -> Remembered:
        """Rounds of a target; new ones where there are none, or another thread has them."""
        table = self._tables.pop(target, None)  # one step: no other thread gets it as well
        if table is None:
            keys = np.zeros((_ROUNDS + 1, 2), np.uint64)
            table = keys, np.empty((_ROUNDS, self._n_variables))
        try:
            room = self._rooms.pop()
        except IndexError:
            room = np.empty(self._room_bytes // 4, np.int32)
        return *table, room

    def give_back(self, target: Var, lent: Remembered) -> None:
        """Keep what was lent, and forget the oldest where there is too much."""
        keys, rows, room = lent
        self._rooms.append(room)
        self._tables[target] = keys, rows
        while len(self._tables) > self._n_targets:
            with suppress(KeyError, StopIteration, RuntimeError):  # other threads forget, too
                del self._tables[next(iter(self._tables))]

    def emptied(self) -> Rounds:
        """Return as much room, with nothing remembered."""
        return Rounds(self._n_variables, self._most_bytes, self._room_bytes)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies in other processes begin with nothing."""
        return Rounds, (self._n_variables, self._most_bytes, self._room_bytes)

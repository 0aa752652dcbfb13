"""Rounds of IAMBFDR that are remembered about every target, in bounded memory."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from h2pc._kernels.rounds import NOBODY

MOST_BYTES = 1 << 29
"""For the rounds of all targets together."""
_ROOM_BYTES = 1 << 24
"""For the counts of one thread; only what is written to takes memory."""
_ROUNDS = 16
"""Of one target; runs among other candidates mostly differ in the later ones."""

Room = NDArray[np.int32]
"""For counts."""


class Rounds:
    """The rounds of many targets, each in a slot; where there are few slots, they take turns.

    Room for counts is lent to a thread: new memory every time would cost more than counting.

    Parameters
    ----------
    n_variables : int
        The length of a row.
    most_bytes : int
        For the rounds of all targets together; only what is written to takes memory.
    room_bytes : int
        For the counts of one thread.

    Attributes
    ----------
    owners : array of int
        For every slot, whose rounds it has.
    keys : array of int
        For every slot, where its next round goes, and the keys of the sets of members.
    rows : array of float
        For every slot and set of members, the answers.

    Examples
    --------
    >>> remembered = Rounds(5)
    >>> remembered.rows.shape
    (5, 16, 5)
    >>> room = remembered.lent_room()
    >>> remembered.give_back(room)
    """

    def __init__(
        self, n_variables: int, most_bytes: int = MOST_BYTES, room_bytes: int = _ROOM_BYTES
    ) -> None:
        self._settings = n_variables, most_bytes, room_bytes
        n_slots = min(n_variables, most_bytes // (8 * _ROUNDS * n_variables))
        self.owners = np.full(n_slots, NOBODY)
        self.keys = np.zeros((n_slots, _ROUNDS + 1, 2), np.uint64)
        self.rows = np.empty((n_slots, _ROUNDS, n_variables))
        self._rooms: list[Room] = []

    def lent_room(self) -> Room:
        """Room that no other thread has."""
        try:
            return self._rooms.pop()
        except IndexError:
            return np.empty(self._settings[2] // 4, np.int32)

    def give_back(self, room: Room) -> None:
        """Let others have the room."""
        self._rooms.append(room)

    def emptied(self) -> Rounds:
        """Return as much room, with nothing remembered."""
        return Rounds(*self._settings)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies in other processes begin with nothing."""
        return Rounds, self._settings

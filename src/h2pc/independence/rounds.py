"""Rounds of IAMBFDR that are remembered about every target, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from h2pc.variables import Var, Vars

MOST_BYTES = 1 << 29
"""For the rounds of all targets together."""
_ROOM_BYTES = 1 << 24
"""For the counts of one thread; only what is written to takes memory."""
_ROUNDS = 16
"""Of one target; runs among other candidates mostly differ in the later ones."""


class Table(NamedTuple):
    """The rounds of one target."""

    keys: NDArray[np.uint64]
    """Of the sets of members."""
    rows: NDArray[np.float64]
    """Of answers, for each of them."""
    place: tuple[int, int, int, int]
    """The addresses of both, and the shape of ``rows``."""


Room = NDArray[np.int32]
"""For counts."""


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
    >>> tables, room = remembered.lent((3,))
    >>> tables[0].rows.shape
    (16, 5)
    >>> remembered.give_back((3,), tables, room)
    """

    def __init__(
        self, n_variables: int, most_bytes: int = MOST_BYTES, room_bytes: int = _ROOM_BYTES
    ) -> None:
        self._n_variables, self._most_bytes, self._room_bytes = n_variables, most_bytes, room_bytes
        self._n_targets = most_bytes // (8 * _ROUNDS * n_variables)
        self._tables: dict[Var, Table] = {}
        self._rooms: list[Room] = []

    def lent(self, targets: Vars) -> tuple[list[Table], Room]:
        """Rounds of targets; new ones where there are none, or another thread has them."""
        tables = [self._lent(target) for target in targets]
        try:
            return tables, self._rooms.pop()
        except IndexError:
            return tables, np.empty(self._room_bytes // 4, np.int32)

    def _lent(self, target: Var) -> Table:
        with suppress(KeyError):
            return self._tables.pop(target)  # one step: no other thread gets it as well
        keys = np.zeros((_ROUNDS + 1, 2), np.uint64)
        rows = np.empty((_ROUNDS, self._n_variables))
        addresses = [array.__array_interface__["data"][0] for array in (keys, rows)]
        return Table(keys, rows, (*addresses, *rows.shape))

    def give_back(self, targets: Vars, tables: Iterable[Table], room: Room) -> None:
        """Keep what was lent, and forget the oldest where there is too much."""
        self._rooms.append(room)
        self._tables.update(zip(targets, tables, strict=True))
        while len(self._tables) > self._n_targets:
            with suppress(KeyError, StopIteration, RuntimeError):  # other threads forget, too
                del self._tables[next(iter(self._tables))]

    def emptied(self) -> Rounds:
        """Return as much room, with nothing remembered."""
        return Rounds(self._n_variables, self._most_bytes, self._room_bytes)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies in other processes begin with nothing."""
        return Rounds, (self._n_variables, self._most_bytes, self._room_bytes)

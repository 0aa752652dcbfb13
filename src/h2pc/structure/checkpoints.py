"""Neighbourhoods that are finished, kept on the disk: a run goes on where another ended."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from time import monotonic
from typing import Any, NamedTuple
from zlib import crc32

from h2pc.errors import FileFormatError, H2pcError
from h2pc.runs import CellStore, Outcome
from h2pc.variables import Var, Vars


class Finished(NamedTuple):
    """What is known of one target."""

    near: Vars
    n_tests: int
    n_cut: int


class Checkpoint:
    """Finished targets on the disk, a few in every line.

    Parameters
    ----------
    store : CellStore
        Where the lines are; one of :attr:`FIELDS`.
    names : sequence of str
        The names of the variables.

    Raises
    ------
    FileFormatError
        If a line is damaged.
    """

    FIELDS = ("part",)
    """What tells one line from another."""

    seconds_between_writes = 1.0
    """Waiting for the disk takes milliseconds, as long as some targets."""

    def __init__(self, store: CellStore, names: Sequence[str]) -> None:
        self._store, self._names = store, names
        self._new: dict[Var, Finished] = {}
        self._last_write = monotonic()
        number = {name: v for v, name in enumerate(names)}
        self.known: dict[Var, Finished] = {}
        for part in range(len(store)):
            self.known |= _finished(store, part, number)

    def add(self, done: Mapping[Var, Finished]) -> None:
        """Write finished targets down, unless there was a write a moment ago: then with others."""
        self._new |= done
        if monotonic() - self._last_write >= self.seconds_between_writes:
            self.write()

    def write(self) -> None:
        """Write down all that is not on the disk yet."""
        if not self._new:
            return
        targets = {
            self._names[x]: [[self._names[y] for y in done.near], done.n_tests, done.n_cut]
            for x, done in self._new.items()
        }
        now = monotonic()
        outcome = Outcome(
            {"targets": targets, "crc32": _crc(targets)}, {"total": now - self._last_write}
        )
        written, self._new, self._last_write = self._new, {}, now
        try:
            self._store.add((len(self._store),), outcome)
        except OSError as error:  # nothing must follow: the last line may be half there
            raise H2pcError(
                f"{self._store.folder} cannot take the next part of the checkpoint: "
                f"{error.strerror}. What it took before is kept for another run."
            ) from error
        self.known |= written


def _finished(store: CellStore, part: int, number: Mapping[str, Var]) -> dict[Var, Finished]:
    """Return the targets of one line of a checkpoint."""
    try:
        results = store.results((part,))
        targets = results["targets"]
        if results["crc32"] == _crc(targets):
            return {
                number[x]: Finished(tuple(number[y] for y in near), n_tests, n_cut)
                for x, (near, n_tests, n_cut) in targets.items()
            }
    except (KeyError, TypeError, ValueError, AttributeError):
        pass
    raise FileFormatError(
        f"{store.folder} holds a damaged checkpoint: expected part {part} as it was written. "
        "Choose another folder, or remove this one."
    )


def _crc(targets: Any) -> int:
    """Return a number that changes with any of its bits."""
    return crc32(json.dumps(targets).encode())

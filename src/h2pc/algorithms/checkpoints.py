"""Neighbourhoods that are finished, kept on the disk: a run goes on where another ended."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from time import monotonic
from typing import Any, NamedTuple
from zlib import crc32

from h2pc.algorithms.hpc import Neighbourhood
from h2pc.errors import FileFormatError, H2pcError
from h2pc.runs import CellStore, Outcome
from h2pc.variables import Var, Vars


class Finished(NamedTuple):
    """What is known of one target."""

    near: Vars
    """Its neighbours."""
    n_tests: int
    n_cut: int
    inside: Neighbourhood | None = None
    """All that HPC found out about it; None for other learners."""


class Checkpoint:
    """Finished targets on the disk, a few in every line.

    Parameters
    ----------
    store : CellStore
        Where the lines are; one of :attr:`FIELDS`.
    names : sequence of str
        The names of the variables.
    asked : mapping of Var to Vars, optional
        Those that each target is asked about; by default about all. What was known when others
        were asked about stays on the disk, and is not known here.
    again : bool
        Whether they are asked for the second time, with another test: what was known of the first
        time is not known here.

    Raises
    ------
    FileFormatError
        If a line is damaged.
    """

    FIELDS = ("part",)
    """What tells one line from another."""

    seconds_between_writes = 1.0
    """Waiting for the disk takes milliseconds, as long as some targets."""

    def __init__(
        self,
        store: CellStore,
        names: Sequence[str],
        asked: Mapping[Var, Vars] | None = None,
        *,
        again: bool = False,
    ) -> None:
        self._store, self._names, self._asked, self._again = store, names, asked, again
        self._new: dict[Var, Finished] = {}
        self._last_write = monotonic()
        number = {name: v for v, name in enumerate(names)}
        self.known: dict[Var, Finished] = {}
        for part in range(len(store)):
            for target, question, done in _finished(store, part, number):
                if question == (self._asked_about(target), again):
                    self.known[target] = done

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
            self._names[x]: [
                self._named(self._asked_about(x)),
                self._again,
                self._named(done.near),
                done.n_tests,
                done.n_cut,
                self._written(done.inside),
            ]
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

    def _asked_about(self, target: Var) -> Vars | None:
        """Return what a target is asked about; None for all."""
        return None if self._asked is None else self._asked.get(target, ())

    def _written(self, inside: Neighbourhood | None) -> list[Any] | None:
        """Return supersets, separating sets and the boundary, by name."""
        if inside is None:
            return None
        dsep = {self._names[x]: self._named(z) for x, z in inside.dsep.items()}
        return [self._named(inside.pcs), self._named(inside.sps), dsep, self._named(inside.mb)]

    def _named(self, variables: Vars | None) -> list[str] | None:
        return None if variables is None else [self._names[v] for v in variables]


def _finished(
    store: CellStore, part: int, number: Mapping[str, Var]
) -> list[tuple[Var, tuple[Vars | None, bool], Finished]]:
    """Return the targets of one line of a checkpoint, and what they were asked."""
    try:
        results = store.results((part,))
        targets = results["targets"]
        if results["crc32"] == _crc(targets):
            return [
                (
                    number[x],
                    (None if asked is None else _numbered(asked, number), again),
                    Finished(
                        _numbered(near, number),
                        n_tests,
                        n_cut,
                        None if inside is None else _read(number[x], near, inside, number),
                    ),
                )
                for x, (asked, again, near, n_tests, n_cut, inside) in targets.items()
            ]
    except (KeyError, TypeError, ValueError, AttributeError):
        pass
    raise FileFormatError(
        f"{store.folder} holds a damaged checkpoint: expected part {part} as it was written. "
        "Choose another folder, or remove this one."
    )


def _read(target: Var, pc: Sequence[str], written: Any, number: Mapping[str, Var]) -> Neighbourhood:
    """Return what HPC found out about a target."""
    pcs, sps, dsep, mb = written
    return Neighbourhood(
        target,
        _numbered(pc, number),
        _numbered(pcs, number),
        _numbered(sps, number),
        {number[x]: _numbered(z, number) for x, z in dsep.items()},
        _numbered(mb, number),
    )


def _numbered(names: Sequence[str], number: Mapping[str, Var]) -> Vars:
    return tuple(number[name] for name in names)


def _crc(targets: Any) -> int:
    """Return a number that changes with any of its bits."""
    return crc32(json.dumps(targets).encode())

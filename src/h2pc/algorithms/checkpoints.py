"""Neighbourhoods that are finished, kept on disk, so that an interrupted run can go on."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from time import monotonic
from typing import Any
from zlib import crc32

from h2pc.algorithms.hpc import Neighbourhood
from h2pc.errors import FileFormatError, H2pcError
from h2pc.independence.attempts import Attempts
from h2pc.runs import CellResult, CellStore
from h2pc.variables import Var, Vars


class Checkpoint:
    """Neighbourhoods of finished targets on disk, several in every line.

    Parameters
    ----------
    store : CellStore
        The file of lines; its fields are :attr:`FIELDS`.
    names : sequence of str
        The names of the variables.
    wanted : mapping of Var to Vars, default=None
        The variables that each target is tested for; by default all. Neighbourhoods of another
        choice stay on disk, and are not used here.

    Attributes
    ----------
    finished : dict of Var to Neighbourhood
        The neighbourhoods that were on disk.

    Raises
    ------
    FileFormatError
        If a line is damaged.
    """

    FIELDS = ("part",)
    """The fields that identify a line."""

    seconds_between_writes = 1.0
    """Waiting for the disk takes milliseconds, as long as some targets."""

    def __init__(
        self,
        store: CellStore,
        names: Sequence[str],
        wanted: Mapping[Var, Vars] | None = None,
    ) -> None:
        self._store, self._names, self._wanted = store, names, wanted
        self._unwritten: dict[Var, Neighbourhood] = {}
        self._last_write = monotonic()
        self.finished: dict[Var, Neighbourhood] = {}
        number = {name: v for v, name in enumerate(names)}
        for part in range(len(store)):
            for wanted_then, found in _read_part(store, part, number):
                if wanted_then == self._wanted_of(found.target):
                    self.finished[found.target] = found

    def add(self, done: Mapping[Var, Neighbourhood]) -> None:
        """Write finished targets, unless there was a write a moment ago: then with later ones."""
        self._unwritten |= done
        if monotonic() - self._last_write >= self.seconds_between_writes:
            self.write()

    def write(self) -> None:
        """Write all finished targets that are not on disk yet."""
        if not self._unwritten:
            return
        targets = {self._names[x]: self._line(found) for x, found in self._unwritten.items()}
        now = monotonic()
        results = {"targets": targets, "crc32": _crc(targets)}
        seconds = {"total": now - self._last_write}
        written, self._unwritten, self._last_write = self._unwritten, {}, now
        try:
            self._store.add((len(self._store),), CellResult(results, seconds))
        except OSError as error:  # nothing must follow: the last line may be incomplete
            raise H2pcError(
                f"{self._store.folder} cannot take the next part of the checkpoint: "
                f"{error.strerror}. The parts before it are kept for another run."
            ) from error
        self.finished |= written

    def _line(self, found: Neighbourhood) -> list[Any]:
        """Return a neighbourhood by name."""
        sets = (self._wanted_of(found.target), *(getattr(found, name) for name in _SETS))
        wanted, *own = (_renamed(each, self._names) for each in sets)
        attempts = {
            self._names[x]: [
                None if each.log_p is None else repr(each.log_p),
                *(_renamed(z, self._names) for z in (each.given, *each.separators)),
            ]
            for x, each in found.attempts.items()
        }
        return [wanted, *own, attempts, found.n_tests, found.n_cut]

    def _wanted_of(self, target: Var) -> Vars | None:
        """Return the variables that a target is tested for; None for all."""
        return None if self._wanted is None else self._wanted.get(target, ())


_SETS = ("pc", "pcs", "sps", "dsep", "mb", "iamb")
"""The fields of a neighbourhood that hold variables."""


def _renamed(value: Any, names: Any) -> Any:
    """Return variables, or a mapping of them to others, by name; or the other way round."""
    if isinstance(value, Mapping):
        return {names[x]: _renamed(z, names) for x, z in value.items()}
    return None if value is None else tuple(names[x] for x in value)


def _read_part(
    store: CellStore, part: int, number: Mapping[str, Var]
) -> list[tuple[Vars | None, Neighbourhood]]:
    """Return the neighbourhoods of one line, and what they were learned for."""
    try:
        results = store.results((part,))
        targets = results["targets"]
        if results["crc32"] == _crc(targets):
            found = []
            for x, (wanted, *sets, attempts, n_tests, n_cut) in targets.items():
                own = dict(zip(_SETS, (_renamed(each, number) for each in sets), strict=True))
                neighbourhood = Neighbourhood(
                    number[x],
                    **own,
                    n_tests=n_tests,
                    n_cut=n_cut,
                    attempts={number[y]: _attempts(each, number) for y, each in attempts.items()},
                )
                found.append((_renamed(wanted, number), neighbourhood))
            return found
    except (KeyError, TypeError, ValueError, AttributeError):
        pass
    raise FileFormatError(
        f"{store.folder} holds a damaged checkpoint: expected part {part} as it was written. "
        "Choose another folder, or remove this one."
    )


def _attempts(written: Any, number: Mapping[str, Var]) -> Attempts:
    """Return attempts to separate two variables, as they were before they were written."""
    log_p, *sets = written
    given, *separators = (_renamed(z, number) for z in sets)
    return Attempts(None if log_p is None else float(log_p), given, tuple(separators))


def _crc(targets: Any) -> int:
    """Return a number that changes with any bit of the targets."""
    return crc32(json.dumps(targets).encode())

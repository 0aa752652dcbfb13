"""Neighbourhoods that are finished, kept on disk, so that an interrupted run can go on."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from time import monotonic
from typing import Any
from zlib import crc32

from h2pc.algorithms.hpc import Neighbourhood
from h2pc.algorithms.separating_sets import SeparatingSets
from h2pc.errors import FileFormatError, H2pcError
from h2pc.independence.attempts import Attempts
from h2pc.runs import CellResult, CellStore
from h2pc.variables import Var, Vars


class Checkpoint:
    """Neighbourhoods of finished targets on disk, several in every line.

    Parameters
    ----------
    store : CellStore
        The file of lines; its fields are :attr:`FIELDS`. What it has read is kept here instead.
    names : sequence of str
        The names of the variables.

    Attributes
    ----------
    finished : dict of Var to Neighbourhood
        The neighbourhoods that were on disk, of targets that are tested for what is wanted now:
        for all variables, until :meth:`begin` says otherwise.

    Raises
    ------
    FileFormatError
        If a line is damaged.
    """

    FIELDS = ("part",)
    """The fields that identify a line."""

    seconds_between_writes = 1.0
    """Waiting for the disk takes milliseconds, as long as some targets."""

    def __init__(self, store: CellStore, names: Sequence[str]) -> None:
        self._store, self._names = store, names
        self._unwritten: dict[Var, Neighbourhood] = {}
        self._last_write = monotonic()
        self._known: dict[tuple[Var, Vars | None], Neighbourhood] = {}
        number = {name: v for v, name in enumerate(names)}
        for part in range(len(store)):
            for wanted, found in _read_part(store, part, number):
                self._known[found.target, wanted] = found
        store.forget()
        self.begin(None)

    def begin(self, wanted: Mapping[Var, Vars] | None) -> None:
        """Go on with targets that are tested for some variables each; None for all variables."""
        self._wanted = wanted
        self.finished: dict[Var, Neighbourhood] = {
            target: found
            for (target, then), found in self._known.items()
            if then == self._wanted_of(target)
        }

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
        self._store.forget()
        self.finished |= written
        self._known |= {(x, self._wanted_of(x)): found for x, found in written.items()}

    def _line(self, found: Neighbourhood) -> list[Any]:
        """Return a neighbourhood by name."""
        sets = (self._wanted_of(found.target), *(getattr(found, name) for name in _SETS))
        wanted, *own = (_renamed(each, self._names) for each in sets)
        separated = None if found.dsep is None else _by_set(found.dsep, self._names)
        attempts = {
            self._names[x]: [
                None if each.log_p is None else repr(each.log_p),
                *(_renamed(z, self._names) for z in (each.given, *each.separators)),
            ]
            for x, each in found.attempts.items()
        }
        return [wanted, *own, separated, attempts, found.n_tests, found.n_cut]

    def _wanted_of(self, target: Var) -> Vars | None:
        """Return the variables that a target is tested for; None for all."""
        return None if self._wanted is None else self._wanted.get(target, ())


_SETS = ("pc", "pcs", "sps", "mb", "iamb")
"""The fields of a neighbourhood that are sequences of variables."""


def _renamed(value: Any, names: Any) -> Any:
    """Return variables by name, or the other way round."""
    return None if value is None else tuple(names[x] for x in value)


def _by_set(dsep: Mapping[Var, Vars], names: Sequence[str]) -> list[tuple[Any, Any]]:
    """Return separating sets by name, each with the variables that it separates: there are few."""
    groups: dict[Vars, list[Var]] = {}
    for x, z in dsep.items():
        groups.setdefault(z, []).append(x)
    return [(_renamed(z, names), _renamed(own, names)) for z, own in groups.items()]


def _read_part(
    store: CellStore, part: int, number: Mapping[str, Var]
) -> list[tuple[Vars | None, Neighbourhood]]:
    """Return the neighbourhoods of one line, and what they were learned for."""
    try:
        results = store.results((part,))
        targets = results["targets"]
        if results["crc32"] == _crc(targets):
            found = []
            for x, (wanted, *sets, separated, attempts, n_tests, n_cut) in targets.items():
                own = dict(zip(_SETS, (_renamed(each, number) for each in sets), strict=True))
                neighbourhood = Neighbourhood(
                    number[x],
                    **own,
                    dsep=None if separated is None else _separating_sets(separated, number),
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


def _separating_sets(written: Any, number: Mapping[str, Var]) -> SeparatingSets:
    """Return separating sets as they were before they were written."""
    named = ((_renamed(z, number), _renamed(own, number)) for z, own in written)
    return SeparatingSets.of({x: z for z, own in named for x in own})


def _attempts(written: Any, number: Mapping[str, Var]) -> Attempts:
    """Return attempts to separate two variables, as they were before they were written."""
    log_p, *sets = written
    given, *separators = (_renamed(z, number) for z in sets)
    return Attempts(None if log_p is None else float(log_p), given, tuple(separators))


def _crc(targets: Any) -> int:
    """Return a number that changes with any bit of the targets."""
    return crc32(json.dumps(targets).encode())

"""The finished cells of an experiment: one JSON line each, safe against kills at any moment."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

from h2pc.errors import FileFormatError, H2pcError, SettingError
from h2pc.io.files import replace_file, text_of

RESULTS, TIMINGS, SETTINGS = "results.jsonl", "timings.jsonl", "settings.json"

Cell = tuple[Any, ...]
"""The values that identify a cell: strings and whole numbers."""

Record = dict[str, Any]
"""The results or timings of a cell, without the values that identify it."""


_FORGOTTEN: Record = {}


class CellResult(NamedTuple):
    """The results of one cell, and its timings."""

    results: Record
    """The same however often, wherever and with however many workers the cell is run."""
    seconds: Record
    """The time it took, which is never the same twice."""


class CellStore:
    """The finished cells of an experiment, kept in a folder.

    ``results.jsonl`` and ``timings.jsonl`` have one line for every finished cell: the ``fields``
    that identify it, and the rest. ``settings.json`` has all that decides the results of a cell; a
    folder that was begun with others is refused. A cell is finished once its line of results is
    complete; its timings are written before. Only one store at a time can be open in a folder.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with CellStore(folder, ["network", "size"], {"seed": 0}) as store:
    ...         store.add(("asia", 50), CellResult({"recall": 0.5}, {"total": 0.1}))
    ...     with CellStore(folder, ["network", "size"], {"seed": 0}) as store:
    ...         ("asia", 50) in store, ("asia", 100) in store
    (True, False)
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        fields: Sequence[str],
        settings: Mapping[str, object],
    ) -> None:
        self.folder = Path(folder)
        self.fields = tuple(fields)
        self.folder.mkdir(parents=True, exist_ok=True)
        self._lock = _locked(self.folder)
        try:
            _keep_settings(self.folder, settings)
            self._results = read_cells(self.folder / RESULTS, self.fields)
            self._timings = read_cells(self.folder / TIMINGS, self.fields)
            self._mend()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __contains__(self, cell: object) -> bool:
        return cell in self._results

    def __len__(self) -> int:
        return len(self._results)

    def results(self, cell: Cell) -> Record:
        """Return the results of a finished cell, unless they were forgotten."""
        return self._results[cell]

    def forget(self) -> None:
        """Drop the results of all cells from memory; they stay on the disk, in their order."""
        self._results = dict.fromkeys(self._results, _FORGOTTEN)

    def add(self, cell: Cell, outcome: CellResult) -> None:
        """Write the lines of a finished cell; when this returns they are on the disk."""
        self._timings[cell], self._results[cell] = outcome.seconds, outcome.results
        _append(self.folder / TIMINGS, self._line(cell, outcome.seconds))
        _append(self.folder / RESULTS, self._line(cell, outcome.results))

    def sort(self) -> None:
        """Put the lines in the order of their cells, whatever the order they were finished in."""
        if any(record is _FORGOTTEN for record in self._results.values()):
            raise RuntimeError("cells were forgotten: expected them in memory")
        for name, records in ((TIMINGS, self._timings), (RESULTS, self._results)):
            replace_file(self.folder / name, self._text(dict(sorted(records.items()))))

    def close(self) -> None:
        """Let others open the folder."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _mend(self) -> None:
        """Drop what a kill left behind: an incomplete last line, timings without results."""
        self._timings = {c: record for c, record in self._timings.items() if c in self._results}
        for name, records in ((TIMINGS, self._timings), (RESULTS, self._results)):
            path, text = self.folder / name, self._text(records)
            if path.exists() and path.read_bytes() != text.encode():
                replace_file(path, text)

    def _text(self, records: Mapping[Cell, Record]) -> str:
        """Return the lines of all cells."""
        return "".join(self._line(cell, record) for cell, record in records.items())

    def _line(self, cell: Cell, record: Record) -> str:
        """Return one cell as a line of JSON."""
        named = dict(zip(self.fields, cell, strict=True))
        return json.dumps({**named, **record}, ensure_ascii=False, allow_nan=False) + "\n"


def read_cells(path: Path, fields: Sequence[str]) -> dict[Cell, Record]:
    """Return the finished cells of a file in the order of its lines; none if there is no file.

    A last line that does not end is one that was being written, and is left out.
    """
    lines = path.read_bytes().split(b"\n")[:-1] if path.exists() else []
    records: dict[Cell, Record] = {}
    for number, line in enumerate(lines, 1):
        try:
            record = json.loads(line)
            # What could not be written again: NaN, infinity and lone surrogates.
            json.dumps(record, ensure_ascii=False, allow_nan=False).encode()
            cell = tuple(record.pop(field) for field in fields)
            if not all(isinstance(part, str | int) for part in cell):
                raise TypeError("neither strings nor whole numbers")
            if [*map(type, cell)] != [*map(type, next(iter(records), cell))]:
                raise TypeError("cells that cannot be sorted")
            records[cell] = record
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise FileFormatError(
                f"{path}, line {number}: expected a JSON object with {', '.join(fields)}."
            ) from None
    return records


def read_settings(folder: Path) -> Record:
    """Return the settings that an experiment in this folder was begun with."""
    path = folder / SETTINGS
    if not path.exists():
        raise SettingError(f"{folder} holds no experiment: expected a file {SETTINGS} in it.")
    try:
        settings = json.loads(text_of(path))
    except (ValueError, RecursionError):
        settings = None
    if isinstance(settings, dict):
        return settings
    raise FileFormatError(f"{path}, line 1: expected a JSON object.")


def _keep_settings(folder: Path, settings: Mapping[str, object]) -> None:
    """Write the settings into a new folder; compare them with those of an old one."""
    text = json.dumps(dict(settings), ensure_ascii=False, indent=2) + "\n"
    wanted = json.loads(text)
    if not (folder / SETTINGS).exists():
        if (folder / RESULTS).exists():
            raise SettingError(f"{folder} has {RESULTS} but no {SETTINGS}: expected both or none.")
        replace_file(folder / SETTINGS, text)
        return
    before = read_settings(folder)
    for name in dict.fromkeys((*before, *wanted)):
        if before.get(name) != wanted.get(name):
            raise SettingError(
                f"{folder} was begun with {name} = {before.get(name)!r}; got "
                f"{wanted.get(name)!r}. Choose another folder, or the settings of {SETTINGS}."
            )


def _append(path: Path, line: str) -> None:
    """Add a line to the end of a file, and wait until it is on the disk."""
    with open(path, "ab") as file:
        file.write(line.encode())
        file.flush()
        os.fsync(file.fileno())


def _locked(folder: Path) -> int | None:
    """Return the lock of a folder, which ends with the process that holds it."""
    try:
        import fcntl
    except ImportError:  # Windows: two runs in one folder are the user's own fault there
        return None
    lock = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        raise H2pcError(f"Another run is writing to {folder}: expected it to have ended.") from None
    except OSError:  # some network file systems have no locks
        os.close(lock)
        return None
    return lock

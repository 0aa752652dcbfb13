"""Settings, resumable runs and stored results of an experiment, whatever its cells are."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar, Generic, Self, TypeVar

from h2pc import __version__
from h2pc.checks import Check, checked, number_of_jobs
from h2pc.errors import FileFormatError, SettingError
from h2pc.runs.cells import (
    RESULTS,
    TIMINGS,
    CellResult,
    CellStore,
    Record,
    read_cells,
    read_settings,
)
from h2pc.runs.grid import run_cells

CellT = TypeVar("CellT", bound=Any)
"""A named tuple of strings and integers that identifies a cell."""


@dataclass(frozen=True)
class ExperimentSetup:
    """Base of the settings that decide, with the cell itself, the results of a cell.

    The grid is no part of them: cells can be added to a folder later.
    """

    experiment: ClassVar[str]
    checks: ClassVar[Mapping[str, Check]] = {}

    def __post_init__(self) -> None:
        checked(asdict(self), self.checks)

    def settings(self) -> dict[str, object]:
        """Return the settings as they are stored in the folder of the experiment."""
        return {"experiment": self.experiment, "version": __version__, **asdict(self)}


def run_experiment(
    folder: str | os.PathLike[str],
    cells: Sequence[CellT],
    measure: Callable[[CellT], CellResult],
    setup: ExperimentSetup,
    *,
    cost: Callable[[CellT], float] = lambda _: 1.0,
    order: Callable[[CellT], Any] | None = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> int:
    """Run the cells that a folder does not have yet; return the number of cells it then has."""
    n_jobs = number_of_jobs(n_jobs)
    with CellStore(folder, cells[0]._fields, setup.settings()) as store:
        run_cells(cells, measure, store, cost=cost, order=order, n_jobs=n_jobs, progress=progress)
        return len(store)


@dataclass(frozen=True)
class StoredResults(Generic[CellT]):
    """Base of the finished cells of an experiment."""

    setup: ClassVar[type[ExperimentSetup]]
    cell: ClassVar[Any]
    """The named tuple that identifies a cell."""
    contents: ClassVar[Mapping[str, tuple[Callable[[Record], bool], str]]]
    """Whether a line of a file has all that it must hold, and this in words.

    The test may raise an error of Python where it has not.
    """

    settings: Mapping[str, object]
    """The settings that the folder was begun with."""
    cells: Mapping[CellT, Record]
    """The results of every finished cell."""
    seconds: Mapping[CellT, Record]
    """The running times; a cell may be missing."""

    @classmethod
    def read(cls, folder: str | os.PathLike[str]) -> Self:
        """Return the finished cells of the experiment in a folder, which may still be running."""
        path, kind = Path(folder), cls.setup.experiment
        settings = read_settings(path)
        found = settings.get("experiment")
        if found != kind:
            raise SettingError(f"{path} holds the experiment {found!r}: expected {kind!r}.")
        results, seconds = (cls._checked(path / name) for name in (RESULTS, TIMINGS))
        if not results:
            raise SettingError(f"{path} has no finished cell yet: expected at least one.")
        return cls(settings, results, seconds)

    @classmethod
    def _checked(cls, path: Path) -> dict[CellT, Record]:
        """Return the cells of a file, all of them complete."""
        cells = read_cells(path, cls.cell._fields)
        is_complete, expected = cls.contents[path.name]
        for number, record in enumerate(cells.values(), 1):
            try:
                complete = is_complete(record)
            except (KeyError, TypeError, ValueError):
                complete = False
            if not complete:
                raise FileFormatError(f"{path}, line {number}: expected {expected}.")
        return {cls.cell(*cell): record for cell, record in cells.items()}


def are_numbers(values: Sequence[object]) -> bool:
    """Whether all values are numbers."""
    return all(isinstance(value, int | float) for value in values)


def in_paper_order(found: set[str], paper: Sequence[str]) -> tuple[str, ...]:
    """Return names in the order of the paper; those that it does not have follow, sorted."""
    return (*(name for name in paper if name in found), *sorted(found.difference(paper)))

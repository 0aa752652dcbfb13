"""How many cells of an experiment are done, and how long the others will take."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from rich.progress import Progress


class CellBar:
    """A bar of cells on the standard error stream; the time left goes by their costs.

    Parameters
    ----------
    n_cells : int
        The number of cells to run.
    cost : float
        The cost of all of them, in any unit.
    shown : bool, optional
        Whether there is a bar; by default where the standard error stream is a terminal.

    Examples
    --------
    >>> with CellBar(2, cost=10.0, shown=False) as bar:
    ...     bar.advance(9.0)
    >>> bar.done
    1
    """

    def __init__(self, n_cells: int, cost: float, shown: bool | None = None) -> None:
        self.n_cells = n_cells
        self.cost = cost
        self.shown = sys.stderr.isatty() if shown is None else shown
        self.done = 0
        self._display: Progress | None = None

    def __enter__(self) -> Self:
        if self.shown:
            self._display = _display()
            self._display.add_task("Cells", total=self.cost, cells=self._cells())
            self._display.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._display is not None:
            self._display.stop()
            self._display = None

    def advance(self, cost: float) -> None:
        """Say that one more cell is done, and what it cost."""
        self.done += 1
        if self._display is not None:
            task = self._display.task_ids[0]
            self._display.update(task, advance=cost, cells=self._cells())

    def _cells(self) -> str:
        return f"{self.done}/{self.n_cells}"


def _display() -> Progress:
    """Return what draws the bar; it is gone when the work is done."""
    # Nobody else pays for this import.
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[cells]}"),
        TimeElapsedColumn(),
        TextColumn("elapsed,"),
        TimeRemainingColumn(),
        TextColumn("left"),
    )
    # The speed is that of the whole run: single cells can take longer than any window.
    return Progress(
        *columns, console=Console(stderr=True), transient=True, speed_estimate_period=1e9
    )

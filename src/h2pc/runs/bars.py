"""How far a long run has come, on a terminal only."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from rich.progress import Progress


class Bar(ABC):
    """A bar on the standard error stream; it is gone when the work is done.

    Parameters
    ----------
    what : str
        What is being done.
    shown : bool, optional
        Whether there is a bar; by default where the standard error stream is a terminal.
    """

    def __init__(self, what: str, shown: bool | None = None) -> None:
        self.what = what
        self.shown = sys.stderr.isatty() if shown is None else shown
        self.done = 0
        self._display: Progress | None = None

    def __enter__(self) -> Self:
        if self.shown:
            self._display = _display()
            self._display.add_task(self.what, total=None, state="")
            self._display.start()
            self._update()
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

    def _update(self) -> None:
        if self._display is not None:
            self._display.update(self._display.task_ids[0], **self._progress())

    @abstractmethod
    def _progress(self) -> dict[str, Any]:
        """What the bar shows now: ``completed``, ``total`` and ``state``."""


class ProgressBar(Bar):
    """A bar of equal steps, whose end may move away while it runs; parameters as of :class:`Bar`.

    Examples
    --------
    >>> with ProgressBar("Neighbourhoods", shown=False) as bar:
    ...     bar.expect(10)
    ...     bar.advance(10)
    >>> bar.done, bar.expected
    (10, 10)
    """

    expected = 0

    def expect(self, n: int) -> None:
        """Move the end away by ``n`` steps."""
        self.expected += n
        self._update()

    def advance(self, n: int) -> None:
        """Say that ``n`` more steps are done."""
        self.done += n
        self._update()

    def _progress(self) -> dict[str, Any]:
        state = f"{self.done}/{self.expected or '?'}"
        return {"completed": self.done, "total": self.expected or None, "state": state}


class CellBar(Bar):
    """A bar of cells; the time left goes by their costs.

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
        super().__init__("Cells", shown)
        self.n_cells, self.cost = n_cells, cost
        self._paid = 0.0

    def advance(self, cost: float) -> None:
        """Say that one more cell is done, and what it cost."""
        self.done += 1
        self._paid += cost
        self._update()

    def _progress(self) -> dict[str, Any]:
        state = f"{self.done}/{self.n_cells}"
        return {"completed": self._paid, "total": self.cost, "state": state}


def _display() -> Progress:
    """Return what draws the bar."""
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
        TextColumn("{task.fields[state]}"),
        TimeElapsedColumn(),
        TextColumn("elapsed,"),
        TimeRemainingColumn(),
        TextColumn("left"),
    )
    # The speed is that of the whole run: single cells can take longer than any window.
    return Progress(
        *columns, console=Console(stderr=True), transient=True, speed_estimate_period=1e9
    )

"""A progress bar for long runs, on terminals only."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from rich.progress import Progress


class ProgressBar:
    """A bar on the standard error stream, which disappears when the work is done.

    By default it is shown where the stream is a terminal. ``done`` and ``expected`` count the
    finished steps, and all steps so far.
    """

    def __init__(self, what: str, shown: bool | None = None) -> None:
        self.what = what
        self.shown = sys.stderr.isatty() if shown is None else shown
        self.done = self.expected = 0
        self._cost_done = self._cost_expected = 0.0
        self._display: Progress | None = None

    def __enter__(self) -> Self:
        if self.shown:
            self._display = _display()
            self._display.add_task(self.what, total=None, state="")
            self._display.start()
            self._update()
        return self

    def __exit__(self, *error: object) -> None:
        if self._display is not None:
            self._display.stop()
            self._display = None

    def expect(self, n: int, cost: float | None = None) -> None:
        """Add ``n`` steps to come; the time left goes by their cost, by default one each."""
        self.expected += n
        self._cost_expected += n if cost is None else cost
        self._update()

    def advance(self, n: int, cost: float | None = None) -> None:
        """Count ``n`` more steps as finished, with their cost."""
        self.done += n
        self._cost_done += n if cost is None else cost
        self._update()

    def _update(self) -> None:
        if self._display is not None:
            self._display.update(
                self._display.task_ids[0],
                completed=self._cost_done,
                total=self._cost_expected or None,
                state=f"{self.done}/{self.expected or '?'}",
            )


def _display() -> Progress:
    """Return what draws the bar."""
    # Imported where there is a bar only: it takes longer than learning a small network.
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

"""How far a long run has come, on a terminal only."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from rich.progress import Progress


class ProgressBar:
    """A bar on the standard error stream, whose end may move away while it runs.

    Parameters
    ----------
    what : str
        What is being done.
    shown : bool, optional
        Whether there is a bar; by default where the standard error stream is a terminal.

    Examples
    --------
    >>> with ProgressBar("Neighbourhoods", shown=False) as bar:
    ...     bar.expect(10)
    ...     bar.advance(10)
    >>> bar.done, bar.expected
    (10, 10)
    """

    def __init__(self, what: str, shown: bool | None = None) -> None:
        self.what = what
        self.shown = sys.stderr.isatty() if shown is None else shown
        self.done = 0
        self.expected = 0
        self._display: Progress | None = None

    def __enter__(self) -> Self:
        if self.shown:
            self._display = _display()
            self._display.add_task(self.what, total=None)
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

    def expect(self, n: int) -> None:
        """Move the end away by ``n`` steps."""
        self.expected += n
        self._update()

    def advance(self, n: int) -> None:
        """Say that ``n`` more steps are done."""
        self.done += n
        self._update()

    def _update(self) -> None:
        if self._display is not None:
            task = self._display.task_ids[0]
            self._display.update(task, completed=self.done, total=self.expected)


def _display() -> Progress:
    """Return what draws the bar; it is gone when the work is done."""
    # Nobody else pays for this import.
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    return Progress(*columns, console=Console(stderr=True), transient=True)

"""The loop over the cells of an experiment: in parallel and resumable."""

from __future__ import annotations

import os
import signal
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import cache
from threading import Thread, current_thread, main_thread
from time import sleep
from typing import Any, TypeVar

from joblib import Parallel, delayed, parallel_config
from joblib.parallel import get_active_backend

from h2pc.errors import H2pcError
from h2pc.runs.cells import CellResult, CellStore
from h2pc.runs.progress import ProgressBar
from h2pc.runs.workers import Shared, mapped

_Cell = TypeVar("_Cell", bound=tuple[Any, ...])


def run_cells(
    cells: Iterable[_Cell],
    outcome_of: Callable[[_Cell], CellResult],
    store: CellStore,
    *,
    cost: Callable[[_Cell], float] = lambda _: 1.0,
    order: Callable[[_Cell], Any] | None = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> None:
    """Run the cells that are not finished yet; each is written down as soon as it is.

    The files of the store do not depend on the number of workers, nor on how often a run before
    this one was interrupted. Cells of the highest ``cost``, in any unit, come first, unless there
    is an ``order``, a key to sort by. Workers are processes, or those of another backend of
    ``joblib.parallel_config``, such as Dask or Ray. If a cell fails, the error names it, and what
    was finished before is kept.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> squares = lambda cell: CellResult({"square": cell[0] ** 2}, {})
    >>> with TemporaryDirectory() as folder, CellStore(folder, ["number"], {}) as store:
    ...     run_cells([(3,), (2,)], squares, store)
    ...     print((store.folder / "results.jsonl").read_text(), end="")
    {"number": 2, "square": 4}
    {"number": 3, "square": 9}
    """
    waiting = [cell for cell in sorted(set(cells)) if cell not in store]
    # By cost the last to end are small: no worker waits for long.
    waiting.sort(key=order or (lambda cell: -cost(cell)))
    bar = ProgressBar("Cells", progress)
    bar.expect(len(waiting), sum(map(cost, waiting)))
    with bar, closing(_outcomes(waiting, outcome_of, n_jobs)) as outcomes:  # also after Ctrl-C
        for cell, outcome in outcomes:
            store.add(cell, outcome)
            bar.advance(1, cost(cell))
    store.sort()


def _outcomes(
    cells: Sequence[_Cell], outcome_of: Callable[[_Cell], CellResult], n_jobs: int | None
) -> Generator[tuple[_Cell, CellResult]]:
    """Return the outcomes of the cells, each as soon as it is there.

    Processes of this machine end with this one; those of a cluster are left to the cluster.
    """
    backend, _ = get_active_backend(prefer="processes")
    shared = Shared(outcome_of)
    if type(backend).__name__ != "LokyBackend":
        tasks = ((cell, shared, None) for cell in cells)
        yield from mapped(_run, tasks, n_jobs)
        return
    parent = os.getpid()
    with parallel_config(backend="loky", inner_max_num_threads=1):
        parallel = Parallel(n_jobs, return_as="generator_unordered", batch_size=1)
        with _deaf_to_interrupts():
            outcomes = parallel(delayed(_run)(cell, shared, parent) for cell in cells)
    try:
        for outcome in outcomes:  # noqa: UP028 - "yield from" would close it before the filter is there
            yield outcome
    finally:
        with warnings.catch_warnings():  # that unfinished cells are lost is no news
            warnings.simplefilter("ignore")
            outcomes.close()


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Ignore Ctrl-C for a moment: processes that are started in it leave Ctrl-C to this one."""
    if current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _run(
    cell: _Cell, shared: Shared[Callable[[_Cell], CellResult]], parent: int | None
) -> tuple[_Cell, CellResult]:
    """Return a cell and its outcome."""
    if parent is not None and os.getpid() != parent:
        _end_with(parent)
    try:
        return cell, shared.value(cell)
    except Exception as error:
        named = ", ".join(map(str, cell))
        raise H2pcError(f"The cell ({named}) failed: {type(error).__name__}: {error}") from error


@cache
def _end_with(parent: int) -> None:
    """Watch over the process that started this one: when it is killed, this one ends as well."""

    def watch() -> None:
        while os.getppid() == parent:
            sleep(1.0)
        os._exit(1)

    Thread(target=watch, daemon=True).start()

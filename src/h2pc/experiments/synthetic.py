"""The paper's first experiment (section 4): H2PC against MMHC on samples of known networks."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from itertools import product

import numpy as np

from h2pc import load_network
from h2pc.errors import SettingError
from h2pc.experiments.synthetic_cell import measured
from h2pc.experiments.synthetic_setup import Setup, SyntheticCell
from h2pc.learners.validation import number_of_jobs
from h2pc.runs.cells import CellStore, Outcome
from h2pc.runs.grid import run_cells

# CPU seconds of one cell each, measured; the number of variables alone would tell too little.
_SIZES = (50, 500, 5000, 50_000)
_SECONDS = {
    "child": (0.04, 0.05, 0.07, 0.3),
    "insurance": (0.05, 0.08, 0.2, 1.3),
    "mildew": (0.14, 0.2, 0.23, 1.4),
    "alarm": (0.06, 0.09, 0.17, 0.5),
    "hailfinder": (0.09, 0.11, 0.22, 0.8),
    "munin1": (0.5, 0.6, 6.0, 140.0),
    "pigs": (1.4, 3.0, 7.0, 48.0),
    "link": (2.2, 6.0, 16.0, 180.0),
}


def run_synthetic(
    folder: str | os.PathLike[str],
    networks: Sequence[str],
    sizes: Sequence[int],
    repetitions: int,
    setup: Setup | None = None,
    *,
    outcome_of: Callable[[SyntheticCell, Setup], Outcome] = measured,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> int:
    """Run the experiment, or what is missing of it, and leave its results in a folder.

    Parameters
    ----------
    folder : path
        Where the results go; what is finished there is kept, and not run again.
    networks : sequence of str
        Networks of the library.
    sizes : sequence of int
        Numbers of samples to learn from.
    repetitions : int
        How many samples there are of every network and size.
    setup : Setup, optional
        The seed, and the settings of both learners.
    outcome_of : callable
        What is done for one cell.
    n_jobs : int, optional
        The number of processes: by default one, -1 for all processors.
    progress : bool, optional
        Whether there is a progress bar; by default where the standard error stream is a terminal.

    Returns
    -------
    int
        The number of finished cells in the folder.

    Raises
    ------
    SettingError
        If a setting makes no sense, or is not the one that the folder was begun with.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     run_synthetic(folder, ["asia"], [50, 100], 2)
    4
    """
    chosen, n_jobs = Setup() if setup is None else setup, number_of_jobs(n_jobs)
    cells = checked_cells(networks, sizes, repetitions)

    def outcome(cell: SyntheticCell) -> Outcome:
        return outcome_of(cell, chosen)

    with CellStore(folder, SyntheticCell._fields, chosen.settings()) as store:
        run_cells(cells, outcome, store, cost=cost, n_jobs=n_jobs, progress=progress)
        return len(store)


def checked_cells(
    networks: Iterable[str], sizes: Iterable[int], repetitions: int
) -> list[SyntheticCell]:
    """Return all cells of a grid, whose networks are in the library."""
    names, numbers = tuple(networks), tuple(sizes)
    for name in names:
        load_network(name)
    if not names or not numbers:
        raise SettingError("networks and sizes must have at least one entry each.")
    if min(numbers) < 1:
        raise SettingError(f"sizes must be at least 1; got {min(numbers)}.")
    if repetitions < 1:
        raise SettingError(f"repetitions must be at least 1; got {repetitions}.")
    return [SyntheticCell(*cell) for cell in product(names, numbers, range(repetitions))]


def cost(cell: SyntheticCell) -> float:
    """Return about the seconds of a cell: of learning, of new samples and their scores."""
    if cell.network in _SECONDS:
        sizes, seconds = np.log(_SIZES), np.log(_SECONDS[cell.network])
        return float(np.exp(np.interp(np.log(cell.size), sizes, seconds)))
    n_variables = len(load_network(cell.network).names)
    return float(6e-7 * n_variables**1.7 * cell.size**0.7 + 2e-3 * n_variables)

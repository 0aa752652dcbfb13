"""The paper's second experiment (section 5): multi-label data by the graph around the labels."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from h2pc.errors import SettingError
from h2pc.experiments.multilabel_cell import measured
from h2pc.experiments.multilabel_folds import numbered_data
from h2pc.experiments.multilabel_setup import MultilabelCell, MultilabelSetup
from h2pc.learners.validation import number_of_jobs
from h2pc.runs.cells import CellStore, Outcome
from h2pc.runs.grid import run_cells

CellFunction = Callable[[MultilabelCell, MultilabelSetup, str], Outcome]


def run_multilabel(
    folder: str | os.PathLike[str],
    data_folder: str | os.PathLike[str],
    data: Sequence[str],
    setup: MultilabelSetup | None = None,
    *,
    first_folds: int | None = None,
    outcome_of: CellFunction = measured,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> int:
    """Run the experiment, or what is missing of it, and leave its results in a folder.

    Parameters
    ----------
    folder : path
        Where the results go; what is finished there is kept, and not run again.
    data_folder : path
        Where the data sets are, as :func:`load_multilabel` expects them.
    data : sequence of str
        The names of the data sets.
    setup : MultilabelSetup, optional
        The seed, the number of folds, and the settings of learners and forests.
    first_folds : int, optional
        How many of the folds are run; by default all of them.
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
    DataError
        If there is no such data set.

    Examples
    --------
    >>> run_multilabel("results", "multilabel", ["emotions"], first_folds=1)  # doctest: +SKIP
    1
    """
    chosen, n_jobs = MultilabelSetup() if setup is None else setup, number_of_jobs(n_jobs)
    cells, source = checked_cells(data, chosen, first_folds), os.fspath(data_folder)
    costs = {name: fold_cost(name, source) for name in dict.fromkeys(data)}
    outcome = partial(_outcome, outcome_of, chosen, source)

    def cost(cell: MultilabelCell) -> float:
        return costs[cell.data]

    with CellStore(folder, MultilabelCell._fields, chosen.settings()) as store:
        run_cells(cells, outcome, store, cost=cost, n_jobs=n_jobs, progress=progress)
        return len(store)


def checked_cells(
    data: Iterable[str], setup: MultilabelSetup, first_folds: int | None = None
) -> list[MultilabelCell]:
    """Return all cells of a grid.

    Examples
    --------
    >>> checked_cells(["yeast"], MultilabelSetup(), 2)
    [MultilabelCell(data='yeast', fold=0), MultilabelCell(data='yeast', fold=1)]
    """
    names, n_folds = tuple(data), setup.folds if first_folds is None else first_folds
    if not names:
        raise SettingError("data must have at least one entry.")
    if not 1 <= n_folds <= setup.folds:
        raise SettingError(f"first_folds must be from 1 to {setup.folds}; got {n_folds}.")
    return [MultilabelCell(name, fold) for name in names for fold in range(n_folds)]


def fold_cost(name: str, data_folder: str) -> float:
    """Return about what a cell of a data set costs: a forest for each label, in several ways."""
    data = numbered_data(name, data_folder)
    n_samples, n_features = data.X.shape
    return float(len(data.labels) * n_samples * n_features**0.5)


def _outcome(
    outcome_of: CellFunction,
    setup: MultilabelSetup,
    data_folder: str,
    cell: MultilabelCell,
) -> Outcome:
    """Return the outcome of a cell; as a function of a module it goes to other processes."""
    return outcome_of(cell, setup, data_folder)

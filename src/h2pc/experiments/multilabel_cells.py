"""The paper's second experiment (section 5): multi-label prediction with learned label graphs."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import partial
from time import process_time
from typing import ClassVar, NamedTuple

import numpy as np
from sklearn.model_selection import KFold

from h2pc import Dag
from h2pc.checks import whole_number
from h2pc.errors import SettingError
from h2pc.experiments.fold_predictions import Forests, NumberedData, numbered_data
from h2pc.experiments.paper_learners import LEARNERS, PaperSetup, derived_seed, learned
from h2pc.experiments.stored_results import run_experiment
from h2pc.multilabel.label_metrics import multilabel_scores
from h2pc.multilabel.powerset_model import label_combinations
from h2pc.multilabel.powersets import minimal_label_powersets, powerset_boundary
from h2pc.multilabel.training_set import Names, places
from h2pc.runs.cells import CellResult, Record

Scenario = tuple[tuple[Names, ...], tuple[Names, ...] | None]
"""Labels that are predicted together, and the features used for each; None for all."""


class MultilabelCell(NamedTuple):
    """One fold of a data set; its labels are predicted from all other folds."""

    data: str
    fold: int


@dataclass(frozen=True)
class MultilabelSetup(PaperSetup):
    """Settings of the experiment; see :class:`PaperSetup`."""

    experiment = "multilabel"
    checks: ClassVar = {**PaperSetup.checks, "folds": whole_number(2), "trees": whole_number(1)}

    folds: int = 10
    """Number of folds of a data set."""
    trees: int = 100
    """Number of trees of a forest."""


def run_multilabel(
    folder: str | os.PathLike[str],
    data_folder: str | os.PathLike[str],
    data: Iterable[str],
    setup: MultilabelSetup | None = None,
    *,
    first_folds: int | None = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> int:
    """Run the folds that a folder does not have yet; return how many it then has.

    Data sets are in ``data_folder``; ``first_folds`` runs so many folds of each instead of all.
    """
    setup, source = setup or MultilabelSetup(), os.fspath(data_folder)
    cells = checked_cells(data, setup, first_folds)
    costs = {name: fold_cost(name, source) for name in dict.fromkeys(cell.data for cell in cells)}
    return run_experiment(
        folder,
        cells,
        partial(measured, setup=setup, folder=source),
        setup,
        cost=lambda cell: costs[cell.data],
        n_jobs=n_jobs,
        progress=progress,
    )


def checked_cells(
    data: Iterable[str], setup: MultilabelSetup, first_folds: int | None = None
) -> list[MultilabelCell]:
    """Return all cells of a grid, or those of the first folds."""
    names, n_folds = tuple(data), setup.folds if first_folds is None else first_folds
    if not names:
        raise SettingError("data must have at least one entry.")
    if not 1 <= n_folds <= setup.folds:
        raise SettingError(f"first_folds must be from 1 to {setup.folds}; got {n_folds}.")
    return [MultilabelCell(name, fold) for name in names for fold in range(n_folds)]


def fold_cost(name: str, data_folder: str) -> float:
    """Return a number that grows with the time of a cell: a forest for each label."""
    data = numbered_data(name, data_folder)
    n_samples, n_features = data.X.shape
    return float(len(data.targets) * n_samples * n_features**0.5)


def measured(cell: MultilabelCell, setup: MultilabelSetup, folder: str) -> CellResult:
    """Return the graphs that both algorithms learn, the scores of predictions, and all times."""
    train, test = split_of(cell, setup, folder)
    forests = Forests(train, test, setup.trees, forest_seed(cell, setup))
    results: Record = {
        "labels": [train.names[label] for label in train.targets],
        "n_combinations": len(label_combinations(np.vstack((train.Y, test.Y)))[0]),
    }
    seconds: Record = {}
    results["br"], seconds["br"] = _scored(forests, (tuple((y,) for y in train.targets), None))
    for name in LEARNERS:
        result, seconds[name] = learned(name, train.discrete(), setup, train.targets)
        results[name] = {**described(result.dag, train), "edges": train.local_edges(result.dag)}
        for scenario, how in scenarios(result.dag, train.targets).items():
            results[name][scenario], seconds[name][scenario] = _scored(forests, how)
    return CellResult(results, seconds)


def split_of(
    cell: MultilabelCell, setup: MultilabelSetup, folder: str
) -> tuple[NumberedData, NumberedData]:
    """Return all other folds to learn from, and the fold to predict."""
    whole = numbered_data(cell.data, folder)
    if len(whole.Y) < setup.folds:
        raise SettingError(f"folds must be at most {len(whole.Y)} samples; got {setup.folds}.")
    seed = derived_seed(setup.seed, cell.data, "folds") % 2**32
    parts = KFold(setup.folds, shuffle=True, random_state=seed).split(whole.Y)
    train, test = list(parts)[cell.fold]
    return whole.take(train), whole.take(test)


def forest_seed(cell: MultilabelCell, setup: MultilabelSetup) -> int:
    """Return the seed of the forests of a cell."""
    return derived_seed(setup.seed, *cell, "forests") % 2**32


def scenarios(dag: Dag, labels: Names) -> dict[str, Scenario]:
    """Return the scenarios of a graph: MLP, BR+MB and MLP+MB."""
    powersets = minimal_label_powersets(dag, labels)
    near = {powerset: powerset_boundary(dag, powerset, labels) for powerset in powersets}
    # A label that is predicted by itself depends on the boundary of its whole powerset.
    each = {(label,): near[powerset] for powerset in powersets for label in powerset}
    return {
        "mlp": (powersets, None),
        "br_mb": (tuple(each), tuple(each.values())),
        "mlp_mb": (powersets, tuple(near.values())),
    }


def described(dag: Dag, train: NumberedData) -> Record:
    """Return the sizes of powersets and boundaries, by first label, and the degrees of labels."""
    labels = train.targets
    powersets = minimal_label_powersets(dag, labels)
    columns = [places(powerset, labels) for powerset in powersets]
    return {
        "powerset_labels": [len(powerset) for powerset in powersets],
        "powerset_classes": [len(label_combinations(train.Y[:, own])[0]) for own in columns],
        "powerset_features": [len(powerset_boundary(dag, some, labels)) for some in powersets],
        "label_degrees": [len(dag.adjacent(dag.variable(label))) for label in labels],
    }


def _scored(forests: Forests, scenario: Scenario) -> tuple[Record, float]:
    """Return the scores of a scenario, and the CPU seconds of forests not grown before."""
    begin = process_time()
    scores = multilabel_scores(forests.test.Y, forests.predict(*scenario))
    return asdict(scores), process_time() - begin

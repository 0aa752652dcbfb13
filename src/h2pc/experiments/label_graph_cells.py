"""Graphs around labels by variants of H2PC and MMHC: a cell is one graph of one fold."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean
from time import process_time
from typing import ClassVar, NamedTuple

from h2pc.algorithms.learn_result import LearnResult
from h2pc.checks import whole_number
from h2pc.errors import H2pcWarning, SettingError
from h2pc.experiments.fold_predictions import NumberedData, numbered_data
from h2pc.experiments.label_graph_variants import VARIANTS, learned_graph
from h2pc.experiments.multilabel_cells import MultilabelCell, MultilabelSetup, split_of
from h2pc.experiments.published import ALGORITHMS
from h2pc.experiments.stored_results import ExperimentSetup, run_experiment
from h2pc.graphs import Skeleton
from h2pc.multilabel.powersets import minimal_label_powersets
from h2pc.multilabel.training_set import Names
from h2pc.runs.cells import CellResult, Record

DEGREES = ("degree", "skeleton", "labels", "parents", "boundary")
"""What the degree of a label may count: all neighbours, those in the skeleton, those that are
labels, parents, or the whole Markov boundary. Each is a mean over the labels."""
POWERSETS = ("powersets", "groups")
"""The powersets of Theorem 8, and the groups that edges between labels make alone."""


class GraphCell(NamedTuple):
    """The graph that a variant of an algorithm learns from all folds but one."""

    data: str
    algorithm: str
    variant: str
    fold: int


@dataclass(frozen=True)
class CausesSetup(ExperimentSetup):
    """Settings of the experiment; folds are those of the paper's second experiment."""

    experiment = "label_graph_causes"
    checks: ClassVar = {"seed": whole_number(0), "folds": whole_number(2)}

    seed: int = 0
    """Seed of the folds."""
    folds: int = 10
    """Number of folds of a data set."""


def run_causes(
    folder: str | os.PathLike[str],
    data_folder: str | os.PathLike[str],
    data: Sequence[str],
    variants: Sequence[str],
    setup: CausesSetup,
    *,
    algorithms: Sequence[str] = ALGORITHMS,
    first_folds: int = 2,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> int:
    """Run the graphs that a folder does not have yet; return how many it then has."""
    return run_experiment(
        folder,
        graph_cells(data, algorithms, variants, setup, first_folds),
        partial(measured, setup=setup, folder=os.fspath(data_folder)),
        setup,
        order=lambda cell: (cell.fold, data.index(cell.data)),
        n_jobs=n_jobs,
        progress=progress,
    )


def graph_cells(
    data: Iterable[str],
    algorithms: Iterable[str],
    variants: Iterable[str],
    setup: CausesSetup,
    first_folds: int,
) -> list[GraphCell]:
    """Return the cells of a grid, without those of algorithms that a variant does not change."""
    known = {"algorithms": ALGORITHMS, "variants": VARIANTS}
    chosen = {"algorithms": tuple(algorithms), "variants": tuple(variants)}
    for setting, names in chosen.items():
        for name in names:
            if name not in known[setting]:
                expected = ", ".join(known[setting])
                raise SettingError(f"{setting} has {name!r}: expected some of {expected}.")
    if not 1 <= first_folds <= setup.folds:
        raise SettingError(f"first_folds must be from 1 to {setup.folds}; got {first_folds}.")
    cells = [
        GraphCell(name, algorithm, variant, fold)
        for name in data
        for algorithm in chosen["algorithms"]
        for variant in chosen["variants"]
        if algorithm in VARIANTS[variant].algorithms
        for fold in range(first_folds)
    ]
    if not cells:
        raise SettingError("The grid has no cell: expected data and a variant of an algorithm.")
    return cells


def measured(cell: GraphCell, setup: CausesSetup, folder: str) -> CellResult:
    """Return the sizes of a graph, and the CPU seconds that it took."""
    variant = VARIANTS[cell.variant]
    if variant.whole:
        train = numbered_data(cell.data, folder)
    else:
        fold = MultilabelCell(cell.data, cell.fold)
        train, _ = split_of(fold, MultilabelSetup(seed=setup.seed, folds=setup.folds), folder)
    train = variant.change(train)
    begin = process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", H2pcWarning)  # of searches that take long
        result = learned_graph(variant, cell.algorithm, train)
    return CellResult(sizes_of(result, train), {"cpu": process_time() - begin})


def sizes_of(result: LearnResult, train: NumberedData) -> Record:
    """Return the degrees of labels, the numbers of powersets and tests, and that of samples."""
    dag, skeleton, labels = result.dag, result.skeleton, train.targets
    assert skeleton is not None  # a hybrid learner has one
    own = frozenset(labels)
    near = [dag.adjacent(label) for label in labels]
    counts = {
        "degree": [len(each) for each in near],
        "skeleton": [len(skeleton.adjacent(label)) for label in labels],
        "labels": [len(own.intersection(each)) for each in near],
        "parents": [len(dag.parents(label)) for label in labels],
        "boundary": [len(dag.markov_boundary(label)) for label in labels],
    }
    powersets = minimal_label_powersets(dag, labels)
    return {
        **{name: fmean(each) for name, each in counts.items()},
        "powersets": len(powersets),
        "groups": n_groups(labels, result),
        "largest": max(map(len, powersets)),
        "tests": result.n_tests,
        "samples": len(train.Y),
    }


def n_groups(labels: Names, result: LearnResult) -> int:
    """Return the number of groups of labels that edges between labels make alone."""
    own = frozenset(labels)
    edges = [edge for edge in result.dag.skeleton().named_edges if own.issuperset(edge)]
    return len(Skeleton(labels, edges).connected_components())

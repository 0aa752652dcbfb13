"""Multi-label methods on the same folds: a cell is one method on one fold of a data set."""

from __future__ import annotations

import os
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import product
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, ClassVar, NamedTuple

from h2pc import Dag
from h2pc.checks import whole_number
from h2pc.errors import SettingError
from h2pc.experiments.fold_predictions import NumberedData
from h2pc.experiments.label_methods import METHODS, MethodSettings, column_of
from h2pc.experiments.multilabel_cells import (
    MultilabelCell,
    MultilabelSetup,
    checked_cells,
    fold_cost,
    forest_seed,
    split_of,
)
from h2pc.experiments.multilabel_results import MultilabelResults
from h2pc.experiments.paper_learners import warm_up
from h2pc.experiments.published import DATA_SETS
from h2pc.experiments.stored_results import ExperimentSetup, run_experiment
from h2pc.multilabel.label_metrics import multilabel_scores
from h2pc.multilabel.label_structure import label_dag
from h2pc.multilabel.training_set import Names
from h2pc.runs.cells import RESULTS, CellResult, CellStore, Record, read_cells

GRAPHS = "graphs"
"""The folder of the graphs, inside that of the results."""

Edges = Sequence[Sequence[str]]


class ComparisonCell(NamedTuple):
    """One method on one fold of a data set."""

    data: str
    fold: int
    method: str


@dataclass(frozen=True)
class ComparisonSetup(ExperimentSetup):
    """Settings of the comparison; folds and forests are those of the paper's experiment."""

    experiment = "label_comparison"
    checks: ClassVar = {
        "seed": whole_number(0),
        "folds": whole_number(2),
        "trees": whole_number(1),
    }

    seed: int = 0
    """Seed of all folds and classifiers."""
    folds: int = 10
    """Number of folds of a data set."""
    trees: int = 100
    """Number of trees for every label or powerset."""

    @property
    def of_paper(self) -> MultilabelSetup:
        """The settings of the paper's experiment with the same folds and forests."""
        return MultilabelSetup(seed=self.seed, folds=self.folds, trees=self.trees)


class GraphSetup(ComparisonSetup):
    """The same settings, in the folder of the graphs."""

    experiment = "label_comparison_graphs"


def run_comparison(
    out: str | os.PathLike[str],
    data_folder: str | os.PathLike[str],
    data: Iterable[str] = DATA_SETS,
    methods: Sequence[str] | None = None,
    setup: ComparisonSetup | None = None,
    *,
    first_folds: int | None = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> int:
    """Run the cells that a folder does not have yet; return how many it then has.

    The graphs come first, each once for all methods that need it; then the methods: first folds
    before later ones, and in a fold the cells that take less time before those that take more. So
    a run that is ended early has something of everything.
    """
    setup, source, folder = setup or ComparisonSetup(), os.fspath(data_folder), Path(out)
    folds = checked_cells(data, setup.of_paper, first_folds)
    costs = {name: fold_cost(name, source) for name in dict.fromkeys(fold.data for fold in folds)}
    cells = comparison_cells(folds, methods, costs)
    finished = read_cells(folder / RESULTS, ComparisonCell._fields)
    graphs = learned_graphs(
        folder / GRAPHS,
        [
            MultilabelCell(cell.data, cell.fold)
            for cell in cells
            if METHODS[cell.method].needs_graph and cell not in finished
        ],
        setup,
        source,
        cost=lambda cell: costs[cell.data],
        n_jobs=n_jobs,
        progress=progress,
    )
    return run_experiment(
        folder,
        cells,
        partial(measured, setup=setup, folder=source, graphs=graphs),
        setup,
        cost=lambda cell: cell_cost(cell, costs),
        order=lambda cell: running_order(cell, costs),
        n_jobs=n_jobs,
        progress=progress,
    )


def cell_cost(cell: ComparisonCell, costs: Mapping[str, float]) -> float:
    """Return a number that grows with the time of a cell, given the costs of data sets."""
    return costs[cell.data] * METHODS[cell.method].cost


def running_order(cell: ComparisonCell, costs: Mapping[str, float]) -> tuple[int, float]:
    """Return what cells are sorted by before they run: the fold, then the cost."""
    return cell.fold, cell_cost(cell, costs)


def comparison_cells(
    folds: Iterable[MultilabelCell], methods: Sequence[str] | None, costs: Mapping[str, float]
) -> list[ComparisonCell]:
    """Return the cells of some methods, or of all, the slow ones on small data sets only."""
    for method in methods or ():
        if method not in METHODS:
            raise SettingError(f"There is no method {method!r}, but {', '.join(METHODS)}.")
    cells = [
        ComparisonCell(fold.data, fold.fold, method)
        for fold, method in product(folds, METHODS if methods is None else methods)
        if methods is not None or costs[fold.data] <= METHODS[method].largest
    ]
    if not cells:
        raise SettingError("methods must have at least one entry.")
    return cells


def learned_graphs(
    folder: Path,
    cells: Sequence[MultilabelCell],
    setup: ComparisonSetup,
    source: str,
    *,
    cost: Callable[[MultilabelCell], float] = lambda _: 1.0,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> dict[MultilabelCell, Edges]:
    """Return the edges of the graph of each fold, learned unless the folder has it."""
    if cells:
        run_experiment(
            folder,
            cells,
            partial(learned_graph, setup=setup, folder=source),
            GraphSetup(**asdict(setup)),
            cost=cost,
            n_jobs=n_jobs,
            progress=progress,
        )
    found = read_cells(folder / RESULTS, MultilabelCell._fields)
    return {cell: found[cell]["edges"] for cell in cells}


def learned_graph(cell: MultilabelCell, setup: ComparisonSetup, folder: str) -> CellResult:
    """Return the graph around the labels that H2PC() learns from all other folds."""
    train, _ = split_of(cell, setup.of_paper, folder)
    warm_up()
    seconds = _Stopwatch()
    dag = label_dag(None, train, 1)
    return CellResult({"edges": sorted(map(list, dag.named_edges))}, seconds.read())


def graph_of(edges: Edges, train: NumberedData) -> Dag:
    """Return a graph with these edges on all features and labels."""
    names: Names = tuple(sorted((*train.features, *train.targets)))
    return Dag.from_edges(names, [(parent, child) for parent, child in edges])


def measured(
    cell: ComparisonCell,
    setup: ComparisonSetup,
    folder: str,
    graphs: Mapping[MultilabelCell, Edges],
) -> CellResult:
    """Return the scores of one method on one fold by all of its objectives, and its times."""
    fold, method = MultilabelCell(cell.data, cell.fold), METHODS[cell.method]
    train, test = split_of(fold, setup.of_paper, folder)
    dag = graph_of(graphs[fold], train) if method.needs_graph else None
    model = method.make(MethodSettings(dag, forest_seed(fold, setup.of_paper), setup.trees))
    has_objectives = bool(method.objectives) and "objective" in model.get_params()
    seconds: Record = {}
    scores: dict[str, Record] = {}
    with warnings.catch_warnings():
        # Combinations of many labels may well be as many as that.
        warnings.filterwarnings("ignore", "The number of unique classes is greater than 50%")
        # LightGBM numbers the columns of a matrix, and then misses their names.
        warnings.filterwarnings("ignore", "X does not have valid feature names")
        watch = _Stopwatch()
        model.fit(train.X, train.Y)
        seconds["fit"] = watch.read()
        for objective in method.objectives if has_objectives else (None,):
            if objective is not None:
                model.set_params(objective=objective)
            watch = _Stopwatch()
            predicted = model.predict(test.X)
            column = column_of(cell.method, objective, method.objectives)
            seconds[f"predict {column}"] = watch.read()
            scores[column] = asdict(multilabel_scores(test.Y, predicted))
    return CellResult({"scores": scores, **factors_of(model)}, seconds)


def factors_of(model: Any) -> Record:
    """Return the labels and the features of every factor of a fitted model, and its choices."""
    if not hasattr(model, "powersets_"):
        return {"factor_labels": None, "factor_features": None, "choices": None}
    choices = getattr(model, "choices_", None)
    counts = None
    if choices is not None:
        named = (f"{choice.feature_selection}, {choice.model}" for choice in choices)
        counts = dict(sorted(Counter(named).items()))
    return {
        "factor_labels": [len(powerset) for powerset in model.powersets_],
        "factor_features": [len(one.features) for one in model.models_],
        "choices": counts,
    }


class _Stopwatch:
    """Wall and CPU seconds since it was made."""

    def __init__(self) -> None:
        self._begin = perf_counter(), process_time()

    def read(self) -> dict[str, float]:
        wall, cpu = self._begin
        return {"wall": perf_counter() - wall, "cpu": process_time() - cpu}


def copy_binary_relevance(
    out: str | os.PathLike[str],
    stored: str | os.PathLike[str],
    data: Iterable[str],
    setup: ComparisonSetup,
    first_folds: int | None = None,
) -> int:
    """Take the cells of binary relevance from the paper's experiment; return how many were new.

    Its folds, forests and seeds are the same, so that its scores are the same to the last bit. Its
    times are wall times of another run.
    """
    results = MultilabelResults.read(stored)
    wanted = setup.of_paper.settings()
    for name in ("seed", "folds", "trees"):
        if results.settings.get(name) != wanted[name]:
            raise SettingError(
                f"{os.fspath(stored)} was begun with {name} = {results.settings.get(name)!r}: "
                f"expected {wanted[name]!r}, as here."
            )
    n_new = 0
    with CellStore(out, ComparisonCell._fields, setup.settings()) as store:
        for fold in checked_cells(data, setup.of_paper, first_folds):
            cell = ComparisonCell(fold.data, fold.fold, "br")
            if cell in store or fold not in results.cells:
                continue
            record = results.cells[fold]
            n_labels = len(record["labels"])
            found = {
                "scores": {"br": record["br"]},
                "factor_labels": [1] * n_labels,
                "factor_features": None,
                "choices": None,
            }
            wall = results.seconds.get(fold, {}).get("br")
            seconds = {"fit": {"wall": wall, "cpu": None}} if wall is not None else {}
            store.add(cell, CellResult(found, seconds))
            n_new += 1
        store.sort()
    return n_new

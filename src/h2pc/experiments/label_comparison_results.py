"""Stored results of the comparison of multi-label methods, and tests between their columns."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from statistics import mean
from typing import ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from h2pc.experiments.label_comparison_cells import GRAPHS, ComparisonCell, ComparisonSetup
from h2pc.experiments.label_methods import METHODS, columns
from h2pc.experiments.multilabel_cells import MultilabelCell
from h2pc.experiments.multilabel_results import LOWER_IS_BETTER, SCORES, Compared
from h2pc.experiments.published import DATA_SETS
from h2pc.experiments.stored_results import StoredResults, are_numbers, in_paper_order
from h2pc.multilabel.cross_validation import signed_rank_p_value
from h2pc.runs.cells import RESULTS, TIMINGS, Record, read_cells

OBJECTIVES = {"subset_accuracy": "subset", "example_f1": "f1", "hamming_loss": "hamming"}
"""The objective that is meant for each of the measures that are tested."""
MEASURES = (*OBJECTIVES, *(score for score in SCORES if score not in OBJECTIVES))
"""All measures, in the order of the tables."""


def _has_results(record: Record) -> bool:
    """Whether a record has all scores, and sizes of factors or none."""
    scores = [found[name] for found in record["scores"].values() for name in SCORES]
    sizes = [*(record["factor_labels"] or ()), *(record["factor_features"] or ())]
    choices = list(dict(record["choices"] or {}).values())
    return bool(scores) and are_numbers([*scores, *sizes, *choices])


def _has_seconds(record: Record) -> bool:
    """Whether all times are numbers; CPU times may be missing."""
    found = [times[kind] for times in record.values() for kind in ("wall", "cpu")]
    return are_numbers([time for time in found if time is not None])


@dataclass(frozen=True)
class ComparisonResults(StoredResults[ComparisonCell]):
    """The finished cells of the comparison; a column is a method with an objective."""

    setup = ComparisonSetup
    cell = ComparisonCell
    contents: ClassVar = {
        RESULTS: (_has_results, "the scores of a method, and the sizes of its factors"),
        TIMINGS: (_has_seconds, "the seconds of a method"),
    }

    graph_seconds: dict[MultilabelCell, Record] = field(default_factory=dict)
    """The times of learning the graph of a fold."""

    @classmethod
    def read(cls, folder: str | os.PathLike[str]) -> Self:
        """Return the finished cells of a folder, with the times of its graphs."""
        found = super().read(folder)
        times = read_cells(Path(folder) / GRAPHS / TIMINGS, MultilabelCell._fields)
        graphs = {MultilabelCell(*cell): record for cell, record in times.items()}
        return cls(found.settings, found.cells, found.seconds, graphs)

    @property
    def n_folds(self) -> int:
        """Number of folds of a data set."""
        folds = self.settings["folds"]
        assert isinstance(folds, int)
        return folds

    @cached_property
    def data_sets(self) -> tuple[str, ...]:
        """Data sets with a finished cell, in the order of the paper."""
        return in_paper_order({cell.data for cell in self.cells}, DATA_SETS)

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Columns with a finished cell, in the order of the methods."""
        found = {column for record in self.cells.values() for column in record["scores"]}
        return in_paper_order(found, columns())

    @cached_property
    def methods(self) -> tuple[str, ...]:
        """Methods with a finished cell."""
        return in_paper_order({cell.method for cell in self.cells}, tuple(METHODS))

    @cached_property
    def _folds(self) -> dict[tuple[str, str], dict[int, Record]]:
        """Scores by data set and column, then by fold."""
        found: dict[tuple[str, str], dict[int, Record]] = {}
        for cell in sorted(self.cells):
            for column, scores in self.cells[cell]["scores"].items():
                found.setdefault((cell.data, column), {})[cell.fold] = scores
        return found

    def scores(self, data: str, column: str, measure: str) -> dict[int, float]:
        """Values of a measure by fold."""
        folds = self._folds.get((data, column), {})
        return {fold: scores[measure] for fold, scores in folds.items()}

    def mean(self, data: str, column: str, measure: str) -> float | None:
        """Mean of a measure over the folds of a column; None if there are none."""
        values = self.scores(data, column, measure).values()
        return mean(values) if values else None

    def common(
        self, some: Sequence[str], measure: str, data_sets: Iterable[str] | None = None
    ) -> dict[str, NDArray[np.float64]]:
        """Values of a measure where all columns have a fold: folds by columns, by data set."""
        found = {}
        for data in self.data_sets if data_sets is None else data_sets:
            values = [self.scores(data, column, measure) for column in some]
            folds = sorted(set(values[0]).intersection(*values[1:]))
            if folds:
                found[data] = np.array([[one[fold] for one in values] for fold in folds])
        return found

    def own_column(self, method: str, measure: str) -> str:
        """Return the column of a method whose objective is meant for a measure, if it has one."""
        column = f"{method}:{OBJECTIVES.get(measure)}"
        return column if column in self.columns else method

    def records(self, data: str, method: str) -> list[Record]:
        """Results of a method in every fold of a data set."""
        return [
            self.cells[cell]
            for cell in sorted(self.cells)
            if (cell.data, cell.method) == (data, method)
        ]

    def total_seconds(self, cell: ComparisonCell, kind: Literal["wall", "cpu"]) -> float | None:
        """Seconds of graph, fit and first prediction of a cell; None where one is missing."""
        times = self.seconds.get(cell)
        if not times:
            return None
        parts = [times["fit"], *(times[key] for key in (f"predict {cell.method}",) if key in times)]
        if cell.method in METHODS and METHODS[cell.method].needs_graph:
            parts.append(self.graph_seconds.get(MultilabelCell(cell.data, cell.fold), {}))
        found = [part.get(kind) for part in parts]
        return None if None in found else float(sum(found))


def compared(
    results: ComparisonResults,
    column: str,
    other: str,
    measure: str,
    alternative: Literal["greater", "two-sided"] = "two-sided",
) -> Compared:
    """Return the test of two columns by their means over the folds that both have."""
    found = results.common((column, other), measure)
    means = [values.mean(axis=0) for values in found.values()]
    return tested([better_by(measure, one, two) for one, two in means], alternative)


def compared_by_fold(results: ComparisonResults, column: str, other: str, measure: str) -> Compared:
    """Return the one-sided test of two columns over all folds of all data sets."""
    found = results.common((column, other), measure)
    pairs = [pair for values in found.values() for pair in values]
    return tested([better_by(measure, one, two) for one, two in pairs], "greater")


def better_by(measure: str, one: float, other: float) -> float:
    """Return how much better the first value is; the last digits are noise."""
    difference = other - one if measure in LOWER_IS_BETTER else one - other
    return round(float(difference), 9)


def tested(differences: Sequence[float], alternative: Literal["greater", "two-sided"]) -> Compared:
    """Return differences with the p-value of Wilcoxon's signed-rank test."""
    return Compared(tuple(differences), signed_rank_p_value(differences, alternative))

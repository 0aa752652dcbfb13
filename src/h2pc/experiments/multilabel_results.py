"""Stored results of the second experiment, and Wilcoxon tests between ways to predict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from statistics import mean
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from h2pc.experiments.multilabel_cells import MultilabelCell, MultilabelSetup
from h2pc.experiments.published import (
    ALGORITHMS,
    BR,
    DATA_SETS,
    FOLDS,
    SCENARIOS,
    TABLE_5,
    Algorithm,
    Table5Column,
)
from h2pc.experiments.stored_results import StoredResults, are_numbers, in_paper_order
from h2pc.graphs import Skeleton
from h2pc.multilabel.cross_validation import signed_rank_p_value
from h2pc.report.label_graphs import LabelGraph
from h2pc.runs.cells import RESULTS, TIMINGS, Record

ACCURACY = "subset_accuracy"
SCORES = (ACCURACY, "hamming_loss", "macro_f1", "micro_f1", "example_f1")
LOWER_IS_BETTER = ("hamming_loss",)
SIZE_KEYS = ("powerset_labels", "powerset_classes", "powerset_features", "label_degrees")


def _has_results(record: Record) -> bool:
    """Whether a record has all that tables and pictures are made of."""
    scored = [record["br"], *(record[name][one] for name in ALGORITHMS for one in SCENARIOS)]
    numbers = [record["n_combinations"], *(scores[key] for scores in scored for key in SCORES)]
    words = list(record["labels"])
    for name in ALGORITHMS:
        sizes = [record[name][key] for key in SIZE_KEYS]
        numbers += [number for some in sizes for number in some]
        words += [end for parent, child in record[name]["edges"] for end in (parent, child)]
        if not all(sizes):
            return False
    return are_numbers(numbers) and all(isinstance(word, str) for word in words)


def _has_seconds(record: Record) -> bool:
    """Whether a record has the CPU times of both algorithms."""
    return are_numbers([record[name]["cpu"] for name in ALGORITHMS])


@dataclass(frozen=True)
class MultilabelResults(StoredResults[MultilabelCell]):
    """The finished cells of the second experiment."""

    setup = MultilabelSetup
    cell = MultilabelCell
    contents: ClassVar = {
        RESULTS: (_has_results, "labels, and the scores and the graphs of h2pc and mmhc"),
        TIMINGS: (_has_seconds, "the seconds (cpu) of h2pc and mmhc"),
    }

    @property
    def n_folds(self) -> int:
        """Number of folds of a data set."""
        folds = self.settings.get("folds")
        return folds if isinstance(folds, int) else FOLDS

    @property
    def data_sets(self) -> tuple[str, ...]:
        """Data sets with a finished cell, in the order of the paper."""
        return in_paper_order({cell.data for cell in self.cells}, DATA_SETS)

    @property
    def of_paper(self) -> tuple[str, ...]:
        """Data sets of the paper with a finished cell."""
        return tuple(name for name in self.data_sets if name in DATA_SETS)

    def folds(self, data: str) -> list[MultilabelCell]:
        """Finished cells of a data set, sorted."""
        return sorted(cell for cell in self.cells if cell.data == data)

    def records(self, data: str, algorithm: Algorithm | None = None) -> list[Record]:
        """Results of every fold of a data set: those of an algorithm, or all."""
        found = [self.cells[cell] for cell in self.folds(data)]
        return [record[algorithm] for record in found] if algorithm else found

    def scores(self, data: str, column: Table5Column, score: str = ACCURACY) -> list[float]:
        """Values of a score in every fold."""
        records = self.records(data, column.algorithm)
        return [record[column.scenario][score] for record in records]

    def mean(self, data: str, column: Table5Column, score: str = ACCURACY) -> float:
        """Mean of a score over the folds."""
        return mean(self.scores(data, column, score))

    def differences(self, data: str, column: Table5Column, other: Table5Column) -> list[float]:
        """Differences of the subset accuracy of two columns in every fold."""
        pairs = zip(self.scores(data, column), self.scores(data, other), strict=True)
        return [ours - theirs for ours, theirs in pairs]

    def n_powersets(self, data: str, algorithm: Algorithm) -> list[int]:
        """Number of powersets in every fold."""
        return [len(record["powerset_labels"]) for record in self.records(data, algorithm)]

    def pooled_sizes(self, data: str, algorithm: Algorithm, which: str) -> list[int]:
        """Sizes of the powersets, or degrees of the labels, of all folds together."""
        return [size for record in self.records(data, algorithm) for size in record[which]]

    def joined_labels(self, data: str, algorithm: Algorithm) -> list[int]:
        """Number of groups of labels joined by edges between labels alone, in every fold.

        There are fewer powersets where labels are parents of the same feature.
        """
        found = []
        for record in self.records(data):
            own = frozenset(record["labels"])
            between = [edge for edge in record[algorithm]["edges"] if own.issuperset(edge)]
            found.append(len(Skeleton(record["labels"], between).connected_components()))
        return found

    def learning_seconds(self, data: str, algorithm: Algorithm) -> list[float]:
        """CPU seconds of learning the graph, in the folds that have them."""
        timed = (cell for cell in self.folds(data) if cell in self.seconds)
        return [self.seconds[cell][algorithm]["cpu"] for cell in timed]

    def label_graphs(self) -> dict[str, LabelGraph]:
        """Graphs of the first finished folds (Figures 3 to 7) by their file names."""
        graphs = {}
        for data, algorithm in product(self.data_sets, ALGORITHMS):
            first = self.folds(data)[0]
            record = self.cells[first]
            graphs[f"labels_{data}_{algorithm}"] = LabelGraph(
                f"{data}: {algorithm.upper()}, fold {first.fold}",
                tuple(record["labels"]),
                tuple((parent, child) for parent, child in record[algorithm]["edges"]),
            )
        return graphs


class Comparison(NamedTuple):
    """A test between two columns of Table 5."""

    column: Table5Column
    other: Table5Column
    alternative: Literal["greater", "two-sided"]

    @property
    def title(self) -> str:
        """The alternative hypothesis."""
        sign = ">" if self.alternative == "greater" else "≠"
        return f"{self.column.title} {sign} {self.other.title}"


def beyond_br(algorithm: Algorithm) -> Comparison:
    """Return the test that powersets are better than binary relevance."""
    return Comparison(Table5Column("mlp", algorithm), BR, "greater")


def beyond_mmhc(scenario: str) -> Comparison:
    """Return the test that H2PC is better than MMHC in a scenario."""
    return Comparison(Table5Column(scenario, "h2pc"), Table5Column(scenario, "mmhc"), "greater")


def with_selection(scenario: str, algorithm: Algorithm) -> Comparison:
    """Return the test that feature selection makes a difference for BR or MLP."""
    without = BR if scenario == "br" else Table5Column(scenario, algorithm)
    return Comparison(Table5Column(f"{scenario}_mb", algorithm), without, "two-sided")


COMPARISONS = (
    *(beyond_br(algorithm) for algorithm in ALGORITHMS),
    *(beyond_mmhc(scenario) for scenario in SCENARIOS),
    *(with_selection(scenario, name) for scenario in ("br", "mlp") for name in ALGORITHMS),
)


class Compared(NamedTuple):
    """The differences of two columns on some data sets, and their test."""

    differences: tuple[float, ...]
    """One for every data set: positive where the first column is better."""
    p_value: float | None
    """None where all differences are zero."""

    @property
    def counts(self) -> tuple[int, int, int]:
        """Numbers of positive differences, zeros and negative differences."""
        signs = np.sign(self.differences).tolist()
        return signs.count(1.0), signs.count(0.0), signs.count(-1.0)


def compared(
    results: MultilabelResults,
    comparison: Comparison,
    score: str = ACCURACY,
    data_sets: Sequence[str] | None = None,
) -> Compared:
    """Return the test of two columns by the mean of a score over the folds of each data set."""
    sign = -1 if score in LOWER_IS_BETTER else 1
    pairs = [
        [results.mean(data, column, score) for column in comparison[:2]]
        for data in (results.data_sets if data_sets is None else data_sets)
    ]
    return _compared([sign * (ours - theirs) for ours, theirs in pairs], comparison)


def compared_in_paper(comparison: Comparison) -> Compared:
    """Return the test of two columns of the paper's Table 5."""
    column, other, _ = comparison
    differences = [TABLE_5[data, column] - TABLE_5[data, other] for data in DATA_SETS]
    return _compared(differences, comparison)


def _compared(differences: Sequence[float], comparison: Comparison) -> Compared:
    """Return differences without rounding errors, and their test."""
    rounded = tuple(round(difference, 9) for difference in differences)
    return Compared(rounded, signed_rank_p_value(rounded, comparison.alternative))

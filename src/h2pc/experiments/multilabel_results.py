"""What came out of the multi-label experiment."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from h2pc.errors import FileFormatError, SettingError
from h2pc.experiments.multilabel_paper import ALGORITHMS, DATA_SETS, SCENARIOS, Algorithm, Column
from h2pc.experiments.multilabel_setup import EXPERIMENT, MultilabelCell
from h2pc.graphs import Skeleton
from h2pc.report.label_graphs import LabelGraph
from h2pc.runs.cells import RESULTS, TIMINGS, Record, read_cells, read_settings

ACCURACY = "subset_accuracy"
SCORES = (ACCURACY, "hamming_loss", "macro_f1", "micro_f1", "example_f1")
LOWER_IS_BETTER = ("hamming_loss",)
SIZES = ("powerset_labels", "powerset_classes", "powerset_features", "label_degrees")


@dataclass(frozen=True)
class MultilabelResults:
    """The finished cells of an experiment.

    Attributes
    ----------
    settings : mapping
        What it was run with.
    cells : mapping of MultilabelCell to dict
        What was measured in each.
    seconds : mapping of MultilabelCell to dict
        The time it took; a cell may be missing.
    """

    settings: Mapping[str, object]
    cells: Mapping[MultilabelCell, Record]
    seconds: Mapping[MultilabelCell, Record]

    @property
    def data_sets(self) -> tuple[str, ...]:
        """Data sets with a finished cell: those of the paper in its order, then others."""
        found = {cell.data for cell in self.cells}
        others = sorted(found.difference(DATA_SETS))
        return (*(name for name in DATA_SETS if name in found), *others)

    @property
    def of_paper(self) -> tuple[str, ...]:
        """Data sets of the paper with a finished cell, in its order."""
        return tuple(name for name in self.data_sets if name in DATA_SETS)

    def folds(self, data: str) -> list[MultilabelCell]:
        """Finished cells of a data set, sorted."""
        return sorted(cell for cell in self.cells if cell.data == data)

    def scores(self, data: str, column: Column, score: str = ACCURACY) -> list[float]:
        """Values of a score in every fold."""
        records = (self.cells[cell] for cell in self.folds(data))
        return [
            (record[column.algorithm] if column.algorithm else record)[column.scenario][score]
            for record in records
        ]

    def mean(self, data: str, column: Column, score: str = ACCURACY) -> float:
        """Mean of a score over the folds."""
        return mean(self.scores(data, column, score))

    def sizes(self, data: str, algorithm: Algorithm, which: str) -> list[list[int]]:
        """Numbers of labels, classes or features of the powersets, or degrees, of every fold."""
        return [self.cells[cell][algorithm][which] for cell in self.folds(data)]

    def joined_labels(self, data: str, algorithm: Algorithm) -> list[int]:
        """Numbers of groups that the edges between labels alone make of the labels, by fold.

        There are fewer powersets where labels are parents of the same feature.
        """
        return [
            _n_joined(record["labels"], record[algorithm]["edges"])
            for record in (self.cells[cell] for cell in self.folds(data))
        ]

    def learning_seconds(self, data: str, algorithm: Algorithm) -> list[float]:
        """Time of a learner from the data to the graph, where it is known."""
        known = [cell for cell in self.folds(data) if cell in self.seconds]
        return [self.seconds[cell][algorithm]["total"] for cell in known]

    def label_graph(self, data: str, algorithm: Algorithm) -> LabelGraph:
        """Graph of the first fold that is finished."""
        first = self.folds(data)[0]
        record = self.cells[first]
        edges = tuple((parent, child) for parent, child in record[algorithm]["edges"])
        title = f"{data}: {algorithm.upper()}, fold {first.fold}"
        return LabelGraph(title, tuple(record["labels"]), edges)


def _n_joined(labels: Sequence[str], edges: Sequence[Sequence[str]]) -> int:
    """Return the number of groups of labels that are joined by edges between labels."""
    number = {label: i for i, label in enumerate(labels)}
    between = [(number[a], number[b]) for a, b in edges if a in number and b in number]
    return len(Skeleton(labels, between).connected_components())


def read_results(folder: str | os.PathLike[str]) -> MultilabelResults:
    """Return what is finished of the experiment in a folder, which may still be running.

    Raises
    ------
    SettingError
        If there is no multi-label experiment in the folder, or nothing of it is finished.
    FileFormatError
        If a file of it is damaged.
    """
    path = Path(folder)
    settings = read_settings(path)
    if settings.get("experiment") != EXPERIMENT:
        kind = settings.get("experiment")
        raise SettingError(f"{path} holds the experiment {kind!r}: expected {EXPERIMENT!r}.")
    cells = {}
    for number, (cell, record) in enumerate(
        read_cells(path / RESULTS, MultilabelCell._fields).items(), 1
    ):
        if not _is_complete(record):
            raise FileFormatError(
                f"{path / RESULTS}, line {number}: expected labels, and the scores and the graphs "
                f"of {' and '.join(ALGORITHMS)}."
            )
        cells[MultilabelCell(*cell)] = record
    if not cells:
        raise SettingError(f"{path} has no finished cell yet: expected at least one.")
    timed = read_cells(path / TIMINGS, MultilabelCell._fields)
    return MultilabelResults(settings, cells, _checked_times(path / TIMINGS, timed))


def _is_complete(record: Record) -> bool:
    """Whether a record has all that tables and pictures are made of."""
    try:
        scored = [
            record["br"],
            *(record[name][scenario] for name in ALGORITHMS for scenario in SCENARIOS),
        ]
        numbers = [scores[key] for scores in scored for key in SCORES]
        for name in ALGORITHMS:
            lists = [record[name][key] for key in SIZES]
            numbers += [size for sizes in lists for size in sizes]
            pairs = [(parent, child) for parent, child in record[name]["edges"]]
            if not (all(lists) and all(isinstance(end, str) for pair in pairs for end in pair)):
                return False
        words = list(record["labels"])
        numbers.append(record["n_combinations"])
    except (KeyError, TypeError, ValueError):
        return False
    return all(isinstance(one, int | float) for one in numbers) and all(
        isinstance(word, str) for word in words
    )


def _checked_times(
    path: Path, timed: Mapping[tuple[object, ...], Record]
) -> dict[MultilabelCell, Record]:
    """Return the seconds of the cells, each with those of both learners."""
    for number, record in enumerate(timed.values(), 1):
        try:
            found = [record[name]["total"] for name in ALGORITHMS]
        except (KeyError, TypeError):
            found = [None]
        if not all(isinstance(value, int | float) for value in found):
            raise FileFormatError(
                f"{path}, line {number}: expected the seconds of {' and '.join(ALGORITHMS)}."
            )
    return {MultilabelCell(*cell): record for cell, record in timed.items()}  # type: ignore[arg-type]

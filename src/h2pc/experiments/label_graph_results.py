"""Stored graphs around labels, and how far their numbers are from those of the paper."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from statistics import fmean
from typing import ClassVar, Literal, NamedTuple

from h2pc.experiments.label_graph_cells import DEGREES, POWERSETS, CausesSetup, GraphCell
from h2pc.experiments.label_graph_variants import BASE, VARIANTS
from h2pc.experiments.published import (
    ALGORITHMS,
    DATA_SETS,
    TABLE_4,
    TABLE_6,
    TITLES,
    Algorithm,
)
from h2pc.experiments.stored_results import StoredResults, are_numbers, in_paper_order
from h2pc.runs.cells import RESULTS, TIMINGS, Record

SHARE_OF_DEGREE = 0.15
"""By so much a degree may differ from the paper's: folds of emotions and scene do as well."""
DEVIATIONS = 2.0
"""By so many of the paper's deviations a number of powersets may differ, and by its rounding."""
_ROUNDING = 0.05

Quantity = Literal["degree", "powersets"]
QUANTITIES: tuple[Quantity, ...] = ("degree", "powersets")
SIZES = (*DEGREES, *POWERSETS, "largest", "tests", "samples")


class PaperNumber(NamedTuple):
    """A number of Table 4 or of Table 6."""

    data: str
    algorithm: Algorithm
    quantity: Quantity

    def __str__(self) -> str:
        return f"{self.data} {TITLES[self.algorithm]} {self.quantity}"

    @property
    def published(self) -> float:
        """The number itself."""
        key = self.data, self.algorithm
        return TABLE_6[key].degree if self.quantity == "degree" else TABLE_4[key].mean

    def agrees(self, value: float) -> bool:
        """Whether a value is so close that the two differ by no more than folds do."""
        most = (
            SHARE_OF_DEGREE * self.published
            if self.quantity == "degree"
            else DEVIATIONS * TABLE_4[self.data, self.algorithm].deviation + _ROUNDING
        )
        return abs(value - self.published) <= most + 1e-9


class Effect(NamedTuple):
    """What a variant does to the numbers of an algorithm, on the folds that it was run on."""

    variant: str
    numbers: tuple[PaperNumber, ...]
    """All that were measured."""
    agree: tuple[PaperNumber, ...]
    """Those that agree with the paper's."""
    before: tuple[PaperNumber, ...]
    """Those that agree without the variant."""
    distance: float
    """Mean of |ours / paper's - 1|."""
    distance_before: float

    @property
    def brings(self) -> tuple[PaperNumber, ...]:
        """Numbers that agree with the variant only."""
        return tuple(number for number in self.agree if number not in self.before)

    @property
    def breaks(self) -> tuple[PaperNumber, ...]:
        """Numbers that agree without the variant only."""
        return tuple(number for number in self.before if number not in self.agree)


def _has_sizes(record: Record) -> bool:
    """Whether a record has all sizes of a graph."""
    return are_numbers([record[size] for size in SIZES])


def _has_seconds(record: Record) -> bool:
    """Whether a record has the CPU seconds of a graph."""
    return are_numbers([record["cpu"]])


@dataclass(frozen=True)
class CausesResults(StoredResults[GraphCell]):
    """The finished graphs."""

    setup = CausesSetup
    cell = GraphCell
    contents: ClassVar = {
        RESULTS: (_has_sizes, "the sizes of a graph"),
        TIMINGS: (_has_seconds, "the CPU seconds of a graph"),
    }

    @cached_property
    def _folds(self) -> dict[tuple[str, str, str], dict[int, Record]]:
        """Records by data set, algorithm and variant, and then by fold."""
        found: dict[tuple[str, str, str], dict[int, Record]] = {}
        for (data, algorithm, variant, fold), record in self.cells.items():
            found.setdefault((data, algorithm, variant), {})[fold] = record
        return found

    @property
    def data_sets(self) -> tuple[str, ...]:
        """Data sets of the paper with a finished graph, in its order."""
        found = in_paper_order({cell.data for cell in self.cells}, DATA_SETS)
        return tuple(name for name in found if name in DATA_SETS)

    def variants(self, algorithm: Algorithm) -> tuple[str, ...]:
        """Variants with a finished graph of an algorithm, in the order of the table."""
        found = {cell.variant for cell in self.cells if cell.algorithm == algorithm}
        return tuple(name for name in VARIANTS if name in found)

    def numbers(self) -> tuple[PaperNumber, ...]:
        """The numbers of the paper whose data set and algorithm have a graph of ours."""
        return tuple(
            PaperNumber(data, algorithm, quantity)
            for data, algorithm, quantity in product(self.data_sets, ALGORITHMS, QUANTITIES)
            if (data, algorithm, BASE) in self._folds
        )

    def n_folds(self, data: str, algorithm: str, variant: str) -> int:
        """Number of finished folds."""
        return len(self._folds.get((data, algorithm, variant), {}))

    def size(
        self,
        data: str,
        algorithm: str,
        variant: str,
        name: str,
        folds: Iterable[int] | None = None,
    ) -> float | None:
        """Mean of a size over the finished folds, or over some of them; None if there is none."""
        found = self._folds.get((data, algorithm, variant), {})
        chosen = [found[fold][name] for fold in (found if folds is None else folds)]
        return fmean(chosen) if chosen else None

    def effect(
        self,
        variant: str,
        algorithm: Algorithm,
        counted: tuple[str, str] = ("degree", "powersets"),
    ) -> Effect:
        """Return what a variant, read in a certain way, does to the numbers of an algorithm.

        ``counted`` are the sizes that stand for the degree and for the number of powersets.
        """
        names = dict(zip(QUANTITIES, counted, strict=True))
        ours: dict[PaperNumber, tuple[float, float]] = {}
        for number in self.numbers():
            if number.algorithm != algorithm:
                continue
            data, _, quantity = number
            own = self._folds.get((data, algorithm, variant), {})
            shared = sorted(own.keys() & self._folds[data, algorithm, BASE].keys())
            value = self.size(data, algorithm, variant, names[quantity], shared)
            before = self.size(data, algorithm, BASE, quantity, shared)
            if value is not None and before is not None:
                ours[number] = value, before
        return Effect(
            variant,
            tuple(ours),
            tuple(number for number, (value, _) in ours.items() if number.agrees(value)),
            tuple(number for number, (_, before) in ours.items() if number.agrees(before)),
            _distance([(number, value) for number, (value, _) in ours.items()]),
            _distance([(number, before) for number, (_, before) in ours.items()]),
        )

    def effects(self, algorithm: Algorithm) -> list[Effect]:
        """What all variants but the base do to the numbers of an algorithm."""
        return [self.effect(name, algorithm) for name in self.variants(algorithm) if name != BASE]


def _distance(values: Sequence[tuple[PaperNumber, float]]) -> float:
    """Return the mean of |ours / paper's - 1|; 0 if there is nothing to compare."""
    if not values:
        return 0.0
    return fmean(abs(value / number.published - 1.0) for number, value in values)

"""Stored results of the first experiment: indicators, increase factors and figures."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from statistics import mean, stdev
from typing import ClassVar, Literal, NamedTuple

from h2pc.experiments.published import ALGORITHMS, NETWORKS, REPETITIONS, Algorithm
from h2pc.experiments.stored_results import StoredResults, are_numbers, in_paper_order
from h2pc.experiments.synthetic_cells import SyntheticCell, SyntheticSetup
from h2pc.report.boxplots import Boxes, Figure, Lines
from h2pc.runs.cells import RESULTS, TIMINGS, Record


class Indicator(NamedTuple):
    """A performance indicator of both algorithms in every cell."""

    key: str
    title: str
    better: Literal["higher", "lower"]
    """Which increase factors are good; log scores are negative, so lower is better."""


OF_SKELETONS = (
    Indicator("recall", "Recall", "higher"),
    Indicator("precision", "Precision", "higher"),
    Indicator("distance", "Distance from perfect precision and recall", "lower"),
    Indicator("n_tests", "Number of tests", "lower"),
)
FALSE_POSITIVE_RATE = Indicator("false_positive_rate", "False positive rate", "lower")
OF_NETWORKS = (
    Indicator("bdeu_train", "BDeu on training data", "lower"),
    Indicator("bic_train", "BIC on training data", "lower"),
    Indicator("bdeu_new", "BDeu on new data", "lower"),
    Indicator("bic_new", "BIC on new data", "lower"),
    Indicator("shd", "Structural Hamming distance", "lower"),
    Indicator("n_scores", "Number of scores", "lower"),
)
RUNNING_TIME = Indicator("seconds", "Running time", "lower")
"""CPU time, which does not depend on how busy the machine is otherwise."""
WORK = Indicator("work", "Running time without fixed cost", "lower")
FIXED = Indicator("fixed", "Fixed cost", "lower")
"""What both algorithms do alike: encode and index the data, and make the result."""
PER_TEST = Indicator("per_test", "Time of a test", "lower")
SKELETON = Indicator("skeleton", "Time of the skeleton", "lower")
_TIMES = (RUNNING_TIME, WORK, FIXED, PER_TEST, SKELETON)
INDICATORS = (*OF_SKELETONS, FALSE_POSITIVE_RATE, *OF_NETWORKS, RUNNING_TIME)
_MEASURED = [indicator.key for indicator in INDICATORS[:-1]]


class Factors(NamedTuple):
    """Increase factors, H2PC over MMHC or HPC over MMPC, in some cells."""

    values: tuple[float, ...]
    undefined: int
    """Number of cells without a factor, since only the value of MMHC is zero."""

    @property
    def mean(self) -> float | None:
        """Mean of the factors, if there are any."""
        return mean(self.values) if self.values else None

    @property
    def deviation(self) -> float | None:
        """Standard deviation of the factors, if there are two."""
        return stdev(self.values) if len(self.values) > 1 else None


def _has_results(record: Record) -> bool:
    """Whether a record has all indicators."""
    return are_numbers([record[name][key] for name in ALGORITHMS for key in _MEASURED])


def _has_seconds(record: Record) -> bool:
    """Whether a record has the CPU times, and the wall times of the phases."""
    keys = ("cpu", "total", "skeleton", "search")
    return are_numbers([record[name][key] for name in ALGORITHMS for key in keys])


@dataclass(frozen=True)
class SyntheticResults(StoredResults[SyntheticCell]):
    """The finished cells of the first experiment; records are by algorithm."""

    setup = SyntheticSetup
    cell = SyntheticCell
    contents: ClassVar = {
        RESULTS: (_has_results, f"the numbers {', '.join(_MEASURED)} of h2pc and mmhc"),
        TIMINGS: (_has_seconds, "the seconds (cpu, total, skeleton, search) of h2pc and mmhc"),
    }

    @property
    def networks(self) -> tuple[str, ...]:
        """Networks with a finished cell, in the order of the paper."""
        return in_paper_order({cell.network for cell in self.cells}, NETWORKS)

    @property
    def of_paper(self) -> tuple[str, ...]:
        """Networks of the paper with a finished cell."""
        return tuple(name for name in self.networks if name in NETWORKS)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Numbers of samples with a finished cell."""
        return tuple(sorted({cell.size for cell in self.cells}))

    def chosen(self, *, network: str | None = None, size: int | None = None) -> list[SyntheticCell]:
        """Finished cells of a network, of a size, or of both, sorted."""
        return [
            cell
            for place, cells in self._by_place.items()
            if network in (None, place[0]) and size in (None, place[1])
            for cell in cells
        ]

    @cached_property
    def _by_place(self) -> dict[tuple[str, int], list[SyntheticCell]]:
        """Cells of every network and size, sorted."""
        found: dict[tuple[str, int], list[SyntheticCell]] = {}
        for cell in sorted(self.cells):
            found.setdefault((cell.network, cell.size), []).append(cell)
        return found

    def values(
        self, algorithm: Algorithm, indicator: Indicator, cells: Iterable[SyntheticCell]
    ) -> list[float]:
        """Values of one algorithm; running times of the cells that have one."""
        if indicator in _TIMES:
            timed = (cell for cell in cells if cell in self.seconds)
            return [self._time(algorithm, indicator, cell) for cell in timed]
        return [self.cells[cell][algorithm][indicator.key] for cell in cells]

    def _time(self, algorithm: Algorithm, indicator: Indicator, cell: SyntheticCell) -> float:
        """Return a running time in seconds; the phases are measured by the clock."""
        seconds = self.seconds[cell][algorithm]
        work = seconds["skeleton"] + seconds["search"]
        if indicator == WORK:
            return float(work)
        if indicator == FIXED:
            return float(seconds["total"] - work)
        if indicator == PER_TEST:
            return float(seconds["skeleton"]) / float(self.cells[cell][algorithm]["n_tests"])
        return float(seconds["skeleton" if indicator == SKELETON else "cpu"])

    def repetitions(self, size: int) -> list[list[SyntheticCell]]:
        """Cells of every repetition of a size that has all networks of the paper that were run."""
        found: dict[int, list[SyntheticCell]] = {}
        for cell in self.chosen(size=size):
            if cell.network in NETWORKS:
                found.setdefault(cell.repetition, []).append(cell)
        n_networks = len(self.of_paper)
        return [found[number] for number in sorted(found) if len(found[number]) == n_networks]

    def is_whole(self, size: int) -> bool:
        """Whether all cells of the paper's grid with this size are finished."""
        return all(cell in self.cells for cell in product(NETWORKS, [size], range(REPETITIONS)))

    def mean(self, algorithm: Algorithm, indicator: Indicator, *, size: int) -> float:
        """Mean of an indicator over all cells of a size."""
        return mean(self.values(algorithm, indicator, self.chosen(size=size)))

    def factors(self, indicator: Indicator, cells: Iterable[SyntheticCell]) -> Factors:
        """Increase factors of an indicator in some cells."""
        chosen = list(cells)
        ours, theirs = (self.values(algorithm, indicator, chosen) for algorithm in ALGORITHMS)
        found = [increase_factor(*pair) for pair in zip(ours, theirs, strict=True)]
        values = tuple(factor for factor in found if factor is not None)
        return Factors(values, len(found) - len(values))

    def factors_by_size(self, indicator: Indicator) -> dict[int, Factors]:
        """Increase factors of an indicator at every size."""
        return {size: self.factors(indicator, self.chosen(size=size)) for size in self.sizes}


def increase_factor(ours: float, theirs: float) -> float | None:
    """Return our value divided by theirs; 1 if both are zero, None if only theirs is.

    Examples
    --------
    >>> increase_factor(3, 2), increase_factor(0, 0), increase_factor(1, 0)
    (1.5, 1.0, None)
    """
    if ours == theirs:
        return 1.0
    return ours / theirs if theirs else None


def figures(results: SyntheticResults) -> dict[str, Figure]:
    """Return the contents of both figures of section 4 by their file names."""
    missed = _lines(results, "False negative rate", OF_SKELETONS[0], complement=True)
    false = _lines(results, "False positive rate", FALSE_POSITIVE_RATE)
    skeletons, networks = (
        tuple(_boxes(results, indicator) for indicator in some)
        for some in (OF_SKELETONS, OF_NETWORKS)
    )
    return {
        "figure1": Figure("Skeletons: HPC over MMPC", (missed, false, *skeletons)),
        "figure2": Figure("Networks: H2PC over MMHC", networks),
    }


def _boxes(results: SyntheticResults, indicator: Indicator) -> Boxes:
    """Return box plots of the increase factors at every size."""
    return Boxes(
        f"{indicator.title}: increase factor ({indicator.better} is better)",
        {size: found.values for size, found in results.factors_by_size(indicator).items()},
        log=indicator.key in ("n_tests", "n_scores"),
    )


def _lines(
    results: SyntheticResults, title: str, indicator: Indicator, *, complement: bool = False
) -> Lines:
    """Return the means of an indicator, or of 1 minus it, by algorithm and size."""
    series = {}
    for algorithm, name in zip(ALGORITHMS, ("HPC", "MMPC"), strict=True):
        means = {size: results.mean(algorithm, indicator, size=size) for size in results.sizes}
        series[name] = {size: 1 - value if complement else value for size, value in means.items()}
    return Lines(f"{title}: mean (lower is better)", series)

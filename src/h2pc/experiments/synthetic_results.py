"""What came out of the synthetic experiment, and the increase factors that the paper reports."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, stdev
from typing import Literal, NamedTuple

from h2pc.errors import FileFormatError, SettingError
from h2pc.experiments.synthetic_paper import NETWORKS
from h2pc.experiments.synthetic_setup import EXPERIMENT, SyntheticCell
from h2pc.runs.cells import RESULTS, TIMINGS, Record, read_cells, read_settings

Algorithm = Literal["h2pc", "mmhc"]
ALGORITHMS: tuple[Algorithm, ...] = ("h2pc", "mmhc")


class Indicator(NamedTuple):
    """Something that is measured of both learners in every cell."""

    key: str
    title: str
    better: Literal["higher", "lower"]
    """Which increase factors are good ones; log scores are negative, so lower is better."""


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
"""CPU time: how busy the machine is otherwise has no say in it."""


class Factors(NamedTuple):
    """Increase factors: H2PC over MMHC, or HPC over MMPC, in some cells."""

    values: tuple[float, ...]
    """One for every cell that has one."""
    undefined: int
    """The number of cells where only the value of MMHC is zero: they have none."""

    @property
    def mean(self) -> float | None:
        """Mean of the values, if there are any."""
        return mean(self.values) if self.values else None

    @property
    def deviation(self) -> float | None:
        """Standard deviation of the values, if there are two."""
        return stdev(self.values) if len(self.values) > 1 else None


@dataclass(frozen=True)
class SyntheticResults:
    """The finished cells of an experiment.

    Attributes
    ----------
    settings : mapping
        What it was run with.
    cells : mapping of SyntheticCell to dict
        What was measured in every cell, by the name of the learner.
    seconds : mapping of SyntheticCell to dict
        The time it took, likewise; a cell may be missing.
    """

    settings: Mapping[str, object]
    cells: Mapping[SyntheticCell, Record]
    seconds: Mapping[SyntheticCell, Record]

    @property
    def networks(self) -> tuple[str, ...]:
        """Networks with a finished cell: those of the paper in its order, then others."""
        found = {cell.network for cell in self.cells}
        others = sorted(found.difference(NETWORKS))
        return (*(name for name in NETWORKS if name in found), *others)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Numbers of samples with a finished cell."""
        return tuple(sorted({cell.size for cell in self.cells}))

    def chosen(self, *, network: str | None = None, size: int | None = None) -> list[SyntheticCell]:
        """Finished cells of a network, of a size, or of both, sorted."""
        return sorted(
            cell
            for cell in self.cells
            if network in (None, cell.network) and size in (None, cell.size)
        )

    def values(
        self, algorithm: Algorithm, indicator: Indicator, cells: Iterable[SyntheticCell]
    ) -> list[float]:
        """Measured values of one learner; cells whose time is not known have no running time."""
        if indicator == RUNNING_TIME:
            known = (cell for cell in cells if cell in self.seconds)
            return [self.seconds[cell][algorithm]["cpu"] for cell in known]
        return [self.cells[cell][algorithm][indicator.key] for cell in cells]

    def factors(self, indicator: Indicator, cells: Iterable[SyntheticCell]) -> Factors:
        """Increase factors of an indicator in some cells."""
        chosen = list(cells)
        ours, theirs = (self.values(algorithm, indicator, chosen) for algorithm in ALGORITHMS)
        found = [increase_factor(*pair) for pair in zip(ours, theirs, strict=True)]
        values = tuple(factor for factor in found if factor is not None)
        return Factors(values, len(found) - len(values))


def increase_factor(ours: float, theirs: float) -> float | None:
    """Return how many times as large our value is; none where only theirs is zero.

    Examples
    --------
    >>> increase_factor(3, 2), increase_factor(0, 0), increase_factor(1, 0)
    (1.5, 1.0, None)
    """
    if ours == theirs:
        return 1.0
    return ours / theirs if theirs else None


def read_results(folder: str | os.PathLike[str]) -> SyntheticResults:
    """Return what is finished of the experiment in a folder, which may still be running.

    Raises
    ------
    SettingError
        If there is no synthetic experiment in the folder, or nothing of it is finished.
    FileFormatError
        If a file of it is damaged.
    """
    path = Path(folder)
    settings = read_settings(path)
    if settings.get("experiment") != EXPERIMENT:
        kind = settings.get("experiment")
        raise SettingError(f"{path} holds the experiment {kind!r}: expected {EXPERIMENT!r}.")
    measured = [one.key for one in (*OF_SKELETONS, FALSE_POSITIVE_RATE, *OF_NETWORKS)]
    results = _checked(path / RESULTS, measured)
    if not results:
        raise SettingError(f"{path} has no finished cell yet: expected at least one.")
    return SyntheticResults(settings, results, _checked(path / TIMINGS, ["cpu"]))


def _checked(path: Path, keys: Sequence[str]) -> dict[SyntheticCell, Record]:
    """Return the cells of a file, each with these numbers of both learners."""
    cells = read_cells(path, SyntheticCell._fields)
    for number, record in enumerate(cells.values(), 1):
        try:
            found = [record[name][key] for name in ALGORITHMS for key in keys]
        except (KeyError, TypeError):
            found = [None]
        if not all(isinstance(value, int | float) for value in found):
            raise FileFormatError(
                f"{path}, line {number}: expected the numbers {', '.join(keys)} of "
                f"{' and '.join(ALGORITHMS)}."
            )
    return {SyntheticCell(*cell): record for cell, record in cells.items()}

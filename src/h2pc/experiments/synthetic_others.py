"""Stored results of the other learners, beside those of the paper on the same samples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import ClassVar, NamedTuple

from h2pc import load_network
from h2pc.errors import SettingError
from h2pc.experiments.intervals import Interval, of_repetitions
from h2pc.experiments.stored_results import StoredResults, are_numbers
from h2pc.experiments.synthetic_cells import SyntheticCell
from h2pc.experiments.synthetic_learners import OTHERS, OUR_OTHERS, LearnerSetup
from h2pc.experiments.synthetic_results import SyntheticResults
from h2pc.runs.cells import RESULTS, SETTINGS, TIMINGS, Record

PAPER_H2PC, PAPER_MMHC = "paper-h2pc", "paper-mmhc"
TITLES = {
    PAPER_H2PC: "H2PC, paper",
    "default": "H2PC, default",
    PAPER_MMHC: "MMHC, paper",
    "default-mmhc": "MMHC, default",
    "miic": "MIIC",
    "tabu": "tabu, BIC",
}
"""What learners are called in tables and figures."""


class Quality(NamedTuple):
    """How good and how fast a learner was in a cell."""

    recall: float
    precision: float
    distance: float
    shd: float
    """Structural Hamming distance over the number of true edges."""
    bdeu: float | None
    """BDeu on new data over that of the paper's H2PC; log scores are negative."""
    seconds: float | None
    """CPU time."""


MEASURES = {
    "recall": "Recall",
    "precision": "Precision",
    "distance": "Distance from perfect precision and recall",
    "shd": "SHD / true edges",
    "bdeu": "BDeu on new data, relative to H2PC of the paper",
    "seconds": "CPU seconds",
}
"""Fields of the quality, with their titles."""

_NUMBERS = ("recall", "precision", "distance", "shd")


def _has_results(record: Record) -> bool:
    """Whether a record has a reason for no answer, or all that tables are made of."""
    if "no_answer" in record:
        return isinstance(record["no_answer"], str)
    scored = record["bdeu_new"] is None or are_numbers([record["bdeu_new"]])
    return scored and are_numbers([record[name] for name in _NUMBERS])


def _has_seconds(record: Record) -> bool:
    """Whether a record has the CPU time; where there is no answer it is empty."""
    return not record or are_numbers([record["cpu"]])


@dataclass(frozen=True)
class LearnerResults(StoredResults[SyntheticCell]):
    """The finished cells of one of the other learners."""

    setup = LearnerSetup
    cell = SyntheticCell
    contents: ClassVar = {
        RESULTS: (_has_results, f"no_answer, or {', '.join(_NUMBERS)} and bdeu_new"),
        TIMINGS: (_has_seconds, "the seconds (cpu)"),
    }

    @property
    def title(self) -> str:
        """Its library, with the version, and what it is called there."""
        return str(self.settings["title"])


def read_others(folder: Path, results: SyntheticResults) -> dict[str, LearnerResults]:
    """Return the results of the learners that have a folder in that of the paper's learners."""
    found = {}
    for name in OTHERS:
        place = folder / name
        if not (place / SETTINGS).exists() or not (place / RESULTS).exists():
            continue
        found[name] = LearnerResults.read(place)
        for setting in ("seed", "n_new", "equivalent_sample_size"):
            ours, theirs = results.settings[setting], found[name].settings[setting]
            if ours != theirs:
                raise SettingError(
                    f"{place} has {setting} = {theirs!r}: expected {ours!r}, as in {folder}."
                )
    return found


@dataclass(frozen=True)
class Comparison:
    """Learners on the samples that all of them were run on.

    A network counts at a size if every learner has an answer in all of these cells. So that means
    over networks can be compared, a repetition counts if it was run on all networks that count.
    """

    learners: tuple[str, ...]
    networks: Mapping[int, tuple[str, ...]]
    """Networks by size, in the order of the paper; sizes without any are not there."""
    left_out: Mapping[int, tuple[str, ...]]
    """The other networks of these sizes."""
    repetitions: Mapping[int, frozenset[int]]
    qualities: Mapping[str, Mapping[SyntheticCell, Quality]]
    """What every learner has answered, on all networks."""

    def cells(self, size: int, network: str | None = None) -> list[SyntheticCell]:
        """Return the cells of a size, of one of its networks or of all."""
        chosen = self.networks[size] if network is None else (network,)
        found = self.qualities[self.learners[0]]
        repetitions = self.repetitions[size]
        return [
            cell
            for cell in found
            if cell.size == size and cell.network in chosen and cell.repetition in repetitions
        ]

    def mean(self, learner: str, measure: str, cells: Sequence[SyntheticCell]) -> float | None:
        """Return the mean over the cells in which every learner has a value."""
        columns = [
            [getattr(self.qualities[name][cell], measure) for name in (learner, *self.learners)]
            for cell in cells
        ]
        values = [column[0] for column in columns if None not in column]
        return sum(values) / len(values) if values else None

    def interval(self, learner: str, measure: str, size: int) -> Interval | None:
        """Return the mean over the repetitions, each the mean over the networks."""
        found: dict[int, list[SyntheticCell]] = {}
        for cell in self.cells(size):
            found.setdefault(cell.repetition, []).append(cell)
        means = (self.mean(learner, measure, cells) for cells in found.values())
        estimate = of_repetitions([mean for mean in means if mean is not None])
        return None if estimate is None else estimate.interval()

    def segments(self) -> list[list[int]]:
        """Return the sizes, in groups that have the same networks: only these compare."""
        found: list[list[int]] = []
        for size, networks in self.networks.items():
            if found and self.networks[found[-1][-1]] == networks:
                found[-1].append(size)
            else:
                found.append([size])
        return found


def compared(
    results: SyntheticResults, others: Mapping[str, LearnerResults], learners: Sequence[str]
) -> Comparison:
    """Return the comparison of some learners on the samples that the paper's learned from."""
    qualities = {name: _qualities(results, others, name) for name in learners}
    networks, left_out, repetitions = {}, {}, {}
    for size in results.sizes:
        run: dict[str, set[int]] = {}
        for network in results.networks:
            cells = [
                cell
                for cell in results.chosen(network=network, size=size)
                if all(cell in others[name].cells for name in learners if name in others)
            ]
            if cells and all(cell in qualities[name] for cell in cells for name in learners):
                run[network] = {cell.repetition for cell in cells}
        common = frozenset.intersection(*map(frozenset, run.values())) if run else frozenset()
        if common:
            networks[size], repetitions[size] = tuple(run), common
            left_out[size] = tuple(name for name in results.networks if name not in run)
    return Comparison(tuple(learners), networks, left_out, repetitions, qualities)


def comparisons(
    results: SyntheticResults, others: Mapping[str, LearnerResults]
) -> dict[str, Comparison]:
    """Return the learners of this package beside each other, and every other one beside H2PC."""
    ours = [name for name in TITLES if name in others and name in OUR_OTHERS]
    if not others:
        return {}
    of_package = sorted((PAPER_H2PC, PAPER_MMHC, *ours), key=list(TITLES).index)
    found = {"ours": compared(results, others, of_package)} if ours else {}
    beside = [name for name in (PAPER_H2PC, "default") if name == PAPER_H2PC or name in others]
    for name in others:
        if name not in OUR_OTHERS:
            found[name] = compared(results, others, (*beside, name))
    return found


def _qualities(
    results: SyntheticResults, others: Mapping[str, LearnerResults], learner: str
) -> dict[SyntheticCell, Quality]:
    """Return the quality of a learner in the cells that it has an answer for."""
    found = {}
    of_paper = {PAPER_H2PC: "h2pc", PAPER_MMHC: "mmhc"}.get(learner)
    source = results if of_paper else others[learner]
    for cell in results.cells:
        record = source.cells.get(cell, {"no_answer": "not run"})
        seconds = source.seconds.get(cell, {})
        if of_paper:
            record, seconds = record[of_paper], seconds.get(of_paper, {})
        if "no_answer" in record:
            continue
        base, bdeu = results.cells[cell]["h2pc"]["bdeu_new"], record["bdeu_new"]
        found[cell] = Quality(
            record["recall"],
            record["precision"],
            record["distance"],
            record["shd"] / _n_edges(cell.network),
            None if bdeu is None else bdeu / base,
            seconds.get("cpu"),
        )
    return found


@cache
def _n_edges(network: str) -> int:
    """Return the number of edges of a network of the library."""
    return len(load_network(network).dag.edges)

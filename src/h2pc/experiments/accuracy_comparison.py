"""Every learner beside a base learner, on the samples that both have answers for."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from statistics import geometric_mean, mean
from typing import NamedTuple

from h2pc.errors import SettingError
from h2pc.experiments.accuracy_tables import AccuracyRuns, learners_of
from h2pc.experiments.markdown_tables import MISSING, MarkdownTable
from h2pc.runs.cells import Record

Pair = tuple[Record, Record]
"""The results of a learner and of the base learner on one sample."""

_HEADINGS = (
    "learner",
    "better",
    "equal",
    "worse",
    "worst cell",
    "worst network",
    "held-out %",
    "worst held-out %",
    "CPU time",
    "longest",
    "cells",
)


class Beside(NamedTuple):
    """A learner beside the base learner on some samples, of one network and perhaps one size."""

    where: str
    shd: float
    base_shd: float
    held_out: float | None
    """The mean difference of the log-likelihoods per cent of the base's; less is worse."""
    time: float | None
    """The CPU time, over that of the base learner."""

    @property
    def ratio(self) -> float:
        """The mean SHD over that of the base learner."""
        if self.base_shd == 0:
            return 1.0 if self.shd == 0 else math.inf
        return self.shd / self.base_shd


def comparison_table(runs: AccuracyRuns, base: str, titles: Mapping[str, str]) -> MarkdownTable:
    """Return a row for every other learner: shares of cells, its worst ones, and its time.

    A cell is a network and a size. A network counts once, with all its samples, as the worst one.
    """
    if base not in learners_of(runs):
        known = ", ".join(learners_of(runs))
        raise SettingError(f"There are no results of the base learner {base!r}, but of {known}.")
    n_cells = len({cell[:2] for cell in runs})
    rows = []
    for learner in learners_of(runs):
        if learner != base:
            cells, networks = besides(runs, learner, base)
            share = f"{len(cells)} of {n_cells}"
            empty = [MISSING] * (len(_HEADINGS) - 2)
            shown = _shown(cells, networks) if cells else empty
            rows.append((titles[learner], *shown, share))
    return MarkdownTable(_HEADINGS, rows)


def besides(runs: AccuracyRuns, learner: str, base: str) -> tuple[list[Beside], list[Beside]]:
    """Return a learner beside the base learner in every cell, and on every network."""
    cells: dict[str, list[Pair]] = {}
    networks: dict[str, list[Pair]] = {}
    for cell, run in runs.items():
        other = runs.get(cell._replace(learner=base))
        if cell.learner != learner or other is None or "no_answer" in run or "no_answer" in other:
            continue
        cells.setdefault(f"{cell.network}, {cell.n_samples:,}", []).append((run, other))
        networks.setdefault(cell.network, []).append((run, other))
    return _compared(cells), _compared(networks)


def _compared(groups: Mapping[str, list[Pair]]) -> list[Beside]:
    """Return the comparison of every group of samples."""
    found = []
    for where, pairs in groups.items():
        ours, theirs = (mean(pair[i]["shd"] for pair in pairs) for i in (0, 1))
        held_out = _ratio(pairs, "held_out")
        difference = None if held_out is None else 100.0 * (1.0 - held_out)
        found.append(Beside(where, ours, theirs, difference, _ratio(pairs, "cpu")))
    return found


def _ratio(pairs: Iterable[Pair], name: str) -> float | None:
    """Return the ratio of the means of a measure, or None where a value is missing or zero."""
    values = [[run.get(name) for run in pair] for pair in pairs]
    if any(None in pair for pair in values):
        return None
    ours, theirs = (math.fsum(column) for column in zip(*values, strict=True))
    return ours / theirs if theirs else None


def _shown(cells: list[Beside], networks: list[Beside]) -> tuple[str, ...]:
    """Return the columns between the learner and the number of cells."""
    better, worse = (
        sum(sign * (cell.base_shd - cell.shd) > 0 for cell in cells) for sign in (1, -1)
    )
    counts = (better, len(cells) - better - worse, worse)
    differences = {cell.where: d for cell in cells if (d := cell.held_out) is not None}
    times = {cell.where: t for cell in cells if (t := cell.time)}
    held_out = least = time = longest = MISSING
    if len(differences) == len(cells):
        lowest = min(differences, key=differences.__getitem__)
        held_out = f"{mean(differences.values()):+.3f}"
        least = f"{differences[lowest]:+.3f} ({lowest})"
    if len(times) == len(cells):
        slowest = max(times, key=times.__getitem__)
        time = f"{geometric_mean(times.values()):.2f}"
        longest = f"{times[slowest]:.2f} ({slowest})"
    shares = (f"{count / len(cells):.0%}" for count in counts)
    return (*shares, _worst(cells), _worst(networks), held_out, least, time, longest)


def _worst(some: list[Beside]) -> str:
    """Return the largest ratio of mean SHD, and where it is; among equals, the largest SHD."""
    worst = max(some, key=lambda beside: (beside.ratio, beside.shd))
    return f"{worst.ratio:.3f} ({worst.where}: {worst.shd:.1f} / {worst.base_shd:.1f})"

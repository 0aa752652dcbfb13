"""Networks, reported values and tables of the comparison of learners."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import mean
from typing import NamedTuple

from h2pc import load_network
from h2pc.experiments.markdown_tables import MISSING, MarkdownTable
from h2pc.runs.cells import Record


class AccuracyCell(NamedTuple):
    """One sample, and the learner."""

    network: str
    n_samples: int
    repetition: int
    learner: str


AccuracyRuns = Mapping[AccuracyCell, Record]
"""The results of every cell, with its seconds."""


class Plan(NamedTuple):
    """Networks, and size and number of the samples of each."""

    networks: tuple[str, ...]
    n_samples: int
    repetitions: int


SEVEN = Plan(("alarm", "child", "insurance", "hailfinder", "hepar2", "win95pts", "andes"), 5000, 5)
_SMALL = ("asia", "sachs", "child", "insurance", "water")
_LARGER = ("mildew", "alarm", "barley", "hepar2", "win95pts")
TEN = Plan((*_SMALL, *_LARGER), 10_000, 1)
PLANS = {"seven": SEVEN, "ten": TEN}

# Single runs with 5,000 samples: the SHD of the authors' H2PC, and of bnlearn's.
REPORTED_RUNS = ("H2PC, authors (2014), one run*", "H2PC, bnlearn 5.2.1, one run*")
REPORTED_SHD = {
    "alarm": (3, 14),
    "child": (0, 4),
    "insurance": (23, 27),
    "hepar2": (57, 60),
    "andes": (58, 74),
}
# 10,000 samples: the mean of SHD / edges over the ten networks.
REPORTED_MEANS = {
    "H2PC, authors (2014)*": 0.32,
    "H2PC, bnlearn 5.2.1*": 0.42,
    "MMHC, bnlearn*": 0.57,
    "FGES*": 0.39,
    "GES, BDeu*": 0.31,
}
NOTE = (
    "SHD: between equivalence classes. BDeu: of the sample. F1: of the skeleton. Means over the "
    "runs. * Reported by others, on samples of their own."
)


def titled_tables(runs: AccuracyRuns, titles: Mapping[str, str]) -> dict[str, MarkdownTable]:
    """Return a table for every network, and one for all of them, by their titles."""
    tables = {}
    for network in dict.fromkeys(cell.network for cell in runs):
        chosen = {cell: run for cell, run in runs.items() if cell.network == network}
        n_samples, n_runs = max((cell.n_samples, cell.repetition + 1) for cell in chosen)
        title = f"{network}, {n_samples:,} samples, mean of {n_runs}"
        tables[title] = network_table(chosen, titles)
    return {**tables, "all networks": means_table(runs, titles)}


def network_table(runs: AccuracyRuns, titles: Mapping[str, str]) -> MarkdownTable:
    """Return the means over the runs of every learner on one network, and reported values."""
    rows: list[tuple[str, ...]] = []
    for learner in dict.fromkeys(cell.learner for cell in runs):
        tried = [run for cell, run in runs.items() if cell.learner == learner]
        answers = [run for run in tried if "no_answer" not in run]
        title = titles[learner]
        if not answers:
            rows.append((f"{title}: {tried[0]['no_answer']}", *[MISSING] * 5))
            continue
        some = "" if answers == tried else f" ({len(answers)} of {len(tried)} runs)"
        rows.append((title + some, *_means(answers)))
    first = next(iter(runs))
    if first.n_samples == SEVEN.n_samples:
        n_edges = len(load_network(first.network).dag.edges)
        for who, distance in zip(REPORTED_RUNS, REPORTED_SHD.get(first.network, ()), strict=False):
            rows.append((who, f"{distance}", f"{distance / n_edges:.3f}", "", "", ""))
    return MarkdownTable(("learner", "SHD", "SHD / edges", "BDeu", "F1", "seconds"), rows)


def _means(answers: Sequence[Record]) -> tuple[str, ...]:
    """Return the mean of every column; there is no BDeu if an answer lacks it."""
    scores = [run["bdeu"] for run in answers]
    return (
        f"{mean(run['shd'] for run in answers):.1f}",
        f"{mean(run['shd'] / run['true_edges'] for run in answers):.3f}",
        MISSING if None in scores else f"{mean(scores):,.1f}",
        f"{mean(run['f1'] for run in answers):.3f}",
        f"{mean(run['seconds'] for run in answers):.3g}",
    )


def means_table(runs: AccuracyRuns, titles: Mapping[str, str]) -> MarkdownTable:
    """Return the mean over the networks of SHD / edges, and reported values."""
    networks = {cell.network for cell in runs}
    rows: list[tuple[str, ...]] = []
    for learner in dict.fromkeys(cell.learner for cell in runs):
        ratios: dict[str, list[float]] = {}
        for cell, run in runs.items():
            if cell.learner == learner and "no_answer" not in run:
                ratios.setdefault(cell.network, []).append(run["shd"] / run["true_edges"])
        average = f"{mean(map(mean, ratios.values())):.3f}" if ratios else ""
        rows.append((titles[learner], average, f"{len(ratios)} of {len(networks)}"))
    if networks == set(TEN.networks) and {cell.n_samples for cell in runs} == {TEN.n_samples}:
        rows += [(who, f"{figure:.2f}", "10 of 10") for who, figure in REPORTED_MEANS.items()]
    return MarkdownTable(("learner", "mean SHD / edges", "networks"), rows)


def as_markdown(tables: Mapping[str, MarkdownTable]) -> str:
    """Return the tables as a page."""
    parts = [f"## {title}\n\n{table.as_markdown()}" for title, table in tables.items()]
    return "\n".join(["# Accuracy of learned networks\n", *parts, NOTE.replace("*", "\\*")]) + "\n"

"""The tables of the accuracy experiment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import mean

from rich.table import Table

from h2pc import load_network
from h2pc.experiments.accuracy_setup import (
    NOTE,
    REPORTED_MEANS,
    REPORTED_RUNS,
    REPORTED_SHD,
    SEVEN,
    TEN,
    Runs,
)
from h2pc.experiments.tables import TextTable
from h2pc.runs.cells import Record


def titled_tables(runs: Runs, titles: Mapping[str, str]) -> dict[str, TextTable]:
    """Return a table for every network, and one for all of them, by their titles."""
    tables = {}
    for network in dict.fromkeys(cell.network for cell in runs):
        chosen = {cell: run for cell, run in runs.items() if cell.network == network}
        n_samples, n_runs = max((cell.n_samples, cell.repetition + 1) for cell in chosen)
        title = f"{network}, {n_samples:,} samples, mean of {n_runs}"
        tables[title] = network_table(chosen, titles)
    return {**tables, "all networks": means_table(runs, titles)}


def network_table(runs: Runs, titles: Mapping[str, str]) -> TextTable:
    """Return the means over the runs of every learner on one network, and what others report."""
    rows: list[tuple[str, ...]] = []
    for learner in dict.fromkeys(cell.learner for cell in runs):
        tried = [run for cell, run in runs.items() if cell.learner == learner]
        answers = [run for run in tried if "no_answer" not in run]
        title = titles[learner]
        if not answers:
            rows.append((f"{title}: {tried[0]['no_answer']}", "–", "–", "–", "–", "–"))
            continue
        some = "" if answers == tried else f" ({len(answers)} of {len(tried)} runs)"
        rows.append((title + some, *_means(answers)))
    first = next(iter(runs))
    if first.n_samples == SEVEN.n_samples:
        n_edges = len(load_network(first.network).dag.edges)
        for who, distance in zip(REPORTED_RUNS, REPORTED_SHD.get(first.network, ()), strict=False):
            rows.append((who, f"{distance}", f"{distance / n_edges:.3f}", "", "", ""))
    return TextTable(("learner", "SHD", "SHD / edges", "BDeu", "F1", "seconds"), rows)


def _means(answers: Sequence[Record]) -> tuple[str, ...]:
    """Return the mean of every column; there is no BDeu if an answer lacks it."""
    scores = [run["bdeu"] for run in answers]
    return (
        f"{mean(run['shd'] for run in answers):.1f}",
        f"{mean(run['shd'] / run['true_edges'] for run in answers):.3f}",
        "–" if None in scores else f"{mean(scores):,.1f}",
        f"{mean(run['f1'] for run in answers):.3f}",
        f"{mean(run['seconds'] for run in answers):.3g}",
    )


def means_table(runs: Runs, titles: Mapping[str, str]) -> TextTable:
    """Return the mean over the networks of SHD / edges, and what others report."""
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
    return TextTable(("learner", "mean SHD / edges", "networks"), rows)


def printed(title: str, table: TextTable) -> Table:
    """Return a table for the terminal."""
    shown = Table(title=title)
    for column, heading in enumerate(table.headings):
        shown.add_column(heading, justify="right" if column else "left", no_wrap=True)
    for row in table.rows:
        shown.add_row(*row)
    return shown


def as_markdown(tables: Mapping[str, TextTable]) -> str:
    """Return the tables as a page."""
    parts = [f"## {title}\n\n{table.as_markdown()}" for title, table in tables.items()]
    return "\n".join(["# Accuracy of learned networks\n", *parts, NOTE.replace("*", "\\*")]) + "\n"

"""Networks, reported values and tables of the comparison of learners."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import mean
from typing import NamedTuple

from h2pc.experiments.markdown_tables import MISSING, MarkdownTable
from h2pc.runs.cells import Record


class AccuracyCell(NamedTuple):
    """One sample, and the learner."""

    network: str
    n_samples: int
    repetition: int
    learner: str


class Plan(NamedTuple):
    """Networks, and sizes and number of the samples of each."""

    networks: tuple[str, ...]
    n_samples: tuple[int, ...]
    repetitions: int


AccuracyRuns = Mapping[AccuracyCell, Record]
"""The results of every cell, with its seconds."""

Sample = tuple[str, int]
"""A network and a repetition, of one size."""

_SEVEN = ("alarm", "child", "insurance", "hailfinder", "hepar2", "win95pts", "andes")
SEVEN = Plan(_SEVEN, (5000,), 5)
_SMALL = ("asia", "sachs", "child", "insurance", "water")
_LARGER = ("mildew", "alarm", "barley", "hepar2", "win95pts")
TEN = Plan((*_SMALL, *_LARGER), (10_000,), 1)
PLANS = {"seven": SEVEN, "ten": TEN}

REFERENCE = "h2pc"
"""The learner whose means stand beside those of learners that lack some answers."""

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
    "SHD: between equivalence classes; it is the sum of missing edges, extra edges and wrong "
    "directions. Held-out loss: how far the log-likelihood of a new sample is below that of the "
    "true network, in per cent of it or in nats per sample. BDeu: of the training sample. F1: of "
    "the skeleton. Means over the samples of a network, then over the networks. † Some samples "
    "have no answer: the last column has the mean of H2PC over those that do. * Reported by "
    "others, on samples of their own."
)

_MEANS = ("SHD / edges", "missing", "extra", "directions", "held-out loss %", "CPU s")
_DETAILS = ("SHD", *_MEANS[:4], "F1", "BDeu", "held-out loss", "seconds")


def summary_tables(runs: AccuracyRuns, titles: Mapping[str, str]) -> dict[str, MarkdownTable]:
    """Return the means over the networks, and the tables with a row per network, by title."""
    tables = {}
    for n_samples in sorted({cell.n_samples for cell in runs}):
        chosen = {cell: run for cell, run in runs.items() if cell.n_samples == n_samples}
        size = f"{n_samples:,} samples"
        tables[f"{size}: means over the networks, per true edge"] = means_table(chosen, titles)
        tables[f"{size}: SHD"] = rows_per_network(chosen, _mean_shd)
        tables[f"{size}: held-out loss, nats per sample"] = rows_per_network(chosen, _mean_loss)
    return tables


def network_tables(runs: AccuracyRuns, titles: Mapping[str, str]) -> dict[str, MarkdownTable]:
    """Return a table of all measures for every network and size, by title."""
    tables = {}
    for network, n_samples in dict.fromkeys((cell.network, cell.n_samples) for cell in runs):
        chosen = {cell: run for cell, run in runs.items() if cell[:2] == (network, n_samples)}
        n_runs = max(cell.repetition + 1 for cell in chosen)
        title = f"{network}, {n_samples:,} samples, mean of {n_runs}"
        tables[title] = network_table(chosen, titles)
    return tables


def means_table(runs: AccuracyRuns, titles: Mapping[str, str]) -> MarkdownTable:
    """Return the means of every learner over the networks, of samples of one size."""
    everything = {(cell.network, cell.repetition) for cell in runs}
    networks = {cell.network for cell in runs}
    beside = answers_of(runs, REFERENCE)
    rows = []
    for learner in learners_of(runs):
        answers = answers_of(runs, learner)
        same = {sample: beside[sample] for sample in answers if sample in beside}
        mark = "" if len(answers) == len(everything) else " †"
        rows.append(
            (
                titles[learner] + mark,
                *_means_over_networks(answers),
                f"{len({network for network, _ in answers})} of {len(networks)}",
                f"{len(answers)} of {len(everything)}",
                _means_over_networks(same)[0] if len(same) == len(answers) else MISSING,
            )
        )
    if networks == set(TEN.networks) and {cell.n_samples for cell in runs} == set(TEN.n_samples):
        unknown = [""] * (len(_MEANS) - 1)
        for who, figure in REPORTED_MEANS.items():
            rows.append((who, f"{figure:.2f}", *unknown, "10 of 10", "", ""))
    return MarkdownTable(("learner", *_MEANS, "networks", "samples", "H2PC on these"), rows)


def rows_per_network(runs: AccuracyRuns, shown: Callable[[Sequence[Record]], str]) -> MarkdownTable:
    """Return a row for every network and a column for every learner, of samples of one size."""
    learners = learners_of(runs)
    rows = []
    for network in dict.fromkeys(cell.network for cell in runs):
        row = [network]
        for learner in learners:
            tried = [run for cell, run in runs.items() if cell[::3] == (network, learner)]
            answers = [run for run in tried if "no_answer" not in run]
            some = "" if len(answers) == len(tried) else f" ({len(answers)} of {len(tried)})"
            reason = tried[0]["no_answer"] if tried and not answers else MISSING
            row.append(shown(answers) + some if answers else reason)
        rows.append(tuple(row))
    if shown is _mean_shd:
        rows.append(_means_where_all_finished(runs))
    return MarkdownTable(("network", *learners), rows)


def network_table(runs: AccuracyRuns, titles: Mapping[str, str]) -> MarkdownTable:
    """Return the means over the runs of every learner on one network, and reported values."""
    rows: list[tuple[str, ...]] = []
    for learner in learners_of(runs):
        tried = [run for cell, run in runs.items() if cell.learner == learner]
        answers = [run for run in tried if "no_answer" not in run]
        title = titles[learner]
        if not answers:
            rows.append((f"{title}: {tried[0]['no_answer']}", *[MISSING] * len(_DETAILS)))
            continue
        some = "" if answers == tried else f" ({len(answers)} of {len(tried)} runs)"
        rows.append((title + some, *_details(answers)))
    first = next(iter(runs))
    if first.n_samples in SEVEN.n_samples and "true_edges" in runs[first]:
        n_edges = runs[first]["true_edges"]
        unknown = [""] * (len(_DETAILS) - 2)
        for who, shd in zip(REPORTED_RUNS, REPORTED_SHD.get(first.network, ()), strict=False):
            rows.append((who, f"{shd}", f"{shd / n_edges:.3f}", *unknown))
    return MarkdownTable(("learner", *_DETAILS), rows)


def learners_of(runs: AccuracyRuns) -> tuple[str, ...]:
    """Return the learners, in the order of their first cells."""
    return tuple(dict.fromkeys(cell.learner for cell in runs))


def answers_of(runs: AccuracyRuns, learner: str) -> dict[Sample, Record]:
    """Return the results of a learner where it has some, of samples of one size."""
    return {
        (cell.network, cell.repetition): run
        for cell, run in runs.items()
        if cell.learner == learner and "no_answer" not in run
    }


def mean_of(values: Iterable[float | None]) -> float | None:
    """Return the mean, or None where a value is missing or there is none."""
    found = list(values)
    known = [value for value in found if value is not None]
    return mean(known) if known and len(known) == len(found) else None


def loss(run: Record, *, relative: bool = False) -> float | None:
    """Return how far the held-out log-likelihood is below that of the true network."""
    if run.get("held_out") is None:
        return None
    below: float = run["held_out_true"] - run["held_out"]
    return 100.0 * below / abs(run["held_out_true"]) if relative else below


def _means_over_networks(answers: Mapping[Sample, Record]) -> tuple[str, ...]:
    """Return the mean over the networks of the means over their samples, of every measure."""
    by_network: dict[str, list[Record]] = {}
    for (network, _), run in answers.items():
        by_network.setdefault(network, []).append(run)
    columns = zip(*(_measures(runs) for runs in by_network.values()), strict=True)
    averages = [mean_of(column) for column in columns] or [None] * len(_MEANS)
    forms = (".3f", ".3f", ".3f", ".3f", ".2f", ".3g")
    return tuple(_shown(value, form) for value, form in zip(averages, forms, strict=True))


def _measures(answers: Sequence[Record]) -> tuple[float | None, ...]:
    """Return the means over the samples of one network, in the order of the columns."""
    per_edge = (
        mean_of(run[name] / run["true_edges"] if name in run else None for run in answers)
        for name in ("shd", "missing", "extra", "directions")
    )
    relative = mean_of(loss(run, relative=True) for run in answers)
    return (*per_edge, relative, mean_of(run.get("cpu") for run in answers))


def _details(answers: Sequence[Record]) -> tuple[str, ...]:
    """Return the mean of every column; there is none if an answer lacks it."""
    return (
        _mean_shd(answers),
        *(_shown(value, ".3f") for value in _measures(answers)[:4]),
        _shown(mean_of(run.get("f1") for run in answers), ".3f"),
        _shown(mean_of(run.get("bdeu") for run in answers), ",.1f"),
        _mean_loss(answers),
        _shown(mean_of(run.get("seconds") for run in answers), ".3g"),
    )


def _means_where_all_finished(runs: AccuracyRuns) -> tuple[str, ...]:
    """Return the means of SHD / edges over the samples that all learners have answers for."""
    answers = [answers_of(runs, learner) for learner in learners_of(runs)]
    common = set(answers[0]).intersection(*answers[1:])
    tried = {(cell.network, cell.repetition) for cell in runs}
    where = "" if common == tried else f", {len(common)} of {len(tried)} samples"
    means = (_means_over_networks({s: some[s] for s in sorted(common)})[0] for some in answers)
    return (f"mean of SHD / edges{where}", *means)


def _mean_shd(answers: Sequence[Record]) -> str:
    return _shown(mean_of(run["shd"] for run in answers), ".1f")


def _mean_loss(answers: Sequence[Record]) -> str:
    return _shown(mean_of(loss(run) for run in answers), ".3f")


def _shown(value: float | None, form: str) -> str:
    return MISSING if value is None else f"{value:{form}}"


def as_markdown(tables: Mapping[str, MarkdownTable]) -> str:
    """Return the tables as a page."""
    parts = [f"## {title}\n\n{table.as_markdown()}" for title, table in tables.items()]
    return "\n".join(["# Accuracy of learned networks\n", *parts, NOTE.replace("*", "\\*")]) + "\n"

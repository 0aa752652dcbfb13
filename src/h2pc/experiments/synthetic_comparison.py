"""Tables and figures of the other learners beside those of the paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from h2pc.experiments.markdown_tables import MISSING, MarkdownTable, csv_number
from h2pc.experiments.synthetic_others import (
    MEASURES,
    TITLES,
    Comparison,
    LearnerResults,
    comparisons,
)
from h2pc.experiments.synthetic_results import SyntheticResults
from h2pc.report.boxplots import Figure, Lines

_OURS = "ours"
_DRAWN = ("recall", "precision", "distance", "shd", "bdeu", "seconds")


def comparison_figures(found: Mapping[str, Comparison]) -> dict[str, Figure]:
    """Return a figure for each comparison by its file name."""
    return {
        f"learners_{name}": Figure(
            "H2PC and MMHC, paper and default" if name == _OURS else f"H2PC and {TITLES[name]}",
            tuple(_lines(one, measure) for measure in _DRAWN),
        )
        for name, one in found.items()
        if one.segments()
    }


def _lines(comparison: Comparison, measure: str) -> Lines:
    """Return the means of a measure by learner and size, with their intervals."""
    series, limits = {}, {}
    for learner in comparison.learners:
        found = {
            size: interval
            for size in comparison.networks
            if (interval := comparison.interval(learner, measure, size)) is not None
        }
        series[TITLES[learner]] = {size: interval.mean for size, interval in found.items()}
        limits[TITLES[learner]] = {size: interval[1:] for size, interval in found.items()}
    better = "higher" if measure in ("recall", "precision") else "lower"
    level = 1.0 if measure == "bdeu" else 0.0
    title = f"{MEASURES[measure]} ({better} is better)"
    return Lines(title, series, limits, comparison.segments(), level, measure == "seconds")


def learners_text(
    results: SyntheticResults, others: Mapping[str, LearnerResults], pictures: Sequence[str] = ()
) -> str:
    """Return the part of the report on other learners; a sentence where none was run."""
    if not others:
        return (
            "No other learners were run. `--learners default,default-mmhc,miic,tabu` adds the "
            "defaults of this package, and two learners of pyAgrum."
        )
    found = comparisons(results, others)
    parts = [_answers_table(results, others).as_markdown()]
    for name, one in found.items():
        title = "This package" if name == _OURS else others[name].title
        picture = f"learners_{name}"
        parts += [
            f"### {title}\n",
            _networks_sentence(one) + "\n",
            *([f"![{title}]({picture}.png)\n"] if picture in pictures else []),
        ]
        if one.networks:
            parts += [
                size_table(one).as_markdown(),
                "At the largest size that all of them have learned from:\n",
                network_table(one).as_markdown(),
            ]
    return "\n".join(parts)


def _networks_sentence(comparison: Comparison) -> str:
    """Return on which networks the learners are compared."""
    lacking: dict[tuple[str, ...], list[str]] = {}
    for size, networks in comparison.left_out.items():
        if networks:
            lacking.setdefault(networks, []).append(f"{size:,}")
    if not comparison.networks:
        return "There is no network on which all of these learners have an answer."
    if not lacking:
        return "Means over all networks, on which every learner has an answer in every cell."
    texts = (f"{', '.join(names)} with {', '.join(sizes)}" for names, sizes in lacking.items())
    return (
        "Means over the networks on which all of these learners have an answer in every cell that "
        f"was run. Left out: {'; '.join(texts)} samples. In the figure lines join sizes with the "
        "same networks."
    )


def size_table(comparison: Comparison) -> MarkdownTable:
    """Return the means of every measure and learner by size."""
    sizes = comparison.networks
    rows = []
    for measure, title in MEASURES.items():
        for learner in comparison.learners:
            intervals = (comparison.interval(learner, measure, size) for size in sizes)
            values = (None if one is None else one.mean for one in intervals)
            rows.append((title, TITLES[learner], *(_text(measure, value) for value in values)))
    counts = (str(len(networks)) for networks in sizes.values())
    repetitions = (str(len(comparison.repetitions[size])) for size in sizes)
    rows += [("networks", "", *counts), ("repetitions", "", *repetitions)]
    return MarkdownTable(("mean", "learner", *(f"{size:,}" for size in sizes)), rows)


def network_table(comparison: Comparison) -> MarkdownTable:
    """Return the means of every network at the largest size that all have learned from."""
    largest: dict[str, int] = {}
    for size, networks in comparison.networks.items():
        largest.update(dict.fromkeys(networks, size))
    shown = ("distance", "shd", "bdeu", "seconds")
    rows = []
    for network, size in largest.items():
        cells = comparison.cells(size, network)
        for learner in comparison.learners:
            values = (comparison.mean(learner, measure, cells) for measure in shown)
            texts = (_text(one, value) for one, value in zip(shown, values, strict=True))
            rows.append((network, f"{size:,}", TITLES[learner], *texts))
    headings = ("network", "samples", "learner", *(MEASURES[measure] for measure in shown))
    return MarkdownTable(headings, rows)


def learner_numbers(found: Mapping[str, Comparison]) -> MarkdownTable:
    """Return the means by size with their intervals, as numbers."""
    rows = []
    for name, one in found.items():
        for learner, measure, size in product(one.learners, MEASURES, one.networks):
            interval = one.interval(learner, measure, size)
            numbers = map(csv_number, interval or (None, None, None))
            networks = str(len(one.networks[size]))
            rows.append((name, learner, measure, str(size), networks, *numbers))
    headings = ("comparison", "learner", "measure", "size", "networks", "mean", "low", "high")
    return MarkdownTable(headings, rows)


def _answers_table(
    results: SyntheticResults, others: Mapping[str, LearnerResults]
) -> MarkdownTable:
    """Return how many cells every learner has an answer in, and why not in others."""
    rows = []
    for name, found in others.items():
        reasons: dict[str, int] = {}
        for cell in results.cells:
            reason = found.cells.get(cell, {"no_answer": "not run"}).get("no_answer", "")
            reasons[reason] = reasons.get(reason, 0) + 1
        answered = reasons.pop("", 0)
        unscored = sum(
            record.get("bdeu_new", 0) is None
            for cell, record in found.cells.items()
            if cell in results.cells
        )
        why = "; ".join(f"{reason}: {number}" for reason, number in sorted(reasons.items()))
        of_all = f"{answered} of {len(results.cells)}"
        rows.append((TITLES[name], found.title, of_all, why or MISSING, str(unscored)))
    headings = ("learner", "version", "cells with an answer", "others", "without BDeu")
    return MarkdownTable(headings, rows)


def _text(measure: str, value: float | None) -> str:
    """Return a value for readers."""
    if value is None:
        return MISSING
    return f"{value:.3g}" if measure == "seconds" else f"{value:.{4 if measure == 'bdeu' else 3}f}"

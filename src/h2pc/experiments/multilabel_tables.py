"""The tables of the second experiment, with the values that the paper prints."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from statistics import mean, median, stdev

from h2pc.experiments.intervals import of_folds
from h2pc.experiments.markdown_tables import MISSING, MarkdownTable, csv_number, plus_minus
from h2pc.experiments.multilabel_results import (
    ACCURACY,
    COMPARISONS,
    SCORES,
    SIZE_KEYS,
    MultilabelResults,
    compared,
    compared_in_paper,
)
from h2pc.experiments.published import (
    ALGORITHMS,
    COLUMNS,
    DATA_SETS,
    TABLE_4,
    TABLE_5,
    TABLE_6,
    Algorithm,
)


def difference_table(results: MultilabelResults) -> MarkdownTable:
    """Return the differences of columns that the paper ranks, with intervals over the folds."""
    shown = [one for one in COMPARISONS if one.alternative == "greater"]
    rows = []
    for data in results.data_sets:
        texts = []
        for one in shown:
            values = results.differences(data, one.column, one.other)
            estimate = of_folds(values, results.n_folds)
            interval = None if estimate is None else estimate.interval()
            if interval is None:
                texts.append(MISSING)
                continue
            text = interval.text(sign=True)
            texts.append(text if interval.low <= 0 <= interval.high else f"**{text}**")
        rows.append((_partly(results, data), *texts))
    return MarkdownTable(("data", *(one.title for one in shown)), rows)


def powersets_table(results: MultilabelResults, algorithm: Algorithm) -> MarkdownTable:
    """Table 4: number and size of the powersets; two rows a data set, ours and the paper's."""
    headings = ("data", "", "powersets", "by edges between labels alone", "labels min / med / max")
    rows = []
    for data in results.data_sets:
        labels, classes, features = (
            _spread(results.pooled_sizes(data, algorithm, which)) for which in SIZE_KEYS[:3]
        )
        record = results.records(data)[0]
        whole = str(len(record["labels"])), str(record["n_combinations"])
        counts = results.n_powersets(data, algorithm), results.joined_labels(data, algorithm)
        sizes = labels, whole[0], classes, whole[1], features
        rows.append((_partly(results, data), "ours", *map(_with_deviation, counts), *sizes))
        paper = TABLE_4.get((data, algorithm))
        if paper is not None:
            number = plus_minus(paper.mean, paper.deviation)
            sizes = paper.labels, whole[0], paper.classes, whole[1], MISSING
            rows.append((data, "paper", number, MISSING, *sizes))
    classes_too = ("all labels", "classes min / med / max", "all combinations")
    return MarkdownTable((*headings, *classes_too, "features min / med / max"), rows)


def accuracy_table(results: MultilabelResults) -> MarkdownTable:
    """Table 5: subset accuracy; two rows a data set, ours and the paper's."""
    rows = []
    for data in results.data_sets:
        rows.append((_partly(results, data), "ours", *_means(results, data, ACCURACY)))
        if (data, COLUMNS[0]) in TABLE_5:
            rows.append((data, "paper", *(f"{TABLE_5[data, one]:.3f}" for one in COLUMNS)))
    return MarkdownTable(("data", "", *(column.title for column in COLUMNS)), rows)


def score_table(results: MultilabelResults, score: str) -> MarkdownTable:
    """Return the means of a score that the paper does not have: one row a data set."""
    rows = [(_partly(results, data), *_means(results, data, score)) for data in results.data_sets]
    return MarkdownTable(("data", *(column.title for column in COLUMNS)), rows)


def learning_table(results: MultilabelResults) -> MarkdownTable:
    """Table 6: CPU seconds of learning, and degrees of the labels; ours and the paper's."""
    rows = []
    for data in results.data_sets:
        ours, theirs = [], []
        for algorithm in reversed(ALGORITHMS):
            degrees = results.pooled_sizes(data, algorithm, "label_degrees")
            times = results.learning_seconds(data, algorithm)
            ours += [f"{mean(times):.2f}" if times else MISSING, _with_deviation(degrees)]
            paper = TABLE_6.get((data, algorithm))
            if paper is not None:
                degree = plus_minus(paper.degree, paper.deviation)
                theirs += [f"{paper.seconds:,.1f}", degree]
        rows.append((_partly(results, data), "ours", *ours))
        if theirs:
            rows.append((data, "paper", *theirs))
    headings = ("MMHC seconds", "MMHC label degree", "H2PC seconds", "H2PC label degree")
    return MarkdownTable(("data", "", *headings), rows)


def comparison_table(results: MultilabelResults) -> MarkdownTable:
    """Return Wilcoxon's tests over the data sets: of every score, and of the paper's Table 5."""
    rows = []
    for comparison in COMPARISONS:
        found = compared(results, comparison)
        counts = " / ".join(map(str, found.counts))
        paper = compared_in_paper(comparison).p_value
        others = (compared(results, comparison, score).p_value for score in SCORES[1:])
        rows.append((comparison.title, counts, *map(p_text, (found.p_value, paper, *others))))
    headings = ("tested", "better / equal / worse", "p", "p of the paper's Table 5")
    return MarkdownTable((*headings, *(f"p, {_title(score)}" for score in SCORES[1:])), rows)


def score_numbers(results: MultilabelResults) -> MarkdownTable:
    """Return all scores as numbers: one row for every data set and column of Table 5."""
    rows = []
    for data, column in product(results.data_sets, COLUMNS):
        numbers: list[float | None] = []
        for score in SCORES:
            values = results.scores(data, column, score)
            numbers += [mean(values), stdev(values) if len(values) > 1 else None]
        numbers.append(TABLE_5.get((data, column)))
        words = (data, column.scenario, column.algorithm or "", str(len(results.folds(data))))
        rows.append((*words, *map(csv_number, numbers)))
    names = (name for score in SCORES for name in (score, f"{score}_deviation"))
    return MarkdownTable(("data", "scenario", "algorithm", "folds", *names, "paper"), rows)


def structure_numbers(results: MultilabelResults) -> MarkdownTable:
    """Return sizes of powersets, degrees and times: one row for every fold and algorithm."""
    rows = []
    cells = [cell for data in results.data_sets for cell in results.folds(data)]
    for cell, algorithm in product(cells, ALGORITHMS):
        record, times = results.cells[cell][algorithm], results.seconds.get(cell)
        numbers: list[float | None] = [len(record["powerset_labels"])]
        for which in SIZE_KEYS[:3]:
            numbers += [min(record[which]), median(record[which]), max(record[which])]
        numbers.append(mean(record["label_degrees"]))
        numbers.append(None if times is None else times[algorithm]["cpu"])
        rows.append((cell.data, str(cell.fold), algorithm, *map(csv_number, numbers)))
    spread = (f"{end}_{which}" for which in SIZE_KEYS[:3] for end in ("min", "median", "max"))
    headings = ("data", "fold", "algorithm", "powersets", *spread, "label_degree", "seconds")
    return MarkdownTable(headings, rows)


def coverage_table(results: MultilabelResults) -> MarkdownTable:
    """Return which folds are finished of every data set of the paper, and of others."""
    rows = []
    for data in dict.fromkeys((*DATA_SETS, *results.data_sets)):
        finished = [cell.fold for cell in results.folds(data)]
        missing = [fold for fold in range(results.n_folds) if fold not in finished]
        listed = ", ".join(map(str, missing)) or "none"
        rows.append((data, str(len(finished)), listed))
    return MarkdownTable(("data", f"folds finished, of {results.n_folds}", "missing"), rows)


def n_missing(results: MultilabelResults) -> int:
    """Return the number of folds of the paper's data sets that are not finished."""
    finished = sum(len(results.folds(data)) for data in DATA_SETS)
    return len(DATA_SETS) * results.n_folds - finished


def p_text(p_value: float | None) -> str:
    """Return a p-value as text; there is none where all differences are zero."""
    return MISSING if p_value is None else f"{p_value:.4f}"


def _partly(results: MultilabelResults, data: str) -> str:
    """Return the name of a data set, and how many folds there are if they are not all."""
    finished, folds = len(results.folds(data)), results.n_folds
    return data if finished == folds else f"{data} ({finished} of {folds} folds)"


def _means(results: MultilabelResults, data: str, score: str) -> Iterable[str]:
    """Return the means of a score in all columns."""
    return (f"{results.mean(data, column, score):.3f}" for column in COLUMNS)


def _spread(values: Sequence[int]) -> str:
    """Return smallest, median and largest as in Table 4."""
    return f"{min(values)} / {median(values):g} / {max(values)}"


def _with_deviation(values: Sequence[float]) -> str:
    """Return the mean, and the standard deviation if there are two values."""
    return plus_minus(mean(values), stdev(values) if len(values) > 1 else None)


def _title(score: str) -> str:
    """Return the name of a score in words."""
    return score.replace("_", " ").replace("f1", "F1").replace("hamming", "Hamming")

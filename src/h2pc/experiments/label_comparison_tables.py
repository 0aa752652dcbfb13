"""The tables of the comparison of multi-label methods."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product
from statistics import mean, median
from typing import Literal

from h2pc.experiments.label_comparison_results import (
    MEASURES,
    OBJECTIVES,
    ComparisonResults,
    compared,
)
from h2pc.experiments.label_methods import column_title
from h2pc.experiments.markdown_tables import MISSING, MarkdownTable, csv_number
from h2pc.experiments.multilabel_results import LOWER_IS_BETTER
from h2pc.experiments.multilabel_tables import p_text

REFERENCE = "auto"
"""The method that is compared with every other one."""


def measure_title(measure: str) -> str:
    """Return a measure in words.

    Examples
    --------
    >>> measure_title("subset_accuracy"), measure_title("example_f1")
    ('subset accuracy', 'example F1')
    """
    return measure.replace("_", " ").replace("f1", "F1").replace("hamming", "Hamming")


def measure_table(results: ComparisonResults, measure: str) -> MarkdownTable:
    """Return the means of a measure, the best in bold: data sets by columns.

    A mean of fewer folds than the row says has their number in brackets.
    """
    digits = 4 if measure in LOWER_IS_BETTER else 3  # losses are small where labels are rare
    rows = []
    for data in results.data_sets:
        n_folds = fold_count(results, data)
        means = {column: results.mean(data, column, measure) for column in results.columns}
        texts = {
            column: MISSING if value is None else f"{value:.{digits}f}"
            for column, value in means.items()
        }
        # Equal to the last digit that is shown is equal; part of the folds is not comparable.
        whole = {
            column: text
            for column, text in texts.items()
            if len(results.scores(data, column, measure)) == n_folds
        }
        best = (min if measure in LOWER_IS_BETTER else max)(whole.values())
        row = [data, str(n_folds)]
        for column, text in texts.items():
            own = len(results.scores(data, column, measure))
            if column in whole:
                row.append(f"**{text}**" if text == best else text)
            else:
                row.append(f"{text} ({own})" if own else text)
        rows.append(tuple(row))
    return MarkdownTable(("data", "folds", *map(column_title, results.columns)), rows)


def fold_count(results: ComparisonResults, data: str) -> int:
    """Return the largest number of folds that a column has of a data set."""
    return max(len(results.scores(data, column, MEASURES[0])) for column in results.columns)


def seconds_table(results: ComparisonResults, kind: Literal["wall", "cpu"]) -> MarkdownTable:
    """Return the mean seconds of a fold, with its graph: data sets by methods."""
    rows = []
    for data in results.data_sets:
        row = [data, _mean([one.get(kind) for one in _graph_times(results, data)])]
        for method in results.methods:
            cells = [cell for cell in results.cells if (cell.data, cell.method) == (data, method)]
            row.append(_mean([results.total_seconds(cell, kind) for cell in cells]))
        rows.append(tuple(row))
    return MarkdownTable(("data", "graph alone", *map(column_title, results.methods)), rows)


def factors_table(results: ComparisonResults) -> MarkdownTable:
    """Return number and sizes of the factors that methods find, and the choices they make."""
    rows = []
    for data, method in product(results.data_sets, results.methods):
        records = results.records(data, method)
        labels = [record["factor_labels"] for record in records]
        if method in _TRIVIAL or not all(labels) or not labels:
            continue
        features = [record["factor_features"] or [] for record in records]
        choices = sum((Counter(record["choices"] or {}) for record in records), Counter())
        listed = ", ".join(f"{choice}: {n / len(records):.1f}" for choice, n in choices.items())
        rows.append(
            (
                data,
                column_title(method),
                f"{mean(map(len, labels)):.1f}",
                _spread([size for sizes in labels for size in sizes]),
                _spread([size for sizes in features for size in sizes]),
                listed or MISSING,
            )
        )
    headings = ("factors", "labels min / med / max", "features min / med / max", "choices")
    return MarkdownTable(("data", "method", *headings), rows)


def comparison_table(results: ComparisonResults, method: str = REFERENCE) -> MarkdownTable:
    """Return wins, ties, losses and Wilcoxon's p of a method against every other one.

    Each method is taken by the objective that is meant for the measure, if it has one.
    """
    rows = []
    for other in results.methods:
        if other == method:
            continue
        row, n_data = [], 0
        for measure in OBJECTIVES:
            pair = [results.own_column(one, measure) for one in (method, other)]
            found = compared(results, pair[0], pair[1], measure)
            n_data = len(found.differences)
            row += [" / ".join(map(str, found.counts)), p_text(found.p_value)]
        rows.append((column_title(other), str(n_data), *row))
    headings = [
        text
        for measure in OBJECTIVES
        for text in (f"{measure_title(measure)}: better / equal / worse", "p")
    ]
    return MarkdownTable((f"{column_title(method)} against", "data sets", *headings), rows)


def numbers_table(results: ComparisonResults) -> MarkdownTable:
    """Return everything as numbers: one row for every data set, fold and column."""
    rows = []
    for cell in sorted(results.cells):
        record = results.cells[cell]
        times = [results.total_seconds(cell, kind) for kind in ("wall", "cpu")]
        labels, features = record["factor_labels"], record["factor_features"]
        sizes: list[float | None] = [len(labels) if labels else None]
        for some in (labels, features):
            sizes += [min(some), median(some), max(some)] if some else [None] * 3
        for column, scores in record["scores"].items():
            values = [scores[measure] for measure in MEASURES]
            numbers = map(csv_number, (*values, *times, *sizes))
            rows.append((cell.data, str(cell.fold), cell.method, column, *numbers))
    spread = (f"{end}_{what}" for what in ("labels", "features") for end in _ENDS)
    headings = ("data", "fold", "method", "column", *MEASURES, "seconds", "cpu_seconds", "factors")
    return MarkdownTable((*headings, *spread), rows)


_ENDS = ("min", "median", "max")
_TRIVIAL = ("br", "lp", "lightgbm")
"""Methods whose factors are single labels, all labels, or those of MLP+MB."""


def _graph_times(results: ComparisonResults, data: str) -> list[dict[str, float]]:
    """Return the times of the graphs of a data set."""
    return [times for cell, times in results.graph_seconds.items() if cell.data == data]


def _mean(values: Sequence[float | None]) -> str:
    """Return a mean in seconds, or that there is none."""
    found = [value for value in values if value is not None]
    return f"{mean(found):.1f}" if found else MISSING


def _spread(values: Sequence[int]) -> str:
    """Return smallest, median and largest."""
    return f"{min(values)} / {median(values):g} / {max(values)}" if values else MISSING

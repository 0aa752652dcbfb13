"""The tables of the first experiment, with the values that the paper prints."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from statistics import mean, median

import numpy as np

from h2pc import BayesianNetwork, load_network
from h2pc.experiments.markdown_tables import MISSING, MarkdownTable, csv_number
from h2pc.experiments.published import (
    ALGORITHMS,
    NETWORKS,
    REPETITIONS,
    SIZES,
    TABLE_1,
    Table1Row,
)
from h2pc.experiments.synthetic_results import (
    FALSE_POSITIVE_RATE,
    INDICATORS,
    OF_NETWORKS,
    OF_SKELETONS,
    RUNNING_TIME,
    Indicator,
    SyntheticResults,
)


def networks_table(networks: Iterable[str]) -> MarkdownTable:
    """Table 1: the networks of the library; values of the paper in brackets where they differ.

    Examples
    --------
    >>> networks_table(["child"]).rows
    [('child', '20', '25', '2/7', '2-6', '1/2/8')]
    """
    headings = ("network", "variables", "edges", "max. degree in/out", "levels", "PC set size")
    rows = []
    for name in networks:
        ours = described(load_network(name))
        pairs = zip(ours, TABLE_1.get(name, ours), strict=True)
        rows.append((name, *(str(a) if a == b else f"{a} ({b})" for a, b in pairs)))
    return MarkdownTable(headings, rows)


def described(network: BayesianNetwork) -> Table1Row:
    """Return the row of a network in Table 1."""
    dag, cards = network.dag, network.cards
    near = [len(dag.adjacent(v)) for v in dag.variables]
    most_parents = max(len(dag.parents(v)) for v in dag.variables)
    most_children = max(len(dag.children(v)) for v in dag.variables)
    return Table1Row(
        len(dag.names),
        len(dag.edges),
        f"{most_parents}/{most_children}",
        f"{min(cards)}-{max(cards)}",
        f"{min(near)}/{median(near):g}/{max(near)}",
    )


def factor_numbers(results: SyntheticResults) -> MarkdownTable:
    """Return the distribution of every increase factor at every size, as in the box plots."""
    headings = ("indicator", "size", "cells", "undefined", "mean", "min", "lower_quartile")
    rows = []
    for indicator in INDICATORS:
        for size, found in results.factors_by_size(indicator).items():
            quartiles = (0, 25, 50, 75, 100)
            spread = np.percentile(found.values, quartiles).tolist() if found.values else [None] * 5
            counts = (str(size), str(len(found.values)), str(found.undefined))
            rows.append((indicator.key, *counts, *map(csv_number, (found.mean, *spread))))
    return MarkdownTable((*headings, "median", "upper_quartile", "max"), rows)


def factor_table(results: SyntheticResults, indicators: Sequence[Indicator]) -> MarkdownTable:
    """Return the mean increase factors: one row an indicator, one column a size."""
    rows = []
    for indicator in indicators:
        found = results.factors_by_size(indicator).values()
        title = f"{indicator.title} ({indicator.better} is better)"
        rows.append((title, *(_short(factors.mean) for factors in found)))
    return MarkdownTable(("mean increase factor", *_headings(results.sizes)), rows)


def mean_numbers(results: SyntheticResults) -> MarkdownTable:
    """Return the means over the repetitions of all indicators, as numbers."""
    headings = ("network", "size", "cells", "algorithm", *(one.key for one in INDICATORS))
    rows = []
    for network, size in product(results.networks, results.sizes):
        cells = results.chosen(network=network, size=size)
        for algorithm in ALGORITHMS if cells else ():
            values = (results.values(algorithm, indicator, cells) for indicator in INDICATORS)
            means = (csv_number(mean(found) if found else None) for found in values)
            rows.append((network, str(size), str(len(cells)), algorithm, *means))
    return MarkdownTable(headings, rows)


def mean_table(results: SyntheticResults, network: str) -> MarkdownTable:
    """Return the means of one network, as H2PC / MMHC."""
    shown = (*OF_SKELETONS, FALSE_POSITIVE_RATE, *OF_NETWORKS[2:], RUNNING_TIME)
    rows = []
    for size in results.sizes:
        cells = results.chosen(network=network, size=size)
        pairs = []
        for indicator in shown if cells else ():
            values = (results.values(algorithm, indicator, cells) for algorithm in ALGORITHMS)
            pairs.append(" / ".join(_short(mean(found) if found else None) for found in values))
        if pairs:
            rows.append((f"{size:,}", *pairs))
    return MarkdownTable(("size", *(indicator.title for indicator in shown)), rows)


def coverage_table(results: SyntheticResults) -> MarkdownTable:
    """Return the number of finished cells of every network and size, those of the paper first."""
    sizes = sorted({*SIZES, *results.sizes})
    rows = []
    for name in dict.fromkeys((*NETWORKS, *results.networks)):
        found = (len(results.chosen(network=name, size=size)) for size in sizes)
        rows.append((name, *map(str, found)))
    return MarkdownTable((f"cells finished, of {REPETITIONS}", *_headings(sizes)), rows)


def n_missing(results: SyntheticResults) -> int:
    """Return the number of cells of the paper's grid that are not finished."""
    grid = product(NETWORKS, SIZES, range(REPETITIONS))
    return sum(cell not in results.cells for cell in grid)


def _headings(sizes: Iterable[int]) -> tuple[str, ...]:
    return tuple(f"{size:,}" for size in sizes)


def _short(value: float | None) -> str:
    """Return a number with three digits."""
    if value is None:
        return MISSING
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"

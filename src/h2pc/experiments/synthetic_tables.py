"""The tables of the synthetic experiment, the paper's printed values beside ours."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import mean, median

import numpy as np

from h2pc import BayesianNetwork, load_network
from h2pc.experiments.synthetic_paper import (
    NETWORKS,
    REPETITIONS,
    SIZES,
    TABLE_1,
    TABLE_2,
    Described,
)
from h2pc.experiments.synthetic_results import (
    ALGORITHMS,
    FALSE_POSITIVE_RATE,
    OF_NETWORKS,
    OF_SKELETONS,
    RUNNING_TIME,
    Factors,
    Indicator,
    SyntheticResults,
)
from h2pc.experiments.tables import TextTable

ALL = (*OF_SKELETONS, FALSE_POSITIVE_RATE, *OF_NETWORKS, RUNNING_TIME)
_NOTHING = "–"


def networks_table(networks: Iterable[str]) -> TextTable:
    """Table 1: the networks as they are here, and in brackets what the paper says where it differs.

    Examples
    --------
    >>> networks_table(["child"]).rows
    [('child', '20', '25', '2/7', '2-6', '1/2/8')]
    """
    headings = ("network", "variables", "edges", "max. degree in/out", "levels", "PC set size")
    rows = []
    for name in networks:
        ours = described(load_network(name))
        paper = TABLE_1.get(name, ours)
        cells = (str(a) if a == b else f"{a} ({b})" for a, b in zip(ours, paper, strict=True))
        rows.append((name, *cells))
    return TextTable(headings, rows)


def described(network: BayesianNetwork) -> Described:
    """Return what Table 1 would say of a network."""
    dag, cards = network.dag, network.cards
    near = [len(dag.adjacent(v)) for v in dag.variables]
    most_parents = max(len(dag.parents(v)) for v in dag.variables)
    most_children = max(len(dag.children(v)) for v in dag.variables)
    return Described(
        len(dag.names),
        len(dag.edges),
        f"{most_parents}/{most_children}",
        f"{min(cards)}-{max(cards)}",
        f"{min(near)}/{median(near):g}/{max(near)}",
    )


def running_time_table(results: SyntheticResults) -> TextTable:
    """Table 2: the running time of H2PC over that of MMHC; two rows a network, ours and theirs."""
    rows = []
    for network in (*results.networks, "all"):
        ours = [_ratio(results, network, size) for size in results.sizes]
        theirs = [TABLE_2.get((network, size)) for size in results.sizes]
        rows.append((network, "ours", *(_with_deviation(f.mean, f.deviation) for f in ours)))
        if any(theirs):
            paper = (_with_deviation(*(pair or (None, None))) for pair in theirs)
            rows.append((network, "paper", *paper))
    return TextTable(("network", "", *(f"{size:,}" for size in results.sizes)), rows)


def running_time_numbers(results: SyntheticResults) -> TextTable:
    """Table 2 for machines: one row for every network and size."""
    rows = []
    for network in (*results.networks, "all"):
        for size in results.sizes:
            ours, paper = _ratio(results, network, size), TABLE_2.get((network, size), (None, None))
            numbers = (ours.mean, ours.deviation, *paper)
            rows.append((network, str(size), str(len(ours.values)), *map(_number, numbers)))
    headings = ("network", "size", "cells", "ratio", "deviation", "paper", "paper_deviation")
    return TextTable(headings, rows)


def factor_numbers(results: SyntheticResults) -> TextTable:
    """Return what the box plots show: the spread of every increase factor at every size."""
    headings = ("indicator", "size", "cells", "undefined", "mean", "min", "lower_quartile")
    rows = []
    for indicator in ALL:
        for size in results.sizes:
            values, undefined = factors = results.factors(indicator, results.chosen(size=size))
            spread = np.percentile(values, (0, 25, 50, 75, 100)).tolist() if values else [None] * 5
            counts = (str(size), str(len(values)), str(undefined))
            rows.append((indicator.key, *counts, *map(_number, (factors.mean, *spread))))
    return TextTable((*headings, "median", "upper_quartile", "max"), rows)


def factor_table(results: SyntheticResults, indicators: Sequence[Indicator]) -> TextTable:
    """Return the mean increase factors: one row an indicator, one column a size."""
    rows = []
    for indicator in indicators:
        found = (results.factors(indicator, results.chosen(size=size)) for size in results.sizes)
        title = f"{indicator.title} ({indicator.better} is better)"
        rows.append((title, *(_short(factors.mean) for factors in found)))
    return TextTable(("mean increase factor", *(f"{size:,}" for size in results.sizes)), rows)


def mean_numbers(results: SyntheticResults) -> TextTable:
    """Return the means over the repetitions of all that was measured, for machines."""
    headings = ("network", "size", "cells", "algorithm", *(indicator.key for indicator in ALL))
    rows = []
    for network in results.networks:
        for size in results.sizes:
            cells = results.chosen(network=network, size=size)
            for algorithm in ALGORITHMS if cells else ():
                values = (results.values(algorithm, indicator, cells) for indicator in ALL)
                means = (_number(mean(found) if found else None) for found in values)
                rows.append((network, str(size), str(len(cells)), algorithm, *means))
    return TextTable(headings, rows)


def mean_table(results: SyntheticResults, network: str) -> TextTable:
    """Return the means of one network for readers: H2PC / MMHC in every cell."""
    shown = (*OF_SKELETONS, FALSE_POSITIVE_RATE, *OF_NETWORKS[2:], RUNNING_TIME)
    rows = []
    for size in results.sizes:
        cells = results.chosen(network=network, size=size)
        if not cells:
            continue
        pairs = []
        for indicator in shown:
            values = (results.values(algorithm, indicator, cells) for algorithm in ALGORITHMS)
            pairs.append(" / ".join(_short(mean(found) if found else None) for found in values))
        rows.append((f"{size:,}", *pairs))
    return TextTable(("size", *(indicator.title for indicator in shown)), rows)


def coverage_table(results: SyntheticResults) -> TextTable:
    """Return how many cells are finished of every network and size of the paper, and of others."""
    networks = dict.fromkeys((*NETWORKS, *results.networks))
    sizes = sorted({*SIZES, *results.sizes})
    rows = []
    for name in networks:
        found = (len(results.chosen(network=name, size=size)) for size in sizes)
        rows.append((name, *map(str, found)))
    return TextTable((f"cells finished, of {REPETITIONS}", *(f"{s:,}" for s in sizes)), rows)


def n_missing(results: SyntheticResults) -> int:
    """Return the number of cells of the paper's grid that are not finished."""
    return sum(
        (network, size, repetition) not in results.cells
        for network in NETWORKS
        for size in SIZES
        for repetition in range(REPETITIONS)
    )


def _ratio(results: SyntheticResults, network: str, size: int) -> Factors:
    """Return the running-time ratios of a network, or of all of them."""
    chosen = None if network == "all" else network
    return results.factors(RUNNING_TIME, results.chosen(network=chosen, size=size))


def _with_deviation(number: float | None, deviation: float | None) -> str:
    """Return a mean as in Table 2."""
    if number is None:
        return _NOTHING
    return f"{number:.2f}" if deviation is None else f"{number:.2f} ±{deviation:.1f}"


def _number(value: float | None) -> str:
    """Return a number for machines; nothing is an empty field."""
    return "" if value is None else f"{value:.9g}"


def _short(value: float | None) -> str:
    """Return a number for readers."""
    if value is None:
        return _NOTHING
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"

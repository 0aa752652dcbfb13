"""Running times of the first experiment: Table 2, what is fixed cost, and the time of a test."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import exp, log
from statistics import correlation, mean, median

from h2pc import load_network
from h2pc.experiments.markdown_tables import MISSING, MarkdownTable, csv_number, plus_minus
from h2pc.experiments.published import ALGORITHMS, NETWORKS, TABLE_2, Algorithm
from h2pc.experiments.synthetic_results import (
    FIXED,
    OF_SKELETONS,
    PER_TEST,
    RUNNING_TIME,
    SKELETON,
    WORK,
    Factors,
    Indicator,
    SyntheticResults,
)

_N_TESTS = OF_SKELETONS[-1]
_FEW, _MORE_TESTS = 1000, 1.3
"""Samples of which a test is cheap; how many more tests tell the time of a test from the rest."""
_RATIOS = {
    "tests": _N_TESTS,
    "time_of_a_test": PER_TEST,
    "without_fixed_cost": WORK,
    "ratio": RUNNING_TIME,
}


def running_time_table(results: SyntheticResults) -> MarkdownTable:
    """Table 2: ratio of running times H2PC / MMHC; three rows a network, the last the paper's."""
    rows = []
    for network in (*results.networks, "all"):
        for title, indicator in (("ours", RUNNING_TIME), ("without fixed cost", WORK)):
            found = [_ratio(results, indicator, network, size) for size in results.sizes]
            rows.append((network, title, *(plus_minus(f.mean, f.deviation, 2) for f in found)))
        theirs = [TABLE_2.get((network, size)) for size in results.sizes]
        if any(theirs):
            paper = (plus_minus(*pair, 2) if pair else MISSING for pair in theirs)
            rows.append((network, "paper", *paper))
    return MarkdownTable(("network", "", *_sizes(results)), rows)


def seconds_table(results: SyntheticResults) -> MarkdownTable:
    """Return the mean CPU seconds of H2PC / MMHC."""
    return _both(results, RUNNING_TIME, lambda seconds: f"{seconds:.3g}")


def fixed_cost_table(results: SyntheticResults) -> MarkdownTable:
    """Return the mean milliseconds of fixed cost of H2PC / MMHC."""
    return _both(results, FIXED, lambda seconds: f"{1000 * seconds:.2g}")


def parts_table(results: SyntheticResults) -> MarkdownTable:
    """Return what the ratio of times is made of: more tests, and a shorter or longer time each."""
    rows = []
    for network in (*results.networks, "all"):
        for title, indicator in (("number of tests", _N_TESTS), ("time of a test", PER_TEST)):
            found = (_ratio(results, indicator, network, size).mean for size in results.sizes)
            shown = (MISSING if value is None else f"{value:.2f}" for value in found)
            rows.append((network, title, *shown))
    return MarkdownTable(("ratio H2PC / MMHC", "", *_sizes(results)), rows)


def running_time_numbers(results: SyntheticResults) -> MarkdownTable:
    """Return all of it as numbers: one row for every network and size."""
    rows = []
    for network, size in product((*results.networks, "all"), results.sizes):
        ours = _ratio(results, RUNNING_TIME, network, size)
        paper = TABLE_2.get((network, size), (None, None))
        parts = [_ratio(results, one, network, size).mean for one in list(_RATIOS.values())[:3]]
        fixed = [_mean(results, name, FIXED, network, size) for name in ALGORITHMS]
        seconds = [_mean(results, name, RUNNING_TIME, network, size) for name in ALGORITHMS]
        numbers = (ours.mean, ours.deviation, *paper, *parts, *seconds, *fixed)
        rows.append((network, str(size), str(len(ours.values)), *map(csv_number, numbers)))
    headings = ("network", "size", "cells", "ratio", "deviation", "paper", "paper_deviation")
    parts_of = (*list(_RATIOS)[:3], *(f"{name}_seconds" for name in ALGORITHMS))
    fixed_of = (f"{name}_fixed_seconds" for name in ALGORITHMS)
    return MarkdownTable((*headings, *parts_of, *fixed_of), rows)


def explanation(results: SyntheticResults) -> str:
    """Return sentences on what explains the ratios beside the paper's."""
    found: dict[tuple[str, int], dict[str, float]] = {}
    for network, size in TABLE_2:
        means = {name: _ratio(results, one, network, size).mean for name, one in _RATIOS.items()}
        ratios = {name: mean for name, mean in means.items() if mean}
        if network in NETWORKS and len(ratios) == len(means):
            found[network, size] = ratios
    of_tests = [log(ratios["tests"]) for ratios in found.values()]
    if len(set(of_tests)) < 3:
        return "Too few cells of Table 2 were run to say what explains the ratios."
    papers = [log(TABLE_2[cell][0]) for cell in found]
    quotients = [TABLE_2[cell][0] / ratios["tests"] for cell, ratios in found.items()]
    above = [ratios for cell, ratios in found.items() if ratios["ratio"] > TABLE_2[cell][0]]
    below = [ratios for cell, ratios in found.items() if ratios["ratio"] <= TABLE_2[cell][0]]
    listed = " and ".join(
        f"{_geometric(some):.2f} in the {len(some)} cells where our ratio is {side} the paper's"
        for side, some in (("above", above), ("at or below", below))
        if some
    )
    least, most = results.sizes[0], results.sizes[-1]
    return (
        f"Fixed cost is {_share_of_fixed_cost(results, least):.0%} of the time of MMHC with "
        f"{least:,} samples and {_share_of_fixed_cost(results, most):.0%} with {most:,} (medians "
        "over the cells). It is about the same for both, and draws their ratio towards 1."
        f"{_time_of_variables(results)}\n\n"
        "The paper's ratios follow the ratios of the numbers of tests: the correlation of their "
        f"logarithms is {correlation(papers, of_tests):.2f} over {len(found)} cells, and the "
        f"median of the paper's ratio over that of the tests {median(quotients):.2f}. This is "
        "what one gets where a test takes about as long in HPC as in MMPC, whatever the network "
        "and the size. Here it does not: the ratio of the times of a test has the geometric mean "
        f"{listed}."
    )


def _time_of_variables(results: SyntheticResults) -> str:
    """Return a sentence on the time that a skeleton takes for every variable, without any test.

    It is where the line through the two algorithms meets no tests: seconds against their number.
    """
    per_variable, shares = [], []
    for network, size in product(
        results.of_paper, (size for size in results.sizes if size <= _FEW)
    ):
        cells = results.chosen(network=network, size=size)
        (many, long), (few, short) = (
            (
                mean(results.values(name, _N_TESTS, cells)),
                _mean(results, name, SKELETON, network, size),
            )
            for name in ALGORITHMS
        )
        if long is None or short is None or many < _MORE_TESTS * few:
            continue
        without_tests = short - few * (long - short) / (many - few)
        per_variable.append(1e6 * without_tests / len(load_network(network).names))
        shares.append(without_tests / short)
    if not shares:
        return ""
    return (
        " So does the time that the skeleton takes for every variable, whatever is tested. With at "
        f"most {_FEW:,} samples, where HPC has at least {_MORE_TESTS} times as many tests, the "
        f"line through the times of both has {median(per_variable):.0f} µs a variable without any "
        f"test (median of {len(shares)} cells), which is {median(shares):.0%} of the time of MMPC."
    )


def _geometric(ratios: list[dict[str, float]]) -> float:
    """Return the geometric mean of the ratios of the times of a test."""
    return exp(mean(log(one["time_of_a_test"]) for one in ratios))


def _share_of_fixed_cost(results: SyntheticResults, size: int) -> float:
    """Return the median share of fixed cost in the time of MMHC."""
    cells = results.chosen(size=size)
    parts = zip(*(results.values("mmhc", one, cells) for one in (FIXED, WORK)), strict=True)
    return float(median(fixed / (fixed + work) for fixed, work in parts))


def _both(
    results: SyntheticResults, indicator: Indicator, text: Callable[[float], str]
) -> MarkdownTable:
    """Return the means of both algorithms by network and size."""
    rows = []
    for network in results.networks:
        cells = []
        for size in results.sizes:
            means = [_mean(results, name, indicator, network, size) for name in ALGORITHMS]
            cells.append(" / ".join(MISSING if one is None else text(one) for one in means))
        rows.append((network, *cells))
    return MarkdownTable(("network", *_sizes(results)), rows)


def _mean(
    results: SyntheticResults, algorithm: Algorithm, indicator: Indicator, network: str, size: int
) -> float | None:
    """Return the mean of an indicator of a network, or of all of them."""
    chosen = results.chosen(network=None if network == "all" else network, size=size)
    values = results.values(algorithm, indicator, chosen)
    return mean(values) if values else None


def _ratio(results: SyntheticResults, indicator: Indicator, network: str, size: int) -> Factors:
    """Return the ratios of a network, or of all of them."""
    chosen = results.chosen(network=None if network == "all" else network, size=size)
    if indicator == _N_TESTS:  # of the cells that are timed
        chosen = [cell for cell in chosen if cell in results.seconds]
    return results.factors(indicator, chosen)


def _sizes(results: SyntheticResults) -> tuple[str, ...]:
    return tuple(f"{size:,}" for size in results.sizes)

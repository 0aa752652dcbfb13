"""The paper's claims about its second experiment, each held against our numbers."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean

from h2pc.experiments.multilabel_comparisons import (
    Comparison,
    beyond_br,
    beyond_mmhc,
    compared,
    compared_in_paper,
    with_selection,
)
from h2pc.experiments.multilabel_paper import (
    ALGORITHMS,
    COLUMNS,
    DATA_SETS,
    TABLE_4,
    TABLE_5,
    TITLES,
    Algorithm,
)
from h2pc.experiments.multilabel_results import MultilabelResults
from h2pc.experiments.multilabel_tables import p_text
from h2pc.experiments.synthetic_claims import Claim

TOLERANCE = 0.03
"""How far below the paper's an accuracy may be that is called the same."""
_NOT_REPRODUCED = {("genbase", column) for column in COLUMNS if not column.scenario.endswith("mb")}
"""A forest on all features of genbase has an accuracy of 0.96, not of the 0.069 of Table 5."""


def claims(results: MultilabelResults) -> list[Claim]:
    """Return every claim with its verdict, in the order of the paper."""
    return [
        _denser(results),
        _one_powerset(results),
        _single_labels(results),
        *(_better(results, beyond_br(name), 0.05) for name in ALGORITHMS),
        _better(results, beyond_mmhc("mlp"), 0.02),
        _better(results, beyond_mmhc("br_mb"), 0.001),
        _better(results, beyond_mmhc("mlp_mb"), 0.001),
        *(_at_least(results, beyond_mmhc(scenario)) for scenario in ("mlp", "br_mb", "mlp_mb")),
        *(
            _level(results, with_selection(scenario, name))
            for scenario in ("br", "mlp")
            for name in ALGORITHMS
        ),
    ]


def agreements(results: MultilabelResults) -> list[Claim]:
    """Return whether our numbers are those of the paper's tables."""
    return [*(_same_powersets(results, name) for name in ALGORITHMS), _same_accuracies(results)]


def _denser(results: MultilabelResults) -> Claim:
    """Return whether labels have more neighbours with H2PC on every data set."""
    means = {
        data: tuple(_mean_of(results.sizes(data, name, "label_degrees")) for name in ALGORITHMS)
        for data in results.of_paper
    }
    listed = "; ".join(f"{data}: {a:.1f} against {b:.1f}" for data, (a, b) in means.items())
    return Claim(
        "The graphs of H2PC are denser than those of MMHC",
        _of_all(all(ours > theirs for ours, theirs in means.values()), len(means)),
        f"Mean degree of the labels: {listed}.{_partial(results)}",
    )


def _one_powerset(results: MultilabelResults) -> Claim:
    """Return whether all labels are one powerset on some data sets, in most folds."""
    wanted = ("emotions", "image", "scene")
    numbers = {
        data: _n_powersets(results, data, "h2pc") for data in wanted if data in results.of_paper
    }
    listed = "; ".join(f"{data}: {number:.1f}" for data, number in numbers.items())
    return Claim(
        "MLP is the label powerset of all labels on emotions, image and scene",
        _of_all(all(number < 1.5 for number in numbers.values()), len(numbers), len(wanted)),
        f"Mean number of powersets with H2PC, below 1.5 expected: {listed or 'not run'}.",
    )


def _single_labels(results: MultilabelResults) -> Claim:
    """Return whether nearly all labels are by themselves on genbase."""
    text = "MLP is binary relevance on genbase"
    if "genbase" not in results.of_paper:
        return Claim(text, None, "genbase was not run.")
    number = _n_powersets(results, "genbase", "h2pc")
    n_labels = len(results.cells[results.folds("genbase")[0]]["labels"])
    return Claim(
        text,
        number >= n_labels - 1,
        f"Mean number of powersets of the {n_labels} labels with H2PC: {number:.1f}, at least "
        f"{n_labels - 1} expected.",
    )


def _better(results: MultilabelResults, comparison: Comparison, level: float) -> Claim:
    """Return whether a column of Table 5 is significantly higher than another."""
    p_value = compared(results, comparison, data_sets=results.of_paper).p_value
    return Claim(
        f"{comparison.column.title} is better than {comparison.other.title} (p < {level:g})",
        (p_value is not None and p_value < level) if _is_whole(results) else None,
        _tested(results, comparison),
    )


def _at_least(results: MultilabelResults, comparison: Comparison) -> Claim:
    """Return whether a column of Table 5 is at least another, on the mean of all data sets."""
    differences = compared(results, comparison, data_sets=results.of_paper).differences
    gain = mean(differences) if differences else 0.0
    return Claim(
        f"{comparison.column.title} is at least as good as {comparison.other.title} on average",
        gain >= 0 if _is_whole(results) else None,
        f"Mean difference of the subset accuracies: {gain:+.4f}.{_partial(results)}",
    )


def _level(results: MultilabelResults, comparison: Comparison) -> Claim:
    """Return whether feature selection makes no significant difference."""
    p_value = compared(results, comparison, data_sets=results.of_paper).p_value
    return Claim(
        f"{comparison.column.title} is not significantly different from "
        f"{comparison.other.title} (p > 0.20)",
        (p_value is None or p_value > 0.2) if _is_whole(results) else None,
        _tested(results, comparison),
    )


def _tested(results: MultilabelResults, comparison: Comparison) -> str:
    """Return a test over the data sets in words, beside the same one on the paper's values."""
    found = compared(results, comparison, data_sets=results.of_paper)
    higher, equal, lower = found.counts
    sides = "one-sided" if comparison.alternative == "greater" else "two-sided"
    return (
        f"Data sets with a higher subset accuracy: {higher}, equal: {equal}, lower: {lower}; "
        f"Wilcoxon signed-rank, {sides}: p = {p_text(found.p_value)} (with the paper's values "
        f"{p_text(compared_in_paper(comparison).p_value)}).{_partial(results)}"
    )


def _same_powersets(results: MultilabelResults, algorithm: Algorithm) -> Claim:
    """Return whether the mean numbers of powersets are within two deviations of Table 4."""
    run, outside = results.of_paper, []
    for data in run:
        paper, ours = TABLE_4[data, algorithm], _n_powersets(results, data, algorithm)
        # What is printed is rounded to one digit: half of one is no difference.
        if abs(ours - paper.mean) > 2 * paper.deviation + 0.05:
            outside.append(f"{data} {ours:.1f} ({paper.mean:.1f} ±{paper.deviation:.1f})")
    return Claim(
        f"The numbers of powersets with {TITLES[algorithm]} are within two standard deviations of "
        "Table 4",
        _of_all(not outside, len(run)),
        f"They are on {len(run) - len(outside)} of {len(run)} data sets. {_listed(outside)}",
    )


def _same_accuracies(results: MultilabelResults) -> Claim:
    """Return whether all accuracies are about those of Table 5, or better."""
    run, outside = results.of_paper, []
    keys = [(data, one) for data in run for one in COLUMNS if (data, one) not in _NOT_REPRODUCED]
    for data, column in keys:
        ours, paper = results.mean(data, column), TABLE_5[data, column]
        if ours < paper - TOLERANCE:
            outside.append(f"{data} {column.title} {ours:.3f} ({paper:.3f})")
    return Claim(
        f"The accuracies are within {TOLERANCE} of Table 5, or better",
        _of_all(not outside, len(run)),
        f"They are in {len(keys) - len(outside)} of {len(keys)} entries; genbase without selection "
        f"is left out, whose 0.069 cannot be had. {_listed(outside)}",
    )


def _of_all(holds: bool, n_run: int, n_all: int = len(DATA_SETS)) -> bool | None:
    """Return a verdict: a part can refute what is said of all, only all can confirm it."""
    return None if holds and n_run < n_all else holds


def _is_whole(results: MultilabelResults) -> bool:
    """Whether there are results of all data sets of the paper, of some folds at least."""
    return len(results.of_paper) == len(DATA_SETS)


def _n_powersets(results: MultilabelResults, data: str, algorithm: Algorithm) -> float:
    """Return the mean number of powersets over the folds."""
    return mean(len(found) for found in results.sizes(data, algorithm, "powerset_labels"))


def _mean_of(folds: Sequence[Sequence[int]]) -> float:
    """Return the mean of the numbers of all folds together."""
    return mean(number for fold in folds for number in fold)


def _listed(outside: Sequence[str]) -> str:
    """Return what differs, and in brackets what the paper has."""
    return f"Others, the paper's in brackets: {'; '.join(outside)}." if outside else ""


def _partial(results: MultilabelResults) -> str:
    """Return a sentence where not all of the paper's data sets were run."""
    if _is_whole(results):
        return ""
    run = ", ".join(results.of_paper) or "none of them"
    return f" Of the paper's ten data sets only these were run: {run}."

"""The paper's claims on the second experiment, each with the tests or intervals that judge it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from statistics import mean

from h2pc.experiments.claims import Claim, Verdict, jointly
from h2pc.experiments.intervals import Estimate, Interval, average, difference, of_folds
from h2pc.experiments.multilabel_results import (
    COMPARISONS,
    Comparison,
    MultilabelResults,
    beyond_br,
    beyond_mmhc,
    compared,
    compared_in_paper,
)
from h2pc.experiments.multilabel_tables import p_text
from h2pc.experiments.published import (
    ALGORITHMS,
    COLUMNS,
    DATA_SETS,
    FOLDS,
    SCENARIOS,
    TABLE_4,
    TABLE_5,
    TITLES,
    Algorithm,
)
from h2pc.multilabel.cross_validation import signed_rank_p_value

SIGNIFICANT = 0.05
NO_DIFFERENCE = 0.2
"""The p-value above which the paper says that there is no significant difference."""
_ROUNDING = 0.05
"""What the last digit of Table 4 hides."""
_NOT_REPRODUCED = {("genbase", column) for column in COLUMNS if not column.scenario.endswith("mb")}
"""A forest on all features of genbase has an accuracy of 0.96, where Table 5 has 0.069."""


def claims(results: MultilabelResults) -> list[Claim]:
    """Return every claim with its verdict, in the order of the paper."""
    return [
        _denser(results),
        _one_powerset(results),
        _single_labels(results),
        *(_better(results, beyond_br(name)) for name in ALGORITHMS),
        _better(results, beyond_mmhc("mlp"), 0.02),
        _better(results, beyond_mmhc("br_mb")),
        _better(results, beyond_mmhc("mlp_mb"), 0.001),
        *(_at_least(results, beyond_mmhc(scenario)) for scenario in SCENARIOS),
        *(_no_difference(results, one) for one in COMPARISONS if one.alternative == "two-sided"),
    ]


def agreements(results: MultilabelResults) -> list[Claim]:
    """Return whether our numbers are those of the paper's tables."""
    return [*(_same_powersets(results, name) for name in ALGORITHMS), _same_accuracies(results)]


def _denser(results: MultilabelResults) -> Claim:
    """Return whether labels have more neighbours with H2PC on every data set."""

    def gain(data: str) -> Estimate | None:
        degrees = (
            [mean(record["label_degrees"]) for record in results.records(data, name)]
            for name in ALGORITHMS
        )
        pairs = zip(*degrees, strict=True)
        return of_folds([ours - theirs for ours, theirs in pairs], results.n_folds)

    return _on_each(
        results,
        "The graphs of H2PC are denser than those of MMHC",
        DATA_SETS,
        gain,
        lambda interval: interval.above(0.0),
        "Difference of the mean degrees of the labels",
    )


def _one_powerset(results: MultilabelResults) -> Claim:
    """Return whether all labels are one powerset on some data sets."""
    return _on_each(
        results,
        "MLP is the label powerset of all labels on emotions, image and scene",
        ("emotions", "image", "scene"),
        lambda data: of_folds(results.n_powersets(data, "h2pc"), results.n_folds),
        lambda interval: interval.within(1.0, 1.0),
        "Number of powersets with H2PC, 1 expected",
    )


def _single_labels(results: MultilabelResults) -> Claim:
    """Return whether all labels are by themselves on genbase."""
    n_labels = max((len(record["labels"]) for record in results.records("genbase")), default=0)
    paper = TABLE_4["genbase", "h2pc"]
    return _on_each(
        results,
        "MLP is binary relevance on genbase",
        ("genbase",),
        lambda data: of_folds(results.n_powersets(data, "h2pc"), results.n_folds),
        lambda interval: interval.within(n_labels, n_labels),
        f"Number of powersets with H2PC, {n_labels or 'that of the labels'} expected, in the paper "
        f"{paper.mean} ±{paper.deviation}",
    )


def _better(
    results: MultilabelResults, comparison: Comparison, stated: float | None = None
) -> Claim:
    """Return whether a column of Table 5 is better than another; the paper may state a p-value."""
    found = compared(results, comparison, data_sets=results.of_paper)
    p_value = 1.0 if found.p_value is None else found.p_value
    other_way = signed_rank_p_value([-gain for gain in found.differences], "greater")
    verdict: Verdict = "within noise"
    if p_value < SIGNIFICANT:
        verdict = "holds"
    elif other_way is not None and other_way < SIGNIFICANT:
        verdict = "does not hold"
    return Claim(
        f"{comparison.column.title} is better than {comparison.other.title}",
        verdict if _is_whole(results) else "not run",
        _test_text(results, comparison)
        + (f" The paper says p < {stated:g}." if stated else "")
        + _partial(results),
    )


def _no_difference(results: MultilabelResults, comparison: Comparison) -> Claim:
    """Return whether two columns of Table 5 are not significantly different."""
    p_value = compared(results, comparison, data_sets=results.of_paper).p_value or 1.0
    verdict: Verdict = "within noise"
    if p_value > NO_DIFFERENCE:
        verdict = "holds"
    elif p_value < SIGNIFICANT:
        verdict = "does not hold"
    return Claim(
        f"{comparison.column.title} is not significantly different from {comparison.other.title}",
        verdict if _is_whole(results) else "not run",
        f"{_test_text(results, comparison)} The paper says p > {NO_DIFFERENCE:.2f}."
        f"{_partial(results)}",
    )


def _test_text(results: MultilabelResults, comparison: Comparison) -> str:
    """Return the counts and the p-value of a comparison, and the p-value of the paper's numbers."""
    found = compared(results, comparison, data_sets=results.of_paper)
    higher, equal, lower = found.counts
    sides = "one-sided" if comparison.alternative == "greater" else "two-sided"
    return (
        f"Data sets with a higher subset accuracy: {higher}, equal: {equal}, lower: {lower}; "
        f"Wilcoxon signed-rank, {sides}: p = {p_text(found.p_value)} (with the paper's values "
        f"{p_text(compared_in_paper(comparison).p_value)})."
    )


def _at_least(results: MultilabelResults, comparison: Comparison) -> Claim:
    """Return whether a column of Table 5 is at least another, on the mean of all data sets."""
    gains = [
        of_folds(results.differences(data, *comparison[:2]), results.n_folds)
        for data in results.of_paper
    ]
    known = [gain for gain in gains if gain is not None]
    verdict: Verdict = "not run"
    numbers = "not run"
    if known:
        interval = average(known).interval()
        numbers = interval.text(4, sign=True)
        verdict = interval.above(0.0) if _is_whole(results) else verdict
    return Claim(
        f"{comparison.column.title} is at least as good as {comparison.other.title} on average",
        verdict,
        f"Mean over the data sets of the difference of subset accuracies: {numbers}."
        f"{_partial(results)}",
    )


def _same_powersets(results: MultilabelResults, algorithm: Algorithm) -> Claim:
    """Return whether the mean numbers of powersets are those of Table 4."""

    def beyond_paper(data: str) -> Estimate | None:
        ours = of_folds(results.n_powersets(data, algorithm), results.n_folds)
        paper = TABLE_4[data, algorithm]
        spread = paper.deviation**2 * (1 / FOLDS + 1 / (FOLDS - 1))
        theirs = Estimate(paper.mean, spread, FOLDS - 1)
        return None if ours is None else difference(ours, theirs)

    return _on_each(
        results,
        f"The numbers of powersets with {TITLES[algorithm]} are those of Table 4",
        DATA_SETS,
        beyond_paper,
        lambda interval: interval.within(-_ROUNDING, _ROUNDING),
        "Ours minus the paper's",
    )


def _same_accuracies(results: MultilabelResults) -> Claim:
    """Return whether no accuracy is lower than in Table 5."""
    keys = [
        (data, column)
        for data in DATA_SETS
        for column in COLUMNS
        if (data, column) not in _NOT_REPRODUCED
    ]
    lower, n_run = [], 0
    for data, column in keys:
        values = results.scores(data, column)
        ours = of_folds(values, results.n_folds)
        if ours is None:
            continue
        n_run += 1
        gain = difference(ours, ours._replace(mean=TABLE_5[data, column]))
        if gain.interval(n_joint=len(keys)).above(0.0) == "does not hold":
            lower.append(f"{data} {column.title} {ours.mean:.3f} ({TABLE_5[data, column]:.3f})")
    verdict: Verdict = "does not hold" if lower else "within noise"
    return Claim(
        "No accuracy is lower than in Table 5",
        verdict if _is_whole(results) else "not run",
        f"Lower by more than noise: {len(lower)} of {n_run} entries, judged together; genbase "
        f"without selection is left out, whose 0.069 cannot be reproduced.{_named(lower)}"
        f"{_partial(results)}",
    )


def _on_each(
    results: MultilabelResults,
    text: str,
    data_sets: Sequence[str],
    estimated: Callable[[str], Estimate | None],
    judged: Callable[[Interval], Verdict],
    what: str,
) -> Claim:
    """Return a claim about each of some data sets, whose intervals hold together."""
    verdicts: list[Verdict] = []
    listed = []
    for data in data_sets:
        estimate = estimated(data) if data in results.of_paper else None
        verdict: Verdict = "not run"
        if estimate is not None:
            interval = estimate.interval(n_joint=len(data_sets))
            if len(results.folds(data)) >= results.n_folds:
                verdict = judged(interval)
            listed.append(f"{data} {interval.text(1)}{_unless_it_holds(verdict)}")
        verdicts.append(verdict)
    numbers = "; ".join(listed) or "not run"
    return Claim(text, jointly(verdicts), f"{what}: {numbers}.{_partial(results)}")


def _unless_it_holds(verdict: Verdict) -> str:
    """Return a verdict in words where a claim does not hold."""
    return f" ({verdict})" if verdict in ("within noise", "does not hold") else ""


def _is_whole(results: MultilabelResults) -> bool:
    """Whether all folds of all data sets of the paper are finished."""
    return all(len(results.folds(data)) >= results.n_folds for data in DATA_SETS)


def _named(outside: Iterable[str]) -> str:
    """Return the values that differ, with those of the paper in brackets."""
    texts = "; ".join(outside)
    return f" The paper's in brackets: {texts}." if texts else ""


def _partial(results: MultilabelResults) -> str:
    """Return a sentence where not all folds of the paper's data sets were run."""
    if _is_whole(results):
        return ""
    run = ", ".join(
        f"{data} ({len(results.folds(data))} of {results.n_folds} folds)"
        for data in results.of_paper
    )
    return f" Of the paper's ten data sets these were run: {run or 'none'}."

"""What the automatic choice is meant to reach, checked against stored results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import mean
from typing import NamedTuple

import numpy as np

from h2pc.experiments.label_comparison_results import (
    OBJECTIVES,
    ComparisonResults,
    better_by,
    compared,
    compared_by_fold,
)
from h2pc.experiments.label_comparison_tables import REFERENCE, measure_title
from h2pc.experiments.label_methods import column_title
from h2pc.experiments.multilabel_results import ACCURACY
from h2pc.experiments.multilabel_tables import p_text
from h2pc.experiments.published import COLUMNS, DATA_SETS, TABLE_5

TOLERANCE = 0.01
"""How far the automatic choice may be below the better of what it chooses from."""
MOST = 8
"""Number of data sets, of ten, on which it is to be the best."""
LEVEL = 0.05
RIVALS = ("lp", "ecc", "rf")

_VERDICTS = {True: "holds", False: "does not hold", None: "not known yet"}


class Aim(NamedTuple):
    """What the automatic choice is meant to reach, and whether it does."""

    text: str
    holds: bool | None
    """None where cells are missing that could change it."""
    evidence: str


def aims(results: ComparisonResults) -> list[Aim]:
    """Return every aim, and whether it holds; None where cells are missing."""
    return [
        never_below(results),
        *(above_method(results, rival) for rival in RIVALS),
        above_paper(results),
        above_all(results),
        f1_objective(results),
        *(best_by_own_measure(results, measure) for measure in OBJECTIVES),
    ]


def aim_list(found: Sequence[Aim]) -> str:
    """Return aims as a numbered list in Markdown."""
    items = [
        f"{number}. **{_VERDICTS[aim.holds]}**: {aim.text}. {aim.evidence}".rstrip()
        for number, aim in enumerate(found, 1)
    ]
    return "\n".join(items) + "\n"


def never_below(results: ComparisonResults) -> Aim:
    """Return whether auto is about as good as the better of MLP and MLP+MB everywhere."""
    found = results.common((REFERENCE, "mlp", "mlp+mb"), ACCURACY, _of_paper(results))
    means = {data: values.mean(axis=0) for data, values in found.items()}
    below = {
        data: f"{data} {auto:.3f}, MLP {mlp:.3f}, MLP+MB {with_mb:.3f}"
        for data, (auto, mlp, with_mb) in means.items()
        if better_by(ACCURACY, auto, max(mlp, with_mb)) < -TOLERANCE
    }
    return Aim(
        "The subset accuracy of auto is never below the better of MLP and MLP+MB by more than "
        f"{TOLERANCE}",
        _for_all(not below, len(means), len(DATA_SETS)),
        f"Holds on {len(means) - len(below)} of {len(means)} data sets{_others(below.values())}.",
    )


def above_method(results: ComparisonResults, rival: str) -> Aim:
    """Return whether auto has a higher subset accuracy than another method on most data sets."""
    found = results.common((REFERENCE, rival), ACCURACY, _of_paper(results))
    pairs = {data: tuple(values.mean(axis=0)) for data, values in found.items()}
    p_value = compared(results, REFERENCE, rival, ACCURACY).p_value
    return _above(column_title(rival), pairs, f"; Wilcoxon, two-sided: p = {p_text(p_value)}")


def above_paper(results: ComparisonResults) -> Aim:
    """Return whether auto is above the best column of the paper's Table 5 on most data sets."""
    pairs = {}
    for data in _of_paper(results):
        ours = results.mean(data, REFERENCE, ACCURACY)
        if ours is not None:
            pairs[data] = ours, _paper_best(data)
    return _above("the best column of the paper's Table 5", pairs)


def above_all(results: ComparisonResults) -> Aim:
    """Return whether auto is above the best of the others and of the paper on most data sets."""
    found = results.common((REFERENCE, *RIVALS), ACCURACY, _of_paper(results))
    pairs = {}
    for data, values in found.items():
        ours, *theirs = values.mean(axis=0)
        pairs[data] = ours, max(*theirs, _paper_best(data))
    names = ", ".join(map(column_title, RIVALS))
    return _above(f"the best of {names} and the paper's Table 5", pairs)


def f1_objective(results: ComparisonResults) -> Aim:
    """Return whether the F1 of objective f1 is above that of objective subset."""
    text = 'The example F1 of objective "f1" is higher than that of "subset"'
    column = f"{REFERENCE}:f1"
    found = compared(results, column, REFERENCE, "example_f1", "greater")
    n_data = len(found.differences)
    if not n_data:
        return Aim(text, None, "Not run.")
    by_fold = compared_by_fold(results, column, REFERENCE, "example_f1")
    higher, equal, lower = found.counts
    p_value = 1.0 if found.p_value is None else found.p_value
    holds = p_value < LEVEL if n_data >= len(DATA_SETS) else None
    return Aim(
        text,
        holds,
        f"Higher on {higher} data sets, equal on {equal}, lower on {lower}, by "
        f"{mean(found.differences):+.3f} on average. Wilcoxon, one-sided: p = "
        f"{p_text(found.p_value)} over the data sets; over their {len(by_fold.differences)} folds, "
        f"which share samples, p = {_small(by_fold.p_value)}.",
    )


def best_by_own_measure(results: ComparisonResults, measure: str) -> Aim:
    """Return whether an objective is at least as good as the others by its own measure."""
    own = results.own_column(REFERENCE, measure)
    names = {
        objective: REFERENCE if objective == "subset" else f"{REFERENCE}:{objective}"
        for objective in OBJECTIVES.values()
    }
    text = (
        f'Objective "{OBJECTIVES[measure]}" has the best {measure_title(measure)} of the three '
        "on every data set"
    )
    found = results.common(tuple(names.values()), measure)
    if not found:
        return Aim(text, None, "Not run.")
    place = list(names.values()).index(own)
    means = {data: values.mean(axis=0) for data, values in found.items()}
    worse = {
        data: f"{data} " + ", ".join(f"{value:.4f}" for value in values)
        for data, values in means.items()
        if any(better_by(measure, values[place], value) < 0 for value in values)
    }
    total = np.mean(list(means.values()), axis=0)
    best = all(better_by(measure, total[place], value) >= 0 for value in total)
    listed = ", ".join(f'"{name}" {value:.4f}' for name, value in zip(names, total, strict=True))
    return Aim(
        text,
        _for_all(not worse, len(means), len(DATA_SETS)),
        f"It has on {len(means) - len(worse)} of {len(means)}{_others(worse.values())}; on average "
        f"it is {'the best' if best else 'not the best'}: {listed}.",
    )


def _above(title: str, pairs: Mapping[str, tuple[float, float]], more: str = "") -> Aim:
    """Return whether the first value is higher than the second on most data sets."""
    above = [
        data for data, (ours, theirs) in pairs.items() if better_by(ACCURACY, ours, theirs) > 0
    ]
    others = [
        f"{data} {ours:.3f} against {theirs:.3f}"
        for data, (ours, theirs) in pairs.items()
        if data not in above
    ]
    n_missing = len(DATA_SETS) - len(pairs)
    holds: bool | None = len(above) >= MOST
    if not holds and len(above) + n_missing >= MOST:
        holds = None
    return Aim(
        f"The subset accuracy of auto is above that of {title} on at least {MOST} of "
        f"{len(DATA_SETS)} data sets",
        holds,
        f"It is on {len(above)} of {len(pairs)}{_others(others)}{more}.",
    )


def _for_all(holds: bool, n_run: int, n_all: int) -> bool | None:
    """Return whether something holds for all: some can refute it, only all can confirm it."""
    return None if holds and n_run < n_all else holds


def _of_paper(results: ComparisonResults) -> tuple[str, ...]:
    """Return the data sets of the paper that were run."""
    return tuple(data for data in results.data_sets if data in DATA_SETS)


def _paper_best(data: str) -> float:
    """Return the highest accuracy of a data set in Table 5."""
    return max(TABLE_5[data, column] for column in COLUMNS)


def _others(listed: Iterable[str]) -> str:
    """Return the data sets where an aim is missed."""
    texts = list(listed)
    return f" (others: {'; '.join(texts)})" if texts else ""


def _small(p_value: float | None) -> str:
    """Return a p-value that may be tiny."""
    return p_text(p_value) if p_value is None or p_value >= 1e-4 else f"{p_value:.1e}"

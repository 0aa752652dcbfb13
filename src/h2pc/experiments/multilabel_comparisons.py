"""Wilcoxon's signed-rank test on the data sets, as the paper compares its columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from h2pc.experiments.multilabel_paper import ALGORITHMS, BR, DATA_SETS, TABLE_5, Algorithm, Column
from h2pc.experiments.multilabel_results import ACCURACY, LOWER_IS_BETTER, MultilabelResults
from h2pc.multilabel.cross_validation import signed_rank_p_value

Alternative = Literal["greater", "two-sided"]


class Comparison(NamedTuple):
    """Two columns of Table 5, and what is tested of them."""

    column: Column
    other: Column
    alternative: Alternative

    @property
    def title(self) -> str:
        """The question in words."""
        sign = ">" if self.alternative == "greater" else "≠"
        return f"{self.column.title} {sign} {self.other.title}"


def beyond_br(algorithm: Algorithm) -> Comparison:
    """Return whether powersets are better than labels by themselves."""
    return Comparison(Column("mlp", algorithm), BR, "greater")


def beyond_mmhc(scenario: str) -> Comparison:
    """Return whether H2PC is better than MMHC in a scenario."""
    return Comparison(Column(scenario, "h2pc"), Column(scenario, "mmhc"), "greater")


def with_selection(scenario: str, algorithm: Algorithm) -> Comparison:
    """Return whether feature selection makes a difference for BR or MLP."""
    without = BR if scenario == "br" else Column(scenario, algorithm)
    return Comparison(Column(f"{scenario}_mb", algorithm), without, "two-sided")


COMPARISONS = (
    *(beyond_br(algorithm) for algorithm in ALGORITHMS),
    *(beyond_mmhc(scenario) for scenario in ("mlp", "br_mb", "mlp_mb")),
    *(with_selection(scenario, name) for scenario in ("br", "mlp") for name in ALGORITHMS),
)


class Compared(NamedTuple):
    """How two columns differ on some data sets."""

    differences: tuple[float, ...]
    """One for every data set: above 0 where the first column is better."""
    p_value: float | None
    """None where all differences are zero."""

    @property
    def counts(self) -> tuple[int, int, int]:
        """How many differences are above zero, zero, and below."""
        signs = np.sign(self.differences).tolist()
        return signs.count(1.0), signs.count(0.0), signs.count(-1.0)


def compared(
    results: MultilabelResults,
    comparison: Comparison,
    score: str = ACCURACY,
    data_sets: Sequence[str] | None = None,
) -> Compared:
    """Return how two columns differ in the mean of a score over the folds, on some data sets."""
    sign = -1 if score in LOWER_IS_BETTER else 1
    pairs = [
        [results.mean(data, column, score) for column in comparison[:2]]
        for data in (results.data_sets if data_sets is None else data_sets)
    ]
    return _compared([sign * (ours - theirs) for ours, theirs in pairs], comparison.alternative)


def compared_in_paper(comparison: Comparison) -> Compared:
    """Return how two columns differ in the paper's Table 5."""
    differences = [
        TABLE_5[data, comparison.column] - TABLE_5[data, comparison.other] for data in DATA_SETS
    ]
    return _compared(differences, comparison.alternative)


def _compared(differences: Sequence[float], alternative: Alternative) -> Compared:
    """Return differences without the noise of the last digits, and their test."""
    rounded = tuple(round(difference, 9) for difference in differences)
    return Compared(rounded, signed_rank_p_value(rounded, alternative))

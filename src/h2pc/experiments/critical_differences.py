"""Ranks of methods over data sets, and the critical-difference picture of Demšar (2006)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.stats import friedmanchisquare, studentized_range

from h2pc.errors import SettingError
from h2pc.experiments.label_comparison_results import OBJECTIVES, ComparisonResults
from h2pc.experiments.label_comparison_tables import measure_title
from h2pc.experiments.label_methods import EXPERIMENTS, column_title
from h2pc.experiments.multilabel_results import LOWER_IS_BETTER
from h2pc.report.shapes import save_figure

if TYPE_CHECKING:
    from pandas import DataFrame, Series

LEVEL = 0.05
PICTURE = "critical_differences"

_COLOURS = (
    "#1b6ca8",
    "#c8553d",
    "#2a9d6f",
    "#8e5ea2",
    "#b8860b",
    "#3a3a3a",
    "#d1495b",
    "#00798c",
    "#6a994e",
    "#7f5539",
)


class Ranks(NamedTuple):
    """The mean ranks of methods by one measure, and their tests."""

    measure: str
    n_data: int
    means: Series
    """Mean rank by method; 1 is the best."""
    p_values: DataFrame
    """Nemenyi's test of every pair of methods."""
    friedman: float
    """p-value of Friedman's test that all methods are equal."""

    @property
    def critical_difference(self) -> float:
        """The least difference of mean ranks that Nemenyi's test rejects at the level."""
        return critical_difference(len(self.means), self.n_data)


def critical_difference(n_methods: int, n_data: int, level: float = LEVEL) -> float:
    """Return the critical difference of Nemenyi's test (Demšar 2006, section 3.2.2).

    Examples
    --------
    >>> round(critical_difference(4, 14), 2)
    1.25
    """
    quantile = float(studentized_range.ppf(1 - level, n_methods, np.inf)) / math.sqrt(2)
    return quantile * math.sqrt(n_methods * (n_methods + 1) / (6 * n_data))


def ranked_methods(results: ComparisonResults) -> tuple[str, ...]:
    """Return the methods with a fold of every data set."""
    return tuple(
        method
        for method in results.methods
        if all(results.records(data, method) for data in results.data_sets)
    )


def ranks(results: ComparisonResults, measure: str) -> Ranks | None:
    """Return the ranks of the methods that have all data sets; None where there are too few.

    Each method is taken by the objective that is meant for the measure; means are those of the
    folds that all methods have.
    """
    columns = [results.own_column(method, measure) for method in ranked_methods(results)]
    found = results.common(columns, measure) if columns else {}
    if len(columns) < 3 or len(found) < 2:
        return None
    pandas, posthocs = _packages()
    means = pandas.DataFrame(
        [values.mean(axis=0) for values in found.values()],
        index=list(found),
        columns=[column_title(column) for column in columns],
    ).round(9)
    by_rank = means.rank(axis=1, ascending=measure in LOWER_IS_BETTER)
    # Where all methods are equal on all data sets there is nothing to test.
    all_equal = bool((by_rank.nunique(axis=1) == 1).all())
    friedman = 1.0 if all_equal else float(friedmanchisquare(*means.to_numpy().T).pvalue)
    p_values = posthocs.posthoc_nemenyi_friedman(means)
    return Ranks(measure, len(means), by_rank.mean(), p_values, friedman)


def all_ranks(results: ComparisonResults) -> dict[str, Ranks]:
    """Return the ranks by every measure that is tested."""
    found = {measure: ranks(results, measure) for measure in OBJECTIVES}
    return {measure: one for measure, one in found.items() if one is not None}


def critical_difference_figure(found: Mapping[str, Ranks]) -> Any:
    """Return a figure with a critical-difference diagram for each measure."""
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine
    from matplotlib.ticker import FixedLocator

    _, posthocs = _packages()
    n_methods = max(len(one.means) for one in found.values())
    height = 1.25 + 0.17 * n_methods
    layout = ConstrainedLayoutEngine(h_pad=0.12)
    figure = Figure(figsize=(8.0, height * len(found)), layout=layout)
    axes = figure.subplots(len(found), squeeze=False)[:, 0]
    for ax, (measure, one) in zip(axes, found.items(), strict=True):
        posthocs.critical_difference_diagram(
            one.means,
            one.p_values,
            alpha=LEVEL,
            ax=ax,
            label_fmt_left="{label}  {rank:.2f} ",
            label_fmt_right=" {rank:.2f}  {label}",
            label_props={"fontsize": 9, "va": "center"},
            color_palette=dict(zip(one.means.index, cycle(_COLOURS), strict=False)),
            crossbar_props={"color": "#22303c", "linewidth": 2.5},
            text_h_margin=0.15,
        )
        title = measure_title(measure)
        ax.set_title(
            f"{title[0].upper()}{title[1:]}: mean ranks over {one.n_data} data sets, critical "
            f"difference {one.critical_difference:.2f}, Friedman p = {_p(one.friedman)}",
            fontsize=10,
            pad=14,
        )
        ax.set_xlim(0.85, n_methods + 0.15)
        ax.xaxis.set_major_locator(FixedLocator(range(1, n_methods + 1)))
    return figure


def save_critical_differences(results: ComparisonResults, folder: Path) -> list[Path]:
    """Draw the picture as PNG and SVG, and return the paths; none where too little was run."""
    found = all_ranks(results)
    if not found:
        return []
    return save_figure(critical_difference_figure(found), folder, PICTURE, dpi=160)


def _p(value: float) -> str:
    """Return a p-value for a title."""
    return f"{value:.3f}" if value >= 0.001 else f"{value:.1e}"


def _packages() -> tuple[Any, Any]:
    """Return pandas and scikit-posthocs."""
    try:
        import pandas
        import scikit_posthocs
    except ModuleNotFoundError as error:
        raise SettingError(
            f"The critical-difference picture needs {error.name}, which is not installed "
            f"({EXPERIMENTS})."
        ) from None
    return pandas, scikit_posthocs

"""What the two figures of section 4 show, as numbers; :mod:`h2pc.report.boxplots` draws them."""

from __future__ import annotations

from statistics import mean

from h2pc.experiments.synthetic_results import (
    ALGORITHMS,
    FALSE_POSITIVE_RATE,
    OF_NETWORKS,
    OF_SKELETONS,
    Algorithm,
    Indicator,
    SyntheticResults,
)
from h2pc.report.boxplots import Boxes, Figure, Lines

_SKELETON_NAMES: dict[Algorithm, str] = {"h2pc": "HPC", "mmhc": "MMPC"}
_RECALL = OF_SKELETONS[0]


def figures(results: SyntheticResults) -> dict[str, Figure]:
    """Return both figures by their file names."""
    return {
        "figure1": Figure(
            "Skeletons: HPC over MMPC",
            (
                _lines(results, "False negative rate", _RECALL, complement=True),
                _lines(results, "False positive rate", FALSE_POSITIVE_RATE),
                *(_boxes(results, indicator) for indicator in OF_SKELETONS),
            ),
        ),
        "figure2": Figure(
            "Networks: H2PC over MMHC", tuple(_boxes(results, one) for one in OF_NETWORKS)
        ),
    }


def _boxes(results: SyntheticResults, indicator: Indicator) -> Boxes:
    """Return the increase factors of an indicator at every size."""
    return Boxes(
        f"{indicator.title}: increase factor ({indicator.better} is better)",
        {
            size: results.factors(indicator, results.chosen(size=size)).values
            for size in results.sizes
        },
        log=indicator.key in ("n_tests", "n_scores"),
    )


def _lines(
    results: SyntheticResults, title: str, indicator: Indicator, complement: bool = False
) -> Lines:
    """Return the means of an indicator, or of what it leaves to one, by learner and size."""
    series = {}
    for algorithm in ALGORITHMS:
        means = {
            size: mean(results.values(algorithm, indicator, results.chosen(size=size)))
            for size in results.sizes
        }
        series[_SKELETON_NAMES[algorithm]] = {
            size: 1 - value if complement else value for size, value in means.items()
        }
    return Lines(f"{title}: mean (lower is better)", series)

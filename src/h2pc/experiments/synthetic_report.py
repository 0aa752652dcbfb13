"""The report on the first experiment: the paper's claims, figures and tables with our results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from h2pc.experiments.claims import claim_list, filled, finished, write_texts
from h2pc.experiments.published import NETWORKS, REPETITIONS, SIZES
from h2pc.experiments.synthetic_claims import interval_table, judged_claims
from h2pc.experiments.synthetic_comparison import learner_numbers, learners_text
from h2pc.experiments.synthetic_others import LearnerResults, comparisons
from h2pc.experiments.synthetic_results import (
    FALSE_POSITIVE_RATE,
    OF_NETWORKS,
    OF_SKELETONS,
    SyntheticResults,
)
from h2pc.experiments.synthetic_tables import (
    coverage_table,
    factor_numbers,
    factor_table,
    mean_numbers,
    mean_table,
    n_missing,
    networks_table,
)
from h2pc.experiments.synthetic_times import (
    explanation,
    fixed_cost_table,
    parts_table,
    running_time_numbers,
    running_time_table,
    seconds_table,
)

_CAPTIONS = {
    "figure1": "Figure 1. Quality of the skeletons. The first two panels are means over all cells; "
    "the others are increase factors of HPC over MMPC: median, quartiles and most extreme values, "
    "and the mean as a black line.",
    "figure2": "Figure 2. Quality of the networks: increase factors of H2PC over MMHC, drawn "
    "likewise. Log scores are negative: a factor below 1 is the better fit.",
}


def write_report(
    results: SyntheticResults,
    folder: Path,
    pictures: Iterable[Path] = (),
    others: Mapping[str, LearnerResults] | None = None,
) -> list[Path]:
    """Write the report and its tables into the folder of the pictures; return their paths."""
    means = ["# Means over the repetitions, H2PC / MMHC\n"]
    for network in results.networks:
        means += [f"## {network}\n", mean_table(results, network).as_markdown()]
    texts = {
        "report.md": report_text(results, [picture.name for picture in pictures], others),
        "means.md": "\n".join(means),
        "means.csv": mean_numbers(results).as_csv(),
        "factors.csv": factor_numbers(results).as_csv(),
        "running_time.md": running_time_table(results).as_markdown(),
        "running_time.csv": running_time_numbers(results).as_csv(),
    }
    if others:
        texts["learners.csv"] = learner_numbers(comparisons(results, others)).as_csv()
    return write_texts(folder, texts)


def report_text(
    results: SyntheticResults,
    pictures: Iterable[str] = (),
    others: Mapping[str, LearnerResults] | None = None,
) -> str:
    """Return the report as Markdown."""
    shown = [name.removesuffix(".png") for name in pictures if name.endswith(".png")]
    figures = [
        f"![{name.replace('figure', 'Figure ')}]({name}.png)\n\n{_CAPTIONS[name]}\n"
        for name in shown
        if name in _CAPTIONS
    ]
    judged = judged_claims(results)
    indicators = (*OF_SKELETONS, FALSE_POSITIVE_RATE, *OF_NETWORKS)
    n_all = len(NETWORKS) * len(SIZES) * REPETITIONS
    n_cells = len(results.cells)
    return filled(
        "synthetic_report.md",
        finished=finished("cells of the paper's grid", n_all, n_missing(results), n_cells),
        settings=", ".join(f"{name} {value}" for name, value in results.settings.items()),
        claims=claim_list(one.claim for one in judged),
        intervals=interval_table(judged).as_markdown(),
        figures="\n".join(figures) or "No pictures were drawn.",
        factors=factor_table(results, indicators).as_markdown(),
        running_time=running_time_table(results).as_markdown(),
        explanation=explanation(results),
        tests=parts_table(results).as_markdown(),
        fixed_cost=fixed_cost_table(results).as_markdown(),
        seconds=seconds_table(results).as_markdown(),
        learners=learners_text(results, others or {}, shown),
        networks=networks_table(results.networks).as_markdown(),
        cells=coverage_table(results).as_markdown(),
    )

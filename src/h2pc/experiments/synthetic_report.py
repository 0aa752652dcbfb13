"""The report on the synthetic experiment: the paper's claims, figures and tables on our numbers."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from h2pc.experiments.synthetic_claims import claims
from h2pc.experiments.synthetic_paper import NETWORKS, REPETITIONS, SIZES
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
    running_time_numbers,
    running_time_table,
)
from h2pc.io.files import replace_file

_CAPTIONS = {
    "figure1": "Figure 1. Quality of the skeletons. The first two panels are means over all cells; "
    "the others are increase factors of HPC over MMPC: median, quartiles and most extreme values, "
    "and the mean as a black line.",
    "figure2": "Figure 2. Quality of the networks: increase factors of H2PC over MMHC, drawn "
    "likewise. Log scores are negative: a factor below 1 is the better fit.",
}


def write_report(
    results: SyntheticResults, folder: Path, pictures: Iterable[Path] = ()
) -> list[Path]:
    """Write the report and its tables into a folder, and return their paths.

    The pictures are those drawn before, in the same folder; a report can do without.
    """
    folder.mkdir(parents=True, exist_ok=True)
    texts = {
        "report.md": report_text(results, [picture.name for picture in pictures]),
        "means.md": means_text(results),
        "means.csv": mean_numbers(results).as_csv(),
        "factors.csv": factor_numbers(results).as_csv(),
        "running_time.md": running_time_table(results).as_markdown(),
        "running_time.csv": running_time_numbers(results).as_csv(),
    }
    for name, text in texts.items():
        replace_file(folder / name, text)
    return [folder / name for name in texts]


def report_text(results: SyntheticResults, pictures: Iterable[str] = ()) -> str:
    """Return the report as Markdown."""
    shown = [name for name in pictures if name.endswith(".png")]
    parts = [
        "# H2PC against MMHC on samples of known networks\n",
        _summary(results),
        "## The paper's claims\n",
        _claims(results),
        "## Figures\n",
        "\n".join(_picture(name) for name in shown) or "No pictures were drawn.\n",
        "Mean increase factors, HPC over MMPC and H2PC over MMHC; every cell counts once. Where "
        "both values are equal the factor is 1, also if they are 0; where only that of the other "
        "learner is 0 there is none (`factors.csv` counts these).\n",
        factor_table(results, (*OF_SKELETONS, FALSE_POSITIVE_RATE, *OF_NETWORKS)).as_markdown(),
        "## Running time (Table 2)\n",
        "Mean ratio H2PC / MMHC over the repetitions, and its standard deviation: CPU time from "
        "the data to the graph, in one thread. `means.csv` has the seconds.\n",
        running_time_table(results).as_markdown(),
        "## Networks (Table 1)\n",
        "What the paper prints is in brackets where it differs.\n",
        networks_table(results.networks).as_markdown(),
        "## Cells\n",
        coverage_table(results).as_markdown(),
        "Means of every network are in `means.md`, those of every network and size in "
        "`means.csv`.\n",
    ]
    return "\n".join(parts)


def means_text(results: SyntheticResults) -> str:
    """Return the means of every network as Markdown."""
    parts = ["# Means over the repetitions, H2PC / MMHC\n"]
    for network in results.networks:
        parts += [f"## {network}\n", mean_table(results, network).as_markdown()]
    return "\n".join(parts)


def _summary(results: SyntheticResults) -> str:
    """Return what was run, and what is missing of the paper's grid."""
    n_all = len(NETWORKS) * len(SIZES) * REPETITIONS
    missing = n_missing(results)
    settings = ", ".join(f"{name} {value}" for name, value in results.settings.items())
    others = len(results.cells) - (n_all - missing)
    besides = f", and {others} others" if others else ""
    finished = (
        f"All {n_all} cells of the paper's grid are finished{besides}."
        if not missing
        else f"**{missing} of the {n_all} cells of the paper's grid are missing** (the last table "
        f"says which); {n_all - missing} are finished{besides}."
    )
    return (
        f"{finished} A cell is one sample of a network: both learners see it once, and are judged "
        "on it and on new samples of the same network, which all sizes of a repetition share.\n\n"
        f"Settings: {settings}.\n"
    )


def _claims(results: SyntheticResults) -> str:
    """Return the claims as a list with their verdicts."""
    items = [
        f"{number}. **{claim.verdict}**: {claim.text}. {claim.evidence}"
        for number, claim in enumerate(claims(results), 1)
    ]
    return "\n".join(items) + "\n"


def _picture(name: str) -> str:
    """Return a picture and its caption."""
    caption = _CAPTIONS[name.removesuffix(".png")]
    return f"![{caption.partition('.')[0]}]({name})\n\n{caption}\n"

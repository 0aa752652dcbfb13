"""The report on the first experiment: the paper's claims, figures and tables with our results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from h2pc.experiments.claims import Claim, claim_list, for_all, summary, write_texts
from h2pc.experiments.published import ALGORITHMS, NETWORKS, REPETITIONS, SIZES, TABLE_2
from h2pc.experiments.synthetic_results import (
    FALSE_POSITIVE_RATE,
    OF_NETWORKS,
    OF_SKELETONS,
    RUNNING_TIME,
    Indicator,
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

HALF, LEVEL = (0.0, 0.6), (0.9, 1.1)
"""Mean increase factors that count as about one half, or less, and as about level."""

_LARGEST = SIZES[-1]
_WITH_MOST = f"with {_LARGEST:,} samples"
_RECALL, _, _DISTANCE, _ = OF_SKELETONS
*_SCORES, _SHD, _ = OF_NETWORKS
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
    """Write the report and its tables into the folder of the pictures; return their paths."""
    means = ["# Means over the repetitions, H2PC / MMHC\n"]
    for network in results.networks:
        means += [f"## {network}\n", mean_table(results, network).as_markdown()]
    texts = {
        "report.md": report_text(results, [picture.name for picture in pictures]),
        "means.md": "\n".join(means),
        "means.csv": mean_numbers(results).as_csv(),
        "factors.csv": factor_numbers(results).as_csv(),
        "running_time.md": running_time_table(results).as_markdown(),
        "running_time.csv": running_time_numbers(results).as_csv(),
    }
    return write_texts(folder, texts)


def report_text(results: SyntheticResults, pictures: Iterable[str] = ()) -> str:
    """Return the report as Markdown."""
    shown = [name.removesuffix(".png") for name in pictures if name.endswith(".png")]
    figures = [
        f"![{name.replace('figure', 'Figure ')}]({name}.png)\n\n{_CAPTIONS[name]}\n"
        for name in shown
    ]
    design = (
        "A cell is one sample of a network: both algorithms learn from it once, and are scored on "
        "it and on a new sample of the same network, which all sizes of a repetition share."
    )
    grid = len(NETWORKS) * len(SIZES) * REPETITIONS
    parts = [
        "# H2PC against MMHC on samples of known networks\n",
        summary(
            "cells of the paper's grid",
            grid,
            n_missing(results),
            len(results.cells),
            design,
            results.settings,
        ),
        "## The paper's claims\n",
        claim_list(claims(results)),
        "## Figures\n",
        "\n".join(figures) or "No pictures were drawn.\n",
        "Mean increase factors, HPC over MMPC and H2PC over MMHC; every cell counts once. Where "
        "both values are equal the factor is 1, also if they are 0; where only that of the other "
        "algorithm is 0 there is none (`factors.csv` counts these).\n",
        factor_table(results, (*OF_SKELETONS, FALSE_POSITIVE_RATE, *OF_NETWORKS)).as_markdown(),
        "## Running time (Table 2)\n",
        "Mean ratio H2PC / MMHC over the repetitions, and its standard deviation: CPU time from "
        "the data to the graph, in one thread. `means.csv` has the seconds.\n",
        running_time_table(results).as_markdown(),
        "## Networks (Table 1)\n",
        "Values of the paper are in brackets where they differ.\n",
        networks_table(results.networks).as_markdown(),
        "## Cells\n",
        coverage_table(results).as_markdown(),
        "Means of every network are in `means.md`, those of every network and size in "
        "`means.csv`.\n",
    ]
    return "\n".join(parts)


def claims(results: SyntheticResults) -> list[Claim]:
    """Return every claim with its verdict, in the order of the paper."""
    return [
        _recall_rises(results),
        _about(
            results,
            f"HPC is about half as far as MMPC from perfect precision and recall {_WITH_MOST}",
            _DISTANCE,
            (_LARGEST,),
            HALF,
        ),
        *(_better_score(results, indicator) for indicator in _SCORES),
        _about(
            results,
            "The SHD of H2PC and MMHC is about level with 50 and 100 samples",
            _SHD,
            (50, 100),
            LEVEL,
        ),
        _about(
            results,
            f"The SHD of H2PC is about half of that of MMHC {_WITH_MOST}",
            _SHD,
            (_LARGEST,),
            HALF,
        ),
        _faster_than_in_the_paper(results),
    ]


def _recall_rises(results: SyntheticResults) -> Claim:
    """Return whether the mean recall of HPC is above that of MMPC at every size."""
    sizes = [size for size in SIZES if size in results.sizes]
    listed, means = _means(results, _RECALL, sizes)
    rises = all(ours > theirs for ours, theirs in means)
    return Claim(
        "HPC raises recall over MMPC at every size",
        for_all(rises, len(sizes), len(SIZES)),
        f"Mean recall {_of_sizes(sizes)}: {listed}.{_partial(results, sizes)}",
    )


def _better_score(results: SyntheticResults, indicator: Indicator) -> Claim:
    """Return whether the mean increase factor of a log score is below 1 at every size."""
    sizes = [size for size in SIZES if size in results.sizes]
    listed, factors = _mean_factors(results, indicator, sizes)
    return Claim(
        f"H2PC has the better {indicator.title}, at every size",
        None
        if factors is None
        else for_all(all(factor < 1 for factor in factors), len(sizes), len(SIZES)),
        f"Mean increase factor {_of_sizes(sizes)} (log scores are negative: below 1 is better): "
        f"{listed}.{_partial(results, sizes)}",
    )


def _about(
    results: SyntheticResults,
    text: str,
    indicator: Indicator,
    sizes: Sequence[int],
    expected: tuple[float, float],
) -> Claim:
    """Return whether mean increase factors at some sizes are as expected."""
    listed, factors = _mean_factors(results, indicator, sizes)
    least, most = expected
    between = f"{least} to {most}" if least else f"at most {most}"
    return Claim(
        text,
        None if factors is None else all(least <= factor <= most for factor in factors),
        f"Mean increase factor, {between} expected: {listed}. "
        f"Means: {_means(results, indicator, sizes)[0]}.{_partial(results, sizes)}",
    )


def _faster_than_in_the_paper(results: SyntheticResults) -> Claim:
    """Return whether the running-time ratios of Table 2 are all higher than ours."""
    pairs = {}
    for (network, size), (theirs, _) in TABLE_2.items():
        ours = results.factors(RUNNING_TIME, results.chosen(network=network, size=size)).mean
        if ours is not None:
            pairs[network, size] = (ours, theirs)
    lower = sum(ours < theirs for ours, theirs in pairs.values())
    listed, _ = _mean_factors(results, RUNNING_TIME, (_LARGEST,))
    return Claim(
        "The running-time ratio H2PC / MMHC is lower than in Table 2",
        for_all(lower == len(pairs), len(pairs), len(NETWORKS) * len(SIZES)),
        f"It is lower in {lower} of the {len(pairs)} cells of Table 2 that were run. Mean ratio at "
        f"{listed}; the paper has {TABLE_2['all', _LARGEST][0]} there.",
    )


def _mean_factors(
    results: SyntheticResults, indicator: Indicator, sizes: Sequence[int]
) -> tuple[str, list[float] | None]:
    """Return the mean increase factors at some sizes, as text and, if all exist, as numbers."""
    words, numbers = [], []
    for size in sizes:
        factors = results.factors(indicator, results.chosen(size=size))
        if factors.mean is None:
            words.append(f"{size:,}: not run")
            continue
        left_out = f" ({factors.undefined} cells without one)" if factors.undefined else ""
        words.append(f"{size:,}: {factors.mean:.4f}{left_out}")
        numbers.append(factors.mean)
    return "; ".join(words), numbers if len(numbers) == len(sizes) else None


def _means(
    results: SyntheticResults, indicator: Indicator, sizes: Sequence[int]
) -> tuple[str, list[tuple[float, float]]]:
    """Return the means of both algorithms at the sizes that were run, as text and as numbers."""
    words, numbers = [], []
    for size in sizes:
        if size not in results.sizes:
            words.append(f"{size:,}: not run")
            continue
        ours, theirs = (results.mean(name, indicator, size=size) for name in ALGORITHMS)
        words.append(f"{size:,}: {ours:.3f} against {theirs:.3f}")
        numbers.append((ours, theirs))
    return "; ".join(words), numbers


def _of_sizes(sizes: Sequence[int]) -> str:
    """Return how many of the paper's sizes were run."""
    return f"at {len(sizes)} of the paper's {len(SIZES)} sizes"


def _partial(results: SyntheticResults, sizes: Sequence[int]) -> str:
    """Return a sentence on sizes where not all of the paper's networks were run, or others were."""
    found = {size: {cell.network for cell in results.chosen(size=size)} for size in sizes}
    partial = [f"{size:,}" for size in sizes if found[size] and found[size] != set(NETWORKS)]
    if not partial:
        return ""
    return (
        f" These are not exactly the paper's networks: {', '.join(partial)} (see the last table)."
    )

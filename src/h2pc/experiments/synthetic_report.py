"""The report on the first experiment: the paper's claims, figures and tables with our results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from h2pc.experiments.claims import Claim, claim_list, filled, finished, for_all, write_texts
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

ABOUT_HALF = 0.6
"""Largest mean increase factor that counts as about one half, or less."""
ABOUT_LEVEL = 0.1
"""Largest difference from 1 of a mean increase factor that counts as about level."""

_LARGEST = SIZES[-1]
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
    indicators = (*OF_SKELETONS, FALSE_POSITIVE_RATE, *OF_NETWORKS)
    n_all = len(NETWORKS) * len(SIZES) * REPETITIONS
    n_cells = len(results.cells)
    return filled(
        "synthetic_report.md",
        finished=finished("cells of the paper's grid", n_all, n_missing(results), n_cells),
        settings=", ".join(f"{name} {value}" for name, value in results.settings.items()),
        claims=claim_list(claims(results)),
        figures="\n".join(figures) or "No pictures were drawn.",
        factors=factor_table(results, indicators).as_markdown(),
        running_time=running_time_table(results).as_markdown(),
        networks=networks_table(results.networks).as_markdown(),
        cells=coverage_table(results).as_markdown(),
    )


def claims(results: SyntheticResults) -> list[Claim]:
    """Return every claim with its verdict, in the order of the paper."""
    return [
        _recall_rises(results),
        _about_half(
            results, "HPC is about half as far as MMPC from perfect precision and recall", _DISTANCE
        ),
        *(_better_score(results, indicator) for indicator in _SCORES),
        _about_level(results, "The SHD of H2PC and MMHC is about level", (50, 100)),
        _about_half(results, "The SHD of H2PC is about half of that of MMHC", _SHD),
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


def _about_half(results: SyntheticResults, what: str, indicator: Indicator) -> Claim:
    """Return whether a mean increase factor is about one half, or less, at the largest size."""
    listed, factors = _mean_factors(results, indicator, (_LARGEST,))
    return Claim(
        f"{what} with {_LARGEST:,} samples",
        None if factors is None else factors[0] <= ABOUT_HALF,
        f"Mean increase factor, at most {ABOUT_HALF} expected: {listed}. "
        f"Means: {_means(results, indicator, (_LARGEST,))[0]}.{_partial(results, (_LARGEST,))}",
    )


def _about_level(results: SyntheticResults, what: str, sizes: Sequence[int]) -> Claim:
    """Return whether the mean increase factors of the SHD are about one."""
    listed, factors = _mean_factors(results, _SHD, sizes)
    return Claim(
        f"{what} with {' and '.join(map(str, sizes))} samples",
        None if factors is None else all(abs(factor - 1) <= ABOUT_LEVEL for factor in factors),
        f"Mean increase factor, {1 - ABOUT_LEVEL} to {1 + ABOUT_LEVEL} expected: {listed}. "
        f"Means: {_means(results, _SHD, sizes)[0]}.{_partial(results, sizes)}",
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

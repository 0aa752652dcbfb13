"""The paper's claims about its first experiment, each held against our numbers."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean
from typing import NamedTuple

from h2pc.experiments.synthetic_paper import NETWORKS, SIZES, TABLE_2
from h2pc.experiments.synthetic_results import (
    ALGORITHMS,
    OF_NETWORKS,
    OF_SKELETONS,
    RUNNING_TIME,
    Indicator,
    SyntheticResults,
)

ABOUT_HALF = 0.6
"""The largest mean increase factor that is called about half, or less."""
ABOUT_LEVEL = 0.1
"""How far from 1 a mean increase factor may be that is called about level."""

LARGEST = SIZES[-1]
_RECALL, _, _DISTANCE, _ = OF_SKELETONS
*_SCORES, _SHD, _ = OF_NETWORKS


class Claim(NamedTuple):
    """A sentence of the paper, and whether it is true of our run."""

    text: str
    holds: bool | None
    """None where the cells to tell it by are missing."""
    evidence: str

    @property
    def verdict(self) -> str:
        """One word for the reader."""
        return {True: "true", False: "false", None: "unknown"}[self.holds]


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


def _of_all(holds: bool, n_run: int, n_all: int) -> bool | None:
    """Return a verdict: a part can refute what is said of all, only all can confirm it."""
    return None if holds and n_run < n_all else holds


def _sizes_of_the_paper(results: SyntheticResults) -> list[int]:
    """Return the paper's sizes that were run."""
    return [size for size in results.sizes if size in SIZES]


def _recall_rises(results: SyntheticResults) -> Claim:
    """Return whether the mean recall of HPC is above that of MMPC at every size."""
    sizes = _sizes_of_the_paper(results)
    listed, means = _means(results, _RECALL, sizes)
    rises = all(ours > theirs for ours, theirs in means)
    return Claim(
        "HPC raises recall over MMPC at every size",
        _of_all(rises, len(sizes), len(SIZES)),
        f"Mean recall {_of_sizes(results)}: {listed}.{_partial(results, sizes)}",
    )


def _better_score(results: SyntheticResults, indicator: Indicator) -> Claim:
    """Return whether the mean increase factor of a log score is below 1 at every size."""
    sizes = _sizes_of_the_paper(results)
    listed, factors = _mean_factors(results, indicator, sizes)
    better = None
    if factors is not None:
        better = _of_all(all(factor < 1 for factor in factors), len(sizes), len(SIZES))
    return Claim(
        f"H2PC has the better {indicator.title}, at every size",
        better,
        f"Mean increase factor {_of_sizes(results)} (log scores are negative: below 1 is better): "
        f"{listed}.{_partial(results, sizes)}",
    )


def _about_half(results: SyntheticResults, what: str, indicator: Indicator) -> Claim:
    """Return whether a mean increase factor is about one half, or less, at the largest size."""
    listed, factors = _mean_factors(results, indicator, (LARGEST,))
    return Claim(
        f"{what} with {LARGEST:,} samples",
        None if factors is None else factors[0] <= ABOUT_HALF,
        f"Mean increase factor, at most {ABOUT_HALF} expected: {listed}. "
        f"Means: {_means(results, indicator, (LARGEST,))[0]}.{_partial(results, (LARGEST,))}",
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
    listed, _ = _mean_factors(results, RUNNING_TIME, (LARGEST,))
    return Claim(
        "The running-time ratio H2PC / MMHC is lower than in Table 2",
        _of_all(lower == len(pairs), len(pairs), len(NETWORKS) * len(SIZES)),
        f"It is lower in {lower} of the {len(pairs)} cells of Table 2 that were run. Mean ratio at "
        f"{listed}; the paper has {TABLE_2['all', LARGEST][0]} there.",
    )


def _mean_factors(
    results: SyntheticResults, indicator: Indicator, sizes: Sequence[int]
) -> tuple[str, list[float] | None]:
    """Return the mean increase factors at some sizes, in words and as numbers if all are known."""
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
    """Return the means of both learners at the sizes that were run, in words and as numbers."""
    words, numbers = [], []
    for size in sizes:
        cells = results.chosen(size=size)
        if not cells:
            words.append(f"{size:,}: not run")
            continue
        ours, theirs = (mean(results.values(name, indicator, cells)) for name in ALGORITHMS)
        words.append(f"{size:,}: {ours:.3f} against {theirs:.3f}")
        numbers.append((ours, theirs))
    return "; ".join(words), numbers


def _of_sizes(results: SyntheticResults) -> str:
    """Return how many of the paper's sizes are spoken of."""
    return f"at {sum(size in results.sizes for size in SIZES)} of the paper's {len(SIZES)} sizes"


def _partial(results: SyntheticResults, sizes: Sequence[int]) -> str:
    """Return a sentence on sizes where not all of the paper's networks were run, or others were."""
    found = {size: {cell.network for cell in results.chosen(size=size)} for size in sizes}
    partial = [f"{size:,}" for size in sizes if found[size] and found[size] != set(NETWORKS)]
    if not partial:
        return ""
    return (
        f" These are not exactly the paper's networks: {', '.join(partial)} (see the last table)."
    )

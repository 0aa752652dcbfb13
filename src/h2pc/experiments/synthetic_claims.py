"""The paper's claims on the first experiment, each with the intervals behind its verdict."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from h2pc.experiments.claims import Claim, Verdict, jointly
from h2pc.experiments.intervals import Estimate, Interval, average, difference, of_repetitions
from h2pc.experiments.markdown_tables import MISSING, MarkdownTable
from h2pc.experiments.published import NETWORKS, REPETITIONS, SIZES, TABLE_2
from h2pc.experiments.synthetic_cells import SyntheticCell
from h2pc.experiments.synthetic_results import (
    OF_NETWORKS,
    OF_SKELETONS,
    RUNNING_TIME,
    WORK,
    Indicator,
    SyntheticResults,
)

HALF = 0.5
"""The factor of the distance and of the SHD with the most samples, as the paper says it."""
LEAST_LEVEL, MOST_LEVEL = 0.9, 1.1
"""Increase factors between which two algorithms count as level; the paper gives no number."""

_LARGEST = SIZES[-1]
_RECALL, _, _DISTANCE, _ = OF_SKELETONS
*_SCORES, _SHD, _ = OF_NETWORKS

MeanAt = Callable[[SyntheticResults, int], Estimate | None]
"""A mean over the repetitions of a size; None of fewer than two."""


class Measure(NamedTuple):
    """What a claim is judged by."""

    heading: str
    mean_at: MeanAt
    judged: Callable[[Interval], Verdict]
    digits: int = 4
    sign: bool = False
    """Whether a plus sign is written."""

    def text(self, interval: Interval) -> str:
        """Return an interval with its digits."""
        return interval.text(self.digits, self.sign)


class JudgedClaim(NamedTuple):
    """A claim, and what it is judged by at each of its sizes."""

    text: str
    measure: Measure
    verdicts: Mapping[int, Verdict]
    intervals: Mapping[int, Interval]
    """Those of the sizes that were run; all together they hold at the level."""
    more: str = ""
    """A sentence that follows the numbers."""

    @property
    def claim(self) -> Claim:
        """The claim, with the numbers that decide it."""
        verdict, n_sizes = jointly(self.verdicts.values()), len(self.verdicts)
        listed = {
            size: f"{size:,}: {self.measure.text(one)}" for size, one in self.intervals.items()
        }
        numbers = "; ".join(listed.values()) or "not run"
        if n_sizes > 2:
            n_held = list(self.verdicts.values()).count("holds")
            others = "".join(
                f"; {found} at {listed[size]}"
                for size, found in self.verdicts.items()
                if found not in ("holds", "not run")
            )
            numbers = f"holds at {n_held} of {n_sizes} sizes{others}"
        evidence = f"{self.measure.heading}: {numbers}. {self.more}".rstrip()
        return Claim(self.text, verdict, evidence)


def claims(results: SyntheticResults) -> list[Claim]:
    """Return every claim with its verdict, in the order of the paper."""
    return [judged.claim for judged in judged_claims(results)]


def judged_claims(results: SyntheticResults) -> list[JudgedClaim]:
    """Return every claim with its intervals, in the order of the paper."""
    judged = partial(_judged, results)
    return [
        judged(
            "HPC raises recall over MMPC at every size",
            Measure("Difference of recall", _difference(_RECALL), _above_zero, sign=True),
        ),
        judged(
            "HPC halves MMPC's distance from perfect precision and recall with 50,000 samples",
            Measure("Distance, factor", _factor(_DISTANCE), _at_most_half),
            (_LARGEST,),
            _halved_networks(results, _DISTANCE, "reducing by 50%"),
        ),
        *(
            judged(
                f"H2PC has the better {indicator.title}, at every size",
                Measure(f"{indicator.title}, factor", _factor(indicator), _below_one),
            )
            for indicator in _SCORES
        ),
        judged(
            "The SHD of H2PC and MMHC is about level with 50 and 100 samples",
            Measure("SHD, factor", _factor(_SHD), _level),
            (50, 100),
            f"Factors from {LEAST_LEVEL} to {MOST_LEVEL} count as level: our reading of the "
            'paper\'s "pretty much a dead heat".',
        ),
        judged(
            "The SHD of H2PC is half of that of MMHC with 50,000 samples",
            Measure("SHD, factor", _factor(_SHD), _at_most_half),
            (_LARGEST,),
            _halved_networks(results, _SHD, "on average only 50%"),
        ),
        judged(
            "The running-time ratio H2PC / MMHC is lower than in Table 2 at every size",
            Measure("Ratio of times minus the paper's", _beyond_table_2, _below_zero, 2, sign=True),
            more=_time_details(results),
        ),
    ]


def interval_table(judged: Sequence[JudgedClaim]) -> MarkdownTable:
    """Return the intervals of claims: one row a size, one column a claim."""
    marks = {"does not hold": "**{}**", "within noise": "~ {}"}
    rows = []
    for size in SIZES:
        texts = (
            marks.get(one.verdicts[size], "{}").format(one.measure.text(one.intervals[size]))
            if size in one.intervals
            else MISSING
            for one in judged
        )
        rows.append((f"{size:,}", *texts))
    headings = (f"{number}. {one.measure.heading}" for number, one in enumerate(judged, 1))
    return MarkdownTable(("samples", *headings), rows)


def _judged(
    results: SyntheticResults,
    text: str,
    measure: Measure,
    sizes: Sequence[int] = SIZES,
    more: str = "",
) -> JudgedClaim:
    """Return a claim with its verdicts; a size of which cells are missing has none."""
    intervals, verdicts = {}, {}
    for size in sizes:
        mean = measure.mean_at(results, size)
        verdict: Verdict = "not run"
        if mean is not None:
            intervals[size] = mean.interval(n_joint=len(sizes))
            if results.is_whole(size):
                verdict = measure.judged(intervals[size])
        verdicts[size] = verdict
    return JudgedClaim(text, measure, verdicts, intervals, more)


def _above_zero(interval: Interval) -> Verdict:
    return interval.above(0.0)


def _below_zero(interval: Interval) -> Verdict:
    return interval.below(0.0)


def _below_one(interval: Interval) -> Verdict:
    return interval.below(1.0)


def _at_most_half(interval: Interval) -> Verdict:
    return interval.below(HALF)


def _level(interval: Interval) -> Verdict:
    return interval.within(LEAST_LEVEL, MOST_LEVEL)


def _difference(indicator: Indicator) -> MeanAt:
    """Return the mean over repetitions of what HPC or H2PC has more of than the other."""

    def value(results: SyntheticResults, cells: Sequence[SyntheticCell]) -> float:
        ours, theirs = (sum(results.values(name, indicator, cells)) for name in ("h2pc", "mmhc"))
        return (ours - theirs) / len(cells)

    return partial(_over_repetitions, value)


def _factor(indicator: Indicator) -> MeanAt:
    """Return the mean over repetitions of an increase factor."""

    def value(results: SyntheticResults, cells: Sequence[SyntheticCell]) -> float | None:
        return results.factors(indicator, cells).mean

    return partial(_over_repetitions, value)


def _over_repetitions(
    value: Callable[[SyntheticResults, Sequence[SyntheticCell]], float | None],
    results: SyntheticResults,
    size: int,
) -> Estimate | None:
    """Return the mean over the repetitions of a value of their cells, one of every network."""
    values = (value(results, cells) for cells in results.repetitions(size))
    return of_repetitions([found for found in values if found is not None])


def _beyond_table_2(results: SyntheticResults, size: int) -> Estimate | None:
    """Return by how much the mean ratio of running times over the networks exceeds the paper's."""
    ours = _factor(RUNNING_TIME)(results, size)
    if ours is None:
        return None
    return difference(ours, average([_in_table_2(network, size) for network in results.of_paper]))


def _in_table_2(network: str, size: int) -> Estimate:
    """Return the mean ratio of running times in Table 2, of ten repetitions."""
    mean, deviation = TABLE_2[network, size]
    return Estimate(mean, deviation**2 / REPETITIONS, REPETITIONS - 1)


def _halved_networks(results: SyntheticResults, indicator: Indicator, words: str) -> str:
    """Return a sentence on the networks whose mean factor is one half or less."""
    found = {
        network: results.factors(indicator, results.chosen(network=network, size=_LARGEST))
        for network in results.of_paper
    }
    means = {name: factors.mean for name, factors in found.items() if factors.mean is not None}
    if not means:
        return ""
    n_undefined = sum(factors.undefined for factors in found.values())
    without = f" ({n_undefined} cells have no factor)" if n_undefined else ""
    n_halved = sum(mean <= HALF for mean in means.values())
    listed = ", ".join(f"{network} {mean:.2f}" for network, mean in means.items())
    return (
        f'The paper says "{words}". The factor is at most {HALF} on {n_halved} of {len(means)} '
        f"networks: {listed}{without}."
    )


def _time_details(results: SyntheticResults) -> str:
    """Return sentences on single cells of Table 2, and on ratios without fixed cost."""
    sentences = []
    for what, indicator in (("Of", RUNNING_TIME), ("Without fixed cost, of", WORK)):
        found = [
            difference(ours, _in_table_2(network, size)).interval().below(0.0)
            for network, size in TABLE_2
            if network in NETWORKS
            and (ours := _ratio_of_network(results, indicator, network, size)) is not None
        ]
        low, high = found.count("holds"), found.count("does not hold")
        sentences.append(
            f"{what} the {len(found)} cells of Table 2 that were run, ours is lower in {low}, "
            f"higher in {high} and within noise in {len(found) - low - high}; each has an interval "
            "of 95 %."
        )
    return " ".join(sentences)


def _ratio_of_network(
    results: SyntheticResults, indicator: Indicator, network: str, size: int
) -> Estimate | None:
    """Return the mean ratio of running times of one network, over the repetitions."""
    return of_repetitions(
        results.factors(indicator, results.chosen(network=network, size=size)).values
    )

"""The report on why label graphs differ from the paper's: effects of variants, and what is open."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from statistics import fmean

from scipy.stats import spearmanr

from h2pc.experiments.label_graph_cells import DEGREES, POWERSETS
from h2pc.experiments.label_graph_results import (
    DEVIATIONS,
    SHARE_OF_DEGREE,
    CausesResults,
    Effect,
    PaperNumber,
)
from h2pc.experiments.label_graph_variants import BASE, VARIANTS
from h2pc.experiments.markdown_tables import MISSING, MarkdownTable
from h2pc.experiments.published import ALGORITHMS, TABLE_4, TABLE_6, TITLES, Algorithm

AGREEING = ("emotions", "image", "scene", "genbase")
"""Data sets whose numbers agree without any change: a cause must leave them as they are."""
FULL_DF = "df-full"
_COUNTED = {
    "degree": "all neighbours",
    "skeleton": "neighbours in the skeleton, before the search",
    "labels": "neighbours that are labels",
    "parents": "parents",
    "boundary": "the Markov boundary",
    "powersets": "Theorem 8",
    "groups": "edges between labels alone, no common children",
}


def causes_report(results: CausesResults) -> str:
    """Return the whole report."""
    tried = {name for each in ALGORITHMS for name in results.variants(each)} - {BASE}
    numbers = results.numbers()
    base = [results.effect(BASE, algorithm) for algorithm in ALGORITHMS]
    n_agree = sum(len(effect.agree) for effect in base)
    parts = [
        f"""# Why label graphs differ from the paper's

Table 6 of the paper has the mean degree of the labels, Table 4 the number of label powersets, for
two algorithms on ten data sets. Here each variant of our learners changes one thing, or two where
its name has a plus sign, and learns the graphs of the second experiment again.

- {len(numbers)} numbers of the paper, {len(tried)} other variants, {len(results.cells)} graphs.
- Folds of a graph that were run: {_most_folds(results)} of {results.settings.get("folds", MISSING)}
  (the first); a dash stands for what was not run.
- Not run at all: {_not_run(tried)}.
- Ours without a change agree with {n_agree} of the {len(numbers)}.
- A degree agrees if it is within {SHARE_OF_DEGREE:.0%} of the paper's: single folds differ by
  as much. A number of powersets agrees if it is within {DEVIATIONS:g} of the paper's deviations,
  and the rounding.
- With so many variants some numbers agree by chance. A variant is called a cause only where it
  breaks no number that agreed before, and was run on {", ".join(AGREEING)} as well, which agree
  without any change. Whether the authors did so, only their code of this experiment could show; it
  was not at hand.
- The distance is the mean of |ours / paper's - 1|, with the variant and without on the same folds.
""",
        *(_algorithm_part(results, algorithm) for algorithm in ALGORITHMS),
        _counted_part(results),
        _seconds_part(results),
        f"""## What the variants change

{_sentences(tried).as_markdown()}""",
    ]
    return "\n".join(parts)


def _algorithm_part(results: CausesResults, algorithm: Algorithm) -> str:
    """Return the part on one algorithm."""
    return f"""## {TITLES[algorithm]}: the numbers that differ

{outcome_table(results, algorithm).as_markdown()}
"By chance or in part" are variants that bring the number to the paper's, but break others; the
number of those is in brackets. Variants that were not run on all of {", ".join(AGREEING)} have a
question mark.

### What each variant does to all numbers of {TITLES[algorithm]}

{effect_table(results, algorithm).as_markdown()}
### Degree and number of powersets

**Bold** where a number agrees with the paper's.

{value_table(results, algorithm).as_markdown()}"""


def outcome_table(results: CausesResults, algorithm: Algorithm) -> MarkdownTable:
    """Numbers that differ without a change: ours, the paper's, and what brings them to it."""
    base, effects = results.effect(BASE, algorithm), results.effects(algorithm)
    rows = []
    for number in base.numbers:
        if number in base.agree:
            continue
        ours = results.size(number.data, algorithm, BASE, number.quantity)
        bringing = [effect for effect in effects if number in effect.brings]
        causes = [effect.variant for effect in bringing if is_cause(effect)]
        others = [_doubtful(effect) for effect in bringing if not is_cause(effect)]
        rows.append(
            (
                f"{number.data}, {number.quantity}",
                _number(number.published),
                _number(ours),
                ", ".join(causes) or ("**open**" if not others else "**open**: none without harm"),
                ", ".join(others) or MISSING,
            )
        )
    headings = ("number", "paper", "ours", "cause", "by chance or in part")
    return MarkdownTable(headings, rows)


def is_cause(effect: Effect) -> bool:
    """Whether a variant breaks nothing, and was tried where all agreed before."""
    return not effect.breaks and _tried_where_all_agreed(effect)


def _tried_where_all_agreed(effect: Effect) -> bool:
    """Whether a variant was run on the data sets whose numbers agree without a change."""
    return {number.data for number in effect.numbers}.issuperset(AGREEING)


def _doubtful(effect: Effect) -> str:
    """Return a variant with the number of numbers that it breaks."""
    mark = "" if _tried_where_all_agreed(effect) else "?"
    return f"{effect.variant}{mark} ({len(effect.breaks)})"


def effect_table(results: CausesResults, algorithm: Algorithm) -> MarkdownTable:
    """What all variants do: how many numbers agree, which they bring and break, the distance."""
    effects = results.effects(algorithm)
    rows = [
        (
            effect.variant,
            f"{len(effect.agree)} of {len(effect.numbers)}",
            str(len(effect.before)),
            f"{effect.distance:.0%}",
            f"{effect.distance_before:.0%}",
            _listed(effect.brings),
            _listed(effect.breaks),
        )
        for effect in sorted(effects, key=lambda each: each.distance - each.distance_before)
    ]
    headings = ("variant", "agree", "before", "distance", "before", "brings", "breaks")
    return MarkdownTable(headings, rows)


def value_table(results: CausesResults, algorithm: Algorithm) -> MarkdownTable:
    """Degree / powersets of all variants on all data sets, with the paper's in the first row."""
    data_sets = results.data_sets
    printed = [
        f"{TABLE_6[data, algorithm].degree} / {TABLE_4[data, algorithm].mean}" for data in data_sets
    ]
    rows: list[tuple[str, ...]] = [("printed in the paper", *printed)]
    for variant in results.variants(algorithm):
        cells = []
        for data in data_sets:
            degree, powersets = (
                _marked(results, PaperNumber(data, algorithm, quantity), variant)
                for quantity in ("degree", "powersets")
            )
            cells.append(MISSING if degree == MISSING else f"{degree} / {powersets}")
        rows.append(("ours" if variant == BASE else variant, *cells))
    return MarkdownTable(("variant", *data_sets), rows)


def _marked(results: CausesResults, number: PaperNumber, variant: str) -> str:
    """Return ours of a number as text, bold where it agrees with the paper's."""
    value = results.size(number.data, number.algorithm, variant, number.quantity)
    if value is None:
        return MISSING
    return f"**{_number(value)}**" if number.agrees(value) else _number(value)


def _counted_part(results: CausesResults) -> str:
    """Return the part on what degrees and powersets count."""
    return f"""## What is counted

The same graphs, read in other ways.

{counted_table(results).as_markdown()}"""


def counted_table(results: CausesResults) -> MarkdownTable:
    """How many numbers agree if degrees or powersets count something else."""
    readings = [
        *(("degree", (counted, "powersets"), counted) for counted in DEGREES),
        *(("powersets", ("degree", counted), counted) for counted in POWERSETS),
    ]
    rows = []
    for algorithm, variant in product(ALGORITHMS, (BASE, FULL_DF)):
        if variant not in results.variants(algorithm):
            continue
        for quantity, sizes, counted in readings:
            effect = results.effect(variant, algorithm, sizes)
            agree = [number.data for number in effect.agree if number.quantity == quantity]
            n_numbers = sum(number.quantity == quantity for number in effect.numbers)
            rows.append(
                (
                    TITLES[algorithm],
                    "ours" if variant == BASE else variant,
                    quantity,
                    _COUNTED[counted],
                    f"{len(agree)} of {n_numbers}",
                    ", ".join(agree) or MISSING,
                )
            )
    return MarkdownTable(("", "variant", "number", "it counts", "agree", "on"), rows)


def _seconds_part(results: CausesResults) -> str:
    """Return the part on the paper's seconds for each of our tests."""
    lines = [
        f"- {TITLES[algorithm]}, {name}: {_correlation(results, algorithm, variant)}"
        for algorithm, (variant, name) in product(ALGORITHMS, ((BASE, "ours"), (FULL_DF, FULL_DF)))
        if variant in results.variants(algorithm)
    ]
    return f"""## The paper's seconds for each of our tests

A test takes the longer the more samples there are. If our graphs need the tests that the authors'
needed, then the paper's seconds (Table 6) divided by the number of our tests grow with the number
of samples. Spearman's correlation of the two over the data sets:

{chr(10).join(lines)}

Microseconds of the paper for each of our tests:

{seconds_table(results).as_markdown()}"""


def seconds_table(results: CausesResults) -> MarkdownTable:
    """Samples of each data set, and microseconds of the paper for each of our tests."""
    columns = [
        (algorithm, variant)
        for algorithm, variant in product(ALGORITHMS, (BASE, FULL_DF))
        if variant in results.variants(algorithm)
    ]
    rows = []
    for data in sorted(results.data_sets, key=lambda data: _samples(results, data)):
        cells = (_microseconds(results, data, *column) for column in columns)
        texts = (MISSING if value is None else f"{value:.0f}" for value in cells)
        rows.append((data, f"{_samples(results, data):.0f}", *texts))
    named = (
        f"{TITLES[algorithm]}, {'ours' if variant == BASE else variant}"
        for algorithm, variant in columns
    )
    return MarkdownTable(("data", "samples", *named), rows)


def _correlation(results: CausesResults, algorithm: Algorithm, variant: str) -> str:
    """Return Spearman's correlation of samples and microseconds, and the number of data sets."""
    found = [
        (_samples(results, data), one)
        for data in results.data_sets
        if (one := _microseconds(results, data, algorithm, variant)) is not None
    ]
    samples, each = [sample for sample, _ in found], [one for _, one in found]
    if len(set(samples)) < 3 or len(set(each)) < 3:
        return f"{MISSING} ({len(found)} data sets)"
    return f"{spearmanr(samples, each).statistic:.2f} ({len(found)} data sets)"


def _microseconds(
    results: CausesResults, data: str, algorithm: Algorithm, variant: str
) -> float | None:
    """Return the paper's microseconds for each of our tests."""
    tests = results.size(data, algorithm, variant, "tests")
    return None if not tests else 1e6 * TABLE_6[data, algorithm].seconds / tests


def _samples(results: CausesResults, data: str) -> float:
    """Return the mean number of samples that graphs of a data set were learned from."""
    return fmean(rec["samples"] for cell, rec in results.cells.items() if cell.data == data)


def _most_folds(results: CausesResults) -> str:
    """Return the numbers of folds that graphs were learned on: "1 or 2", say."""
    numbers = {results.n_folds(*cell[:3]) for cell in results.cells}
    return " or ".join(map(str, sorted(numbers)))


def _not_run(tried: Iterable[str]) -> str:
    """Return the variants without a graph."""
    found = frozenset(tried)
    return ", ".join(name for name in VARIANTS if name not in found and name != BASE) or "none"


def _sentences(tried: Iterable[str]) -> MarkdownTable:
    """Return what each variant changes."""
    chosen = frozenset(tried)
    rows = [
        (name, ", ".join(TITLES[one] for one in variant.algorithms), variant.sentence)
        for name, variant in VARIANTS.items()
        if name in chosen
    ]
    return MarkdownTable(("variant", "of", "it changes"), rows)


def _listed(numbers: Iterable[PaperNumber]) -> str:
    """Return numbers by data set and quantity."""
    return ", ".join(f"{number.data} {number.quantity}" for number in numbers) or MISSING


def _number(value: float | None) -> str:
    """Return a number with the digits of the paper."""
    return MISSING if value is None else f"{value:.1f}"

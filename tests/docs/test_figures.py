"""Figures that pages quote are those of ``docs/figures.toml`` and of the files of ``docs/results``.

``python docs/quote_figures.py`` puts all of them right. Where a figure is in no file, the
paragraph or table says why: <!-- no file: REASON -->.
"""

import re
import runpy
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
QUOTING = runpy.run_path(str(DOCS / "quote_figures.py"))
FIGURES = QUOTING["Figures"]()
QUOTATION, TABLE = QUOTING["QUOTATION"], QUOTING["TABLE"]
PAGES = QUOTING["pages"]()
each_page = pytest.mark.parametrize(
    "page", PAGES, ids=lambda page: str(page.relative_to(DOCS.parent))
)

HAVE_FIGURES_OF_THEIR_OWN = ("accuracy.md", "benchmarks.md", "decisions.md", "deviations.md")
ON_RESULTS = ("README.md", "accuracy.md", "experiments.md", "index.md", "multilabel.md")
"""Pages that quote results in many places; on others, a paragraph that links to them does."""

MEASURED = re.compile(r"(?<![\w.])\d[\d.,]* (?:µs|ms|s|seconds|minutes|MB|GB)\b(?!<!-- figure)")
OF_RESULTS = re.compile(
    r"(?<![\w.,=])(?:[+-]?\d+\.\d{2,}|\d+ of \d+)(?![\w.]*\d)(?! ?(?:%|GB|s)?<!-- figure)"
)
GIVEN = {"3.11", "0.01", "0.03", "0.05", "0.005", "0.15", "0.27", "0.47", "8 of 8", "16 of 16"}
"""A version, levels, bounds and aims, and two shares that other tests and programs check."""

CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.MULTILINE | re.DOTALL)
SECONDS = {"µs": 1e-6, "ms": 1e-3, "s": 1.0}


def text_of(page):
    return page.read_text(encoding="utf-8")


def own_words(page):
    """Paragraphs without code and computed tables, but for those whose figures are in no file."""
    found = re.split(r"\n\s*\n", CODE.sub("", TABLE.sub("", text_of(page))))
    return [each for each in found if not each.lstrip().startswith("<!-- no file: ")]


def seconds(text):
    """The seconds that a text such as ``11.3 ms`` means, and half of its last digit."""
    number, unit = text.split()
    decimals = len(number.partition(".")[2])
    return float(number) * SECONDS[unit], 0.5 * 10**-decimals * SECONDS[unit]


@each_page
def test_quoted_figures_are_those_of_the_files(page):
    lines, now = (text.splitlines() for text in (text_of(page), FIGURES.quoted(text_of(page))))
    wrong = [pair for pair in zip(lines, now, strict=True) if pair[0] != pair[1]]

    assert wrong == [], "python docs/quote_figures.py puts this right"


@each_page
def test_every_quotation_follows_a_number(page):
    text = text_of(page)

    assert len(QUOTATION.findall(text)) == text.count("<!-- figure: ")
    assert len(TABLE.findall(text)) == text.count("<!-- table: ")


def test_every_figure_and_table_is_quoted():
    texts = [text_of(page) for page in PAGES]

    assert {key for text in texts for _, key in QUOTATION.findall(text)} == FIGURES.keys()
    assert {found[0] for text in texts for found in TABLE.findall(text)} == set(FIGURES.tables)


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if page.name not in HAVE_FIGURES_OF_THEIR_OWN],
    ids=lambda p: p.name,
)
def test_a_time_or_size_in_a_sentence_is_a_quotation(page):
    found = [figure for each in own_words(page) for figure in MEASURED.findall(each)]

    assert found == [], (
        f"put these into docs/figures.toml, and <!-- figure: KEY --> after each: {found}"
    )


@each_page
def test_a_fraction_or_a_share_is_a_quotation(page):
    about_results = [
        each for each in own_words(page) if page.name in ON_RESULTS or "results/" in each
    ]
    found = [figure for each in about_results for figure in OF_RESULTS.findall(each)]

    assert set(found) <= GIVEN, (
        "put these into docs/results/figures.toml, and <!-- figure: KEY --> after each, or "
        f"<!-- no file: REASON --> before the paragraph: {found}"
    )


@pytest.mark.parametrize(
    "key", [key for key, figure in FIGURES.measured.items() if "row" in figure]
)
def test_a_figure_is_that_of_its_row_in_the_benchmarks(key):
    row = re.escape(FIGURES.measured[key]["row"])
    benchmarks = text_of(DOCS / "benchmarks.md")
    [now] = re.findall(rf"^\| {row} \| [^|]* \| ([^|]*) \|", benchmarks, flags=re.MULTILINE)
    value, rounding = seconds(FIGURES.measured[key]["value"])

    assert seconds(now)[0] == pytest.approx(value, abs=1.001 * rounding)

"""Measured figures stand in ``docs/figures.toml``; pages quote them: VALUE<!-- figure: KEY -->."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
FIGURES = tomllib.loads((DOCS / "figures.toml").read_text(encoding="utf-8"))
PAGES = [ROOT / "README.md", *DOCS.glob("*.md"), *DOCS.glob("tutorials/*.md")]
QUOTATION = re.compile(r"([^|\n]{1,40}?)<!-- figure: (\w+) -->")

HAVE_FIGURES_OF_THEIR_OWN = ("accuracy.md", "benchmarks.md", "decisions.md", "deviations.md")
MEASURED = re.compile(r"(?<![\w.])\d[\d.,]* (?:µs|ms|s|seconds|minutes|MB|GB)\b(?!<!-- figure)")
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.MULTILINE | re.DOTALL)

SECONDS = {"µs": 1e-6, "ms": 1e-3, "s": 1.0}


def text_of(page):
    return CODE.sub("", page.read_text(encoding="utf-8"))


def seconds(text):
    """The seconds that a text such as ``11.3 ms`` means, and half of its last digit."""
    number, unit = text.split()
    decimals = len(number.partition(".")[2])
    return float(number) * SECONDS[unit], 0.5 * 10**-decimals * SECONDS[unit]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_quoted_figures_are_those_of_the_list(page):
    for before, key in QUOTATION.findall(text_of(page)):
        value = FIGURES[key]["value"]
        assert re.search(rf"(?<![\w.]){re.escape(value)}$", before), (
            f"{page.name} quotes {before!r} for {key}, docs/figures.toml has {value!r}"
        )


def test_every_figure_of_the_list_is_quoted():
    quoted = {key for page in PAGES for _, key in QUOTATION.findall(text_of(page))}

    assert quoted == set(FIGURES)


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if page.name not in HAVE_FIGURES_OF_THEIR_OWN],
    ids=lambda p: p.name,
)
def test_a_time_or_size_in_a_sentence_is_a_quotation(page):
    found = MEASURED.findall(text_of(page))

    assert found == [], (
        f"put these into docs/figures.toml, and <!-- figure: KEY --> after each: {found}"
    )


@pytest.mark.parametrize("key", [key for key, figure in FIGURES.items() if "row" in figure])
def test_a_figure_is_that_of_its_row_in_the_benchmarks(key):
    benchmarks = (DOCS / "benchmarks.md").read_text(encoding="utf-8")
    row = re.escape(FIGURES[key]["row"])
    [now] = re.findall(rf"^\| {row} \| [^|]* \| ([^|]*) \|", benchmarks, flags=re.MULTILINE)
    value, rounding = seconds(FIGURES[key]["value"])

    assert seconds(now)[0] == pytest.approx(value, abs=1.001 * rounding)

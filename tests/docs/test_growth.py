"""Quoted figures of growth are those of the stored points."""

import json
import tomllib
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
FIGURES = tomllib.loads((DOCS / "figures.toml").read_text(encoding="utf-8"))
GROWTH = DOCS / "results" / "growth"


def points(file):
    return [json.loads(line) for line in (GROWTH / file).read_text(encoding="utf-8").splitlines()]


def of_variables(n_variables):
    return next(
        point
        for point in points("variables.jsonl")
        if (point["version"], point["variant"]) == ("new", "accurate")
        and point["variables"] == n_variables
    )


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("ten_thousand", f"{of_variables(10_000)['seconds']:.0f} s"),
        ("ten_thousand_memory", f"{of_variables(10_000)['peak_mb'] / 1000:.2f} GB"),
    ],
)
def test_figures_of_ten_thousand_variables_are_those_of_the_point(key, text):
    assert FIGURES[key]["value"] == text


def test_the_figure_of_a_million_rows_is_that_of_the_point():
    seconds = next(
        point["seconds"]["all"]
        for point in points("rows.jsonl")
        if (point["version"], point["table"], point["rows"]) == ("new", "alarm", 1_000_000)
    )

    assert FIGURES["million_rows"]["value"] == f"{seconds:.1f} s"


@pytest.mark.parametrize("file", ["variables.jsonl", "rows.jsonl"])
def test_versions_have_the_same_answers(file):
    sizes = ("variables", "variant", "table", "rows")
    answers = {}
    for point in points(file):
        key = tuple(point.get(name) for name in sizes)
        own = point["digest"], point["n_tests"], point["score"]
        assert answers.setdefault(key, own) == own
    assert len(answers) < len(points(file))

"""Both versions have the same answers in the stored points of growth."""

import json
from pathlib import Path

import pytest

GROWTH = Path(__file__).resolve().parents[2] / "docs" / "results" / "growth"


def points(file):
    return [json.loads(line) for line in (GROWTH / file).read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("file", ["variables.jsonl", "rows.jsonl"])
def test_versions_have_the_same_answers(file):
    sizes = ("variables", "variant", "table", "rows")
    answers = {}
    for point in points(file):
        key = tuple(point.get(name) for name in sizes)
        own = point["digest"], point["n_tests"], point["score"]
        assert answers.setdefault(key, own) == own
    assert len(answers) < len(points(file))

"""The program that learns from samples of many variables."""

import json
import sys

import pytest
from benchmarks import many_variables


def test_every_point_is_a_line_and_versions_agree(capsys, tmp_path):
    file = tmp_path / "points.jsonl"
    arguments = ["--sizes", "20", "40", "--samples", "200", "--jobs", "1", "--json", str(file)]
    many_variables.main([*arguments, "--old", sys.executable])

    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert [(line["version"], line["variables"]) for line in lines] == [
        ("new", 20),
        ("old", 20),
        ("new", 40),
        ("old", 40),
    ]
    assert all(lines[0][key] == lines[1][key] for key in many_variables.SAME)
    assert lines[0]["peak_mb"] >= lines[0]["before_mb"] > 0
    printed = capsys.readouterr().out.splitlines()
    assert [json.loads(line) for line in printed[:4]] == lines
    assert [line.split(":")[0] for line in printed[4:]] == ["new", "old"]


@pytest.mark.parametrize("exponent", [0.5, 2.0])
def test_the_power_of_growth_is_that_of_the_figures(exponent):
    one, other = ({"variables": n, "seconds": 3.0 * n**exponent} for n in (100, 300))

    assert many_variables.power(one, other, "seconds") == pytest.approx(exponent)


def test_versions_that_disagree_end_with_an_error(monkeypatch):
    answers = iter([1, 2])
    figures = {"variables": 20, "seconds": 1.0, "peak_mb": 1.0, "edges": 1, "score": 0.0}

    def other_answers(*_):
        return {**figures, "digest": "", "n_tests": next(answers)}

    monkeypatch.setattr(many_variables, "figures_of_process", other_answers)
    with pytest.raises(SystemExit, match="other answers: 20 variables"):
        many_variables.main(["--sizes", "20", "--old", sys.executable])

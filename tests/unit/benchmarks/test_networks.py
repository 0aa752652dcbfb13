"""The program that times H2PC on networks."""

import json

from benchmarks import networks


def test_both_variants_are_measured_and_kept(tmp_path, capsys):
    kept = tmp_path / "networks.jsonl"

    networks.main(["--networks", "alarm", "--rounds", "1", "--seconds", "0", "--json", str(kept)])

    points = [json.loads(line) for line in kept.read_text().splitlines()]
    assert [(point["network"], point["variant"]) for point in points] == [
        ("alarm", "paper"),
        ("alarm", "defaults"),
    ]
    assert all(point["cpu"] > 0 for point in points)
    assert points[0]["shd"] > points[1]["shd"]
    assert "0.71" in capsys.readouterr().out


def test_every_case_was_measured_with_bnlearn():
    lines = networks.ELSEWHERE.read_text(encoding="utf-8").splitlines()[1:]

    assert {line.split(",")[0]: int(line.split(",")[1]) for line in lines} == networks.CASES

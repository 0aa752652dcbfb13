"""The program that learns from tables of many rows."""

import json
import sys

import numpy as np
from benchmarks import many_rows


def test_columns_follow_hidden_factors_and_reach_all_of_their_levels():
    codes, cards = many_rows.latent_codes(5000, 6)

    assert (codes.max(axis=1) + 1 == cards).all()
    assert (np.abs(np.corrcoef(codes))[0, 1:] > 0.05).any()


def test_every_point_is_a_line_and_versions_agree(capsys):
    many_rows.main(["--tables", "target", "--rows", "1000", "--old", sys.executable])

    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["version"] for line in lines] == ["new", "old"]
    assert [lines[0][key] for key in many_rows.SAME] == [lines[1][key] for key in many_rows.SAME]
    assert {"all", "skeleton", "search"} <= lines[0]["seconds"].keys()
    assert lines[0]["peak_mb"] > 0

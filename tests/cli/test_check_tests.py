"""``h2pc check --tests``: how well tests do on a table, and which one suits it."""

import json

import numpy as np
import pytest

from cli.conftest import csv_of
from continuous_data import continuous_frame, mixed_frame
from h2pc import load_network

FEW = ("--n-repetitions", 40)


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """200 samples of asia in a CSV file."""
    path = tmp_path_factory.mktemp("tests") / "small asia.csv"
    path.write_text(csv_of(load_network("asia").sample(200, random_state=2)))
    return path


def test_the_table_comes_first_and_the_sentence_last(run, small):
    told = run("check", small, "--tests", *FEW)

    assert told.exit_code == 0, told.output
    lines = told.stdout.splitlines()
    assert lines[0] == f"{small}: tests at level 0.05"
    for word in ("type I error", "95 % limits", "left out", "semiparametric", "df unadjusted"):
        assert word in told.stdout
    assert lines[-1].startswith("--test ")
    assert "test=" not in told.stdout


def test_json_has_documented_fields(run, small, shaped):
    answer = json.loads(run("check", small, "--tests", "--json", "--alpha", 0.1, *FEW).stdout)

    shaped(
        answer,
        alpha=float,
        n_samples=int,
        rows=list,
        curves=list,
        recommended=str,
        recommended_levels=type(None),
        recommendation=str,
    )
    shaped(
        answer["rows"][0],
        test=str,
        n_conditions=int,
        error=float,
        error_low=float,
        error_high=float,
        power=float,
        left_out=float,
        n_tests=int,
    )
    shaped(answer["curves"][0], test=str, levels=list, errors=list, n_tests=int)
    assert answer["alpha"] == 0.1
    assert answer["n_samples"] == 200


def test_the_seed_decides_and_the_order_of_rows_does_not(run, small, tmp_path):
    head, *rows = small.read_text().splitlines()
    shuffled = tmp_path / "shuffled.csv"
    shuffled.write_text("\n".join([head, *np.random.default_rng(0).permutation(rows)]) + "\n")
    words = ("--tests", "--json", *FEW)

    first = run("check", small, *words).stdout

    assert run("check", shuffled, *words).stdout == first
    assert run("check", small, *words, "--random-state", 1).stdout != first


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_the_picture_has_the_errors(run, small, tmp_path, ending):
    path = tmp_path / f"errors.{ending}"

    told = run("check", small, "--tests", "-o", path, *FEW)

    assert told.exit_code == 0, told.output
    assert f"Wrote {path}." in told.stderr
    assert path.stat().st_size > 5_000


@pytest.mark.parametrize(
    ("frame", "test"), [(continuous_frame, "gaussian"), (mixed_frame, "mixed")]
)
def test_continuous_and_mixed_tables_have_their_tests(run, tmp_path, frame, test):
    path = tmp_path / "numbers.csv"
    frame(200).to_csv(path, index=False)

    told = run("check", path, "--tests", *FEW)

    assert told.exit_code == 0, told.output
    assert f" {test} " in told.stdout
    assert "g2 on 2 levels" in told.stdout


def test_numbers_that_are_cut_are_levels(run, tmp_path):
    path = tmp_path / "numbers.csv"
    continuous_frame(200).to_csv(path, index=False)

    told = run("check", path, "--tests", "--discretize", 2, *FEW)

    assert told.exit_code == 0, told.output
    assert "semiparametric" in told.stdout
    assert "gaussian" not in told.stdout


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (("--tests", "--alpha", 2), 2, "--alpha must lie between 0 and 1"),
        (("--tests", "--power-rule", -1), 2, "--power-rule must be a number from 0 on"),
        (("--tests", "-o", "x.bif"), 2, "unknown kind of file"),
        (("-o", "x.png"), 2, "--out is the picture of --tests"),
        (("--tests", "--columns", "smoke"), 1, "expected two or more to compare tests"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(run, small, refused, words, code, sentence):
    refused(run("check", small, *words), code, sentence)

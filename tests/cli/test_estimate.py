"""``h2pc estimate``, and the note of ``h2pc learn`` before long runs."""

import json

import pytest

from cli.conftest import csv_of
from h2pc import load_network
from h2pc.cli import learn as learn_command


def test_it_prints_a_sentence_and_how_much_was_timed(run, asia_file):
    told = run("estimate", asia_file)

    assert told.exit_code == 0, told.output
    assert told.stdout.startswith("Learning takes about ")
    assert told.stdout.endswith(" of memory.\n")
    assert told.stdout.count("\n") == 1
    assert told.stderr == "Timed: 8 of 8 targets.\n"


def test_quiet_is_the_sentence_alone(run, asia_file):
    told = run("estimate", asia_file, "--quiet", "--n-jobs", 1)

    assert told.stdout.startswith("Learning takes about ")
    assert told.stderr == ""


def test_json_has_the_parts(run, asia_file, shaped):
    told = run("estimate", asia_file, "--targets", "lung", "--algorithm", "mmhc", "--json")

    answer = json.loads(told.stdout)
    shaped(
        answer,
        n_samples=int,
        n_variables=int,
        seconds=float,
        skeleton=float,
        search=float,
        most_bytes=int,
        n_timed=int,
        n_targets=int,
    )
    assert (answer["n_samples"], answer["n_variables"]) == (5000, 8)
    assert answer["skeleton"] + answer["search"] <= answer["seconds"]
    assert 1 <= answer["n_timed"] <= answer["n_targets"]
    assert told.stderr == ""


@pytest.mark.parametrize(
    ("options", "code", "sentence"),
    [
        (("--algorithm", "ges"), 2, "--algorithm must be h2pc or mmhc for an estimate"),
        (("--algorithm", "tabu", "--fdr", "0.1"), 2, "--fdr does not go with --algorithm tabu"),
        (("--targets", "lungs"), 2, "there is no variable 'lungs'; did you mean 'lung'?"),
        (("--max-memory", "much"), 2, "Expected an amount of memory"),
        (("--alpha", "-1"), 2, "--alpha must lie between 0 and 1"),
        (("--variant", "paper", "--one-sided-penalty", "2"), 2, "--variant accurate only"),
    ],
)
def test_options_that_make_no_sense_are_refused_in_a_sentence(
    run, refused, asia_file, options, code, sentence
):
    refused(run("estimate", asia_file, *options), code, sentence)


def test_constraints_are_those_of_learning(run, refused, asia_file, tmp_path):
    known, wrong = tmp_path / "known.json", tmp_path / "wrong.json"
    known.write_text('{"required": [["smoke", "lung"]], "forbidden": [["lung", "tub"]]}')
    wrong.write_text('{"required": [["smoke", "lungs"]]}')

    assert run("estimate", asia_file, "--constraints", known).exit_code == 0
    refused(run("estimate", asia_file, "--constraints", wrong), 2, "no variable 'lungs'")


@pytest.fixture(scope="module")
def alarm_file(tmp_path_factory):
    """So many samples of alarm that their number does not say that learning is short."""
    path = tmp_path_factory.mktemp("tables") / "alarm.csv"
    path.write_text(csv_of(load_network("alarm").sample(220_000, random_state=2)))
    return path


@pytest.mark.slow
def test_learning_announces_long_runs_and_only_those(run, alarm_file, monkeypatch):
    def notes(*options):
        told = run("learn", alarm_file, *options)
        return [line for line in told.stderr.splitlines() if line.startswith("This takes about ")]

    assert notes() == []

    monkeypatch.setattr(learn_command, "_LONG", 0.0)
    assert len(notes()) == 1
    assert notes("--quiet") == []


def test_learning_times_nothing_where_sizes_tell_that_it_is_short(run, asia_file, monkeypatch):
    monkeypatch.setattr(learn_command, "_LONG", 0.0)

    assert "This takes" not in run("learn", asia_file).stderr
    assert "This takes about " in run("learn", asia_file, "--test", "permutation").stderr
    assert "This takes" not in run("learn", asia_file, "--algorithm", "ges").stderr

"""``h2pc sample``: data from a network."""

import json

import pytest

from h2pc import load_network
from h2pc.io.table_files import read_dataset
from h2pc.networks import write_network

GOLDEN = """\
asia,bronc,dysp,either,lung,smoke,tub,xray
no,no,yes,no,no,no,no,no
no,no,no,no,no,yes,no,no
"""


def test_without_a_file_samples_are_csv_on_standard_output(run):
    told = run("sample", "asia", "-n", 2, "--random-state", 2)

    assert told.exit_code == 0
    assert told.stdout == GOLDEN
    assert told.stderr == ""


@pytest.mark.parametrize("ending", ["csv", "csv.gz", "parquet"])
def test_files_hold_the_samples_of_the_library(run, tmp_path, ending):
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    file = tmp_path / f"sachs.{ending}"
    told = run("sample", "sachs", "-n", 300, "--random-state", 5, "-o", file)

    drawn, read = load_network("sachs").sample(300, random_state=5), read_dataset(file)
    assert told.stderr == f"Wrote 300 samples of 11 variables to {file}.\n"
    for v in range(11):
        states = [drawn.states[v][code] for code in drawn.codes[v]]
        assert [str(read.states[v][code]) for code in read.codes[v]] == states


def test_networks_of_files_are_sampled_alike(run, tmp_path):
    write_network(load_network("asia"), tmp_path / "asia.bif")

    assert run("sample", tmp_path / "asia.bif", "-n", 2, "--random-state", 2).stdout == GOLDEN


def test_what_is_sampled_can_be_learned_from(run, tmp_path):
    file = tmp_path / "asia.csv"
    run("sample", "asia", "-n", 5000, "--random-state", 2, "-o", file)

    assert len(json.loads(run("learn", file, "--json").stdout)["edges"]) == 8


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (("asai",), 2, "did you mean 'asia'?"),
        (("asia", "-o", "samples.xlsx"), 2, "expected a name that ends in .csv, .parquet"),
        (("asia.dot",), 2, "files that can be read end in"),
        (("nowhere.bif",), 1, "nowhere.bif: No such file or directory."),
    ],
)
def test_what_cannot_be_sampled_is_one_sentence(run, refused, arguments, code, sentence):
    refused(run("sample", *arguments), code, sentence)


def test_no_samples_are_bad_usage(run):
    told = run("sample", "asia", "-n", 0)

    assert told.exit_code == 2
    assert "-n" in told.stderr

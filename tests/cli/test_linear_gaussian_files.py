"""``h2pc sample`` and ``h2pc score`` with linear-Gaussian networks."""

import json

import numpy as np
import pytest

from continuous_data import mixed_frame
from h2pc import (
    H2PC,
    make_linear_gaussian_network,
    network_score,
    read_dataset,
    read_network,
    write_network,
)


@pytest.fixture
def network(tmp_path):
    found = make_linear_gaussian_network(6, random_state=3)
    write_network(found, tmp_path / "network.json")
    return found


@pytest.mark.parametrize("ending", ["csv", "csv.gz", "parquet"])
def test_samples_read_back_exactly(run, tmp_path, network, ending):
    file = tmp_path / f"samples.{ending}"
    told = run("sample", tmp_path / "network.json", "-n", 200, "--random-state", 5, "-o", file)

    assert told.stderr == f"Wrote 200 samples of 6 variables to {file}.\n"
    assert np.array_equal(read_dataset(file).values, network.sample(200, random_state=5).values)


def test_the_graph_is_scored_on_continuous_data(run, tmp_path, network):
    file = tmp_path / "samples.csv"
    run("sample", tmp_path / "network.json", "-n", 300, "-o", file)
    told = run("score", tmp_path / "network.json", file, "--json")
    scores = json.loads(told.stdout)["scores"]

    assert list(scores) == ["bic", "aic", "bge", "loglik"]
    assert scores["bge"]["total"] == network_score(network.dag, network.sample(300), "bge")
    told = run("score", tmp_path / "network.json", file, "--scoring", "bdeu")
    assert told.exit_code == 1
    assert "the score 'bdeu' is for discrete data" in told.stderr


@pytest.fixture
def samples(run, tmp_path, network):
    file = tmp_path / "samples.csv"
    run("sample", tmp_path / "network.json", "-n", 300, "-o", file)
    return file


@pytest.mark.parametrize("ending", [".network.json", ".network.json.gz"])
def test_a_learned_network_is_sampled(run, tmp_path, samples, ending):
    out = tmp_path / f"learned{ending}"
    run("learn", samples, "-o", out)
    told = run("sample", out, "-n", 2)

    fitted = H2PC().fit(read_dataset(samples)).network_
    assert read_network(out) == fitted
    assert told.stdout.splitlines()[0] == "X0,X1,X2,X3,X4,X5"
    assert len(told.stdout.splitlines()) == 3


def test_a_discrete_network_can_be_json_with_its_tables(run, tmp_path, asia_file):
    out = tmp_path / "asia.network.json"
    run("learn", asia_file, "-o", out, "-o", tmp_path / "asia.bif", "-o", tmp_path / "asia.json")

    assert read_network(out) == read_network(tmp_path / "asia.bif")
    assert "h2pc-network" not in (tmp_path / "asia.json").read_text()


@pytest.mark.parametrize("command", ["learn", "strength"])
def test_no_tables_of_continuous_variables_are_written(run, tmp_path, samples, command):
    out = tmp_path / "learned.bif"
    told = run(command, samples, "-o", out)

    assert told.exit_code != 0
    assert ".bif holds tables of discrete variables: expected a name that ends in" in told.stderr
    assert ".network.json" in told.stderr
    assert not out.exists()


def test_networks_of_mixed_variables_have_no_parameters(run, tmp_path):
    mixed_frame(300).to_csv(tmp_path / "mixed.csv", index=False)
    told = run("learn", tmp_path / "mixed.csv", "-o", tmp_path / "learned.network.json")

    assert told.exit_code != 0
    assert "a network of continuous and discrete variables has no parameters" in told.stderr

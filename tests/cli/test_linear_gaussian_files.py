"""``h2pc sample`` and ``h2pc score`` with linear-Gaussian networks."""

import json

import numpy as np
import pytest

from h2pc import make_linear_gaussian_network, network_score, read_dataset, write_network


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


def test_learning_writes_no_tables_of_continuous_variables(run, tmp_path, network):
    file, out = tmp_path / "samples.csv", tmp_path / "learned.bif"
    run("sample", tmp_path / "network.json", "-n", 300, "-o", file)
    told = run("learn", file, "-o", out)

    assert told.exit_code != 0
    assert "A linear-Gaussian network is written to a file that ends in .json" in told.stderr
    assert not out.exists()

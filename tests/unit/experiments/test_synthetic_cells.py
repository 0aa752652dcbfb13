"""The synthetic experiment on small networks: what a cell holds, and that it can be killed."""

import os
import shutil
from pathlib import Path

import numpy as np
import pytest

from h2pc import H2PC, MMHC, BayesianNetwork, load_network, network_names, skeleton
from h2pc.errors import SettingError
from h2pc.experiments.published import NETWORKS
from h2pc.experiments.synthetic_cells import (
    SyntheticCell,
    SyntheticSetup,
    cost,
    measured,
    new_sample,
    run_synthetic,
    training_sample,
)
from h2pc.experiments.synthetic_results import SyntheticResults
from h2pc.metrics import shd
from h2pc.runs.cells import RESULTS, read_cells, read_settings
from kills import check_that_kills_do_not_matter

ASIA = load_network("asia")
SETUP = SyntheticSetup(n_new=5000)
STORED = Path(__file__).resolve().parents[3] / "docs" / "results" / "synthetic"


def test_every_network_of_the_paper_is_in_the_library():
    assert set(NETWORKS) <= set(network_names())


@pytest.mark.parametrize(
    ("name", "learner", "local"), [("h2pc", H2PC, "hpc"), ("mmhc", MMHC, "mmpc")]
)
def test_a_cell_holds_what_the_public_learners_find(name, learner, local):
    cell = SyntheticCell("asia", 1000, 3)
    found = measured(cell, SETUP).results[name]

    sample = training_sample(ASIA, cell, SETUP.seed)
    fitted = learner(variant="paper").fit(sample)
    joined = skeleton(sample, local)
    assert found["bdeu_train"] == fitted.score_
    assert found["edges"] == len(fitted.edges_)
    assert found["shd"] == shd(fitted.dag_, ASIA.dag)
    assert found["skeleton_edges"] == len(joined.skeleton.edges)
    assert found["n_tests"] == joined.n_tests


def test_the_bic_on_new_data_is_that_of_the_fitted_network():
    cell = SyntheticCell("asia", 1000, 0)
    new = new_sample(ASIA, cell, SETUP.seed, SETUP.n_new)
    dag = H2PC(variant="paper").fit(training_sample(ASIA, cell, SETUP.seed)).dag_
    fitted = BayesianNetwork.fit(dag, new)

    bic = fitted.log_likelihood(new).sum() - np.log(SETUP.n_new) / 2 * fitted.n_parameters
    assert measured(cell, SETUP).results["h2pc"]["bic_new"] == pytest.approx(bic, rel=1e-9)


def test_both_learners_are_timed():
    seconds = measured(SyntheticCell("asia", 200, 0), SETUP).seconds

    for times in seconds.values():
        assert times["total"] >= times["skeleton"] + times["search"] > 0
        assert times["cpu"] > 0


def test_columns_are_permuted_and_cells_have_samples_of_their_own():
    cells = [SyntheticCell("asia", 50, r) for r in range(4)]
    samples = [training_sample(ASIA, cell, seed=0) for cell in cells]

    assert len({sample.columns for sample in samples}) == 4
    assert len({sample.fingerprint() for sample in samples}) == 4
    assert training_sample(ASIA, cells[0], seed=1).fingerprint() != samples[0].fingerprint()
    assert training_sample(ASIA, cells[0], seed=0).columns == samples[0].columns


def test_new_data_are_shared_by_the_sizes_and_not_by_the_repetitions():
    prints = [
        new_sample(ASIA, SyntheticCell("asia", size, repetition), 0, 5000).fingerprint()
        for size, repetition in ((50, 0), (100, 0), (100, 1))
    ]

    assert prints[0] == prints[1] != prints[2]


def test_a_cell_is_the_same_whatever_was_run_before_it():
    cell = SyntheticCell("asia", 300, 0)
    alone = measured(cell, SETUP).results
    measured(SyntheticCell("asia", 50, 0), SETUP)

    assert measured(cell, SETUP).results == alone


@pytest.mark.parametrize(
    "cell",
    [("alarm", 50, 0), ("alarm", 500, 7), ("child", 5000, 3), ("hailfinder", 200, 9)],
)
def test_cells_are_those_of_the_stored_results(cell):
    stored = SyntheticResults.read(STORED)
    found = measured(SyntheticCell(*cell), SyntheticSetup()).results

    assert stored.settings == SyntheticSetup().settings()
    for algorithm, numbers in stored.cells[cell].items():
        # Fewer tests and scores lead to the same graphs since these were stored.
        counts = {"n_tests": 0, "n_scores": 0}
        assert {**found[algorithm], **counts} == {**numbers, **counts}


def test_a_stored_folder_is_continued_and_its_cells_are_not_run_again(tmp_path):
    folder = tmp_path / "continued"
    shutil.copytree(STORED, folder)
    before = (folder / RESULTS).read_text()
    finished = run_synthetic(folder, ["alarm", "asia"], [50], 1)

    new = set((folder / RESULTS).read_text().splitlines()) - set(before.splitlines())
    assert finished == before.count("\n") + 1
    assert [line[:44] for line in new] == ['{"network": "asia", "size": 50, "repetition"']


def test_a_grid_may_grow(tmp_path):
    run_synthetic(tmp_path / "grown", ["asia"], [50], 1, SETUP)
    run_synthetic(tmp_path / "grown", ["child"], [50, 70], 1, SETUP)
    finished = run_synthetic(tmp_path / "grown", ["asia", "child"], [50, 70], 2, SETUP)
    run_synthetic(tmp_path / "straight", ["child", "asia"], [70, 50], 2, SETUP)

    grown, straight = (tmp_path / name / RESULTS for name in ("grown", "straight"))
    assert finished == 8
    assert grown.read_bytes() == straight.read_bytes()


@pytest.mark.parametrize(
    "setup", [SyntheticSetup(seed=1), SyntheticSetup(patience=100), SyntheticSetup(n_new=10)]
)
def test_a_folder_is_not_continued_with_other_settings(tmp_path, setup):
    run_synthetic(tmp_path, ["asia"], [50], 1)

    with pytest.raises(SettingError, match="was begun with"):
        run_synthetic(tmp_path, ["asia"], [70], 1, setup)

    assert read_settings(tmp_path)["seed"] == 0
    assert len(read_cells(tmp_path / RESULTS, SyntheticCell._fields)) == 1


@pytest.mark.parametrize(
    ("networks", "sizes", "repetitions", "n_jobs", "message"),
    [
        (["alarn"], [50], 1, 1, "did you mean 'alarm'"),
        ([], [50], 1, 1, "at least one entry"),
        (["asia"], [], 1, 1, "at least one entry"),
        (["asia"], [50, 0], 1, 1, "sizes must be at least 1; got 0"),
        (["asia"], [50], 0, 1, "repetitions must be at least 1; got 0"),
        (["asia"], [50], 1, 0, "n_jobs must be None"),
    ],
)
def test_grids_that_make_no_sense_leave_nothing_behind(
    tmp_path, networks, sizes, repetitions, n_jobs, message
):
    with pytest.raises(SettingError, match=message):
        run_synthetic(tmp_path / "new", networks, sizes, repetitions, n_jobs=n_jobs)

    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("values", [{"seed": -1}, {"n_new": 0}, {"patience": -1}])
def test_setups_that_make_no_sense_are_refused(values):
    with pytest.raises(SettingError, match="must be a whole number from"):
        SyntheticSetup(**values)


def test_larger_cells_are_said_to_cost_more():
    cells = (("asia", 50), ("asia", 5000), ("win95pts", 5000), ("link", 5000), ("link", 20_000))
    costs = [cost(SyntheticCell(*cell, 0)) for cell in cells]

    assert costs[0] > 0
    assert costs == sorted(costs)


@pytest.mark.slow
def test_the_number_of_processes_does_not_change_the_results(tmp_path):
    for n_jobs in (1, 2):
        run_synthetic(tmp_path / str(n_jobs), ["asia", "child"], [50, 200], 2, n_jobs=n_jobs)

    assert (tmp_path / "1" / RESULTS).read_bytes() == (tmp_path / "2" / RESULTS).read_bytes()


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_after_25_kills_the_results_are_those_of_one_straight_run(tmp_path):
    check_that_kills_do_not_matter("real", tmp_path, n_kills=25)

"""The same answers on clusters as in one thread, also where workers are killed."""

import os

import joblib
import pytest
from typer.testing import CliRunner

from h2pc import GTest, edge_strengths, hpc, load_network
from h2pc.cli.main import app
from h2pc.errors import H2pcError
from h2pc.runs.workers import mapped, workers_of
from h2pc.structure import learned_skeleton
from killing_learner import KillsItsWorker, killed

pytestmark = pytest.mark.filterwarnings("ignore")  # of the clusters' own libraries


def skeleton_of(network, n_samples, learner=hpc, n_jobs=None):
    data = load_network(network).sample(n_samples, seed=1)
    return learned_skeleton(GTest(data), data.names, learner, n_jobs=n_jobs, progress=False)


def same(one, other):
    return (one.skeleton, one.neighbourhoods, one.n_tests) == (
        other.skeleton,
        other.neighbourhoods,
        other.n_tests,
    )


@pytest.mark.parametrize("network", ["alarm", pytest.param("andes", marks=pytest.mark.slow)])
def test_dask_learns_the_same_skeleton(dask_scheduler, network):
    alone = skeleton_of(network, 1000)

    with workers_of(dask_scheduler):
        together = skeleton_of(network, 1000, n_jobs=-1)

    assert same(alone, together)


@pytest.mark.parametrize("network", ["alarm", pytest.param("andes", marks=pytest.mark.slow)])
def test_ray_learns_the_same_skeleton(ray_instance, network):
    alone = skeleton_of(network, 1000)

    with joblib.parallel_config(backend="ray"):
        together = skeleton_of(network, 1000, n_jobs=2)

    assert same(alone, together)


def test_bootstrap_strengths_are_the_same_on_dask(dask_scheduler):
    data = load_network("asia").sample(300, seed=0)

    with workers_of(dask_scheduler):
        together = edge_strengths(data, n_replicates=6, n_jobs=-1, progress=False)

    assert together == edge_strengths(data, n_replicates=6, progress=False)


def with_two_kills(folder):
    for number in range(2):
        (folder / f"kill{number}").touch()
    return KillsItsWorker(folder, os.getpid())


def test_a_dask_worker_killed_twice_costs_nothing(dask_scheduler, tmp_path):
    alone = skeleton_of("alarm", 500)

    with workers_of(dask_scheduler):
        together = skeleton_of("alarm", 500, with_two_kills(tmp_path), n_jobs=-1)

    assert same(alone, together)
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_a_ray_worker_killed_twice_costs_nothing(ray_instance, tmp_path):
    alone = skeleton_of("alarm", 500)

    with joblib.parallel_config(backend="ray"):
        together = skeleton_of("alarm", 500, with_two_kills(tmp_path), n_jobs=2)

    assert same(alone, together)
    assert not list(tmp_path.iterdir())


def test_a_process_killed_twice_costs_nothing(tmp_path):
    alone = skeleton_of("alarm", 500)

    with workers_of("local"):
        together = skeleton_of("alarm", 500, with_two_kills(tmp_path), n_jobs=2)

    assert same(alone, together)
    assert not list(tmp_path.iterdir())


def test_workers_that_always_die_end_the_run_with_a_sentence():
    with workers_of("local"), pytest.raises(H2pcError, match="Workers were lost 4 times in a row"):
        list(mapped(killed, [()], n_jobs=2))


def test_a_scheduler_that_is_not_there_is_told_in_a_sentence():
    pytest.importorskip("distributed", reason="Dask's distributed is not installed")
    expected = "No Dask scheduler answers at tcp://127.0.0.1:9"
    with pytest.raises(H2pcError, match=expected), workers_of("dask://127.0.0.1:9"):
        pass


def test_the_command_line_learns_on_a_cluster(dask_scheduler, tmp_path):
    file = tmp_path / "asia.csv"
    CliRunner().invoke(app, ["sample", "asia", "-n", "500", "--seed", "1", "-o", str(file)])
    alone = CliRunner().invoke(app, ["learn", str(file), "--format", "edges", "-o", "-"])
    command = ["learn", str(file), "--cluster", dask_scheduler, "--format", "edges", "-o", "-"]
    together = CliRunner().invoke(app, command)

    assert (together.exit_code, together.stdout) == (0, alone.stdout)

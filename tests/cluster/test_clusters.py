"""The same answers on clusters as in one thread, also where workers are killed."""

import os
from collections import Counter

import joblib
import numpy as np
import pytest
from typer.testing import CliRunner

from cluster.waiting_learner import Waits
from continuous_data import continuous_frame, mixed_frame
from h2pc import GTest, edge_strengths, hpc, load_network, skeleton
from h2pc.algorithms.neighbourhoods import neighbourhoods
from h2pc.algorithms.skeletons import learned_skeleton
from h2pc.cli.main import app
from h2pc.errors import H2pcError
from h2pc.runs import clusters, workers
from h2pc.runs.limits import Limits, Watch
from h2pc.runs.progress import ProgressBar
from h2pc.runs.workers import Shared, mapped, workers_of
from killing_learner import KillsItsWorker, killed
from noted_arrivals import Noted, file_of, place_of, place_of_sleep

pytestmark = pytest.mark.filterwarnings("ignore")  # of the clusters' own libraries


def skeleton_of(network, n_samples, learner=hpc, n_jobs=None):
    data = load_network(network).sample(n_samples, random_state=1)
    return learned_skeleton(GTest(data), data.names, learner, n_jobs=n_jobs, progress=False)


def cluster_at(place):
    """Run on a Dask cluster, by its address, or on the Ray instance that is there."""
    if isinstance(place, str):
        return workers_of(place)
    return joblib.parallel_config(backend="ray")


def same(one, other):
    return (one.skeleton, one.neighbourhoods, one.n_tests) == (
        other.skeleton,
        other.neighbourhoods,
        other.n_tests,
    )


def check_that_data_arrive_once(file, n_tasks=16):
    """Run many tasks, wave after wave, with one value: it comes to each worker a single time."""
    shared = Shared(Noted(file))
    for _ in range(4):
        done = dict(mapped(place_of, [(shared, number) for number in range(n_tasks)], n_jobs=2))

    arrivals = Counter(map(int, file.read_text().split()))
    assert sorted(done) == list(range(n_tasks))
    assert os.getpid() not in done.values()
    assert all(arrivals[process] == 1 for process in done.values())


def test_processes_map_the_same_data():
    shared = Shared(np.arange(300_000))
    with workers_of("local"):
        seen = set(mapped(file_of, [(shared,)] * 16, n_jobs=2))

    assert {total for total, _ in seen} == {shared.value.sum()}
    assert len({file for _, file in seen}) == 1


def test_data_arrive_once_at_a_worker_of_dask(dask_scheduler, tmp_path):
    with workers_of(dask_scheduler):
        check_that_data_arrive_once(tmp_path / "arrivals")


def test_data_arrive_once_at_a_worker_of_ray(ray_instance, tmp_path):
    with joblib.parallel_config(backend="ray"):
        check_that_data_arrive_once(tmp_path / "arrivals")


SLOW = pytest.mark.slow


@pytest.mark.parametrize("network", ["alarm", pytest.param("andes", marks=SLOW)])
@pytest.mark.parametrize(
    "cluster", ["dask_scheduler", pytest.param("dask_from_the_command_line", marks=SLOW)]
)
def test_dask_learns_the_same_skeleton(request, cluster, network):
    alone = skeleton_of(network, 1000)

    with workers_of(request.getfixturevalue(cluster)):
        together = skeleton_of(network, 1000, n_jobs=-1)

    assert same(alone, together)


@pytest.mark.slow
@pytest.mark.parametrize("network", ["alarm", "andes"])
def test_ray_learns_the_same_skeleton(ray_instance, network):
    alone = skeleton_of(network, 1000)

    with joblib.parallel_config(backend="ray"):
        together = skeleton_of(network, 1000, n_jobs=2)

    assert same(alone, together)


def test_ray_learns_the_same_from_data_that_arrive_once(ray_instance, tmp_path):
    alone, file = skeleton_of("asia", 1000), tmp_path / "arrivals"

    with joblib.parallel_config(backend="ray"):
        together = skeleton_of("asia", 1000, Noted(file), n_jobs=2)

    assert same(alone, together)
    assert set(Counter(file.read_text().split()).values()) == {1}


class Advances(ProgressBar):
    """Notes how many targets were finished together."""

    def __init__(self):
        super().__init__("Neighbourhoods", shown=False)
        self.noted = []

    def advance(self, n, cost=None):
        self.noted.append(n)


@pytest.mark.parametrize("cluster", ["dask_scheduler", "ray_instance"])
def test_progress_is_seen_while_a_cluster_works(request, cluster):
    data, bar = load_network("alarm").sample(500, random_state=1), Advances()
    universe = tuple(range(data.n_variables))
    with cluster_at(request.getfixturevalue(cluster)):
        neighbourhoods(universe, GTest(data), universe, n_jobs=2, bar=bar)

    assert sum(bar.noted) == data.n_variables
    assert len(bar.noted) > 4


@pytest.mark.parametrize("cluster", ["dask_scheduler", "ray_instance"])
def test_a_time_limit_ends_tasks_on_a_cluster_and_keeps_what_is_finished(
    request, cluster, tmp_path
):
    alone, data = skeleton_of("alarm", 500), load_network("alarm").sample(500, random_state=1)
    (tmp_path / "wait").touch()  # after some targets, tasks go on until the limit
    with cluster_at(request.getfixturevalue(cluster)):
        watch = Watch(Limits(max_seconds=4.0), data.names)
        found = learned_skeleton(
            GTest(data), data.names, Waits(tmp_path), n_jobs=2, progress=False, watch=watch
        )

    assert not found.complete
    assert watch.reason == "max_seconds"
    assert 0 < len(found.found) < data.n_variables
    assert found.neighbourhoods.items() <= alone.neighbourhoods.items()


def test_bootstrap_strengths_are_the_same_on_dask(dask_scheduler):
    data = load_network("asia").sample(300, random_state=0)

    with workers_of(dask_scheduler):
        together = edge_strengths(data, n_replicates=4, n_jobs=-1, progress=False)

    assert together == edge_strengths(data, n_replicates=4, progress=False)


@pytest.mark.parametrize("frame", [continuous_frame(), mixed_frame()], ids=["continuous", "mixed"])
def test_continuous_and_mixed_data_are_learned_the_same_on_dask(dask_scheduler, frame):
    alone = skeleton(frame)

    with workers_of(dask_scheduler):
        together = skeleton(frame, n_jobs=-1)
        strengths = edge_strengths(frame, n_replicates=3, n_jobs=-1, progress=False)

    assert same(alone, together)
    assert strengths == edge_strengths(frame, n_replicates=3, progress=False)


def test_a_dask_worker_that_joins_later_gets_work(monkeypatch):
    distributed = pytest.importorskip("distributed", reason="needs Dask (pip install distributed)")
    monkeypatch.setattr(clusters, "_SECONDS_BETWEEN_COUNTS", 0.1)
    options = {"threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with distributed.LocalCluster(n_workers=1, **options) as cluster:
        address = cluster.scheduler_address.replace("tcp://", "dask://")
        with workers_of(address):
            places = set()

            def tasks():
                while len(places) < 2:
                    yield (0,)

            for place in mapped(place_of_sleep, tasks(), n_jobs=-1):
                if not places:
                    cluster.scale(2)
                places.add(place)

    assert len(places) == 2


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


@pytest.mark.parametrize("cluster", ["dask_scheduler", "ray_instance"])
def test_an_error_of_a_task_on_a_cluster_is_raised_as_it_is(request, cluster):
    with (
        cluster_at(request.getfixturevalue(cluster)),
        pytest.raises(ZeroDivisionError, match=r"^integer division or modulo by zero$"),
    ):
        list(mapped(divmod, [(1, 0), (2, 1)], n_jobs=2))


def test_workers_that_always_die_end_the_run_with_a_sentence():
    with workers_of("local"), pytest.raises(H2pcError, match="Workers were lost 4 times in a row"):
        list(mapped(killed, [()], n_jobs=2))


def test_a_scheduler_that_is_not_there_is_told_in_a_sentence(monkeypatch):
    pytest.importorskip("distributed", reason="needs Dask (pip install distributed)")
    monkeypatch.setattr(workers, "_SECONDS_TO_ANSWER", 0.2)
    expected = "No Dask scheduler answers at tcp://127.0.0.1:9"
    with pytest.raises(H2pcError, match=expected), workers_of("dask://127.0.0.1:9"):
        pass


def test_the_command_line_learns_on_a_cluster(dask_scheduler, tmp_path):
    file = tmp_path / "asia.csv"
    CliRunner().invoke(app, ["sample", "asia", "-n", "500", "--random-state", "1", "-o", str(file)])
    alone = CliRunner().invoke(app, ["learn", str(file), "--format", "edges", "-o", "-"])
    command = ["learn", str(file), "--cluster", dask_scheduler, "--format", "edges", "-o", "-"]
    together = CliRunner().invoke(app, command)

    assert (together.exit_code, together.stdout) == (0, alone.stdout)

"""What is left when a driver, or the scheduler, is killed in the middle of a run."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import joblib
import pytest

from cluster.conftest import TESTS, dask_started, wait_until
from cluster.waiting_learner import ENOUGH, learned
from h2pc.runs.workers import mapped, workers_of
from noted_arrivals import place_of_sleep

pytestmark = pytest.mark.filterwarnings("ignore")  # of the clusters' own libraries
SCRIPT = Path(__file__).with_name("waiting_learner.py")


@pytest.fixture
def driver(tmp_path):
    """Starts a driver on a cluster; returns it once both workers wait, with targets on disk."""
    programs = []

    def started(cluster, **environment):
        (tmp_path / "wait").touch()
        environment = {**os.environ, "PYTHONPATH": TESTS, **environment}
        command = [sys.executable, str(SCRIPT), cluster, str(tmp_path)]
        pipe = {"stderr": subprocess.PIPE, "text": True}
        programs.append(subprocess.Popen(command, env=environment, **pipe))
        results = tmp_path / "checkpoint" / "results.jsonl"

        def is_in_the_middle():
            assert programs[-1].poll() is None, programs[-1].communicate()
            return len(list(tmp_path.glob("waits*"))) == 2 and results.exists()

        wait_until(is_in_the_middle)
        return programs[-1]

    yield started
    for program in programs:
        program.kill()
        program.communicate()


def check_that_it_goes_on(folder):
    """What the checkpoint has is not learned again, and the result is that of a straight run."""
    (folder / "wait").unlink()
    learned_before = {file.name for file in folder.glob("learned*")}
    found = learned(folder)
    straight = folder / "straight"
    straight.mkdir()

    twice = {file.name for file in folder.glob("learned*") if len(file.read_text()) > 1}
    assert len(learned_before) >= ENOUGH
    assert len(twice) < len(learned_before)
    expected = learned(straight)
    assert (found.skeleton, found.neighbourhoods) == (expected.skeleton, expected.neighbourhoods)


def check_that_both_workers_are_free(cluster):
    """Two tasks that only end together end."""
    with workers_of(cluster):
        places = set(mapped(place_of_sleep, [(number,) for number in range(8)], n_jobs=2))

    assert len(places) == 2


def ended(folder):
    return len(list(folder.glob("ended*"))) == 2


def test_a_killed_driver_leaves_the_workers_of_dask_free(
    dask_from_the_command_line, driver, tmp_path
):
    driver(dask_from_the_command_line).kill()

    wait_until(lambda: ended(tmp_path))
    check_that_both_workers_are_free(dask_from_the_command_line)
    check_that_it_goes_on(tmp_path)


def test_ctrl_c_ends_the_driver_and_its_tasks_on_dask(dask_from_the_command_line, driver, tmp_path):
    program = driver(dask_from_the_command_line)
    program.send_signal(signal.SIGINT)
    _, errors = program.communicate(timeout=60)

    assert (program.returncode, errors.strip()) == (1, "Interrupted.")
    wait_until(lambda: ended(tmp_path))
    check_that_it_goes_on(tmp_path)


@pytest.mark.slow
def test_a_lost_scheduler_is_told_in_a_sentence_and_the_run_goes_on(driver, tmp_path):
    with dask_started(tmp_path) as (cluster, scheduler):
        program = driver(cluster)
        scheduler.kill()
        _, errors = program.communicate(timeout=60)

    assert program.returncode == 1
    assert errors.startswith("Error: The connection to the cluster was lost")
    assert errors.count("\n") == 1
    check_that_it_goes_on(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_a_driver_that_ends_leaves_the_workers_of_ray_free(ray_instance, driver, tmp_path, number):
    address = ray_instance.get_runtime_context().gcs_address
    program = driver("ray://", RAY_ADDRESS=address)
    program.send_signal(number)
    program.communicate(timeout=60)

    with joblib.parallel_config(backend="ray"):
        places = set(mapped(place_of_sleep, [(n,) for n in range(8)], n_jobs=2))
    assert len(places) == 2
    check_that_it_goes_on(tmp_path)

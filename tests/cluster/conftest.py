"""Real clusters, small ones: a Dask scheduler with two worker processes, and a Ray instance."""

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

TESTS = os.pathsep.join(
    [str(Path(__file__).parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])]
)
"""Workers import some of our own modules."""


@pytest.fixture(scope="module")
def dask_scheduler():
    """The address of a scheduler with two worker processes."""
    distributed = pytest.importorskip("distributed", reason="needs Dask (pip install distributed)")
    workers = {"n_workers": 2, "threads_per_worker": 1, "processes": True}
    with distributed.LocalCluster(dashboard_address=None, **workers) as cluster:
        yield cluster.scheduler_address.replace("tcp://", "dask://")


@pytest.fixture(scope="module")
def dask_from_the_command_line(tmp_path_factory):
    """The address of a scheduler with two workers, all started from the command line."""
    with dask_started(tmp_path_factory.mktemp("dask")) as (address, _):
        yield address


@contextmanager
def dask_started(folder):
    """Start a scheduler and two workers: the address, and the process of the scheduler."""
    distributed = pytest.importorskip("distributed", reason="needs Dask (pip install distributed)")
    place = folder / "scheduler.json"
    quiet = {"cwd": folder, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    quiet["env"] = {**os.environ, "PYTHONPATH": TESTS}
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
    options = ["--port", "0", "--no-dashboard", "--scheduler-file", str(place)]
    processes = [subprocess.Popen([*command, *options], **quiet)]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", "--no-dashboard"]
    options = ["--nworkers", "2", "--nthreads", "1", "--scheduler-file", str(place)]
    try:
        wait_until(place.exists)
        processes.append(subprocess.Popen([*worker, *options], **quiet))
        with distributed.Client(scheduler_file=str(place), timeout=60) as client:
            client.wait_for_workers(2, timeout=120)
            address = client.scheduler.address
        yield address.replace("tcp://", "dask://"), processes[0]
    finally:
        for process in reversed(processes):  # workers wait for a scheduler that ends
            process.send_signal(signal.SIGINT)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()


@pytest.fixture(scope="module")
def ray_instance():
    """A Ray instance of two workers on this machine."""
    ray = pytest.importorskip("ray", reason="needs Ray (pip install ray)")
    os.environ |= {"RAY_AUTH_MODE": "disabled", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0"}
    quiet = {"include_dashboard": False, "log_to_driver": False, "configure_logging": False}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", TESTS)  # of the workers of all drivers
        ray.init("local", num_cpus=2, **quiet)
    from ray.util.joblib import register_ray

    register_ray()
    yield ray
    ray.shutdown()


def wait_until(condition, seconds=60.0):
    """Return once the condition holds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.05)

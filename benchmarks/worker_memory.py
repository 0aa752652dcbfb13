"""Memory of each worker, and how often the data come to it: threads, processes, Dask and Ray.

Private memory is what a process has for itself, mapped what it sees of files in memory that all of
them see; both are what it has more at its peak than after a run on little data.
"""

from __future__ import annotations

import argparse
import os
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import Any, NamedTuple

import numpy as np
from joblib import parallel_config
from rich.console import Console
from rich.table import Table

from h2pc import CITest, Dataset, GTest, hpc
from h2pc.algorithms.neighbourhoods import neighbourhoods
from h2pc.runs.workers import workers_of
from h2pc.variables import Var, Vars

MB = 1e6
SECONDS_BETWEEN_LOOKS = 0.05


class NotedLearner:
    """HPC; it notes every process that it is sent to, just as the data are, and works in."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, target: Var, ci: CITest, universe: Vars) -> Vars:
        """The neighbourhood of a target."""
        note(self.folder / "tasks")
        return hpc(target, ci, universe)

    def __reduce__(self) -> tuple[Any, ...]:
        return arrived, (self.folder,)


def arrived(folder: Path) -> NotedLearner:
    """The learner, where it has arrived."""
    note(folder / "arrivals")
    return NotedLearner(folder)


def note(file: Path) -> None:
    """Add this process to a file."""
    with file.open("a") as lines:
        lines.write(f"{os.getpid()}\n")


def noted(file: Path) -> Counter[int]:
    """How often every process is in a file."""
    return Counter(map(int, file.read_text().split())) if file.exists() else Counter()


class Memory(NamedTuple):
    """Bytes of a process."""

    private: int = 0
    mapped: int = 0


def memory_of(process: int) -> Memory:
    """What a process has now."""
    private = mapped = 0
    is_mapped = False
    for line in Path(f"/proc/{process}/smaps").read_text().splitlines():
        word, *rest = line.split()
        if not word.endswith(":"):
            is_mapped = "/dev/shm/" in line or "joblib_memmapping_folder" in line
        elif is_mapped and word == "Rss:":
            mapped += 1024 * int(rest[0])
        elif not is_mapped and word in ("Private_Clean:", "Private_Dirty:"):
            private += 1024 * int(rest[0])
    return Memory(private, mapped)


class Peaks:
    """The most that each process below this one, and this one, had while it was watched."""

    def __init__(self) -> None:
        self.of: dict[int, Memory] = {}
        self._end = Event()
        self._thread = Thread(target=self._look, daemon=True)

    def __enter__(self) -> Peaks:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()

    def _look(self) -> None:
        ended = False
        while not ended:  # also once at the end: few rows take less than the wait
            ended = self._end.wait(SECONDS_BETWEEN_LOOKS)
            for process in family():
                try:
                    now = memory_of(process)
                except OSError:  # it has ended
                    continue
                before = self.of.get(process, Memory())
                self.of[process] = Memory(*map(max, before, now))


def family() -> Iterator[int]:
    """All processes that descend from this one, and itself."""
    yield from _below(os.getpid())


def _below(process: int) -> Iterator[int]:
    yield process
    for file in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            children = file.read_text().split()
        except OSError:
            continue
        for child in map(int, children):
            yield from _below(child)


class Cost(NamedTuple):
    """What learning some targets took of the workers."""

    tasks: Counter[int]
    arrivals: Counter[int]
    peaks: dict[int, Memory]

    @property
    def worker_peaks(self) -> list[Memory]:
        """The peaks of the processes that did anything."""
        return [self.peaks[process] for process in self.tasks]


def cost_of(data: Dataset, n_targets: int) -> Cost:
    """What learning some targets with two workers costs them."""
    with TemporaryDirectory() as folder:
        learner = NotedLearner(Path(folder))
        targets = tuple(range(0, data.n_variables, data.n_variables // n_targets))[:n_targets]
        with Peaks() as peaks:
            neighbourhoods(targets, GTest(data), tuple(range(data.n_variables)), learner, n_jobs=2)
        return Cost(*(noted(Path(folder) / name) for name in ("tasks", "arrivals")), peaks.of)


def sample(n_variables: int, n_rows: int) -> Dataset:
    """Binary variables, in chains of four."""
    rng = np.random.default_rng(0)
    codes = np.empty((n_variables, n_rows), np.uint8)
    for v, row in enumerate(codes):
        row[:] = rng.integers(0, 2, n_rows, np.uint8)
        if v % 4:
            np.copyto(row, codes[v - 1], where=rng.random(n_rows, np.float32) < 0.5)
    return Dataset.from_codes(codes)


@contextmanager
def dask_workers() -> Iterator[None]:
    """Two processes of a Dask cluster."""
    from distributed import Client, LocalCluster

    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with (
        LocalCluster(processes=True, memory_limit=None, **options) as cluster,
        Client(cluster) as client,
        parallel_config(backend="dask", client=client),
    ):
        yield


@contextmanager
def ray_workers() -> Iterator[None]:
    """Two processes of a Ray instance."""
    import ray
    from ray.util.joblib import register_ray

    quiet = {"include_dashboard": False, "log_to_driver": False, "configure_logging": False}
    ray.init("local", num_cpus=2, object_store_memory=int(2e9), **quiet)
    register_ray()
    try:
        with parallel_config(backend="ray"):
            yield
    finally:
        ray.shutdown()


WORKERS: dict[str, Callable[[], AbstractContextManager[None]]] = {
    "threads": nullcontext,
    "processes": lambda: workers_of("local"),
    "Dask": dask_workers,
    "Ray": ray_workers,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--variables", type=int, default=200)
    parser.add_argument("--targets", type=int, default=16)
    parser.add_argument("--workers", nargs="+", choices=WORKERS, default=list(WORKERS))
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # of the clusters' own libraries
    data = sample(options.variables, options.rows)
    little = sample(options.variables, 1000)
    size = data.codes.nbytes + data.cards.sum() * data.n_samples / 8
    table = Table(title=f"{data}: {size / MB:.0f} MB")
    headings = ("two workers", "tasks", "arrivals", "private MB", "of the data", "mapped MB")
    for heading in (*headings, "private MB at home"):
        table.add_column(heading, justify="right")
    home = os.getpid()
    for name in options.workers:
        with WORKERS[name]():
            before = cost_of(little, options.targets)
            cost = cost_of(data, options.targets)
        without = Memory(*map(min, zip(*before.worker_peaks, strict=True)))
        private = [peak.private - without.private for peak in cost.worker_peaks]
        mapped = [peak.mapped - without.mapped for peak in cost.worker_peaks]
        table.add_row(
            name,
            " + ".join(map(str, cost.tasks.values())),
            " + ".join(str(cost.arrivals[process]) for process in cost.tasks),
            " + ".join(f"{each / MB:.0f}" for each in private),
            " + ".join(f"{each / size:.2f}" for each in private),
            " + ".join(f"{each / MB:.0f}" for each in mapped),
            f"{(cost.peaks[home].private - before.peaks[home].private) / MB:.0f}",
        )
    Console(width=120).print(table)


if __name__ == "__main__":
    main()

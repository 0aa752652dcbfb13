"""Threads, processes, Dask and Ray with two workers each, and an estimate for many workers.

The same neighbourhoods are learned by all of them in one run. Dask's scheduler and workers, and the
Ray instance, are started from the command line. CPU seconds are those of the workers and of this
process together; a ratio of CPU seconds is what is left to say where other programs are at work.

The estimate is a simulation from measured parts. n workers get batches as `neighbourhoods` cuts
them, the targets that promise to be slowest first; a worker that is free gets the next batch.

- Every target costs what it cost alone: a sample of targets is timed, and each stands for those
  next to it in order.
- The data travel from worker to worker, each round to twice as many: worker k begins after
  ceil(log2(k + 1)) times bytes / bandwidth, and builds its index.
- This process hands over one task at a time, which takes its CPU seconds; the worker begins when
  the time of handing over has passed.

No order of tasks can be faster than

    max(bytes / bandwidth + index + max(sum of costs / n, largest cost),
        number of batches * CPU seconds of handing over)

and, but for handing over, list scheduling takes no longer than the first line with
`sum of costs / n + largest batch` for its maximum (Graham 1969).
"""

from __future__ import annotations

import argparse
import heapq
import os
import pickle
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from math import ceil, log2
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from h2pc import Dataset, GTest, load_network, make_bayesian_network
from h2pc.algorithms.neighbourhoods import Batches, neighbourhoods, slowest_first
from h2pc.runs.limits import Watch
from h2pc.runs.progress import ProgressBar
from h2pc.runs.workers import Shared, mapped, workers_of
from h2pc.variables import Vars

Workers = Callable[[], AbstractContextManager[object]]
N_WORKERS = 2


class FirstResult(ProgressBar):
    """Notes when the first neighbourhoods were there."""

    def __init__(self) -> None:
        super().__init__("Neighbourhoods", shown=False)
        self.at: float | None = None

    def advance(self, n: int, cost: float | None = None) -> None:
        """Count finished targets."""
        if n and self.at is None:
            self.at = time.perf_counter()
        super().advance(n, cost)


class Cost(NamedTuple):
    """What a run took."""

    seconds: float
    first: float
    cpu: float
    cpu_here: float
    n_tests: int


def cost_of(data: Dataset, workers: Workers) -> Cost:
    """Learn all neighbourhoods, from a test that is ready; the clock starts before the cluster."""
    test, bar, universe = GTest(data), FirstResult(), tuple(range(data.n_variables))
    with workers():
        before = cpu_of_workers()
    here, start = time.process_time(), time.perf_counter()
    with workers():
        found = neighbourhoods(universe, test, universe, n_jobs=N_WORKERS, bar=bar)
        seconds = time.perf_counter() - start
        here = time.process_time() - here
        after = cpu_of_workers()
    after.pop(os.getpid(), None)
    cpu = here + sum(spent - before.get(process, 0.0) for process, spent in after.items())
    n_tests = sum(each.n_tests for each in found.values())
    return Cost(seconds, (bar.at or start) - start, cpu, here, n_tests)


def cpu_of_workers() -> dict[int, float]:
    """CPU seconds of every worker since it was started."""
    return dict(mapped(cpu, [(number,) for number in range(8 * N_WORKERS)], n_jobs=N_WORKERS))


def cpu(_: int) -> tuple[int, float]:
    """A process and its CPU seconds, after a moment in which others get such a task as well."""
    time.sleep(0.02)
    return os.getpid(), time.process_time()


class HandingOver(NamedTuple):
    """What handing over a task takes, once the workers are there."""

    seconds: float
    cpu: float


def handing_over(n_tasks: int = 200) -> HandingOver:
    """Hand over tasks that do nothing."""
    list(mapped(abs, [(0,)] * 8, n_jobs=N_WORKERS))
    start, here = time.perf_counter(), time.process_time()
    list(mapped(abs, [(0,)] * n_tasks, n_jobs=N_WORKERS))
    here = time.process_time() - here
    return HandingOver((time.perf_counter() - start) / n_tasks, here / n_tasks)


@contextmanager
def started(*commands: Sequence[str]) -> Iterator[None]:
    """Programs that run meanwhile; each ends with Ctrl-C, or is killed."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    path = os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": path}  # workers import this file
    programs: list[subprocess.Popen[bytes]] = []
    try:
        programs.extend(subprocess.Popen(each, env=environment, **quiet) for each in commands)
        yield
    finally:
        for program in reversed(programs):  # workers wait for a scheduler that ends
            program.send_signal(signal.SIGINT)
            try:
                program.wait(20)
            except subprocess.TimeoutExpired:
                program.kill()


@contextmanager
def dask_cluster() -> Iterator[Workers]:
    """A scheduler and two workers, from the command line."""
    from distributed import Client

    with TemporaryDirectory() as folder:
        place = str(Path(folder, "scheduler.json"))
        program, quiet = [sys.executable, "-m"], ["--no-dashboard", "--scheduler-file", place]
        scheduler = [*program, "distributed.cli.dask_scheduler", "--port", "0", *quiet]
        size = ["--nworkers", str(N_WORKERS), "--nthreads", "1", "--local-directory", folder]
        worker = [*program, "distributed.cli.dask_worker", *size, *quiet]
        with started(scheduler, worker):
            wait_until(Path(place).exists)
            with Client(scheduler_file=place, timeout=60) as client:
                client.wait_for_workers(N_WORKERS, timeout=120)
                address = client.scheduler.address.replace("tcp://", "dask://")
            yield lambda: workers_of(address)


@contextmanager
def ray_cluster(port: int = 6399) -> Iterator[Workers]:
    """A Ray instance of two processors, from the command line."""
    address = f"127.0.0.1:{port}"
    os.environ |= {
        "RAY_ADDRESS": address,
        "RAY_AUTH_MODE": "disabled",
        "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    }
    program = str(Path(sys.executable).with_name("ray"))
    size = [
        "--num-cpus",
        str(N_WORKERS),
        "--port",
        str(port),
        "--object-store-memory",
        "1000000000",
    ]
    quiet = ["--include-dashboard", "false", "--disable-usage-stats"]
    with TemporaryDirectory() as folder:  # its address is nobody else's
        place = ["--port", str(port), "--temp-dir", folder]
        with started([program, "start", "--head", "--block", *place, *size, *quiet]):
            wait_until(lambda: answers(address))
            yield lambda: workers_of("ray://")


def answers(address: str) -> bool:
    """Whether a Ray instance is there."""
    import ray

    with suppress(Exception):
        ray.init(address, log_to_driver=False, configure_logging=False)
        ray.shutdown()
        return True
    return False


def wait_until(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    """Return once the condition holds."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            sys.exit("A cluster did not start.")
        time.sleep(0.1)


@contextmanager
def at_hand(workers: Workers) -> Iterator[Workers]:
    """Workers that need no start."""
    yield workers


BACKENDS: dict[str, Callable[[], AbstractContextManager[Workers]]] = {
    "threads": lambda: at_hand(nullcontext),
    "processes": lambda: at_hand(lambda: workers_of("local")),
    "dask": dask_cluster,
    "ray": ray_cluster,
}


class Parts(NamedTuple):
    """What the estimate is made of."""

    costs: list[float]
    """Of every target, in the order in which they are handed out."""
    n_bytes: int
    index: float
    outcome_bytes: float


def parts_of(data: Dataset, seconds: float) -> Parts:
    """Time a sample of the targets alone for so long, and what a worker does before the first."""
    test, universe = GTest(data), tuple(range(data.n_variables))
    packed = Shared(test).packed
    start = time.process_time()
    pickle.loads(packed.head, buffers=packed.arrays).log_p_many(0, universe[1:2])
    index = time.process_time() - start

    targets = slowest_first(universe, test, universe)
    # Every so many-th target, in a random order that is always the same: any beginning is a sample.
    order = sorted(range(len(targets)), key=lambda i: (i * 2654435761) % 2**32)
    timed: dict[int, float] = {}
    sizes = []
    end = time.process_time() + seconds
    while len(timed) < len(targets) and (time.process_time() < end or len(timed) < 16):
        place = order[len(timed)]
        start = time.process_time()
        found = neighbourhoods((targets[place],), test, universe)
        timed[place] = time.process_time() - start
        sizes.append(len(pickle.dumps(found)))
    places = sorted(timed)
    costs, k = [], 0
    for i in range(len(targets)):
        while k + 1 < len(places) and abs(places[k + 1] - i) <= abs(places[k] - i):
            k += 1
        costs.append(timed[places[k]])
    return Parts(costs, packed.n_bytes, index, sum(sizes) / len(sizes))


def batches_of(parts: Parts, n_workers: int) -> Iterator[float]:
    """Seconds of the batches, cut as `neighbourhoods` cuts them."""
    cut = Batches(tuple(range(len(parts.costs))), n_workers, Watch())
    for batch in cut:
        seconds = sum(parts.costs[i] for i in batch)
        yield seconds
        cut.seconds_per_target = seconds / len(batch)


def simulated(parts: Parts, n_workers: int, handing: HandingOver, bandwidth: float) -> float:
    """Seconds until the last worker is done."""
    transfer = parts.n_bytes / bandwidth
    free = [ceil(log2(k + 2)) * transfer + parts.index for k in range(n_workers)]
    heapq.heapify(free)
    driver = last = 0.0
    for seconds in batches_of(parts, n_workers):
        driver += handing.cpu
        begins = max(heapq.heappop(free), driver) + handing.seconds
        heapq.heappush(free, begins + seconds)
        last = max(last, begins + seconds)
    return last


def bound(parts: Parts, n_workers: int, handing: HandingOver, bandwidth: float) -> float:
    """Seconds that no order of tasks is faster than."""
    n_batches = sum(1 for _ in batches_of(parts, n_workers))
    work = max(sum(parts.costs) / n_workers, max(parts.costs))
    return max(parts.n_bytes / bandwidth + parts.index + work, n_batches * handing.cpu)


def job(options: argparse.Namespace) -> Dataset:
    """The data of a job."""
    if options.job == "link":
        n_samples = options.samples or (5000 if options.quick else 50_000)
        return load_network("link").sample(n_samples, random_state=1)
    n_variables = options.variables or (1000 if options.quick else 10_000)
    network = make_bayesian_network(n_variables, random_state=1)
    return network.sample(options.samples or 1000, random_state=1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--job", choices=["link", "random"], default="link")
    parser.add_argument("--samples", type=int)
    parser.add_argument("--variables", type=int, help="of the random network")
    parser.add_argument("--backends", nargs="+", choices=BACKENDS, default=list(BACKENDS))
    parser.add_argument("--cluster", type=int, default=100, help="workers to estimate for")
    parser.add_argument("--gigabits", type=float, default=1.0, help="per second, of its network")
    parser.add_argument("--quick", action="store_true", help="a small job, for a try")
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # of the clusters' own libraries
    console, data = Console(width=130), job(options)
    small = load_network("asia").sample(500, random_state=0)
    parts = parts_of(data, 2.0 if options.quick else 15.0)

    table = Table(title=f"{options.job}: {data}, two workers")
    headings = ("", "seconds", "speed", "CPU s", "CPU ratio", "of it here", "first result after")
    for heading in (*headings, "ms to hand over a task", "CPU ms here"):
        table.add_column(heading, justify="right")
    handing: dict[str, HandingOver] = {}
    threads: Cost | None = None
    answers: Vars = ()
    for name in options.backends:
        with BACKENDS[name]() as workers:
            cost_of(small, workers)  # imports
            with workers():
                handing[name] = handing_over()
            cost = cost_of(data, workers)
        threads = threads or cost
        answers = (*answers, cost.n_tests)
        table.add_row(
            name,
            f"{cost.seconds:.1f}",
            f"{threads.seconds / cost.seconds:.2f}",
            f"{cost.cpu:.1f}",
            f"{threads.cpu / cost.cpu:.2f}",
            f"{cost.cpu_here:.1f}",
            f"{cost.first:.2f} s",
            f"{1000 * handing[name].seconds:.2f}",
            f"{1000 * handing[name].cpu:.2f}",
        )
    console.print(table)
    console.print(f"The same number of tests everywhere: {len(set(answers)) == 1}.")
    console.print(
        f"To each worker travel {parts.n_bytes / 1e6:.1f} MB, once; its index takes "
        f"{parts.index:.2f} s. From it come {parts.outcome_bytes / 1000:.1f} kB for each target."
    )
    bandwidth = options.gigabits * 1e9 / 8
    total = sum(parts.costs)
    for name in options.backends:
        if name == "threads":
            continue
        for n, speed in ((N_WORKERS, 2e9), (options.cluster, bandwidth)):
            seconds = simulated(parts, n, handing[name], speed)
            least = bound(parts, n, handing[name], speed)
            where = "on this machine" if n == N_WORKERS else f"at {options.gigabits:g} Gbit/s"
            console.print(
                f"Estimate, {n} workers of {name} {where}: {seconds:.1f} s, no less than "
                f"{least:.1f} s; {total:.0f} s of work, {total / n / seconds:.0%} of the workers' "
                "time."
            )


if __name__ == "__main__":
    # Workers find functions of this file by its name.
    from clusters import main as main_by_name

    main_by_name()

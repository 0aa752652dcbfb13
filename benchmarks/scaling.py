"""Seconds of a skeleton with one and two workers: threads, processes, Dask and Ray.

From the cost of a target and of handing over a task, an estimate for a large cluster.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from time import perf_counter

from joblib import parallel_config
from rich.console import Console
from rich.table import Table

from h2pc import Dataset, GTest, load_network
from h2pc.algorithms.skeletons import learned_skeleton
from h2pc.runs.workers import mapped, workers_of

Workers = Callable[[], AbstractContextManager[object]]
LARGE, CLUSTER = 100_000, 100


def seconds_of(data: Dataset, n_jobs: int) -> float:
    """Seconds from the data to the skeleton."""
    start = perf_counter()
    learned_skeleton(GTest(data), data.names, n_jobs=n_jobs, progress=False)
    return perf_counter() - start


def seconds_of_nothing(n_tasks: int = 200) -> float:
    """Seconds that handing over one task takes, once the workers are there."""
    list(mapped(abs, [(0,)] * 4, n_jobs=2))
    start = perf_counter()
    list(mapped(abs, [(0,)] * n_tasks, n_jobs=2))
    return (perf_counter() - start) / n_tasks


def backends() -> dict[str, Workers]:
    """All workers that can be had on this machine."""
    found: dict[str, Workers] = {"threads": nullcontext, "processes": lambda: workers_of("local")}
    try:
        from distributed import Client, LocalCluster

        cluster = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
        client = Client(cluster)
        found["Dask"] = lambda: parallel_config(backend="dask", client=client)
    except ImportError:
        pass
    try:
        import ray
        from ray.util.joblib import register_ray

        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, configure_logging=False)
        register_ray()
        found["Ray"] = lambda: parallel_config(backend="ray")
    except ImportError:
        pass
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--network", default="pigs")
    parser.add_argument("--samples", type=int, default=5000)
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # of the clusters' own libraries
    data = load_network(options.network).sample(options.samples, random_state=1)
    seconds_of(load_network("asia").sample(500, random_state=0), 1)  # loads the compiled code
    alone = min(seconds_of(data, 1) for _ in range(2))

    table = Table(title=f"{options.network}, {options.samples:,} samples, one thread {alone:.2f} s")
    for heading in ("two workers", "first run", "second run", "ratio", "ms to hand over a task"):
        table.add_column(heading, justify="right")
    handing_over = {}
    for name, workers in backends().items():
        with workers():
            first, second = seconds_of(data, 2), seconds_of(data, 2)
            handing_over[name] = seconds_of_nothing()
        table.add_row(
            name,
            f"{first:.2f}",
            f"{second:.2f}",
            f"{alone / second:.2f}",
            f"{1000 * handing_over[name]:.2f}",
        )
    console = Console()
    console.print(table)
    per_target = alone / data.n_variables
    share = LARGE * per_target / CLUSTER * LARGE / data.n_variables
    longer = ", ".join(f"{100 * each:.1f} % ({name})" for name, each in handing_over.items())
    console.print(
        f"Estimate: {LARGE:,} variables on {CLUSTER} workers. A target costs "
        f"{1000 * per_target:.1f} ms among {data.n_variables}; if that grows with their number, "
        f"all take {share / 60:.0f} minutes, in tasks of about a second, which handing over makes "
        f"longer by {longer}."
    )


if __name__ == "__main__":
    main()

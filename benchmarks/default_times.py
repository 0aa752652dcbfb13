"""Time of ``H2PC()`` beside its earlier default, in one thread, in turns; the best turn counts."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from time import perf_counter, process_time
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from h2pc import H2PC, Dataset, load_network
from h2pc.experiments.accuracy_learners import h2pc_before
from h2pc.experiments.paper_learners import warm_up

NETWORKS = ("alarm", "insurance", "hailfinder", "andes", "munin1", "link")
AIM = 1.5
CONTESTANTS: dict[str, Callable[[Dataset], object]] = {
    "H2PC()": lambda data: H2PC(progress=False).fit(data),
    "before": lambda data: h2pc_before(data),
}


class Seconds(NamedTuple):
    """The shortest times of several turns."""

    wall: float
    cpu: float


def best(network: str, n_samples: int, turns: int, seed: int) -> dict[str, Seconds]:
    """Return the best times of both; every turn has a new data set, made outside the clock."""
    warm_up()
    found: dict[str, list[Seconds]] = {name: [] for name in CONTESTANTS}
    for _ in range(turns):
        for name, learn in CONTESTANTS.items():
            data = load_network(network).sample(n_samples, random_state=seed)
            wall, cpu = perf_counter(), process_time()
            learn(data)
            found[name].append(Seconds(perf_counter() - wall, process_time() - cpu))
    return {name: Seconds(*map(min, zip(*some, strict=True))) for name, some in found.items()}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--networks", nargs="+", default=NETWORKS, metavar="NAME")
    parser.add_argument("--samples", type=int, nargs="+", default=[10_000], metavar="N")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--random-state", type=int, default=1)
    chosen = parser.parse_args(arguments)
    table = Table(title="Seconds of H2PC, now and before, one thread")
    for heading in ("network", "samples", "wall", "before", "ratio", "CPU", "before ", "ratio "):
        table.add_column(heading, justify="right")
    ratios = []
    for n_samples in chosen.samples:
        for network in chosen.networks:
            now, before = best(network, n_samples, chosen.turns, chosen.random_state).values()
            row = []
            for ours, theirs in zip(now, before, strict=True):
                row += [f"{ours:.3f}", f"{theirs:.3f}", f"{ours / theirs:.2f}"]
            ratios.append(now.cpu / before.cpu)
            table.add_row(network, f"{n_samples:,}", *row)
    table.caption = (
        f"The aim is a ratio of at most {AIM}; the largest of CPU time is {max(ratios):.2f}."
    )
    Console(width=max(100, Console().width)).print(table)


if __name__ == "__main__":
    main()

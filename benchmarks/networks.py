"""Seconds of H2PC from data to network, phase by phase, beside stored figures of bnlearn.

Once as in the paper, and once with all defaults: more searches, and more questions.

``--large`` learns the eight networks of the paper from 50,000 samples, each in a process of its
own, and prints the peak memory.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
from time import perf_counter
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from h2pc import H2PC, load_network, shd

SEED = 1
WHILE = 3.0  # seconds that short runs are repeated for: the speed of the machine changes
TOTAL_AIM, SEARCH_AIM = 30.0, 10.0
SETTINGS = {"paper": {"variant": "paper"}, "defaults": {}}
PAPER = ("child", "insurance", "mildew", "alarm", "hailfinder", "munin1", "pigs", "link")


class Stored(NamedTuple):
    """What bnlearn 5.2.1 took on a similar machine: h2pc as a whole, and its hpc alone."""

    total: float
    skeleton: float


PAIRS = {
    ("alarm", 5000): Stored(0.61, 0.48),
    ("insurance", 20_000): Stored(5.5, 4.3),
    ("andes", 5000): Stored(47.0, 47.0),
    ("pigs", 5000): Stored(135.0, 135.0),
}


def measured(kind: str, network: str, n_samples: int, repeats: int) -> dict[str, float]:
    """Best seconds of each phase, in one thread, and what was learned."""
    true = load_network(network)
    data = true.sample(n_samples, random_state=SEED)
    learner = H2PC(progress=False, **SETTINGS[kind])
    learner.fit(load_network("asia").sample(500, random_state=0))  # loads the compiled code
    start, runs = perf_counter(), []
    while len(runs) < repeats or (repeats > 1 and perf_counter() - start < WHILE):
        runs.append(learner.fit(data).result_)
    best = min(runs, key=lambda run: sum(run.seconds.values()))
    return {
        **best.seconds,
        "tests": best.n_tests,
        "edges": len(best.dag.edges),
        "shd": shd(best.dag, true.dag),
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def in_a_process(kind: str, network: str, n_samples: int, repeats: int) -> dict[str, float]:
    """The same in a process of its own: its peak memory is that of this network."""
    command = [sys.executable, __file__, "--one", kind, network, str(n_samples), str(repeats)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout)


def beside_bnlearn(kind: str, repeats: int) -> Table:
    table = Table(title=f"H2PC ({kind}) beside bnlearn 5.2.1 (stored figures), one thread")
    headings = ("network", "samples", "seconds", "bnlearn", "ratio", "search", "ratio ", "SHD")
    for heading in headings:
        table.add_column(heading, justify="right")
    for (network, n_samples), stored in PAIRS.items():
        run = in_a_process(kind, network, n_samples, repeats)
        total, search = run["skeleton"] + run["search"], run["search"]
        theirs = stored.total - stored.skeleton
        table.add_row(
            network,
            f"{n_samples:,}",
            f"{total:.3f}",
            f"{stored.total:g}",
            f"{stored.total / total:.0f}",
            f"{search:.4f}",
            f"{theirs / search:.0f}" if theirs else "",
            f"{run['shd']}",
        )
    table.caption = f"Aims: {TOTAL_AIM:g} in total, {SEARCH_AIM:g} for the search alone."
    return table


def large(n_samples: int) -> Table:
    table = Table(title=f"H2PC, {n_samples:,} samples, one thread")
    headings = ("network", "skeleton s", "search s", "tests", "edges", "SHD", "peak MB")
    for heading in headings:
        table.add_column(heading, justify="right")
    for network in PAPER:
        run = in_a_process("paper", network, n_samples, 1)
        table.add_row(
            network,
            f"{run['skeleton']:.2f}",
            f"{run['search']:.3f}",
            f"{run['tests']:,}",
            f"{run['edges']}",
            f"{run['shd']}",
            f"{run['megabytes']:.0f}",
        )
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--large", action="store_true", help="the paper's networks, 50,000 samples")
    parser.add_argument("--samples", type=int, default=50_000, help="with --large")
    parser.add_argument("--repeats", type=int, default=5, help="without --large: the best counts")
    parser.add_argument("--one", nargs=4, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.one:
        kind, network, n_samples, repeats = chosen.one
        print(json.dumps(measured(kind, network, int(n_samples), int(repeats))))
    elif chosen.large:
        Console().print(large(chosen.samples))
    else:
        for kind in SETTINGS:
            Console().print(beside_bnlearn(kind, chosen.repeats))


if __name__ == "__main__":
    main()

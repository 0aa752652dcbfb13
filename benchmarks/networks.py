"""Processor seconds of H2PC from a data frame to the network, in one thread, beside bnlearn.

Once as in the paper, and once with all defaults: more searches, and more questions. The seconds of
bnlearn were measured before (``docs/results/elsewhere/speed.csv``).

``--large`` learns the eight networks of the paper from 50,000 samples, each in a process of its
own, and prints the peak memory.
"""

from __future__ import annotations

import argparse
import csv
import json
import resource
import subprocess
import sys
import warnings
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from rich.console import Console
from rich.table import Table

from h2pc import H2PC, load_network, shd
from h2pc.errors import H2pcWarning

SEED = 1
ROUNDS = 3  # turns of every case: the speed of the machine changes within seconds
WHILE = 2.0  # seconds that short runs are repeated for in each turn
SETTINGS = {"paper": {"variant": "paper"}, "defaults": {}}
CASES = {  # numbers of samples
    "alarm": 5000,
    "insurance": 20_000,
    "hailfinder": 20_000,
    "munin1": 5000,
    "andes": 5000,
    "pigs": 5000,
    "link": 1000,
}
PAPER = ("child", "insurance", "mildew", "alarm", "hailfinder", "munin1", "pigs", "link")
ELSEWHERE = Path(__file__).parents[1] / "docs" / "results" / "elsewhere" / "speed.csv"


def measured(kind: str, network: str, n_samples: int, seconds: float) -> dict[str, Any]:
    """The best of the runs of some seconds, one at least, and what was learned."""
    warnings.simplefilter("ignore", H2pcWarning)  # of copies and of few samples
    true = load_network(network)
    frame = true.sample(n_samples, random_state=SEED).to_pandas()
    learner = H2PC(progress=False, **SETTINGS[kind])
    learner.fit(load_network("asia").sample(500, random_state=0))  # loads the compiled code
    start, runs = perf_counter(), []
    while not runs or perf_counter() - start < seconds:
        before = process_time()
        run = learner.fit(frame).result_
        runs.append((process_time() - before, run))
    cpu, best = min(runs, key=lambda each: each[0])
    return {
        "cpu": round(cpu, 4),
        "skeleton": round(best.seconds["skeleton"], 4),
        "search": round(best.seconds["search"], 4),
        "tests": best.n_tests,
        "edges": len(best.dag.edges),
        "shd": shd(best.dag, true.dag),
        "peak_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000, 1),
    }


def in_a_process(kind: str, network: str, n_samples: int, seconds: float) -> dict[str, Any]:
    """The same in a process of its own: its peak memory is that of this network."""
    command = [sys.executable, __file__, "--one", kind, network, str(n_samples), str(seconds)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout)


def in_turns(networks: Sequence[str], rounds: int, seconds: float) -> list[dict[str, Any]]:
    """The best turn of every case; a turn is a process."""
    best: dict[tuple[str, str], dict[str, Any]] = {}
    for network in networks:
        for _ in range(rounds):
            for kind in SETTINGS:
                turn = in_a_process(kind, network, CASES[network], seconds)
                former = best.setdefault((network, kind), turn)
                best[network, kind] = min(former, turn, key=lambda each: each["cpu"])
    date = datetime.now(UTC).date().isoformat()
    return [
        {"network": network, "n_samples": CASES[network], "variant": kind, "date": date, **found}
        for (network, kind), found in best.items()
    ]


def beside_bnlearn(points: list[dict[str, Any]]) -> Table:
    """Our seconds beside those of bnlearn."""
    with ELSEWHERE.open(encoding="utf-8", newline="") as lines:
        theirs = {row["network"]: row for row in csv.DictReader(lines)}
    ours = {(point["network"], point["variant"]): point for point in points}
    table = Table(title="H2PC beside bnlearn 5.2.1, measured before: seconds, one thread")
    for heading in ("network", "samples", "paper", "defaults", "bnlearn", "clock", "SHD"):
        table.add_column(heading, justify="right")
    for network in dict.fromkeys(point["network"] for point in points):
        paper, defaults = (ours[network, kind] for kind in SETTINGS)
        other = theirs[network]
        table.add_row(
            network,
            f"{CASES[network]:,}",
            f"{paper['cpu']:.3f}",
            f"{defaults['cpu']:.3f}",
            ("" if other["ended"] == "yes" else "over ") + other["seconds"],
            other["clock"],
            f"{defaults['shd']}",
        )
    return table


def large(n_samples: int) -> Table:
    table = Table(title=f"H2PC, {n_samples:,} samples, one thread")
    headings = ("network", "skeleton s", "search s", "tests", "edges", "SHD", "peak MB")
    for heading in headings:
        table.add_column(heading, justify="right")
    for network in PAPER:
        run = in_a_process("paper", network, n_samples, 0.0)
        table.add_row(
            network,
            f"{run['skeleton']:.2f}",
            f"{run['search']:.3f}",
            f"{run['tests']:,}",
            f"{run['edges']}",
            f"{run['shd']}",
            f"{run['peak_mb']:.0f}",
        )
    return table


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--large", action="store_true", help="the paper's networks, 50,000 samples")
    parser.add_argument("--samples", type=int, default=50_000, help="with --large")
    parser.add_argument("--networks", nargs="+", choices=CASES, default=list(CASES))
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="turns of every case")
    parser.add_argument("--seconds", type=float, default=WHILE, help="of a turn")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write a line for every case")
    parser.add_argument("--one", nargs=4, help=argparse.SUPPRESS)
    chosen = parser.parse_args(arguments)
    if chosen.one:
        kind, network, n_samples, seconds = chosen.one
        print(json.dumps(measured(kind, network, int(n_samples), float(seconds))))
    elif chosen.large:
        Console().print(large(chosen.samples))
    else:
        points = in_turns(chosen.networks, chosen.rounds, chosen.seconds)
        Console().print(beside_bnlearn(points))
        if chosen.json:
            lines = "".join(json.dumps(point) + "\n" for point in points)
            chosen.json.write_text(lines, encoding="utf-8")


if __name__ == "__main__":
    main()

"""Seconds and memory of H2PC on random sparse networks of a hundred to ten thousand variables.

Networks are those of ``make_bayesian_network`` with an average degree of 2 and 2 to 4 levels, or 2
with ``--levels 2``; 1,000 samples of each. Every point has a process of its own, and prints a line
of JSON: seconds of learning and the most memory of the process meanwhile, beside what it held
before. ``--old`` names the interpreter of another version, or a folder with its sources: its lines
follow, and answers are compared. At the end stand the powers of the number of variables that time
and memory grow with, from each size to the next.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import warnings
from itertools import pairwise
from pathlib import Path
from time import perf_counter
from typing import Any

from processes import figures_of_process, peak_megabytes, reset_peak

SIZES = [100, 300, 1_000, 3_000, 10_000]
SEED = 1
SAME = ("n_tests", "edges", "score", "digest")  # what versions must agree on


def measure(n_variables: int, chosen: argparse.Namespace) -> dict[str, Any]:
    """Learn once, and return the figures: what a child process does."""
    import h2pc

    warnings.simplefilter("ignore")
    h2pc.H2PC().fit(h2pc.load_network("asia").sample(200, random_state=0))  # imports
    network = h2pc.make_bayesian_network(
        n_variables, average_degree=chosen.degree, levels=(2, chosen.levels), random_state=SEED
    )
    data, dag = network.sample(chosen.samples, random_state=SEED), network.dag
    del network
    reset_peak()
    before = peak_megabytes()
    learner = h2pc.H2PC(variant=chosen.variant, n_jobs=chosen.jobs)
    start = perf_counter()
    learner.fit(data)
    seconds, peak, found = perf_counter() - start, peak_megabytes(), learner.result_
    return {
        "variables": n_variables,
        "samples": chosen.samples,
        "levels": chosen.levels,
        "degree": chosen.degree,
        "variant": chosen.variant,
        "jobs": chosen.jobs,
        "seconds": round(seconds, 3),
        **{name: round(part, 3) for name, part in found.seconds.items()},
        "peak_mb": round(peak, 1),
        "before_mb": round(before, 1),
        "n_tests": found.n_tests,
        "edges": len(found.dag.named_edges),
        "shd": h2pc.shd(learner.dag_, dag),
        "score": found.score,
        "digest": hashlib.sha256(repr(found.dag.named_edges).encode()).hexdigest()[:12],
    }


def power(one: dict[str, Any], other: dict[str, Any], figure: str) -> float:
    """Return the power of the number of variables that a figure grows with between two points."""
    growth = math.log(max(other[figure], 1e-3) / max(one[figure], 1e-3))
    return growth / math.log(other["variables"] / one["variables"])


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", nargs="+", type=int, default=SIZES, metavar="N")
    parser.add_argument("--samples", type=int, default=1_000, metavar="N")
    parser.add_argument("--levels", type=int, default=4, help="the most levels of a variable")
    parser.add_argument("--degree", type=float, default=2.0, help="the average degree")
    parser.add_argument("--variant", default="accurate", choices=["accurate", "paper"])
    parser.add_argument("--jobs", type=int, default=2, metavar="N")
    parser.add_argument("--old", help="interpreter or folder of sources of another version")
    parser.add_argument("--json", type=Path, metavar="FILE", help="lines are added to this file")
    parser.add_argument("--measure", type=int, help=argparse.SUPPRESS)
    chosen = parser.parse_args(arguments)
    if chosen.measure:
        print(json.dumps(measure(chosen.measure, chosen)))
        return
    options = ("samples", "levels", "degree", "variant", "jobs")
    settings = [str(part) for name in options for part in (f"--{name}", getattr(chosen, name))]
    versions = {"new": None, **({"old": chosen.old} if chosen.old else {})}
    points: dict[str, list[dict[str, Any]]] = {name: [] for name in versions}
    differ = []
    for n_variables in chosen.sizes:
        for name, version in versions.items():
            child = ["--measure", str(n_variables), *settings]
            figures = figures_of_process(__file__, child, version)
            points[name].append(figures)
            line = json.dumps({"version": name, **figures})
            print(line, flush=True)
            if chosen.json:
                with chosen.json.open("a", encoding="utf-8") as lines:
                    lines.write(line + "\n")
        if any(own[-1][key] != points["new"][-1][key] for own in points.values() for key in SAME):
            differ.append(f"{n_variables:,} variables")
    for name, own in points.items():
        for one, other in pairwise(own):
            time, memory = (power(one, other, figure) for figure in ("seconds", "peak_mb"))
            print(
                f"{name}: from {one['variables']:,} to {other['variables']:,} variables, time "
                f"grows with the power {time:.2f}, peak memory with {memory:.2f}"
            )
    if differ:
        raise SystemExit(f"other answers: {', '.join(differ)}")


if __name__ == "__main__":
    main()

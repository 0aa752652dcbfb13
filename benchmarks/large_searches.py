"""Searches over large graphs: seconds of the processor, and the memory of a process of its own.

The pairs that may be joined are those of a random network and as many again; neither the search for
the skeleton nor the data count. `python benchmarks/large_searches.py --sizes 1000 10000`.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable
from time import process_time

from rich.console import Console
from rich.table import Table

from h2pc import Skeleton, make_bayesian_network
from h2pc.algorithms.class_search import class_search
from h2pc.algorithms.skeleton_prior import SkeletonPrior, gaining_pairs
from h2pc.algorithms.tabu import tabu_search
from h2pc.scores import BDeu, BDs
from processes import figures_of_process, peak_megabytes, reset_peak

PARTS = ("pairs that gain", "among classes, with trials", "tabu search")


def measured(size: int, part: str) -> list[str]:
    """Seconds, megabytes before and at most, and what was found."""
    network = make_bayesian_network(size, random_state=1)
    data = network.sample(1000, random_state=1)
    skeleton = network.dag.skeleton()
    dice, pairs = random.Random(1), set(skeleton.edges)
    while len(pairs) < 2 * len(skeleton.edges):
        u, v = sorted(dice.sample(range(size), 2))
        pairs.add((u, v))
    one_sided = frozenset(pairs.difference(skeleton.edges))
    score = SkeletonPrior().priced(BDs(data, 10.0), skeleton, one_sided)
    joined = Skeleton(data.names, pairs)
    data.index  # noqa: B018  it is made when first needed
    runs: dict[str, Callable[[], str]] = {
        PARTS[0]: lambda: f"{len(gaining_pairs(score, tuple(range(size)))):,} pairs",
        PARTS[1]: lambda: f"{class_search(score, joined, trials='pairs').n_moves:,} moves",
        PARTS[2]: lambda: f"{tabu_search(BDeu(data), joined).n_moves:,} moves",
    }
    reset_peak()
    before, start = peak_megabytes(), process_time()
    found = runs[part]()
    seconds = process_time() - start
    return [f"{seconds:.2f}", f"{before:.0f}", f"{peak_megabytes():.0f}", found]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 3000, 10_000, 30_000])
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measured(int(options.one[0]), options.one[1])))
        return
    table = Table("variables", "part", "seconds", "MB before", "MB at most", "found")
    for size in options.sizes:
        for part in PARTS:
            figures = figures_of_process(__file__, ["--one", str(size), part])
            table.add_row(f"{size:,}", part, *figures)
    Console().print(table)


if __name__ == "__main__":
    main()

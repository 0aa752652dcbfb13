"""HPC of one target among 100,000 binary variables with 500 samples: time, memory, what is found.

The target has a planted neighbourhood of eight, three parents and five children; everything else is
independent noise.
"""

from __future__ import annotations

import argparse
import resource
import sys
from time import perf_counter

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from h2pc import Dataset, GTest, hpc

ALPHA = 0.05
SEED = 1
N_PARENTS, N_CHILDREN = 3, 5
P_COPY = 0.85  # how often a child is as the target is
MOST_SECONDS = 60.0
MOST_GIGABYTES = 4.0


def peak_gigabytes() -> float:
    """Return the most memory that this process ever held."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak * (1 if sys.platform == "darwin" else 1024) / 1e9


def planted(n_variables: int, n_samples: int, seed: int) -> tuple[NDArray[np.int8], int, list[int]]:
    """Return noise with one target in it, the target, and its parents and children.

    The target follows the majority of its parents in 95 % of the samples, so that every parent
    has a link of its own; every child copies it in 85 %.
    """
    rng = np.random.default_rng(seed)
    bits = rng.integers(0, 2, (n_variables, n_samples), np.int8)
    target, *near = rng.choice(n_variables, 1 + N_PARENTS + N_CHILDREN, replace=False).tolist()
    majority = bits[near[:N_PARENTS]].sum(axis=0, dtype=np.int64) > N_PARENTS // 2
    bits[target] = majority ^ (rng.random(n_samples) < 0.05)
    for child in near[N_PARENTS:]:
        bits[child] = bits[target] ^ (rng.random(n_samples) > P_COPY)
    return bits, target, sorted(near)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--variables", type=int, default=100_000, metavar="N")
    parser.add_argument("--samples", type=int, default=500, metavar="N")
    parser.add_argument("--seed", type=int, default=SEED)
    chosen = parser.parse_args()

    small, target, _ = planted(50, 200, SEED)
    hpc(target, GTest(Dataset.from_codes(small), ALPHA), tuple(range(50)))
    bits, target, near = planted(chosen.variables, chosen.samples, chosen.seed)
    start = perf_counter()
    data = Dataset.from_codes(bits)
    encoded = perf_counter()
    test = GTest(data, ALPHA)
    made = perf_counter()
    found = hpc(target, test, tuple(range(data.n_variables)))
    learned = perf_counter()

    table = Table(title=f"One of {data.n_variables:,} variables, {data.n_samples} samples")
    for heading in ("step", "seconds"):
        table.add_column(heading, justify="right")
    steps = {"data set": encoded - start, "test": made - encoded, "HPC": learned - made}
    for step, seconds in steps.items():
        table.add_row(step, f"{seconds:.2f}")
    console = Console(soft_wrap=True)
    console.print(table)
    pc = set(found)
    console.print(
        f"planted {near}, missing {sorted(set(near) - pc)}, extra {sorted(pc - set(near))}"
    )
    aims = {
        "the planted neighbourhood is found": set(near) <= pc,
        f"{learned - start:.1f} s, at most {MOST_SECONDS:g}": learned - start <= MOST_SECONDS,
        f"{(peak := peak_gigabytes()):.2f} GB, at most {MOST_GIGABYTES:g}": peak <= MOST_GIGABYTES,
    }
    for aim, holds in aims.items():
        console.print(f"{'[green]holds [/]' if holds else '[red]missed[/]'}  {aim}")


if __name__ == "__main__":
    main()

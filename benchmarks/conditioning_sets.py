"""What HPC and MMPC test: how many pairs at once, given how many variables, in how large tables.

It explains why the time of a test differs between them (Table 2 of the paper):
``python benchmarks/conditioning_sets.py --networks alarm hailfinder --sizes 500 50000``.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable
from time import process_time

import numpy as np
from numpy.typing import NDArray

from h2pc import CITest, Dataset, GTest, hpc, load_network, mmpc
from h2pc.experiments.markdown_tables import MarkdownTable
from h2pc.variables import Var, Vars

LEARNERS: dict[str, Callable[[Var, CITest, Vars], Vars]] = {"HPC": hpc, "MMPC": mmpc}


class RecordedTest(CITest):
    """A test that counts what it is called for."""

    def __init__(self, test: GTest, cards: NDArray[np.int64]) -> None:
        super().__init__(test.alpha)
        self.test, self.cards = test, cards
        self.n_calls = 0
        self.by_size: Counter[int] = Counter()
        """Tests by the number of variables that are conditioned on."""
        self.different: set[tuple[frozenset[Var], frozenset[Var]]] = set()
        self.performed = 0
        self.cells = 0
        """Cells of the tables of tests that are performed."""

    def log_p_given(self, target: Var, candidates: Vars, z: Vars) -> NDArray[np.float64]:
        """Log p-value of (target ⊥ candidate | z) for every candidate."""
        self.n_calls += 1
        self.by_size[len(z)] += len(candidates)
        shared = int(self.cards[[target, *z]].prod())
        for candidate in candidates:
            self.different.add((frozenset((target, candidate)), frozenset(z)))
            if self.test.performs(target, candidate, z):
                self.performed += 1
                self.cells += shared * int(self.cards[candidate])
        return self.test.log_p_given(target, candidates, z)


def row(network: str, n_samples: int, learner: str, data: Dataset) -> tuple[str, ...]:
    """Return what a learner tests to find the neighbours of all variables."""
    universe = tuple(range(data.n_variables))
    plain = GTest(data)
    begun = process_time()
    for target in universe:
        LEARNERS[learner](target, plain, universe)
    seconds = process_time() - begun
    test = RecordedTest(GTest(data), data.cards)
    for target in universe:
        LEARNERS[learner](target, test, universe)
    n_tests = test.by_size.total()
    shares = [test.by_size[size] / n_tests for size in range(4)]
    return (
        f"{network}, {n_samples:,}",
        learner,
        f"{n_tests:,}",
        f"{len(test.different) / n_tests:.0%}",
        f"{n_tests / test.n_calls:.1f}",
        *(f"{share:.0%}" for share in (*shares, 1 - sum(shares))),
        f"{test.performed / n_tests:.0%}",
        f"{test.cells / max(test.performed, 1):,.0f}",
        f"{1e6 * seconds / n_tests:.2f}",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--networks", nargs="+", default=["alarm", "hailfinder"])
    parser.add_argument("--sizes", nargs="+", type=int, default=[500, 5000, 50_000])
    chosen = parser.parse_args()
    rows = []
    for network in chosen.networks:
        for n_samples in chosen.sizes:
            data = load_network(network, variant="paper").sample(n_samples, random_state=0)
            rows += [row(network, n_samples, learner, data) for learner in LEARNERS]
    headings = (
        "sample",
        "learner",
        "tests",
        "different",
        "tests in a call",
        *(f"given {n}" for n in range(4)),
    )
    more = ("given more", "performed", "cells of a table", "µs a test")
    print(MarkdownTable((*headings, *more), rows).as_markdown(), end="")


if __name__ == "__main__":
    main()

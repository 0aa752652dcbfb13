"""Slow twins: products over labels combination by combination, joint tables by enumeration."""

from collections.abc import Callable, Sequence
from itertools import product
from math import prod

import numpy as np
from numpy.typing import NDArray

from h2pc.graphs import Dag


def combination_probabilities(
    combinations: Sequence[Sequence[int]],
    parents: Sequence[Sequence[int]],
    probability: Callable[[int, tuple[int, ...]], float],
    floor: float,
) -> list[float]:
    """Return the probability of each combination of one sample.

    ``probability(label, values)`` is that of a label to be 1, given the values of its parents.
    """
    products = []
    for combination in combinations:
        factors = []
        for label, above in enumerate(parents):
            p = floor + (1 - 2 * floor) * probability(label, tuple(combination[u] for u in above))
            factors.append(p if combination[label] == 1 else 1 - p)
        products.append(prod(factors))
    return [one / sum(products) for one in products]


def joint_table(dag: Dag, rng: np.random.Generator) -> tuple[NDArray[np.int8], NDArray[np.float64]]:
    """Return all assignments of 0 and 1, and their probabilities under random tables of a graph."""
    tables = [rng.uniform(0.05, 0.95, (2,) * len(above)) for above in dag.parent_sets]
    rows = np.array(list(product((0, 1), repeat=len(dag.names))), np.int8)
    probabilities = []
    for row in rows:
        ones = [
            table[tuple(row[list(above)])]
            for table, above in zip(tables, dag.parent_sets, strict=True)
        ]
        probabilities.append(
            prod(p if value == 1 else 1 - p for p, value in zip(ones, row, strict=True))
        )
    return rows, np.array(probabilities)


def nearest_frequent(
    combinations: Sequence[Sequence[int]], counts: Sequence[int], least: int
) -> list[int]:
    """Return for each combination itself, if frequent, or the nearest frequent one."""
    frequent = [k for k, n in enumerate(counts) if n >= least]

    def distance(one: int, other: int) -> int:
        pairs = zip(combinations[one], combinations[other], strict=True)
        return sum(a != b for a, b in pairs)

    return [
        k if k in frequent else min(frequent, key=lambda f: (distance(k, f), -counts[f], f))
        for k in range(len(combinations))
    ]

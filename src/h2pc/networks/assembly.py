"""From the families of a file to a network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from h2pc.graphs.dag import Dag
from h2pc.networks.network import BayesianNetwork


@dataclass(frozen=True)
class Family:
    """One variable as files describe it: its table has the parents' axes in the file's order."""

    name: str
    states: tuple[str, ...]
    parents: tuple[str, ...]
    table: NDArray[np.float64]


def assembled(families: Sequence[Family]) -> BayesianNetwork:
    """Return the network of these families, its variables sorted by name.

    So a network and a data set sampled from it number the variables alike, and the order in a file
    has no meaning.
    """
    ordered = sorted(families, key=lambda family: family.name)
    names = [family.name for family in ordered]
    dag = Dag(names, [family.parents for family in ordered])
    number = {name: v for v, name in enumerate(names)}
    return BayesianNetwork(
        dag,
        [family.states for family in ordered],
        [_with_sorted_parents(family, number) for family in ordered],
    )


def families_of(network: BayesianNetwork) -> tuple[Family, ...]:
    """Return the families of a network, in its order."""
    names = network.names
    return tuple(
        Family(
            names[v],
            network.states[v],
            tuple(names[p] for p in network.dag.parents(v)),
            network.tables[v],
        )
        for v in network.dag.variables
    )


def _with_sorted_parents(family: Family, number: dict[str, int]) -> NDArray[np.float64]:
    """Return the table with its parents' axes in the order of their numbers."""
    n = len(family.parents)
    order = sorted(range(n), key=lambda axis: number[family.parents[axis]])
    return family.table.transpose(*order, n)

"""Hypothesis strategies shared by the tests."""

import random
from itertools import combinations
from string import ascii_lowercase

from hypothesis import strategies as st

from h2pc.graph import Dag


def names_of(n_nodes: int) -> tuple[str, ...]:
    """``n_nodes`` names whose alphabetical order is their number."""
    if n_nodes <= len(ascii_lowercase):
        return tuple(ascii_lowercase[:n_nodes])
    return tuple(f"v{i:04}" for i in range(n_nodes))


@st.composite
def dags(draw: st.DrawFn, min_nodes: int = 1, max_nodes: int = 8) -> Dag:
    """Graphs from empty to complete, in any topological order; they shrink to few edges."""
    n_nodes = draw(st.integers(min_nodes, max_nodes))
    order = draw(st.permutations(range(n_nodes)))
    density = draw(st.sampled_from([1, 2, 3, 5, 8, 10]))
    pairs = list(combinations(order, 2))
    dice = draw(st.lists(st.integers(0, 9), min_size=len(pairs), max_size=len(pairs)))
    edges = [pair for pair, die in zip(pairs, dice, strict=True) if die >= 10 - density]
    return Dag.from_edges(names_of(n_nodes), edges)


def random_dag(rng: random.Random, n_nodes: int, n_edges: float) -> Dag:
    """A graph in a random topological order with about ``n_edges`` edges; fast, does not shrink."""
    order = rng.sample(range(n_nodes), n_nodes)
    pairs = n_nodes * (n_nodes - 1) / 2
    chance = n_edges / pairs if pairs else 0.0
    edges = [pair for pair in combinations(order, 2) if rng.random() < chance]
    return Dag.from_edges(names_of(n_nodes), edges)

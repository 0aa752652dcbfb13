"""Hypothesis strategies shared by the tests."""

import os
import random
from itertools import combinations
from string import ascii_lowercase
from typing import NamedTuple

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

from h2pc.data import Dataset
from h2pc.graphs import Dag
from h2pc.independence.constraints import EdgeConstraints
from h2pc.runs.limits import Limits


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


def examples(n: int) -> settings:
    """So many examples of a hundred, or as many as H2PC_EXAMPLES says."""
    usual = max(5, n * settings.default.max_examples // 100)
    return settings(max_examples=int(os.environ.get("H2PC_EXAMPLES", usual)))


@st.composite
def datasets(
    draw: st.DrawFn,
    min_variables: int = 1,
    max_variables: int = 6,
    max_rows: int = 200,
    max_levels: int = 6,
    wide: bool = False,
) -> Dataset:
    """Small data sets: linked, copied, constant and skewed columns, levels that do not occur.

    The numbers of rows fill zero to several words of a bitmap; the last one is rarely full. With
    ``wide`` a column may have more levels than a byte can tell apart.
    """
    edges = [n for n in (1, 2, 63, 64, 65, 128, 129, 200) if n <= max_rows]
    n_rows = draw(st.sampled_from(edges) | st.integers(1, max_rows))
    n_variables = draw(st.integers(min_variables, max_variables))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    codes, cards = [], []
    for v in range(n_variables):
        kinds = ("random", "skewed", "linked", "function", "copy", "unobserved", "constant")
        kind = draw(st.sampled_from((*kinds, "wide") if wide else kinds))
        card = 1 if kind == "constant" else draw(st.integers(1, max_levels))
        if kind == "wide":
            card = draw(st.integers(257, 300))
        column = rng.integers(0, card, n_rows)
        if kind == "skewed":
            column[rng.random(n_rows) < 0.9] = card - 1
        if v > 0 and kind in ("linked", "function", "copy"):
            other = draw(st.integers(0, v - 1))
            kept = rng.random(n_rows) < (0.8 if kind == "linked" else 2.0)
            card = cards[other] if kind == "copy" else card
            column = np.where(kept, codes[other] % card, column)
        if kind == "unobserved":
            gaps = np.sort(rng.permutation(card + 2)[:card])
            column, card = gaps[column], card + 2
        codes.append(column)
        cards.append(card)
    return Dataset.from_codes(np.array(codes), cards=cards)


@st.composite
def incomplete_datasets(draw: st.DrawFn, **shape: int) -> Dataset:
    """The same with missing cells: in some columns or all, few or most, alone or by whole rows."""
    data = draw(datasets(**shape))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    share = draw(st.sampled_from([0.02, 0.1, 0.3, 0.9]))
    is_holed = rng.random(data.n_variables) < draw(st.sampled_from([0.4, 1.0]))
    is_missing = (rng.random(data.codes.shape) < share) & is_holed[:, None]
    if draw(st.booleans()):
        is_missing[:, : draw(st.integers(1, 3))] = True
    codes = np.where(is_missing, -1, data.codes.astype(np.int64))
    return Dataset.from_codes(codes, cards=data.cards, missing="available")


class Question(NamedTuple):
    """Whether the target is independent of each candidate given z."""

    target: int
    candidates: tuple[int, ...]
    z: tuple[int, ...]


@st.composite
def questions(draw: st.DrawFn, n_variables: int, max_z: int = 4) -> Question:
    """A question about some of ``n_variables`` variables; at least two of them are needed."""
    order = tuple(draw(st.permutations(range(n_variables))))
    n_z = draw(st.integers(0, min(max_z, n_variables - 2)))
    return Question(order[0], order[1 + n_z :], order[1 : 1 + n_z])


@st.composite
def constraints(draw: st.DrawFn, n_variables: int) -> EdgeConstraints:
    """Edges that are required, forbidden one way or both, and tiers, in agreement; often none."""
    if n_variables < 2 or draw(st.booleans()):
        return EdgeConstraints()
    order = draw(st.permutations(range(n_variables)))
    pairs = list(combinations(order, 2))
    some = st.lists(st.sampled_from(pairs), max_size=3, unique=True)
    required, one_way, both_ways = draw(some), draw(some), draw(some)
    forbidden = [(y, x) for x, y in one_way + both_ways]
    forbidden += [pair for pair in both_ways if pair not in required]
    cut = draw(st.integers(0, n_variables))
    tiers = (tuple(order[:cut]), tuple(order[cut:])) if draw(st.booleans()) else ()
    return EdgeConstraints(tuple(required), tuple(forbidden), tiers)


def limits() -> st.SearchStrategy[Limits]:
    """Limits of searches; often none."""
    size, most = st.none() | st.integers(0, 4), st.none() | st.integers(1, 20)
    return st.just(Limits()) | st.builds(Limits, max_conditioning=size, max_subset_tests=most)

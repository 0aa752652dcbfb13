"""Random probability tables of labels and features: balanced, or of rare ones."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from h2pc.graphs import Dag

Table = NDArray[np.float64]

# With these, H2PC finds all powersets of 198 in 200 networks from 5,000 samples, and labels are yet
# so uncertain given the features that the most probable combination, right in 0.32 of the samples
# on average, is better than the most probable labels, 0.30.
_LINK = (0.9, 1.3)
_FEATURE = (0.4, 0.7)
_FREQUENCY = (0.3, 0.5)
_SHIFT = 0.7

# The k-th most frequent label of a long tail occurs in a share of 0.2 / k^0.7 of the samples: 5,000
# labels are 8 to a sample, and the rarest one has 10 samples of 20,000.
_MOST_FREQUENT, _TAIL = 0.2, 0.7

# Shares that rare variables have in common, over all parents of one child.
_SHARED = (0.6, 0.9)
_MOST_SHARED = 0.95


def long_tailed_frequencies(n_labels: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Return frequencies by Zipf's law, for labels in random order."""
    return np.asarray(_MOST_FREQUENT / (1.0 + rng.permutation(n_labels)) ** _TAIL)


def feature_frequencies(n: int, mean: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """Return frequencies between half the mean and one and a half times the mean."""
    return np.asarray(rng.uniform(0.5 * mean, 1.5 * mean, n))


def random_tables(
    dag: Dag,
    cards: Sequence[int],
    is_label: Sequence[bool],
    frequencies: NDArray[np.float64],
    strength: float,
    rng: np.random.Generator,
) -> list[Table]:
    """Return a table for every variable; frequencies are NaN where there is none to keep."""
    families = [(*dag.parents(v), v) for v in dag.variables]
    kinds = [([cards[u] for u in own], [is_label[u] for u in own]) for own in families]
    rare = ~np.isnan(frequencies)
    if not rare.any():
        return [_balanced_table(*kind, strength, rng) for kind in kinds]
    tables: dict[int, Table] = {}
    present = frequencies.copy()
    for v in dag.topological_order:
        parents = present[list(dag.parents(v))]
        if rare[v]:
            tables[v] = _rare_table(kinds[v][0], parents, present[v], strength, rng)
        else:
            tables[v] = _balanced_table(*kinds[v], strength, rng)
            present[v] = _presence(tables[v], parents)
    return [tables[v] for v in dag.variables]


def _presence(table: Table, parents: NDArray[np.float64]) -> float:
    """Return how often a variable is not in its first state, as if its parents were independent."""
    absent = table[..., 0]
    for share in parents[::-1]:
        others = np.full(absent.shape[-1], share / (absent.shape[-1] - 1))
        others[0] = 1 - share
        absent = absent @ others
    return float(1 - absent)


def _rare_table(
    cards: Sequence[int],
    parents: NDArray[np.float64],
    frequency: float,
    strength: float,
    rng: np.random.Generator,
) -> Table:
    """Return the table of a variable that is present so often: a noisy or of its parents.

    Each parent accounts for a share of the presences of the child; or the child follows from a
    share of those of the parent, if the parent is the rarer one. The states other than the first
    one are equally probable.
    """
    shares = np.minimum(strength * rng.uniform(*_SHARED, parents.size), _MOST_SHARED)
    links = shares / max(1, parents.size) * np.minimum(1.0, frequency / parents)
    without = 1.0 - links  # what a parent that is present leaves of the absence of the child
    leak = 1.0 - (1.0 - frequency) / np.prod(1.0 - parents * links)
    table = np.empty(tuple(cards))
    for states in product(*map(range, cards[:-1])):
        is_present = np.array(states, np.bool_)
        absent = (1.0 - leak) * np.prod(without[is_present])
        table[states] = (1.0 - absent) / (cards[-1] - 1)
        table[states][0] = absent
    return table


def _balanced_table(
    cards: Sequence[int], is_label: Sequence[bool], strength: float, rng: np.random.Generator
) -> Table:
    """Return the table of a family, parents first: odds of states grow with a weighted sum.

    The states of a variable count from -1 to 1. Effects of parents add up.
    """
    *parents, child = is_label
    n_label_parents = sum(parents)
    linked = child or n_label_parents > 1
    link_sign = -1 if child else _sign(rng)
    total = np.zeros(cards[:-1])
    if child and not n_label_parents:
        frequency = rng.uniform(*_FREQUENCY)
        total += 0.5 * math.log(frequency / (1 - frequency))
    for axis, parent in enumerate(parents):
        is_link = parent and linked
        weight = strength * rng.uniform(*(_LINK if is_link else _FEATURE))
        sign = link_sign if is_link else _sign(rng)
        values = np.linspace(-1, 1, cards[axis])
        if is_link:
            values += _SHIFT  # one of several labels is nearly enough
        total += sign * weight * values.reshape((-1,) + (1,) * (len(parents) - 1 - axis))
    exponent = total[..., None] * np.linspace(-1, 1, cards[-1])
    odds = np.exp(exponent - exponent.max(axis=-1, keepdims=True))
    return np.asarray(odds / odds.sum(axis=-1, keepdims=True))


def _sign(rng: np.random.Generator) -> int:
    """Return 1 or -1."""
    return 1 if rng.random() < 0.5 else -1

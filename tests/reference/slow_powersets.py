"""Slow twins of Theorems 8 and 9, by definition and enumeration."""

from collections.abc import Iterable, Iterator
from itertools import chain, combinations

from h2pc.graphs import Dag


def subsets(variables: Iterable[int]) -> Iterator[frozenset[int]]:
    """Every subset, small ones first."""
    listed = sorted(variables)
    sizes = (combinations(listed, n) for n in range(len(listed) + 1))
    return map(frozenset, chain.from_iterable(sizes))


def sets_separated(dag: Dag, one: Iterable[int], other: Iterable[int], z: Iterable[int]) -> bool:
    """Whether ``z`` separates every variable of ``one`` from every variable of ``other``."""
    z, other = tuple(sorted(z)), frozenset(other)
    return all(other.isdisjoint(dag.d_connected(x, z)) for x in sorted(one))


def label_powersets(dag: Dag, labels: frozenset[int]) -> list[frozenset[int]]:
    """Every set of labels that all features separate from the other labels."""
    features = frozenset(dag.variables) - labels
    return [some for some in subsets(labels) if sets_separated(dag, some, labels - some, features)]


def minimal_ones(found: list[frozenset[int]]) -> set[frozenset[int]]:
    """Those that are not empty and have no other such one within."""
    full = [one for one in found if one]
    return {one for one in full if not any(other < one for other in full)}


def markov_boundaries(
    dag: Dag, targets: frozenset[int], universe: frozenset[int]
) -> set[frozenset[int]]:
    """Every smallest part of ``universe`` that separates ``targets`` from the rest of it."""
    blankets = [
        some
        for some in subsets(universe - targets)
        if sets_separated(dag, targets, universe - targets - some, some)
    ]
    return {one for one in blankets if not any(other < one for other in blankets)}

"""Irreducible label factors by their definition, and independence in a table of probabilities."""

from collections.abc import Callable, Iterable
from itertools import chain, combinations

import numpy as np

from h2pc.independence.base import CITest

Independent = Callable[[frozenset[int], frozenset[int], frozenset[int]], bool]
"""Whether two sets of variables are independent given a third."""

TOLERANCE = 1e-12


def subsets(variables: Iterable[int]) -> list[frozenset[int]]:
    """All subsets, small ones first."""
    items = sorted(variables)
    sizes = range(len(items) + 1)
    return list(map(frozenset, chain.from_iterable(combinations(items, n) for n in sizes)))


def irreducible_factors(
    labels: frozenset[int], features: frozenset[int], independent: Independent
) -> set[frozenset[int]]:
    """The smallest non-empty sets of labels independent of all other labels given the features."""
    factors = [f for f in subsets(labels) if f and independent(f, labels - f, features)]
    return {f for f in factors if not any(other < f for other in factors)}


def smallest_blankets(
    factor: frozenset[int], features: frozenset[int], independent: Independent
) -> set[frozenset[int]]:
    """The sets of features that make the others independent of a factor, less supersets."""
    blankets = [m for m in subsets(features) if independent(factor, features - m, m)]
    return {m for m in blankets if not any(other < m for other in blankets)}


def information(p: np.ndarray, a: Iterable[int], b: Iterable[int], z: Iterable[int]) -> float:
    """Mutual information of a and b given z, in a joint table of probabilities."""
    a, b, z = frozenset(a), frozenset(b), frozenset(z)
    joint, of_z = _margin(p, a | b | z), _margin(p, z)
    of_a, of_b = _margin(p, a | z), _margin(p, b | z)
    ratio = np.divide(joint * of_z, of_a * of_b, out=np.ones_like(joint), where=joint > 0)
    return float((joint * np.log(ratio)).sum())


def independent_in(p: np.ndarray) -> Independent:
    """Independence in a joint table."""
    return lambda a, b, z: information(p, a - z, b - z, z) <= TOLERANCE


class TableOracle(CITest):
    """The test that knows the joint distribution; stronger links have smaller p-values."""

    def __init__(self, p: np.ndarray, alpha: float = 0.05) -> None:
        super().__init__(alpha)
        self.p = p

    def log_p_given(self, target, candidates, z):
        found = np.array([information(self.p, (target,), (x,), z) for x in candidates])
        return np.where(found <= TOLERANCE, 0.0, -1e3 * (1.0 + found))


def _margin(p: np.ndarray, kept: frozenset[int]) -> np.ndarray:
    others = tuple(v for v in range(p.ndim) if v not in kept)
    return p.sum(axis=others, keepdims=True)

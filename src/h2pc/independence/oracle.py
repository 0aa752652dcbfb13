"""The test that knows the true graph: independence is d-separation."""

from __future__ import annotations

import math

import numpy as np

from h2pc.errors import GraphError
from h2pc.graphs.d_separation import active_trails
from h2pc.graphs.dag import Dag
from h2pc.independence.base import CITest, LogP
from h2pc.variables import Var, Vars

# One entry takes about 200 bytes.
_MOST_CACHED = 1 << 18


class DSeparationOracle(CITest):
    """A conditional independence test that reads its answers from a graph.

    Parameters
    ----------
    dag : Dag
        The true graph; variables are numbered as in it.
    alpha : float, default=0.05
        The level, which changes no answer: the p-value is 1 where two variables are d-separated,
        and 0 where they are not.

    Notes
    -----
    A candidate that belongs to the conditioning set is independent of everything: it is known.
    A target in its own conditioning set is a mistake, and an error.

    Examples
    --------
    >>> from h2pc.graphs import Dag
    >>> from h2pc.independence.oracle import DSeparationOracle
    >>> chain = Dag.from_edges(["a", "b", "c"], [("a", "b"), ("b", "c")])
    >>> oracle = DSeparationOracle(chain)
    >>> oracle.log_p_many(0, (1, 2))
    array([-inf, -inf])
    >>> oracle.log_p(0, 2, (1,))
    0.0
    >>> oracle.first_separator(0, 2, pool=(1,))
    Separation(z=(1,), log_p=0.0)
    """

    def __init__(self, dag: Dag, alpha: float = 0.05) -> None:
        super().__init__(alpha)
        self.dag = dag
        # Looked up, not shifted: an unknown variable is an error, a numpy one does not overflow.
        self._bit = [1 << v for v in dag.variables]
        self._cached: dict[tuple[Var, int], int] = {}

    def log_p_given(self, target: Var, candidates: Vars, z: Vars) -> LogP:
        """Log p-value of (target ⊥ candidate | z) for every candidate, whatever the context."""
        connected, bit = self._connected(target, self._bits(z)), self._bit
        return np.array([-math.inf if connected & bit[c] else 0.0 for c in candidates])

    def may_separate(self, x: Var, y: Var, base: Vars, pool: Vars) -> bool:
        """Whether ``base`` with some subset of ``pool`` separates ``x`` and ``y``."""
        # If any subset does, the one of all ancestors of x, y and base does (van der Zander,
        # Liśkiewicz and Textor, 2014): no search where there is nothing to find.
        above = 0
        for v in (x, y, *base):
            above |= self.dag.ancestor_bits[v]
        return not self._connected(x, self._bits(base) | self._bits(pool) & above) & self._bit[y]

    def _bits(self, variables: Vars) -> int:
        """Bitset of ``variables``."""
        bits = 0
        for v in variables:
            bits |= self._bit[v]
        return bits

    def _connected(self, x: Var, z: int) -> int:
        """Bitset of what ``z`` does not d-separate from ``x``."""
        key = x, z
        found = self._cached.get(key)
        if found is None:
            if z & self._bit[x]:
                raise GraphError(f"The target {x} must not be in its own conditioning set.")
            if len(self._cached) >= _MOST_CACHED:
                self._cached.clear()
            found = self._cached[key] = active_trails(self.dag, int(x), z)
        return found

"""The test that knows the true graph: independence is d-separation."""

from __future__ import annotations

import math
from collections.abc import Set

import numpy as np

from h2pc.errors import GraphError
from h2pc.graphs.adjacency import reached
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
        # Looked up: an unknown variable is an error, and one of numpy becomes a plain one.
        self._variables = range(len(dag.names))
        self._cached: dict[tuple[Var, frozenset[Var]], Set[Var]] = {}

    def log_p_given(self, target: Var, candidates: Vars, z: Vars) -> LogP:
        """Log p-value of (target ⊥ candidate | z) for every candidate, whatever the context."""
        connected, known = self._connected(target, z), self._variables
        return np.array([-math.inf if known[c] in connected else 0.0 for c in candidates])

    def may_separate(self, x: Var, y: Var, base: Vars, pool: Vars) -> bool:
        """Whether ``base`` with some subset of ``pool`` separates ``x`` and ``y``."""
        # If any subset does, the one of all ancestors of x, y and base does (van der Zander,
        # Liśkiewicz and Textor, 2014): no search where there is nothing to find.
        above = reached((x, y, *base), self.dag.parent_sets)
        return y not in self._connected(x, (*base, *above.intersection(pool)))

    def _connected(self, x: Var, z: Vars) -> Set[Var]:
        """Return what ``z`` does not d-separate from ``x``."""
        given = frozenset([self._variables[v] for v in z])
        key = self._variables[x], given
        found = self._cached.get(key)
        if found is None:
            if x in given:
                raise GraphError(f"The target {x} must not be in its own conditioning set.")
            if len(self._cached) >= _MOST_CACHED:
                self._cached.clear()
            found = self._cached[key] = active_trails(self.dag, *key)
        return found

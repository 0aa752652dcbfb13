"""IAMBFDR (Peña, 2008): a Markov boundary with a bounded rate of false discoveries."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from h2pc.independence.base import CITest, LogP
from h2pc.variables import Var, Vars


def iamb_fdr(target: Var, ci: CITest, universe: Vars, start: Vars = ()) -> Vars:
    """Markov boundary of ``target`` in ``universe``, one change a round.

    Every round tests all candidates given the boundary without themselves. The weakest member that
    is no discovery (Benjamini and Yekutieli, 2001) leaves; where there is none, the strongest
    discovery outside enters.

    Parameters
    ----------
    target : Var
        The variable whose boundary is sought.
    ci : CITest
        The independence test that answers.
    universe : Vars
        The variables to look at, with or without the target.
    start : Vars, default ()
        The boundary to start from.

    Returns
    -------
    Vars
        The boundary, in the order of entry.

    Examples
    --------
    In 0 → 1 ← 2 → 3 the boundary of 0 is its child and its spouse.

    >>> from h2pc.graph import Dag
    >>> from h2pc.independence.oracle import DSeparationOracle
    >>> oracle = DSeparationOracle(Dag.from_edges(tuple("abcd"), [(0, 1), (2, 1), (2, 3)]))
    >>> iamb_fdr(0, oracle, (0, 1, 2, 3))
    (1, 2)
    """
    candidates = _in_order(tuple(universe), start)
    limits = discovery_limits(len(candidates) - (target in candidates), ci.log_alpha)
    return ci.settled(target, candidates, start, limits).members


@lru_cache(maxsize=16)
def _in_order(universe: Vars, start: Vars) -> Vars:
    """All variables, sorted: once for the many targets that share a universe."""
    return tuple(sorted({*universe, *start}))


@lru_cache(maxsize=256)
def discovery_limits(n_candidates: int, log_alpha: float) -> LogP:
    """Largest log p-value of a discovery by rank: ``alpha · i / (m · (1 + 1/2 + … + 1/m))``."""
    ranks = np.arange(1.0, n_candidates + 1.0)
    limits: LogP = log_alpha + np.log(ranks / (n_candidates * (1.0 / ranks).sum()))
    limits.flags.writeable = False
    return limits


@lru_cache(maxsize=16)
def limits_up_to(n_candidates: int, log_alpha: float) -> LogP:
    """Limits for one candidate, for two, and so on, one after the other."""
    limits = np.concatenate([discovery_limits(n + 1, log_alpha) for n in range(n_candidates)])
    limits.flags.writeable = False
    return limits

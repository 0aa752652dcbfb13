"""DE-SPS, Algorithm 4: a superset of the spouses."""

from __future__ import annotations

from collections.abc import Mapping

from h2pc.independence.base import CITest
from h2pc.variables import Var, Vars, without


def de_sps(target: Var, ci: CITest, universe: Vars, pcs: Vars, dsep: Mapping[Var, Vars]) -> Vars:
    """Data-efficient superset of the spouses: conditioning sets of at most two.

    Parameters
    ----------
    target : Var
        The variable whose spouses are sought.
    ci : CITest
        The independence test that answers.
    universe : Vars
        The variables to look at, with or without the target.
    pcs : Vars
        The superset of the parents and children, of :func:`~h2pc.algorithms.de_pcs.de_pcs`.
    dsep : mapping of Var to Vars
        What separates variables outside ``pcs`` from the target, of the same: nothing, where one is
        not there.

    Returns
    -------
    Vars
        The superset; spouses that are in ``pcs`` already are not in it.

    Examples
    --------
    In 0 → 1 ← 2 the ends are spouses: independent, until their child is known.

    >>> from h2pc.graphs import Dag
    >>> from h2pc.independence.oracle import DSeparationOracle
    >>> oracle = DSeparationOracle(Dag.from_edges(tuple("abc"), [(0, 1), (2, 1)]))
    >>> de_sps(0, oracle, (0, 1, 2), pcs=(1,), dsep={})
    (2,)
    """
    outside = without(universe, target, *pcs)
    return ci.prune_given_any(target, outside, dsep, pcs)  # lines 1-17

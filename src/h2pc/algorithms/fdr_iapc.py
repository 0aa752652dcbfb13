"""FDR-IAPC, Algorithm 2: the weak learner of parents and children."""

from __future__ import annotations

from h2pc.algorithms.iamb_fdr import iamb_fdr
from h2pc.independence.base import CITest
from h2pc.variables import Var, Vars


def fdr_iapc(target: Var, ci: CITest, universe: Vars, start: Vars = ()) -> Vars:
    """Parents and children of ``target``: its Markov boundary without the spouses.

    Line 1 of Algorithm 2 prints IAMBFDR(X, …); T is meant.

    Parameters
    ----------
    target : Var
        The variable whose parents and children are sought.
    ci : CITest
        The independence test that answers.
    universe : Vars
        The variables to look at, with or without the target.
    start : Vars, default ()
        The boundary that IAMBFDR starts from.

    Returns
    -------
    Vars
        The estimated parents and children.

    Examples
    --------
    In 0 → 1 ← 2 the spouse is in the boundary of 0, but not among its parents and children.

    >>> from h2pc.graphs import Dag
    >>> from h2pc.independence.oracle import DSeparationOracle
    >>> oracle = DSeparationOracle(Dag.from_edges(tuple("abc"), [(0, 1), (2, 1)]))
    >>> fdr_iapc(0, oracle, (0, 1, 2))
    (1,)
    """
    mb = iamb_fdr(target, ci, universe, start)  # line 1
    return ci.inseparable(target, mb, mb)  # lines 2-7

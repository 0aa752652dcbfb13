"""IAMBFDR (Peña, 2008): a Markov boundary with a bounded rate of false discoveries."""

from __future__ import annotations

from h2pc.independence.base import CITest
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
    start : Vars, default=()
        The boundary to start from.

    Returns
    -------
    Vars
        The boundary, in the order of entry.

    Examples
    --------
    In 0 → 1 ← 2 → 3 the boundary of 0 is its child and its spouse.

    >>> from h2pc.graphs import Dag
    >>> from h2pc.independence.oracle import DSeparationOracle
    >>> oracle = DSeparationOracle(Dag.from_edges(tuple("abcd"), [(0, 1), (2, 1), (2, 3)]))
    >>> iamb_fdr(0, oracle, (0, 1, 2, 3))
    (1, 2)
    """
    return ci.iamb_fdr(target, universe, start)

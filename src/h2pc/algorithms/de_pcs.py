"""DE-PCS, Algorithm 3: a superset of the parents and children."""

from __future__ import annotations

from h2pc.independence.base import CITest
from h2pc.variables import Var, Vars, without


def de_pcs(target: Var, ci: CITest, universe: Vars) -> tuple[Vars, dict[Var, Vars]]:
    """Data-efficient superset of the parents and children: conditioning sets of at most one.

    Parameters
    ----------
    target : Var
        The variable whose neighbourhood is sought.
    ci : CITest
        The independence test that answers.
    universe : Vars
        The variables to look at, with or without the target.

    Returns
    -------
    pcs : Vars
        The superset, from the strongest link to the weakest.
    dsep : dict of Var to Vars
        What separated other variables from the target, where it was one variable; those that are
        not there were independent of the target given nothing.

    Examples
    --------
    In the chain 0 → 1 → 2 the middle separates the ends.

    >>> from h2pc.graphs import Dag
    >>> from h2pc.independence.oracle import DSeparationOracle
    >>> oracle = DSeparationOracle(Dag.from_edges(tuple("abc"), [(0, 1), (1, 2)]))
    >>> de_pcs(0, oracle, (0, 1, 2))
    ((1,), {2: (1,)})
    """
    return ci.prune(target, without(universe, target))  # lines 1-13

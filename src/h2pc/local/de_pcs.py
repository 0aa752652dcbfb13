"""DE-PCS, Algorithm 3: a superset of the parents and children."""

from __future__ import annotations

from collections.abc import Mapping

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
        For every other variable, what separated it from the target: nothing, or one variable.

    Examples
    --------
    In the chain 0 → 1 → 2 the middle separates the ends.

    >>> from h2pc.graph import Dag
    >>> from h2pc.independence.oracle import DSeparationOracle
    >>> oracle = DSeparationOracle(Dag.from_edges(tuple("abc"), [(0, 1), (1, 2)]))
    >>> de_pcs(0, oracle, (0, 1, 2))
    ((1,), {2: (1,)})
    """
    candidates = tuple(sorted(without(universe, target)))  # line 1
    pcs, separators, _ = ci.sift(target, candidates)  # lines 2-13
    return pcs, separating_sets(without(candidates, *pcs), separators)


def separating_sets(outside: Vars, separators: Mapping[Var, Var]) -> dict[Var, Vars]:
    """What separated each variable from the target: nothing, unless a separator is named."""
    dsep: dict[Var, Vars] = dict.fromkeys(outside, ())
    return dsep | {x: (y,) for x, y in separators.items()}

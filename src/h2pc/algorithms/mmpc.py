"""MMPC (Tsamardinos, Brown and Aliferis, 2006): max-min parents and children."""

from __future__ import annotations

from h2pc.independence.base import CITest
from h2pc.variables import Var, Vars, without


def mmpc(target: Var, ci: CITest, universe: Vars) -> Vars:
    """Parents and children of ``target`` by the max-min heuristic, before symmetry.

    A descendant of the target may be in the answer although it is not a child; the AND rule takes
    it out.

    Parameters
    ----------
    target : Var
        The variable whose parents and children are sought.
    ci : CITest
        The independence test that answers.
    universe : Vars
        The variables to look at, with or without the target.

    Returns
    -------
    Vars
        The estimated parents and children, in the order of entry.

    Examples
    --------
    >>> from h2pc.graphs import Dag
    >>> from h2pc.independence.oracle import DSeparationOracle
    >>> oracle = DSeparationOracle(Dag.from_edges(tuple("abcd"), [(0, 1), (1, 2), (2, 3)]))
    >>> mmpc(1, oracle, (0, 1, 2, 3))
    (0, 2)
    """
    return _backward(target, ci, _forward(target, ci, universe))


def _forward(target: Var, ci: CITest, universe: Vars) -> Vars:
    """Candidates by the max-min heuristic: no subset of those before them separates them."""
    links = ci.max_min(target, tuple(sorted(without(universe, target))))
    cpc: Vars = ()
    while (strongest := links.strongest()) is not None:
        links.add(strongest)
        cpc = (*cpc, strongest)
    return cpc


def _backward(target: Var, ci: CITest, cpc: Vars) -> Vars:
    """Candidates that no subset of the others separates from the target."""
    for x in cpc:
        others = without(cpc, x)
        if ci.first_separator(target, x, others).z is not None:
            cpc = others
    return cpc

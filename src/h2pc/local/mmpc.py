"""MMPC (Tsamardinos, Brown and Aliferis, 2006): max-min parents and children."""

from __future__ import annotations

from h2pc.independence.base import CITest
from h2pc.variables import Var, Vars, without


def mmpc(target: Var, ci: CITest, universe: Vars) -> Vars:
    """Parents and children of ``target`` by the max-min heuristic, before symmetry.

    A descendant of the target may be in the answer although it is not a child; asking in the other
    direction as well (the AND rule) takes it out.

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
    >>> from h2pc.graph import Dag
    >>> from h2pc.independence.oracle import DSeparationOracle
    >>> oracle = DSeparationOracle(Dag.from_edges(tuple("abcd"), [(0, 1), (1, 2), (2, 3)]))
    >>> mmpc(1, oracle, (0, 1, 2, 3))
    (0, 2)
    """
    return _backward(target, ci, _forward(target, ci, universe))


def _forward(target: Var, ci: CITest, universe: Vars) -> Vars:
    """Candidates by the max-min heuristic: no subset of those before them separates them."""
    candidates = tuple(sorted(without(universe, target)))
    weakest = dict(zip(candidates, ci.log_p_many(target, candidates).tolist(), strict=True))
    weakest = {x: log_p for x, log_p in weakest.items() if log_p <= ci.log_alpha}
    cpc: Vars = ()
    while weakest:
        strongest = min(weakest, key=weakest.__getitem__)
        del weakest[strongest]
        weakest = _weakest_given(strongest, target, ci, cpc, weakest)
        cpc = (*cpc, strongest)
    return cpc


def _weakest_given(
    new: Var, target: Var, ci: CITest, cpc: Vars, weakest: dict[Var, float]
) -> dict[Var, float]:
    """Largest log p-values, subsets with ``new`` included, of what none of them separates."""
    alone = ci.log_p_many(target, tuple(weakest), (new,)).tolist()
    updated = {}
    for (x, before), given_new in zip(weakest.items(), alone, strict=True):
        if given_new > ci.log_alpha:
            continue
        z, given_more = ci.first_separator(target, x, cpc, base=(new,), min_size=1)
        if z is None:
            updated[x] = max(before, given_new, given_more)
    return updated


def _backward(target: Var, ci: CITest, cpc: Vars) -> Vars:
    """Candidates that no subset of the others separates from the target."""
    for x in cpc:
        others = without(cpc, x)
        if ci.first_separator(target, x, others).z is not None:
            cpc = others
    return cpc

"""DE-PCS, Algorithm 3: a superset of the parents and children."""

from __future__ import annotations

from bisect import bisect_left

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
    marginal = ci.log_p_many(target, candidates)  # lines 2-3
    dsep: dict[Var, Vars] = {}
    links: list[tuple[float, Var]] = []
    for log_p, x in zip(marginal.tolist(), candidates, strict=True):
        if log_p > ci.log_alpha:
            dsep[x] = ()  # lines 4-5
        else:
            links.append((log_p, x))

    # The order is not in the paper: candidates from the weakest link to the strongest, separators
    # the other way round, by the largest p-value seen so far. `pcs` mirrors `links`, always sorted.
    links.sort()
    pcs = [x for _, x in links]
    for link in sorted(links, key=weakest_first):  # line 8
        here = bisect_left(links, link)
        del links[here], pcs[here]
        log_p, x = link
        z, weakest = ci.first_separator(target, x, tuple(pcs), min_size=1, max_size=1)  # lines 9-10
        if z is not None:
            dsep[x] = z  # lines 11-13
        else:
            updated = (max(log_p, weakest), x)
            here = bisect_left(links, updated)
            links.insert(here, updated)
            pcs.insert(here, x)
    return tuple(pcs), dsep


def weakest_first(link: tuple[float, Var]) -> tuple[float, Var]:
    """Sorting key of links: decreasing p-value, equal ones by name."""
    log_p, x = link
    return -log_p, x

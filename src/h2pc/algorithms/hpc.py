"""HPC, Algorithm 1: parents and children by a weak learner that its neighbours correct."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from h2pc.algorithms.de_pcs import de_pcs
from h2pc.algorithms.de_sps import de_sps
from h2pc.algorithms.iamb_fdr import iamb_fdr
from h2pc.independence.base import CITest
from h2pc.variables import Var, Vars, without


@dataclass(frozen=True)
class Neighbourhood:
    """What HPC found out about one target."""

    target: Var
    pc: Vars
    """The estimated parents and children."""
    pcs: Vars
    """Their superset, from the strongest link to the weakest."""
    sps: Vars = ()
    """The superset of the spouses outside ``pcs``; empty where ``pcs`` has fewer than two."""
    dsep: Mapping[Var, Vars] = field(default_factory=dict)
    """The variable that separated another one from the target; the empty set separated those
    outside ``pcs`` that are not here."""
    mb: Vars = ()
    """The estimated Markov boundary; ``pc`` alone where ``pcs`` has fewer than two members."""


def hpc(target: Var, ci: CITest, universe: Vars) -> Vars:
    """Parents and children of ``target``.

    Parameters
    ----------
    target : Var
        The variable whose parents and children are sought.
    ci : CITest
        The independence test.
    universe : Vars
        The variables to look at, with or without the target.

    Returns
    -------
    Vars
        The estimated parents and children.

    See Also
    --------
    hpc_neighbourhood : The same, with supersets, separating sets and the Markov boundary.

    Examples
    --------
    >>> from h2pc.graphs import Dag
    >>> from h2pc.independence.oracle import DSeparationOracle
    >>> oracle = DSeparationOracle(Dag.from_edges(tuple("abcd"), [(0, 1), (1, 2), (3, 2)]))
    >>> hpc(1, oracle, (0, 1, 2, 3))
    (0, 2)
    """
    return hpc_neighbourhood(target, ci, universe).pc


def hpc_neighbourhood(
    target: Var, ci: CITest, universe: Vars, wanted: Vars | None = None
) -> Neighbourhood:
    """Everything that HPC finds out about ``target``.

    Parameters
    ----------
    target : Var
        The variable whose parents and children are sought.
    ci : CITest
        The independence test.
    universe : Vars
        The variables to look at, with or without the target.
    wanted : Vars, default=None
        The variables of the universe about which lines 3 to 6 have to decide whether they are
        neighbours; by default all. Only these are in ``pc``, and there is no ``mb`` if none of them
        is nearby.

    Returns
    -------
    Neighbourhood
        The parents and children, their supersets, the separating sets and the boundary.

    Examples
    --------
    >>> from h2pc.graphs import Dag
    >>> from h2pc.independence.oracle import DSeparationOracle
    >>> oracle = DSeparationOracle(Dag.from_edges(tuple("abcd"), [(0, 1), (1, 2), (3, 2)]))
    >>> inside = hpc_neighbourhood(1, oracle, (0, 1, 2, 3))
    >>> inside.pc, inside.sps, inside.mb
    ((0, 2), (3,), (0, 2, 3))
    >>> hpc_neighbourhood(1, oracle, (0, 1, 2, 3), wanted=(2, 3)).pc
    (2,)
    """
    pcs, dsep = de_pcs(target, ci, universe)  # line 1
    sps = () if needs_no_spouses(pcs) else de_sps(target, ci, universe, pcs, dsep)  # line 2
    asked = (*pcs, *sps) if wanted is None else _both((*pcs, *sps), wanted)
    if needs_no_spouses(pcs) or needs_no_boundary(pcs, sps):
        return Neighbourhood(target, _both(pcs, asked), pcs, sps, dsep, pcs)
    if not asked:
        return Neighbourhood(target, (), pcs, sps, dsep)

    nearby = (target, *pcs, *sps)
    ci = ci.focused(nearby)
    mb = iamb_fdr(target, ci, nearby, two_strongest(pcs))  # line 3, as FDR-IAPC
    pc = ci.inseparable(target, _both(mb, asked), mb)
    for x in without(_both(pcs, asked), *pc):  # line 4
        if is_seen_from(x, target, ci, nearby):  # line 5
            pc = (*pc, x)  # line 6
    return Neighbourhood(target, pc, pcs, sps, dsep, (*mb, *without(pc, *mb)))


def needs_no_spouses(pcs: Vars) -> bool:
    """Whether the superset is the answer already: a single link has nothing else to explain it."""
    return len(pcs) < 2


def needs_no_boundary(pcs: Vars, sps: Vars) -> bool:
    """Whether the superset is the answer: DE-PCS has tried the one other variable there is."""
    return len(pcs) + len(sps) < 3


def two_strongest(pcs: Vars) -> Vars:
    """Members of ``pcs``, strongest first, that FDR-IAPC of the target itself starts from."""
    return pcs[:2]


def is_seen_from(x: Var, target: Var, ci: CITest, nearby: Vars) -> bool:
    """Whether the target is in FDR-IAPC(x), without learning the rest of FDR-IAPC(x)."""
    mb = iamb_fdr(x, ci, nearby)
    return target in mb and bool(ci.inseparable(x, (target,), mb))


def _both(variables: Vars, others: Vars) -> Vars:
    """``variables`` that are among the others, in their order."""
    if variables is others:
        return variables
    inside = frozenset(others)
    return tuple([x for x in variables if x in inside])

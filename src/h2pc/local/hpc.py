"""HPC, Algorithm 1: parents and children by a weak learner that its neighbours correct."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from h2pc.independence.base import CITest, FoundByHpc
from h2pc.local.de_pcs import de_pcs, separating_sets
from h2pc.local.de_sps import de_sps
from h2pc.local.fdr_iapc import without_spouses
from h2pc.local.iamb_fdr import iamb_fdr, limits_up_to
from h2pc.variables import Var, Vars, without

_MOST_AT_ONCE = 64
"""Members of both supersets up to which a test may do everything in one piece."""


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
    """What separated each variable outside ``pcs`` from the target: nothing, or one variable."""
    mb: Vars = ()
    """The estimated Markov boundary; ``pc`` alone where ``pcs`` has fewer than two members."""


def hpc(target: Var, ci: CITest, universe: Vars) -> Vars:
    """Parents and children of ``target``.

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
        The estimated parents and children.

    See Also
    --------
    hpc_neighbourhood : The same, with supersets, separating sets and the Markov boundary.

    Examples
    --------
    >>> from h2pc.graph import Dag
    >>> from h2pc.independence.oracle import DSeparationOracle
    >>> oracle = DSeparationOracle(Dag.from_edges(tuple("abcd"), [(0, 1), (1, 2), (3, 2)]))
    >>> hpc(1, oracle, (0, 1, 2, 3))
    (0, 2)
    """
    return hpc_among(target, ci, universe, universe)


def hpc_among(target: Var, ci: CITest, universe: Vars, asked: Vars) -> Vars:
    """Those of ``asked`` that are in HPC of ``target``, without learning the rest of it.

    Parameters
    ----------
    target : Var
        The variable whose parents and children are sought.
    ci : CITest
        The independence test that answers.
    universe : Vars
        The variables to look at, with or without the target.
    asked : Vars
        The variables of the universe that may be neighbours.

    Returns
    -------
    Vars
        What :func:`hpc` returns, as far as it was asked about.

    Examples
    --------
    >>> from h2pc.graph import Dag
    >>> from h2pc.independence.oracle import DSeparationOracle
    >>> oracle = DSeparationOracle(Dag.from_edges(tuple("abcd"), [(0, 1), (1, 2), (3, 2)]))
    >>> hpc_among(1, oracle, (0, 1, 2, 3), asked=(2, 3))
    (2,)
    """
    pc = _found(target, ci, universe, asked).pc or ()
    return pc if asked is universe else tuple(x for x in pc if x in asked)


def hpc_neighbourhood(
    target: Var, ci: CITest, universe: Vars, asked: Vars | None = None
) -> Neighbourhood:
    """Everything that HPC finds out about ``target``: see :func:`hpc` for the parameters.

    Where ``asked`` is given, lines 3 to 6 look at its members alone: ``pc`` may miss others, and
    there is no ``mb`` if none of them is nearby.

    Returns
    -------
    Neighbourhood
        The parents and children, their supersets, the separating sets and the boundary.

    Examples
    --------
    >>> from h2pc.graph import Dag
    >>> from h2pc.independence.oracle import DSeparationOracle
    >>> oracle = DSeparationOracle(Dag.from_edges(tuple("abcd"), [(0, 1), (1, 2), (3, 2)]))
    >>> inside = hpc_neighbourhood(1, oracle, (0, 1, 2, 3))
    >>> inside.pc, inside.sps, inside.mb
    ((0, 2), (3,), (0, 2, 3))
    """
    found = _found(target, ci, universe, universe if asked is None else asked)
    pc, pcs = found.pc or (), found.pcs
    dsep = separating_sets(without(universe, target, *pcs), found.separators)
    mb = (*found.mb, *without(pc, *found.mb))
    return Neighbourhood(target, pc, pcs, found.sps, dsep, mb)


def _found(target: Var, ci: CITest, universe: Vars, asked: Vars) -> FoundByHpc:
    """What HPC finds, at once where the test can do that, and else line by line."""
    known = ci.hpc(target, universe, asked, limits_up_to(_MOST_AT_ONCE, ci.log_alpha))
    if known is None:
        pcs, dsep = de_pcs(target, ci, universe)  # line 1
        sps = () if needs_no_spouses(pcs) else de_sps(target, ci, universe, pcs, dsep)  # line 2
        known = FoundByHpc(pcs, {x: z[0] for x, z in dsep.items() if z}, sps)
    if known.pc is not None:
        return known
    pcs, sps = known.pcs, known.sps
    if needs_no_spouses(pcs) or needs_no_boundary(pcs, sps):
        return known._replace(pc=pcs, mb=pcs)
    wanted = frozenset((*pcs, *sps)).intersection(asked)
    pc, mb = corrected(target, ci, pcs, sps, wanted) if wanted else ((), ())
    return known._replace(pc=pc, mb=mb)


def corrected(
    target: Var, ci: CITest, pcs: Vars, sps: Vars, wanted: Collection[Var]
) -> tuple[Vars, Vars]:
    """Those of ``wanted`` that lines 3 to 6 find, and the boundary of the target."""
    nearby = (target, *pcs, *sps)
    ci = ci.focused(nearby)
    mb = iamb_fdr(target, ci, nearby, two_strongest(pcs))  # line 3, as FDR-IAPC
    pc = without_spouses(target, ci, mb, wanted)
    for x in without(pcs, *pc):  # line 4
        if x in wanted and is_seen_from(x, target, ci, nearby):  # line 5
            pc = (*pc, x)  # line 6
    return pc, mb


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
    return target in mb and target in without_spouses(x, ci, mb, (target,))

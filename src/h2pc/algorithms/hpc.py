"""HPC: Algorithms 1 to 4 of the paper, with its line numbers.

Gasse, Aussem and Elghazel (2014), *A hybrid algorithm for Bayesian network structure learning with
application to multi-label learning*. The algorithms know an independence test and nothing else.
The loops in which the time goes are methods of the test, which run in the compiled engine; every
departure from the pseudo-code is a function of its own, and listed in ``docs/deviations.md``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from h2pc.algorithms.iamb import iamb_fdr
from h2pc.independence.attempts import Attempts
from h2pc.independence.base import CITest
from h2pc.variables import Var, Vars, without


@dataclass(frozen=True)
class Neighbourhood:
    """What a local learner found for one target.

    Attributes
    ----------
    target : Var
        The target.
    pc : Vars
        Its estimated parents and children.
    pcs : Vars
        Their superset, from the strongest link to the weakest; ``pc`` itself for other learners
        than HPC.
    sps : Vars
        The superset of the spouses outside ``pcs``; empty where ``pcs`` has fewer than two members,
        and for other learners.
    dsep : mapping of Var to Vars, or None
        What separated another variable from the target; the empty set separated those outside
        ``pcs`` that are not here. None where the learner is neither HPC nor MMPC.
    mb : Vars
        The estimated Markov boundary; ``pc`` alone where ``pcs`` has fewer than two members, and
        for other learners.
    n_tests, n_cut : int
        The number of tests, and of searches for a separating set that a limit cut short.
    iamb : Vars or None
        The boundary that IAMB-FDR found for the target, before others were added to ``mb``; None
        where it was not needed, and for other learners.
    attempts : mapping of Var to Attempts
        The tests that tried to separate a variable from the target; variables outside ``pcs`` that
        nothing but DE-PCS has tested are in ``dsep`` alone.
    """

    target: Var
    pc: Vars
    pcs: Vars = ()
    sps: Vars = ()
    dsep: Mapping[Var, Vars] | None = None
    mb: Vars = ()
    iamb: Vars | None = None
    n_tests: int = 0
    n_cut: int = 0
    attempts: Mapping[Var, Attempts] = field(default_factory=dict)


def hpc(target: Var, ci: CITest, universe: Vars) -> Vars:
    """Parents and children of ``target``: Algorithm 1.

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
    """Parents and children of ``target``, and all that Algorithm 1 finds on the way to them.

    Parameters
    ----------
    target, ci, universe : Var, CITest, Vars
        As of :func:`hpc`.
    wanted : Vars, default=None
        The variables for which lines 3 to 6 decide whether they are parents or children; by default
        all. Only these are in ``pc``, and ``mb`` is empty where none of them is nearby.

    Returns
    -------
    Neighbourhood
        The parents and children, their supersets, the separating sets and the boundary.

    Examples
    --------
    >>> from h2pc.graphs import Dag
    >>> from h2pc.independence.oracle import DSeparationOracle
    >>> oracle = DSeparationOracle(Dag.from_edges(tuple("abcd"), [(0, 1), (1, 2), (3, 2)]))
    >>> found = hpc_neighbourhood(1, oracle, (0, 1, 2, 3))
    >>> found.pc, found.sps, found.mb
    ((0, 2), (3,), (0, 2, 3))
    >>> hpc_neighbourhood(1, oracle, (0, 1, 2, 3), wanted=(2, 3)).pc
    (2,)
    """
    pcs, dsep = de_pcs(target, ci, universe)  # line 1
    if needs_no_spouses(pcs):
        return Neighbourhood(target, _among(pcs, wanted), pcs, (), dsep, pcs)
    sps = de_sps(target, ci, universe, pcs, dsep)  # line 2
    if needs_no_boundary(pcs, sps):
        return Neighbourhood(target, _among(pcs, wanted), pcs, sps, dsep, pcs)
    if not _among((*pcs, *sps), wanted):
        return Neighbourhood(target, (), pcs, sps, dsep)

    nearby = (target, *pcs, *sps)
    ci = ci.focused(nearby)
    mb = iamb_fdr(target, ci, nearby, start=two_strongest(pcs))  # line 3: FDR-IAPC of the target
    pc = ci.inseparable(target, _among(mb, wanted), mb)
    for x in without(_among(pcs, wanted), *pc):  # line 4
        if finds(x, target, ci, nearby):  # line 5
            pc = (*pc, x)  # line 6
    return Neighbourhood(target, pc, pcs, sps, dsep, (*mb, *without(pc, *mb)), mb)


def fdr_iapc(target: Var, ci: CITest, universe: Vars, start: Vars = ()) -> Vars:
    """Parents and children of ``target``, its Markov boundary without the spouses: Algorithm 2.

    Line 1 prints IAMBFDR(X, …); T is meant.

    Parameters and result are those of :func:`hpc`; IAMB-FDR starts from the boundary ``start``, by
    default the empty one.

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


def de_pcs(target: Var, ci: CITest, universe: Vars) -> tuple[Vars, dict[Var, Vars]]:
    """Superset of the parents and children, by conditioning sets of at most one: Algorithm 3.

    Parameters are those of :func:`hpc`.

    Returns
    -------
    pcs : Vars
        The superset, from the strongest link to the weakest.
    dsep : dict of Var to Vars
        The variable that separated another one from the target. Variables that are in neither are
        independent of the target given the empty set.

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


def de_sps(target: Var, ci: CITest, universe: Vars, pcs: Vars, dsep: Mapping[Var, Vars]) -> Vars:
    """Superset of the spouses, by conditioning sets of at most two: Algorithm 4.

    Parameters
    ----------
    target, ci, universe : Var, CITest, Vars
        As of :func:`hpc`.
    pcs : Vars
        The superset of the parents and children, of :func:`de_pcs`.
    dsep : mapping of Var to Vars
        The separating sets of :func:`de_pcs`; a variable that is missing has the empty set.

    Returns
    -------
    Vars
        The superset, without the spouses that are in ``pcs`` already.

    Examples
    --------
    In 0 → 1 ← 2 the ends are spouses: independent, and dependent given their child.

    >>> from h2pc.graphs import Dag
    >>> from h2pc.independence.oracle import DSeparationOracle
    >>> oracle = DSeparationOracle(Dag.from_edges(tuple("abc"), [(0, 1), (2, 1)]))
    >>> de_sps(0, oracle, (0, 1, 2), pcs=(1,), dsep={})
    (2,)
    """
    outside = without(universe, target, *pcs)
    return ci.prune_given_any(target, outside, dsep, pcs)  # lines 1-17


def needs_no_spouses(pcs: Vars) -> bool:
    """Whether the superset is the answer already: a single link has nothing else to explain it."""
    return len(pcs) < 2


def needs_no_boundary(pcs: Vars, sps: Vars) -> bool:
    """Whether the superset is the answer: DE-PCS has tried the one other variable there is."""
    return len(pcs) + len(sps) < 3


def two_strongest(pcs: Vars) -> Vars:
    """Members of ``pcs``, strongest first, that FDR-IAPC of the target itself starts from."""
    return pcs[:2]


def finds(x: Var, target: Var, ci: CITest, nearby: Vars) -> bool:
    """Whether the target is in FDR-IAPC(x), without learning the rest of FDR-IAPC(x)."""
    mb = iamb_fdr(x, ci, nearby)
    return target in mb and bool(ci.inseparable(x, (target,), mb))


def _among(variables: Vars, wanted: Vars | None) -> Vars:
    """Variables that are wanted, in their order."""
    if wanted is None:
        return variables
    chosen = frozenset(wanted)
    return tuple([x for x in variables if x in chosen])

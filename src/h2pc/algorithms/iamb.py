"""Markov boundaries: IAMB and Inter-IAMB (Tsamardinos et al., 2003), IAMB-FDR (Peña, 2008)."""

from __future__ import annotations

from h2pc.independence.base import CITest
from h2pc.variables import Var, Vars, without


def iamb(target: Var, ci: CITest, universe: Vars) -> Vars:
    """Markov boundary of ``target``: grow by the strongest link, then shrink.

    Parameters
    ----------
    target : Var
        The variable whose boundary is sought.
    ci : CITest
        The independence test.
    universe : Vars
        The variables to look at, with or without the target.

    Returns
    -------
    Vars
        The boundary, in the order of entry.

    Examples
    --------
    >>> from h2pc.graphs import Dag
    >>> from h2pc.independence.oracle import DSeparationOracle
    >>> oracle = DSeparationOracle(Dag.from_edges(tuple("abcd"), [(0, 1), (2, 1), (2, 3)]))
    >>> iamb(0, oracle, (0, 1, 2, 3))
    (1, 2)
    """
    mb: Vars = ()
    while (strongest := _strongest_outside(target, ci, universe, mb)) is not None:
        mb = (*mb, strongest)
    return _shrunk(target, ci, mb)


def inter_iamb(target: Var, ci: CITest, universe: Vars) -> Vars:
    """Markov boundary of ``target``: like :func:`iamb`, but shrinking after every step of growth.

    Parameters and result are those of :func:`iamb`.

    Notes
    -----
    On data a variable may enter and leave for ever: the search stops at the first boundary
    that it has seen before.

    Examples
    --------
    >>> from h2pc.graphs import Dag
    >>> from h2pc.independence.oracle import DSeparationOracle
    >>> oracle = DSeparationOracle(Dag.from_edges(tuple("abcd"), [(0, 1), (2, 1), (2, 3)]))
    >>> inter_iamb(0, oracle, (0, 1, 2, 3))
    (1, 2)
    """
    mb: Vars = ()
    seen: set[frozenset[Var]] = set()
    while frozenset(mb) not in seen:
        seen.add(frozenset(mb))
        strongest = _strongest_outside(target, ci, universe, mb)
        if strongest is None:
            break
        mb = _shrunk(target, ci, (*mb, strongest))
    return mb


def iamb_fdr(target: Var, ci: CITest, universe: Vars, start: Vars = ()) -> Vars:
    """Markov boundary of ``target`` with a bounded rate of false discoveries.

    Every round tests all candidates given the boundary without themselves, and makes one change.
    The weakest member that is no discovery (Benjamini and Yekutieli, 2001) leaves; where there is
    none, the strongest discovery outside enters.

    Parameters and result are those of :func:`iamb`; it starts from the boundary ``start``, by
    default the empty one.

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


def shrink(target: Var, ci: CITest, universe: Vars) -> Vars:
    """Markov boundary of ``target`` by backward elimination: all variables, less the superfluous.

    Variables are tried from the weakest link to the strongest. What stays is a Markov blanket
    whatever the distribution, and the boundary under Intersection; but every test is given nearly
    everything, which few samples allow. Parameters are those of :func:`iamb`.

    Examples
    --------
    >>> from h2pc.graphs import Dag
    >>> from h2pc.independence.oracle import DSeparationOracle
    >>> oracle = DSeparationOracle(Dag.from_edges(tuple("abcd"), [(0, 1), (2, 1), (2, 3)]))
    >>> shrink(0, oracle, (0, 1, 2, 3))
    (1, 2)
    """
    others = tuple(sorted(without(universe, target)))
    strength = dict(zip(others, ci.log_p_many(target, others).tolist(), strict=True))
    mb = tuple(sorted(others, key=lambda x: (strength[x], x)))  # the strongest first
    return _shrunk(target, ci, mb[::-1])[::-1]


def _strongest_outside(target: Var, ci: CITest, universe: Vars, mb: Vars) -> Var | None:
    """Variable outside ``mb`` most dependent on the target given ``mb``, if any is."""
    outside = tuple(sorted(without(universe, target, *mb)))
    log_p = ci.log_p_many(target, outside, mb)
    if not outside or log_p.min() > ci.log_alpha:
        return None
    return outside[int(log_p.argmin())]


def _shrunk(target: Var, ci: CITest, mb: Vars) -> Vars:
    """``mb`` without the members that the others make independent of the target."""
    for x in mb:
        others = without(mb, x)
        if ci.independent(ci.log_p(target, x, others)):
            mb = others
    return mb

"""Textbook variants of HPC and MMPC that the learners of the package do not have.

Each departs from ``algorithms/hpc.py`` or ``algorithms/mmpc.py`` in one place, and goes
through the same steps of the test. They are for the experiment on label graphs, not for users.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from h2pc.algorithms.hpc import (
    de_pcs,
    de_sps,
    needs_no_boundary,
    needs_no_spouses,
    two_strongest,
)
from h2pc.algorithms.iamb import inter_iamb
from h2pc.data import Dataset
from h2pc.independence.base import CITest, LogP
from h2pc.independence.table_tests import GTest
from h2pc.variables import Var, Vars, without

_LOG_SMALLEST = float(np.log(np.nextafter(0.0, 1.0)))

BoundaryLearner = Callable[[Var, CITest, Vars, Vars], Vars]
"""From a target, a test, a universe and a first boundary to the Markov boundary."""


def by_iamb_fdr(target: Var, ci: CITest, universe: Vars, start: Vars) -> Vars:
    """Markov boundary by IAMB-FDR, as in the paper."""
    return ci.iamb_fdr(target, universe, start)


def by_inter_iamb(target: Var, ci: CITest, universe: Vars, start: Vars) -> Vars:  # noqa: ARG001
    """Markov boundary by Inter-IAMB, from the empty set: every p-value up to alpha counts."""
    return inter_iamb(target, ci, universe)


@dataclass(frozen=True)
class HpcVariant:
    """HPC, Algorithm 1, with other parts."""

    boundary: BoundaryLearner = by_iamb_fdr
    """What finds Markov boundaries, of the target and of the others."""
    start: Callable[[Vars], Vars] = two_strongest
    """The members of PCS that the boundary of the target starts from."""
    checks: bool = True
    """Whether lines 4 to 6 look for the target among the neighbours of the others."""
    starts_checks: bool = False
    """Whether these boundaries start from the same members of PCS as that of the target."""
    spouses: bool = True
    """Whether spouses are looked for at all (line 2)."""

    def __call__(self, target: Var, ci: CITest, universe: Vars) -> Vars:
        """Parents and children of the target."""
        pcs, dsep = de_pcs(target, ci, universe)
        if needs_no_spouses(pcs):
            return pcs
        sps = de_sps(target, ci, universe, pcs, dsep) if self.spouses else ()
        if needs_no_boundary(pcs, sps):
            return pcs
        nearby = (target, *pcs, *sps)
        ci, start = ci.focused(nearby), self.start(pcs)
        mb = self.boundary(target, ci, nearby, start)
        pc = ci.inseparable(target, mb, mb)
        for x in without(pcs, *pc) if self.checks else ():
            first = without(start, x) if self.starts_checks else ()
            own = self.boundary(x, ci, nearby, first)
            if target in own and ci.inseparable(x, (target,), own):
                pc = (*pc, x)
        return pc


def forward_mmpc(target: Var, ci: CITest, universe: Vars) -> Vars:
    """MMPC without its backward phase."""
    links = ci.max_min(target, tuple(sorted(without(universe, target))))
    cpc: Vars = ()
    while (strongest := links.strongest()) is not None:
        links.add(strongest)
        cpc = (*cpc, strongest)
    return cpc


def weakest_first_mmpc(target: Var, ci: CITest, universe: Vars) -> Vars:
    """MMPC whose backward phase begins with the candidate that entered last."""
    return _backward(target, ci, forward_mmpc(target, ci, universe)[::-1])


class BacktrackingMmpc:
    """MMPC that believes what earlier targets have found.

    A variable that has found the target is a candidate from the beginning, and one that has not is
    no candidate. One object learns one graph.
    """

    def __init__(self) -> None:
        self._found: dict[Var, Vars] = {}

    def __call__(self, target: Var, ci: CITest, universe: Vars) -> Vars:
        """Parents and children of the target."""
        good = tuple(x for x, own in self._found.items() if target in own)
        bad = tuple(x for x in self._found if x not in good)
        cpc = _forward_from(good, target, ci, without(universe, *bad))
        self._found[target] = _backward(target, ci, cpc)
        return self._found[target]


def _forward_from(first: Vars, target: Var, ci: CITest, universe: Vars) -> Vars:
    """Candidates by the max-min heuristic, after those that come first."""
    if not first:
        return forward_mmpc(target, ci, universe)
    links = ci.weakest_links(target, tuple(sorted(without(universe, target, *first))), (), first)
    cpc = first
    while links:
        strongest = min(links, key=lambda x: (links[x], x))
        left = tuple(x for x in links if x != strongest)
        new = ci.weakest_links(target, left, (strongest,), cpc)
        links = {x: max(links[x], log_p) for x, log_p in new.items()}
        cpc = (*cpc, strongest)
    return cpc


def _backward(target: Var, ci: CITest, cpc: Vars) -> Vars:
    """Candidates that no subset of the others separates from the target."""
    for x in cpc:
        others = without(cpc, x)
        if ci.first_separator(target, x, others).z is not None:
            cpc = others
    return cpc


class UnderflowingTest(CITest):
    """G² whose p-values are zero where a floating-point number would be: strong links tie."""

    def __init__(self, data: Dataset, alpha: float = 0.05) -> None:
        super().__init__(alpha)
        self._exact = GTest(data, alpha)

    def log_p_given(self, target: Var, candidates: Vars, z: Vars) -> LogP:
        """Log p-value of every candidate; minus infinity where the p-value underflows."""
        log_p = self._exact.log_p_given(target, candidates, z)
        return np.where(log_p < _LOG_SMALLEST, -np.inf, log_p)

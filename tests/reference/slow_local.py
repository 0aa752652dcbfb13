"""The textbook twins of the local learners: Algorithms 1 to 4 of the paper, one test at a time.

They know a test by its :meth:`log_p_given` alone. Orders that the pseudo-code leaves open are those
behind the published results: candidates from the weakest link to the strongest, separators from the
strongest to the weakest, ties by number.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import combinations
from typing import NamedTuple

from h2pc.independence.base import CITest
from h2pc.independence.constraints import EdgeConstraints
from h2pc.runs.limits import Limits
from h2pc.variables import Var, Vars

NOTHING = -math.inf


class Separated(NamedTuple):
    """The first separating set, if any, and the largest log p-value on the way to it."""

    z: Vars | None
    log_p: float


class Textbook:
    """A test that is asked one question at a time, within constraints and limits, and counts."""

    def __init__(
        self,
        ci: CITest,
        constraints: EdgeConstraints | None = None,
        limits: Limits | None = None,
    ) -> None:
        self.ci = ci
        self.constraints = EdgeConstraints() if constraints is None else constraints
        self.limits = Limits() if limits is None else limits
        self.n_tests = self.n_cut = 0

    def log_p(self, x: Var, y: Var, z: Iterable[Var] = ()) -> float:
        self.n_tests += 1
        decided = self.constraints.decided.get(x, {})
        if y in decided:
            return -math.inf if decided[y] else 0.0
        return float(self.ci.log_p_given(x, (y,), tuple(z))[0])

    def separates(self, log_p: float) -> bool:
        return log_p > math.log(self.ci.alpha)

    # Searches through subsets

    def first_separator(
        self,
        x: Var,
        y: Var,
        pool: Iterable[Var],
        base: Vars = (),
        min_size: int = 0,
        max_size: int | None = None,
    ) -> Separated:
        pool = tuple(pool)
        last = len(pool) if max_size is None else min(max_size, len(pool))
        everything = [z for size in range(min_size, last + 1) for z in combinations(pool, size)]
        tried = everything
        if self.limits.max_conditioning is not None:
            tried = [z for z in tried if len(base) + len(z) <= self.limits.max_conditioning]
        if self.limits.max_subset_tests is not None:
            tried = tried[: self.limits.max_subset_tests]
        largest = NOTHING
        for z in tried:
            log_p = self.log_p(x, y, (*base, *z))
            if self.separates(log_p):
                return Separated(z, log_p)
            largest = max(largest, log_p)
        self.n_cut += len(tried) < len(everything)
        return Separated(None, largest)

    def inseparable(self, target: Var, candidates: Iterable[Var], pool: Vars) -> Vars:
        """Lines 2-7 of Algorithm 2."""
        return tuple(
            x
            for x in candidates
            if self.first_separator(target, x, (y for y in pool if y != x)).z is None
        )

    def weakest_links(
        self, target: Var, candidates: Vars, base: Vars, pool: Vars
    ) -> dict[Var, float]:
        links = {}
        for x in candidates:
            subsets = (z for size in range(len(pool) + 1) for z in combinations(pool, size))
            weakest = max(self.log_p(target, x, (*base, *z)) for z in subsets)
            if not self.separates(weakest):
                links[x] = weakest
        return links

    # The learners

    def de_pcs(self, target: Var, universe: Iterable[Var]) -> tuple[Vars, dict[Var, Vars]]:
        """Algorithm 3; the p-value of a variable is the largest that was seen for it."""
        log_p = {x: self.log_p(target, x) for x in universe if x != target}
        pcs = {x for x in log_p if not self.separates(log_p[x])}
        dsep: dict[Var, Vars] = {}
        for x in sorted(pcs, key=lambda x: (-log_p[x], x)):
            for y in sorted(pcs - {x}, key=lambda y: (log_p[y], y)):
                given_y = self.log_p(target, x, (y,))
                log_p[x] = max(log_p[x], given_y)
                if self.separates(given_y):
                    pcs.remove(x)
                    dsep[x] = (y,)
                    break
        return tuple(sorted(pcs, key=lambda x: (log_p[x], x))), dsep

    def de_sps(
        self, target: Var, universe: Iterable[Var], pcs: Vars, dsep: dict[Var, Vars]
    ) -> set[Var]:
        """Algorithm 4; a pair (X, Y) with X in dSep(Y) is left out."""
        outside = sorted({*universe} - {target, *pcs})
        sps: set[Var] = set()
        for x in pcs:
            log_p = {
                y: self.log_p(target, y, (*dsep.get(y, ()), x))
                for y in outside
                if x not in dsep.get(y, ())
            }
            near = {y for y in log_p if not self.separates(log_p[y])}
            for y in sorted(near, key=lambda y: (-log_p[y], y)):
                if any(self.separates(self.log_p(target, y, (x, z))) for z in near - {y}):
                    near.remove(y)
            sps |= near
        return sps

    def iamb_fdr(self, target: Var, universe: Iterable[Var], start: Vars = ()) -> Vars:
        """IAMBFDR of Peña (2008), with p · m · (1 + 1/2 + … + 1/m) / rank ≤ alpha."""
        candidates = {*universe, *start} - {target}
        m = len(candidates)
        harmonic = sum(1.0 / i for i in range(m, 0, -1))
        mb, newcomer, seen = start, None, {frozenset(start)}
        while True:
            tested = (*sorted(candidates - {*mb}), *mb)
            log_p = {x: self.log_p(target, x, (y for y in mb if y != x)) for x in tested}
            ranked = sorted(tested, key=log_p.__getitem__)
            discoveries = [
                x
                for rank, x in enumerate(ranked, 1)
                if log_p[x] <= math.log(self.ci.alpha) + math.log(rank / (m * harmonic))
            ]
            weak = [x for x in mb if x not in discoveries and x != newcomer]
            strong = [x for x in discoveries if x not in mb]
            newcomer = None
            if weak:
                changed = min(weak, key=lambda x: (-log_p[x], x))
                mb = tuple(x for x in mb if x != changed)
            elif strong:
                changed = newcomer = strong[0]
                mb = (*mb, changed)
            else:
                return mb
            if frozenset(mb) in seen:
                mb = tuple(x for x in mb if x != changed)
                candidates.remove(changed)
                newcomer = None
            seen.add(frozenset(mb))

    def fdr_iapc(self, target: Var, universe: Iterable[Var], start: Vars = ()) -> Vars:
        """Algorithm 2."""
        mb = self.iamb_fdr(target, universe, start)
        return self.inseparable(target, mb, mb)

    def hpc(self, target: Var, universe: Iterable[Var]) -> Vars:
        """Algorithm 1; the superset is the answer where there is nothing else to explain it."""
        universe = tuple(universe)
        pcs, dsep = self.de_pcs(target, universe)
        if len(pcs) < 2:
            return pcs
        nearby = (target, *pcs, *self.de_sps(target, universe, pcs, dsep))
        if len(nearby) < 4:
            return pcs
        pc = self.fdr_iapc(target, nearby, start=pcs[:2])
        return (*pc, *(x for x in pcs if x not in pc and target in self.fdr_iapc(x, nearby)))

    def mmpc(self, target: Var, universe: Iterable[Var]) -> Vars:
        """MMPC of Tsamardinos, Brown and Aliferis (2006), all subsets anew in every step."""
        open_, cpc = sorted({*universe} - {target}), ()
        while links := self.weakest_links(target, tuple(open_), (), cpc):
            strongest = min(links, key=lambda x: (links[x], x))
            open_ = [x for x in links if x != strongest]
            cpc = (*cpc, strongest)
        for x in cpc:
            others = tuple(y for y in cpc if y != x)
            if self.first_separator(target, x, others).z is not None:
                cpc = others
        return cpc

"""What is known of the edges beforehand, as a wrapper of any independence test."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from graphlib import CycleError, TopologicalSorter

import numpy as np

from h2pc.errors import SettingError
from h2pc.independence.base import CITest, Kept, Linked, LogP, Separation, Settled, Sifted
from h2pc.variables import Var, Vars

Edge = tuple[Var, Var]
"""A parent and its child."""


@dataclass(frozen=True)
class EdgeConstraints:
    """Edges that must be there, and edges that cannot be.

    Parameters
    ----------
    required : tuple of (parent, child)
        Edges known to be in the graph.
    forbidden : tuple of (parent, child)
        Edges known not to be in the graph; the other direction stays possible.
    tiers : tuple of Vars
        Groups in the order of time: no edge leads from a later tier to an earlier one. A variable
        in no tier is free.
    within_tiers : bool, default True
        Whether there may be edges inside a tier.

    Examples
    --------
    >>> known = EdgeConstraints(required=((0, 2),), forbidden=((0, 1),), tiers=((0,), (1, 2)))
    >>> known.allows(1, 2), known.allows(1, 0)
    (True, False)
    >>> known.decided(0)
    {2: -inf, 1: 0.0}
    """

    required: tuple[Edge, ...] = ()
    forbidden: tuple[Edge, ...] = ()
    tiers: tuple[Vars, ...] = ()
    within_tiers: bool = True

    def __post_init__(self) -> None:
        for edge in (*self.required, *self.forbidden):
            if edge[0] == edge[1]:
                raise SettingError(f"An edge joins two different variables; got {edge}.")
        if sum(map(len, self.tiers)) > len(self._tier_of):
            raise SettingError("A variable can be in one tier only, and only once.")
        for edge in self.required:
            if not self.allows(*edge):
                raise SettingError(f"The edge {edge} is required, but forbidden as well.")
        above: dict[Var, list[Var]] = {}
        for parent, child in self.required:
            above.setdefault(child, []).append(parent)
        try:
            TopologicalSorter(above).prepare()
        except CycleError as error:
            raise SettingError(f"The required edges make a cycle: {error.args[1]}.") from error

    def allows(self, parent: Var, child: Var) -> bool:
        """Whether the graph may have this edge."""
        if (parent, child) in self._forbidden:
            return False
        before, after = self._tier_of.get(parent), self._tier_of.get(child)
        if before is None or after is None:
            return True
        return before < after or (before == after and self.within_tiers)

    def decided(self, target: Var) -> dict[Var, float]:
        """Log p-values of the pairs of ``target`` that need no test: -inf, or 0 if separated."""
        linked = self._partners.get(target, {})
        peers: Vars = ()
        if not self.within_tiers and target in self._tier_of:
            peers = self.tiers[self._tier_of[target]]
        answers = {}
        for v in dict.fromkeys((*linked, *peers)):
            if linked.get(v):
                answers[v] = -math.inf
            elif v != target and not (self.allows(target, v) or self.allows(v, target)):
                answers[v] = 0.0
        return answers

    @cached_property
    def _forbidden(self) -> frozenset[Edge]:
        """Edges that are forbidden one by one."""
        return frozenset(self.forbidden)

    @cached_property
    def _tier_of(self) -> dict[Var, int]:
        """Number of the tier of every variable that is in one."""
        return {v: number for number, tier in enumerate(self.tiers) for v in tier}

    @cached_property
    def _partners(self) -> dict[Var, dict[Var, bool]]:
        """For every variable, those it shares a constraint with: True where they must be joined."""
        partners: dict[Var, dict[Var, bool]] = {}
        for must, edges in ((True, self.required), (False, self.forbidden)):
            for x, y in edges:
                partners.setdefault(x, {}).setdefault(y, must)
                partners.setdefault(y, {}).setdefault(x, must)
        return partners


class ConstrainedTest(CITest):
    """A test that never separates a required pair, and always separates a forbidden one.

    A pair is forbidden where neither direction of its edge is allowed. About these pairs nothing is
    asked; all other questions go to ``ci``. The algorithms do not change.

    Parameters
    ----------
    ci : CITest
        The test that answers the open questions.
    constraints : EdgeConstraints
        What is known of the edges.

    Examples
    --------
    >>> from h2pc.graph import Dag
    >>> from h2pc.independence.oracle import DSeparationOracle
    >>> oracle = DSeparationOracle(Dag.from_edges(["a", "b", "c"], [(0, 1)]))
    >>> ci = ConstrainedTest(oracle, EdgeConstraints(((0, 2),), ((0, 1), (1, 0))))
    >>> ci.log_p_many(0, (1, 2))
    array([  0., -inf])
    """

    def __init__(self, ci: CITest, constraints: EdgeConstraints) -> None:
        super().__init__(ci.alpha)
        self.ci = ci
        self.constraints = constraints
        self._decided: dict[Var, dict[Var, float]] = {}

    def log_p_many(self, target: Var, candidates: Vars, z: Vars = ()) -> LogP:
        """Log p-value of (target ⊥ candidate | z) for every candidate; ``z`` is shared."""
        if self._is_open(target, candidates):
            return self.ci.log_p_many(target, candidates, z)
        log_p, left = self._begun(target, candidates)
        log_p[left] = self.ci.log_p_many(target, tuple(candidates[i] for i in left), z)
        return log_p

    def log_p_each(self, target: Var, candidates: Vars, zs: Sequence[Vars]) -> LogP:
        """Log p-value of (target ⊥ candidate | z) for every candidate with a ``z`` of its own."""
        if self._is_open(target, candidates):
            return self.ci.log_p_each(target, candidates, zs)
        log_p, left = self._begun(target, candidates)
        asked = tuple(candidates[i] for i in left)
        log_p[left] = self.ci.log_p_each(target, asked, [zs[i] for i in left])
        return log_p

    def log_p_grid(self, target: Var, candidates: Vars, zs: Sequence[Vars], xs: Vars) -> LogP:
        """Log p-value of (target ⊥ candidate | z ∪ x), as :class:`CITest` says it."""
        if self._is_open(target, candidates):
            return self.ci.log_p_grid(target, candidates, zs, xs)
        log_p, left = self._begun(target, candidates)
        grid = np.tile(log_p, (len(xs), 1))
        asked = tuple(candidates[i] for i in left)
        grid[:, left] = self.ci.log_p_grid(target, asked, [zs[i] for i in left], xs)
        return grid

    def first_separator(
        self,
        target: Var,
        candidate: Var,
        pool: Vars,
        *,
        base: Vars = (),
        min_size: int = 0,
        max_size: int | None = None,
    ) -> Separation:
        """First ``Z ⊆ pool`` with target ⊥ candidate | base ∪ Z, as :class:`CITest` says it."""
        decided = self._decided_for(target).get(candidate)
        if decided is None:
            return self.ci.first_separator(
                target, candidate, pool, base=base, min_size=min_size, max_size=max_size
            )
        most = len(pool) if max_size is None else min(max_size, len(pool))
        if self.independent(decided) and min_size <= most:
            return Separation(pool[:min_size], decided)
        return Separation(None, -math.inf)

    def weakest_links(self, target: Var, candidates: Vars, base: Vars, pool: Vars) -> Linked:
        """Candidates that nothing separates from the target, as :class:`CITest` says it."""
        if self._is_open(target, candidates):
            return self.ci.weakest_links(target, candidates, base, pool)
        return super().weakest_links(target, candidates, base, pool)

    def inseparable(self, target: Var, candidates: Vars, pool: Vars) -> Kept:
        """Candidates that no subset separates, as :class:`CITest` says it."""
        if self._is_open(target, candidates):
            return self.ci.inseparable(target, candidates, pool)
        return super().inseparable(target, candidates, pool)

    def sift(self, target: Var, candidates: Vars, *, base: Vars = ()) -> Sifted:
        """Drop every candidate that another one separates, as :class:`CITest` says it."""
        if self._is_open(target, candidates):
            return self.ci.sift(target, candidates, base=base)
        return super().sift(target, candidates, base=base)

    def sift_given_any(self, target: Var, candidates: Vars, zs: Sequence[Vars], xs: Vars) -> Kept:
        """Candidates that a sift given some x keeps, as :class:`CITest` says it."""
        if self._is_open(target, candidates):
            return self.ci.sift_given_any(target, candidates, zs, xs)
        return super().sift_given_any(target, candidates, zs, xs)

    def change(
        self, target: Var, candidates: Vars, members: Vars, limits: LogP, newcomer: Var | None
    ) -> Var | None:
        """Member that leaves or candidate that enters, as :class:`CITest` says it."""
        if self._is_open(target, candidates):
            return self.ci.change(target, candidates, members, limits, newcomer)
        return super().change(target, candidates, members, limits, newcomer)

    def settled(self, target: Var, candidates: Vars, members: Vars, limits: LogP) -> Settled:
        """Members that no change improves, as :class:`CITest` says it."""
        if self._is_open(target, candidates):
            return self.ci.settled(target, candidates, members, limits)
        return super().settled(target, candidates, members, limits)

    def focused(self, variables: Vars) -> ConstrainedTest:
        """Return a test with the same answers, made ready for questions about ``variables``."""
        return ConstrainedTest(self.ci.focused(variables), self.constraints)

    def with_power_rule(self, power_rule: float) -> ConstrainedTest | None:
        """Return a test with the same constraints that asks for fewer samples per cell."""
        bolder = self.ci.with_power_rule(power_rule)
        return None if bolder is None else ConstrainedTest(bolder, self.constraints)

    def _decided_for(self, target: Var) -> dict[Var, float]:
        """Answers that the constraints give about ``target``, worked out once."""
        decided = self._decided.get(target)
        if decided is None:
            decided = self._decided[target] = self.constraints.decided(target)
        return decided

    def _is_open(self, target: Var, candidates: Vars) -> bool:
        """Whether nothing is decided about these candidates."""
        return self._decided_for(target).keys().isdisjoint(candidates)

    def _begun(self, target: Var, candidates: Vars) -> tuple[LogP, list[int]]:
        """Answers with the decided ones filled in, and the positions that are left to ask."""
        decided = self._decided_for(target)
        log_p = np.array([decided.get(x, math.nan) for x in candidates])
        return log_p, np.flatnonzero(np.isnan(log_p)).tolist()

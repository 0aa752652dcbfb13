"""What is known of the edges beforehand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from graphlib import CycleError, TopologicalSorter

from h2pc.errors import SettingError
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

    Examples
    --------
    >>> known = EdgeConstraints(required=((0, 2),), forbidden=((0, 1),), tiers=((0,), (1, 2)))
    >>> known.allows(1, 2), known.allows(1, 0)
    (True, False)
    >>> known.decided[0]
    {2: True, 1: False}
    """

    required: tuple[Edge, ...] = ()
    forbidden: tuple[Edge, ...] = ()
    tiers: tuple[Vars, ...] = ()

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
        return before <= after

    @cached_property
    def decided(self) -> dict[Var, dict[Var, bool]]:
        """For every variable, those that need no test with it: True where they must be joined."""
        closed = [(x, y) for x, y in self.forbidden if not self.allows(y, x)]
        decided: dict[Var, dict[Var, bool]] = {}
        for is_joined, edges in ((True, self.required), (False, closed)):
            for x, y in edges:
                decided.setdefault(x, {})[y] = is_joined
                decided.setdefault(y, {})[x] = is_joined
        return decided

    @cached_property
    def _forbidden(self) -> frozenset[Edge]:
        """Edges that are forbidden one by one."""
        return frozenset(self.forbidden)

    @cached_property
    def _tier_of(self) -> dict[Var, int]:
        """Number of the tier of every variable that is in one."""
        return {v: number for number, tier in enumerate(self.tiers) for v in tier}

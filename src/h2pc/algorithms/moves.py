"""The moves of a search: one edge is added, deleted or reversed."""

from __future__ import annotations

from dataclasses import dataclass

from h2pc.variables import Var

Edge = tuple[Var, Var]
"""A parent and its child."""


@dataclass(frozen=True, slots=True)
class Add:
    """The edge parent → child is added."""

    parent: Var
    child: Var

    @property
    def toggled(self) -> tuple[Edge, ...]:
        """Edges that are added or deleted."""
        return ((self.parent, self.child),)


@dataclass(frozen=True, slots=True)
class Delete:
    """The edge parent → child is deleted."""

    parent: Var
    child: Var

    @property
    def toggled(self) -> tuple[Edge, ...]:
        """Edges that are added or deleted."""
        return ((self.parent, self.child),)


@dataclass(frozen=True, slots=True)
class Reverse:
    """The edge parent → child is reversed.

    Examples
    --------
    >>> Reverse(0, 1).toggled
    ((0, 1), (1, 0))
    """

    parent: Var
    child: Var

    @property
    def toggled(self) -> tuple[Edge, ...]:
        """Edges that are deleted or added, in this order."""
        return ((self.parent, self.child), (self.child, self.parent))


Move = Add | Delete | Reverse
"""One change of a graph. Moves of different kinds differ, whatever their edge."""

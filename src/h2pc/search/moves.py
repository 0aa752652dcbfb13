"""The moves of a search: one edge comes, goes, or is turned round."""

from __future__ import annotations

from dataclasses import dataclass

from h2pc.variables import Var

Edge = tuple[Var, Var]
"""A parent and its child."""


@dataclass(frozen=True, slots=True)
class Add:
    """The edge parent → child comes."""

    parent: Var
    child: Var

    @property
    def toggled(self) -> tuple[Edge, ...]:
        """Edges that come or go."""
        return ((self.parent, self.child),)


@dataclass(frozen=True, slots=True)
class Delete:
    """The edge parent → child goes."""

    parent: Var
    child: Var

    @property
    def toggled(self) -> tuple[Edge, ...]:
        """Edges that come or go."""
        return ((self.parent, self.child),)


@dataclass(frozen=True, slots=True)
class Reverse:
    """The edge parent → child is turned round.

    Examples
    --------
    >>> Reverse(0, 1).toggled
    ((0, 1), (1, 0))
    """

    parent: Var
    child: Var

    @property
    def toggled(self) -> tuple[Edge, ...]:
        """Edges that come or go: first the one that goes, then the one that comes."""
        return ((self.parent, self.child), (self.child, self.parent))


Move = Add | Delete | Reverse
"""One change of a graph. Moves of different kinds differ, whatever their edge."""

"""d-separation, by reachability along active trails."""

from __future__ import annotations

from typing import TYPE_CHECKING

from h2pc.graphs.bitsets import members
from h2pc.variables import Var

if TYPE_CHECKING:
    from h2pc.graphs.dag import Dag


def active_trails(dag: Dag, x: Var, z: int) -> int:
    """Bitset of the ends of the active trails from ``x`` given the bitset ``z``.

    Bayes-ball (Shachter, 1998): a trail that goes up into a variable came from one of its
    children, a trail that goes down came from one of its parents.
    """
    parents, children = dag.parent_bits, dag.child_bits
    gone_up = gone_down = 0
    up, down = 1 << x, 0
    while up or down:
        gone_up |= up
        gone_down |= down
        next_up = next_down = 0
        # A given variable sends back up what came down; this opens the colliders above it too.
        for v in members(up & ~z | down & z):
            next_up |= parents[v]
        for v in members((up | down) & ~z):
            next_down |= children[v]
        up, down = next_up & ~gone_up, next_down & ~gone_down
    return (gone_up | gone_down) & ~z & ~(1 << x)

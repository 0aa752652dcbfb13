"""d-separation, by reachability along active trails."""

from __future__ import annotations

from collections.abc import Set
from typing import TYPE_CHECKING

from h2pc.variables import Var

if TYPE_CHECKING:
    from h2pc.graphs.dag import Dag


def active_trails(dag: Dag, x: Var, z: Set[Var]) -> set[Var]:
    """Ends of the active trails from ``x`` given ``z``, without ``x`` and ``z``.

    Bayes-ball (Shachter, 1998): a trail that goes up into a variable came from one of its
    children, a trail that goes down came from one of its parents.
    """
    parents, children = dag.parent_sets, dag.child_sets
    gone_up, gone_down = {x}, set[Var]()
    waiting = [(x, True)]
    while waiting:
        v, is_up = waiting.pop()
        is_given = v in z
        # A given variable sends back up what came down; this opens the colliders above it too.
        if is_up != is_given:
            for u in parents[v]:
                if u not in gone_up:
                    gone_up.add(u)
                    waiting.append((u, True))
        if not is_given:
            for u in children[v]:
                if u not in gone_down:
                    gone_down.add(u)
                    waiting.append((u, False))
    ends = gone_up | gone_down
    ends -= z
    ends.discard(x)
    return ends

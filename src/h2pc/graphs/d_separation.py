"""d-separation, by reachability along active trails."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from h2pc.errors import GraphError
from h2pc.graphs.bitsets import bitset, members
from h2pc.graphs.validation import checked_variable
from h2pc.variables import Var, Vars

if TYPE_CHECKING:
    from h2pc.graphs.dag import Dag


def d_separated(dag: Dag, x: Var, y: Var, z: Iterable[Var] = ()) -> bool:
    """Whether ``z`` blocks every trail between ``x`` and ``y``.

    Parameters
    ----------
    dag : Dag
        The graph.
    x, y : int
        Two different variables, neither of them in ``z``.
    z : iterable of int, default=()
        The conditioning set.

    Returns
    -------
    bool
        True where ``x`` and ``y`` are d-separated by ``z``.

    Examples
    --------
    A common effect joins its causes once it is known.

    >>> from h2pc.graphs import Dag, d_separated
    >>> dag = Dag.from_edges(["rain", "sprinkler", "wet"], [("rain", "wet"), ("sprinkler", "wet")])
    >>> d_separated(dag, 0, 1), d_separated(dag, 0, 1, [2])
    (True, False)
    """
    z = tuple(z)
    if x == y or y in z:
        raise GraphError(f"x, y and z must be disjoint; got x={x!r}, y={y!r}, z={z!r}.")
    y = checked_variable(dag.names, y)
    return not _connected(dag, x, z) >> y & 1


def reachable(dag: Dag, x: Var, z: Iterable[Var] = ()) -> Vars:
    """Every variable that ``z`` does not d-separate from ``x``, in one pass.

    Parameters
    ----------
    dag : Dag
        The graph.
    x : int
        Where the trails start; not in ``z``.
    z : iterable of int, default=()
        The conditioning set.

    Returns
    -------
    tuple of int
        The variables joined to ``x`` by an active trail, sorted, without ``x`` and ``z``.

    Examples
    --------
    >>> from h2pc.graphs import Dag, reachable
    >>> chain = Dag.from_edges(list("abcd"), [("a", "b"), ("b", "c"), ("c", "d")])
    >>> reachable(chain, 0), reachable(chain, 0, [2])
    ((1, 2, 3), (1,))
    """
    return members(_connected(dag, x, tuple(z)))


def _connected(dag: Dag, x: Var, z: Vars) -> int:
    """Bitset of :func:`reachable`, for a question that is checked first."""
    x, *known = (checked_variable(dag.names, v) for v in (x, *z))
    if x in known:
        raise GraphError(f"x must not be in z; got x={x!r}, z={z!r}.")
    return active_trails(dag, x, bitset(known))


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
        # A known variable sends back up what came down; this opens the colliders above it too.
        for v in members(up & ~z | down & z):
            next_up |= parents[v]
        for v in members((up | down) & ~z):
            next_down |= children[v]
        up, down = next_up & ~gone_up, next_down & ~gone_down
    return (gone_up | gone_down) & ~z & ~(1 << x)

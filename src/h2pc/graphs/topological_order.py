"""Orders of variables in which parents come before their children."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter
from heapq import heappop, heappush

from h2pc.errors import GraphError
from h2pc.graphs.adjacency import adjacency
from h2pc.variables import Var, Vars


def topological_order(names: tuple[str, ...], parent_sets: tuple[Vars, ...]) -> Vars:
    """Variables, parents before children, ties by number; a cycle is refused."""
    n_waiting = list(map(len, parent_sets))  # parents that have no place yet
    edges = ((u, v) for v, above in enumerate(parent_sets) for u in above)
    children = adjacency(len(names), edges)
    order: list[Var] = []
    freed: list[Var] = []  # a heap: those whose parents have a place

    def place(v: Var) -> None:
        order.append(v)
        for child in children[v]:
            n_waiting[child] -= 1
            if not n_waiting[child]:
                heappush(freed, child)

    for root in [v for v, above in enumerate(parent_sets) if not above]:
        while freed and freed[0] < root:
            place(heappop(freed))
        place(root)
    while freed:
        place(heappop(freed))
    if len(order) < len(names):
        _refuse_cycle(names, parent_sets)
    return tuple(order)


def _refuse_cycle(names: tuple[str, ...], parent_sets: tuple[Vars, ...]) -> None:
    """Raise for a cycle, named from its first variable on."""
    try:
        TopologicalSorter(dict(enumerate(parent_sets))).prepare()
    except CycleError as error:
        *cycle, _ = error.args[1]
        first = cycle.index(min(cycle))
        way = (*cycle[first:], *cycle[: first + 1])
        shown = " → ".join(repr(names[v]) for v in way)
        raise GraphError(f"The graph has a cycle: {shown}.") from None


class GrowingOrder:
    """A topological order of a graph that gets one edge after the other.

    Pearce and Kelly (2006), *A dynamic topological sort algorithm for directed acyclic graphs*:
    only what lies between the ends of an edge that leads backwards is looked at, and moved.
    """

    def __init__(self, n_variables: int) -> None:
        self._place = list(range(n_variables))
        self._parents: dict[Var, list[Var]] = {}
        self._children: dict[Var, list[Var]] = {}

    def add(self, parent: Var, child: Var) -> bool:
        """Add an edge, unless it would close a cycle; whether it was added."""
        place = self._place
        if place[parent] >= place[child]:
            after = self._between(child, self._children, place[child], place[parent])
            if parent in after:
                return False
            before = self._between(parent, self._parents, place[child], place[parent])
            moved = sorted(before, key=place.__getitem__) + sorted(after, key=place.__getitem__)
            for v, new in zip(moved, sorted(place[v] for v in moved), strict=True):
                place[v] = new
        self._children.setdefault(parent, []).append(child)
        self._parents.setdefault(child, []).append(parent)
        return True

    def _between(self, start: Var, steps: dict[Var, list[Var]], first: int, last: int) -> set[Var]:
        """Return what steps lead to from a variable, inside a part of the order."""
        found, waiting = {start}, [start]
        while waiting:
            for v in steps.get(waiting.pop(), ()):
                if first <= self._place[v] <= last and v not in found:
                    found.add(v)
                    waiting.append(v)
        return found

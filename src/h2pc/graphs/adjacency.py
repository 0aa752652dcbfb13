"""What is joined to every variable, in memory that grows with the edges."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator

from h2pc.graphs.checked_names import Edge
from h2pc.variables import Var, Vars


def adjacency(n_variables: int, edges: Iterable[Edge]) -> tuple[Vars, ...]:
    """For every variable, the second ends of its edges, sorted and each once."""
    seconds: dict[Var, list[Var]] = {}
    for u, v in edges:
        seconds.setdefault(u, []).append(v)
    every = range(n_variables)
    return tuple([tuple(sorted(set(seconds[v]))) if v in seconds else () for v in every])


def holds(ordered: Vars, v: Var) -> bool:
    """Whether ``v`` is among sorted variables."""
    place = bisect_left(ordered, v)
    return place < len(ordered) and ordered[place] == v


def reached(start: Iterable[Var], steps: tuple[Vars, ...]) -> set[Var]:
    """Variables that some number of steps leads to, those of the start among them."""
    found = set(start)
    waiting = list(found)
    while waiting:
        for u in steps[waiting.pop()]:
            if u not in found:
                found.add(u)
                waiting.append(u)
    return found


def components(steps: tuple[Vars, ...]) -> Iterator[Vars]:
    """Classes of variables that lead to each other, each sorted, in the order of their first."""
    seen: set[Var] = set()
    for v, near in enumerate(steps):
        if not near:
            yield (v,)
        elif v not in seen:
            component = reached((v,), steps)
            seen |= component
            yield tuple(sorted(component))

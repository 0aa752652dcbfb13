"""Names and ends of edges, checked when a graph is made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from operator import index

from h2pc.errors import GraphError
from h2pc.variables import Var, Vars

End = str | int
"""One end of an edge, as a user gives it: a name or a number."""

Edge = tuple[int, int]
"""The two ends of an edge, as graphs keep it."""


def checked_names(names: Iterable[str]) -> tuple[str, ...]:
    """``names`` as a tuple of distinct strings."""
    if isinstance(names, str):
        raise GraphError(f"names must be a sequence of strings; got the string {names!r}.")
    names = tuple(names)
    if set(map(type, names)) <= {str} and len(set(names)) == len(names):  # as most are
        return names
    seen = set()
    for name in names:
        if not isinstance(name, str):
            raise GraphError(f"names must be strings; got {name!r} of type {type(name).__name__}.")
        if name in seen:
            raise GraphError(f"names must be distinct; {name!r} comes twice.")
        seen.add(name)
    return names


def numbered(
    names: tuple[str, ...], ends: Iterable[End], number: Mapping[str, Var] | None = None
) -> Vars:
    """Variables that ``ends``, names or numbers, stand for; ``number`` may have all numbers."""
    known = range(len(names))
    found = []
    for end in ends:
        if type(end) is int and end in known:  # as most are, and this is quick
            found.append(end)
            continue
        if not isinstance(end, str):
            found.append(_checked_number(names, end))
            continue
        if number is None:
            number = {name: v for v, name in enumerate(names)}
        if end in number:
            found.append(number[end])
        else:
            close = get_close_matches(end, names, n=1)
            hint = f"did you mean {close[0]!r}? The" if close else "the"
            raise GraphError(f"Unknown variable {end!r}; {hint} names are {listed(names)}.")
    return tuple(found)


def numbered_edges(names: tuple[str, ...], edges: Iterable[Sequence[End]]) -> list[Edge]:
    """``edges`` as pairs of numbers; each must join two different variables."""
    ends: list[End] = []
    for edge in edges:
        if isinstance(edge, str) or len(edge) != 2:
            raise GraphError(f"An edge is a pair of variables; got {edge!r}.")
        ends.extend(edge)
    numbers = numbered(names, ends)
    pairs = list(zip(numbers[::2], numbers[1::2], strict=True))
    for u, v in pairs:
        if u == v:
            raise GraphError(f"Self-loop: {names[u]!r} cannot be joined to itself.")
    return pairs


def both_ways(edges: Iterable[Edge]) -> Iterator[Edge]:
    """Every edge from either end."""
    return (arc for u, v in edges for arc in ((u, v), (v, u)))


def directed_and_undirected(
    names: tuple[str, ...], arcs: Iterable[Sequence[End]]
) -> tuple[list[Edge], list[Edge]]:
    """Directed edges, and undirected ones: those that are there both ways."""
    pairs = set(numbered_edges(names, arcs))
    undirected = sorted((u, v) for u, v in pairs if u < v and (v, u) in pairs)
    return sorted((u, v) for u, v in pairs if (v, u) not in pairs), undirected


def _checked_number(names: tuple[str, ...], v: int) -> Var:
    """``v`` as a plain integer that numbers one of ``names``."""
    try:
        number = index(v)
    except TypeError:
        raise GraphError(f"A variable is a name or a number; got {v!r}.") from None
    if not 0 <= number < len(names):
        raise GraphError(f"Unknown variable {number}; there are {len(names)}, counted from 0.")
    return number


def listed(names: Sequence[str], most: int = 10) -> str:
    """``names`` for an error message, the first few only."""
    shown = ", ".join(map(repr, names[:most]))
    return shown if len(names) <= most else f"{shown}, … ({len(names)} in all)"

"""Where everything is on the page: all variables; of large graphs an overview and its parts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from h2pc.graphs import Dag, Skeleton
from h2pc.graphs.checked_names import Edge
from h2pc.graphs.communities import communities
from h2pc.graphs.distances import boxes_apart
from h2pc.graphs.layers import Arc, Drawing, Point
from h2pc.graphs.layout import HEIGHT, VIEW, Layouts, box_width, layouts, shown, size, zoom
from h2pc.variables import Var, Vars

MOST_IN_ONE_DRAWING = 100
"""Joined variables up to which a page begins with all of them. By distances in a usual window, the
names of win95pts (76 variables) are 7.4 pixels high, those of 100 variables with 130 edges 6.5, of
munin1 (186) 3.5, and of andes (223) 4.4: smaller ones cannot be read."""

_LARGEST, _LEAST_LARGEST = 1.5, 20
"""Most variables of a community, in square roots of their number, but not fewer than this: then
neither the overview nor a community has more than some fifty boxes for a thousand variables."""
_SMALL = 4
"""Variables of a connected part up to which it is no community but put together with others."""
_BETWEEN_BOXES = 20.0
_HUB_LETTERS = 18
"""Of the variable that names a community; its size stands behind it."""

Record = dict[str, Any]


class _Part(NamedTuple):
    """A part of the graph that is drawn by itself; a hub is its variable with the most edges."""

    name: str
    hub: Var | None
    variables: Vars


def page_layouts(dag: Dag, missing: Sequence[Edge]) -> Record:
    """Return the drawings; missing edges follow the topological order of the learned graph."""
    edges = [*dag.edges, *missing]
    made, place = _drawn(dag, dag.variables, edges)
    return {
        "first": made.first,
        "drawings": {
            name: _record(drawing, place, dag.variables, edges)
            for name, drawing in made.drawings.items()
        },
    }


def page_overview(dag: Dag, missing: Sequence[Edge]) -> list[Record] | None:
    """Return the parts of a large graph, each with a place in the overview and a drawing."""
    edges = [*dag.edges, *missing]
    if len({v for edge in edges for v in edge}) <= MOST_IN_ONE_DRAWING:
        return None
    parts = _parts(dag, edges)
    part_of = {v: i for i, part in enumerate(parts) for v in part.variables}
    between = {(min(pair), max(pair)) for pair in ((part_of[u], part_of[v]) for u, v in edges)}
    texts = [f"{part.name} ({len(part.variables):,})" for part in parts]
    lines = sorted((one, two) for one, two in between if one != two)
    *_, by_distances = layouts(texts, lines).drawings.values()
    places = _pixels(_compact(texts, by_distances))
    return [
        {
            "text": text,
            "width": box_width(text),
            "hub": part.hub,
            "variables": part.variables,
            "place": place,
            **_part_drawing(dag, part.variables, edges),
        }
        for text, part, place in zip(texts, parts, places, strict=True)
    ]


def _parts(dag: Dag, edges: Sequence[Edge]) -> list[_Part]:
    """Return communities, the largest first; then small connected parts, and single variables."""
    graph = Skeleton(dag.names, edges)
    connected = graph.connected_components()
    small = [some for some in connected if 1 < len(some) <= _SMALL]
    single = [some for some in connected if len(some) == 1]
    large = sorted(v for some in connected if len(some) > _SMALL for v in some)
    number = {v: i for i, v in enumerate(large)}
    inside = [(number[u], number[v]) for u, v in graph.edges if u in number]
    most = max(_LEAST_LARGEST, int(_LARGEST * sqrt(len(large))))
    parts = []
    for found in communities(len(large), inside, most):
        variables = tuple(large[i] for i in found)
        hub = max(variables, key=graph.degree)
        parts.append(_Part(shown(dag.names[hub], _HUB_LETTERS), hub, variables))
    for name, some in ((f"{len(small)} small parts", small), ("without edges", single)):
        if some:
            parts.append(_Part(name, None, tuple(sorted(v for part in some for v in part))))
    return parts


def _compact(names: Sequence[str], drawing: Drawing) -> list[Point]:
    """Return the places in a usual window if boxes are small enough: names are to be read."""
    widths = [box_width(name) for name in names]
    points = np.array(drawing.places)
    room = np.array(VIEW) - np.array([max(widths), HEIGHT])
    points = points * np.minimum(1.0, room / np.maximum(np.ptp(points, axis=0), 1.0))
    sizes = np.array([(width, HEIGHT) for width in widths])
    return [(float(x), float(y)) for x, y in boxes_apart(points, sizes, _BETWEEN_BOXES)]


def _part_drawing(dag: Dag, variables: Vars, edges: Sequence[Edge]) -> Record:
    """Return the drawing of a part in which names are largest, and the numbers of its edges."""
    some = frozenset(variables)
    inside = [e for e, (u, v) in enumerate(edges) if u in some and v in some]
    mine = [edges[e] for e in inside]
    made, place = _drawn(dag, variables, mine)
    widths = [box_width(dag.names[v]) for v in place]
    drawing = max(made.drawings.values(), key=lambda one: min(zoom(size(one, widths)), 1.0))
    return {"edges": inside, **_record(drawing, place, variables, mine)}


def _drawn(
    dag: Dag, variables: Iterable[Var], edges: Iterable[Edge]
) -> tuple[Layouts, dict[Var, int]]:
    """Return drawings of some variables in topological order, and the position of each in that."""
    some = frozenset(variables)
    order = [v for v in dag.topological_order if v in some]
    place = {v: i for i, v in enumerate(order)}
    arcs = _arcs(edges, place)
    names = [dag.names[v] for v in order]
    return layouts(names, [(min(arc), max(arc)) for arc in arcs]), place


def _arcs(edges: Iterable[Edge], place: Mapping[Var, int]) -> list[Arc]:
    """Return the edges between positions."""
    return [(place[u], place[v]) for u, v in edges]


def _record(
    drawing: Drawing, place: Mapping[Var, int], variables: Iterable[Var], edges: Iterable[Edge]
) -> Record:
    """Return the places of variables, and the bends of edges from their tails to their heads."""
    arcs = _arcs(edges, place)
    return {
        "places": _pixels(drawing.places[place[v]] for v in variables),
        "bends": [
            _pixels(way if u < v else way[::-1])
            for way, (u, v) in zip(drawing.bends, arcs, strict=True)
        ],
    }


def _pixels(points: Iterable[Point]) -> list[tuple[int, int]]:
    """Return the nearest whole pixels."""
    return [(round(x), round(y)) for x, y in points]

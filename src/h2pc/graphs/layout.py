"""Where everything is in a drawing: each part of the graph by itself, then all side by side."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple
from unicodedata import east_asian_width

from h2pc.graphs.distances import drawn_by_distances
from h2pc.graphs.layers import Arc, Drawing, Point, drawn_in_layers
from h2pc.graphs.skeleton import Skeleton

HEIGHT = 30.0
"""Of a variable, in pixels; widths are those of the names."""
_LETTER, _PADDING, _LONGEST = 7.1, 18.0, 26
_PART_GAP, _SINGLE_GAP = 46.0, 12.0
_ASPECT = 1.7
"""Width to height of a drawing made of many parts."""
MOST_BY_DISTANCES = 2500
"""Variables in a part up to which distances are worked out: the time grows as their square."""
VIEW, _READABLE = (960.0, 620.0), 0.45
"""A usual window, and the zoom from which on names can be read."""

Drawer = Callable[[Sequence[int], Sequence[float], Sequence[Arc]], Drawing]
"""Draws a part: its variables, their widths, and its arcs, which number the part from zero on."""


class Layouts(NamedTuple):
    """The drawings to choose from, and the one to begin with."""

    drawings: dict[str, Drawing]
    first: str


def shown(name: str, longest: int = _LONGEST) -> str:
    """Return the name as it is written into its box: long ones are cut."""
    return name if len(name) <= longest else f"{name[: longest - 1]}…"


def box_width(name: str) -> float:
    """Return the width of a box around a name."""
    letters = sum(1.8 if east_asian_width(c) in "WF" else 1.0 for c in shown(name))
    return round(max(_LETTER * letters, 14.0) + _PADDING)


def edge_path(tail: str, head: str, way: Sequence[Point]) -> list[Point]:
    """Return the way between the middles of two boxes from border to border, corners rounded."""
    path = [_border(tail, way[0], way[1]), *way[1:-1], _border(head, way[-1], way[-2])]
    return _rounded(_rounded(path))


def layouts(names: Sequence[str], arcs: Sequence[Arc]) -> Layouts:
    """Return drawings of a graph, in layers and by distances.

    Names are numbered so that arcs lead from smaller to larger numbers. Layers come first, unless
    nothing could be read there and the other drawing is smaller.
    """
    widths = [box_width(name) for name in names]
    parts = Skeleton([str(v) for v in range(len(names))], arcs).connected_components()
    in_layers = _drawing(widths, arcs, parts, lambda _, *part: drawn_in_layers(*part))
    drawings = {"layers": in_layers}
    first = "layers"
    if max(map(len, parts), default=0) <= MOST_BY_DISTANCES:

        def by_distances(
            part: Sequence[int], widths: Sequence[float], arcs: Sequence[Arc]
        ) -> Drawing:
            start = [in_layers.places[v] for v in part]
            return Drawing(drawn_by_distances(widths, arcs, start), ((),) * len(arcs))

        drawings["distances"] = _drawing(widths, arcs, parts, by_distances)
        zooms = {name: zoom(size(drawing, widths)) for name, drawing in drawings.items()}
        if zooms["layers"] < min(_READABLE, zooms["distances"]):
            first = "distances"
    return Layouts(drawings, first)


def size(drawing: Drawing, widths: Sequence[float]) -> Point:
    """Return the width and height of a drawing, from corner to corner."""
    if not drawing.places:
        return 0.0, 0.0
    left, right = _sides(drawing, widths)
    height = max(y for _, y in drawing.places) - min(y for _, y in drawing.places)
    return right - left, height + HEIGHT


def _sides(drawing: Drawing, widths: Sequence[float]) -> tuple[float, float]:
    """Return the leftmost and the rightmost point of a drawing."""
    reach = [x for way in drawing.bends for x, _ in way]
    for (x, _), width in zip(drawing.places, widths, strict=True):
        reach += [x - width / 2, x + width / 2]
    return min(reach), max(reach)


def zoom(box: Point) -> float:
    """Return the zoom at which a box fills a usual window."""
    return min(side / max(length, 1.0) for side, length in zip(VIEW, box, strict=True))


def _drawing(
    widths: Sequence[float],
    arcs: Sequence[Arc],
    parts: Iterable[Sequence[int]],
    drawer: Drawer,
) -> Drawing:
    """Return a drawing of all parts, single variables in a block below the others."""
    places: list[Point] = [(0.0, 0.0)] * len(widths)
    bends: list[tuple[Point, ...]] = [()] * len(arcs)
    inside = {v: i for i, part in enumerate(parts) for v in part}
    arcs_of: dict[int, list[int]] = {}
    for a, (tail, _) in enumerate(arcs):
        arcs_of.setdefault(inside[tail], []).append(a)
    drawn = []
    for i, part in enumerate(parts):
        number = {v: k for k, v in enumerate(part)}
        mine = arcs_of.get(i, [])
        kept = [(number[arcs[a][0]], number[arcs[a][1]]) for a in mine]
        some = [widths[v] for v in part]
        drawing = drawer(part, some, kept)
        drawn.append((part, mine, drawing, size(drawing, some)))
    # Flat parts go below with the single variables, so they come last.
    drawn.sort(key=lambda entry: (entry[3][1] <= HEIGHT, -len(entry[0]), entry[0][0]))
    corners = _corners([box for *_, box in drawn])
    for (part, mine, drawing, _), (left, top) in zip(drawn, corners, strict=True):
        dx = left - _sides(drawing, [widths[v] for v in part])[0]
        dy = top - min(y for _, y in drawing.places)
        for v, (x, y) in zip(part, drawing.places, strict=True):
            places[v] = (x + dx, y + dy)
        for a, way in zip(mine, drawing.bends, strict=True):
            bends[a] = tuple((x + dx, y + dy) for x, y in way)
    return Drawing(tuple(places), tuple(bends))


def _corners(boxes: Sequence[Point]) -> list[Point]:
    """Return the corners of boxes, each as high as there is room; flat ones, the last, below."""
    area = sum((w + _PART_GAP) * (h + _PART_GAP) for w, h in boxes)
    widest = max([math.sqrt(_ASPECT * area), *(w for w, _ in boxes)])
    corners = packed([box for box in boxes if box[1] > HEIGHT], widest, _PART_GAP)
    below = zip(boxes, corners, strict=False)
    x, y = 0.0, max((y + h + _PART_GAP for (_, h), (_, y) in below), default=0.0)
    for w, _ in boxes[len(corners) :]:
        if x and x + w > widest:
            x, y = 0.0, y + HEIGHT + _SINGLE_GAP
        corners.append((x, y))
        x += w + _SINGLE_GAP
    return corners


def packed(boxes: Sequence[Point], widest: float, gap: float) -> list[Point]:
    """Return the corners of boxes, each as high as there is room, then as far to the left."""
    corners = []
    floors = [(0.0, 0.0)]  # from which x on, how far down it is taken
    for w, h in boxes:
        y, x = min(
            (max(_taken(floors, x, x + w)), x) for x, _ in floors if x == 0.0 or x + w <= widest
        )
        corners.append((x, y))
        right = x + w + gap
        after = [below for start, below in floors if start <= right][-1]
        floors = sorted(
            [
                *((start, below) for start, below in floors if start < x or start > right),
                (x, y + h + gap),
                (right, after),
            ]
        )
    return corners


def _taken(floors: list[Point], left: float, right: float) -> list[float]:
    """Return how far down each piece between two x is taken."""
    pieces = pairwise((*floors, (math.inf, 0.0)))
    return [below for (start, below), (end, _) in pieces if start < right and end > left]


def _rounded(way: list[Point]) -> list[Point]:
    """Return the way with every corner cut (Chaikin 1974); its ends stay."""
    cut = [
        (x + share * (x_after - x), y + share * (y_after - y))
        for (x, y), (x_after, y_after) in pairwise(way)
        for share in (0.25, 0.75)
    ]
    return [way[0], *cut[1:-1], way[-1]]


def _border(name: str, middle: Point, towards: Point) -> Point:
    """Return where a line from the middle of a box leaves it."""
    dx, dy = towards[0] - middle[0], towards[1] - middle[1]
    share = min(
        box_width(name) / 2 / abs(dx) if dx else math.inf,
        HEIGHT / 2 / abs(dy) if dy else math.inf,
        1.0,
    )
    return middle[0] + share * dx, middle[1] + share * dy

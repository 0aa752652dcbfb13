"""What a picture of the graph around labels shows, and where: boxes with names, and edges."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Literal, NamedTuple

import numpy as np

from h2pc.errors import SettingError
from h2pc.graphs import Skeleton
from h2pc.graphs.distances import Points
from h2pc.graphs.layers import Arc, Point, drawn_in_layers
from h2pc.graphs.layout import MOST_BY_DISTANCES, packed
from h2pc.graphs.straight_lines import joined_boxes, passed_boxes
from h2pc.report.box_names import abbreviated, natural_order, text_width

ShownFeatures = Literal["auto", "all", "joining"]

LABEL_POINTS, FEATURE_POINTS, BADGE_POINTS = 8.0, 6.5, 6.0
"""Sizes of the names, and of the numbers of features that are not drawn."""
_MOST_SHOWN = 64
"""Number of variables up to which all features are drawn."""
_LONGEST_LABEL, _LONGEST_FEATURE = 24, 20
"""Letters of a name."""
# Inches, as everything below: heights of boxes, and room beside a name on both sides.
_LABEL_HEIGHT, _FEATURE_HEIGHT = 0.205, 0.155
_LABEL_PADDING, _FEATURE_PADDING, _BADGE_PADDING = 0.16, 0.10, 0.09
_LENGTH, _ROOM = 0.30, 0.13
"""Of an edge from border to border, about; the least between two boxes, for an arrowhead."""
_PART_GAP, _SINGLE_GAP = 0.28, 0.08
_MOST_PAIRS = 3
"""Number of parts of two boxes up to which they are packed among the others."""
_ASPECT = 1.3
"""Width to height of a drawing that does not fit on a page."""
_BENDS = (0.0, 0.1, -0.1, 0.2, -0.2, 0.3, -0.3, 0.42, -0.42)
"""How far an edge may bend around boxes, in parts of its length."""
_ALONG = np.linspace(0.0, 1.0, 33)


class LabelGraph(NamedTuple):
    """The graph around the labels of a data set: the edges to labels and to their children."""

    title: str
    labels: tuple[str, ...]
    edges: tuple[tuple[str, str], ...]
    """Names of parents and children; those that are not labels are features."""
    undirected: tuple[tuple[str, str], ...] = ()
    """Edges among them that are drawn as lines, since their direction is not identifiable."""

    @property
    def features(self) -> tuple[str, ...]:
        """The variables that are not labels, sorted."""
        named = {name for edge in (*self.edges, *self.undirected) for name in edge}
        return tuple(sorted(named.difference(self.labels)))

    @property
    def directed_edges(self) -> tuple[tuple[str, str], ...]:
        """The edges from parents to children, sorted."""
        lines = frozenset(map(frozenset, self.undirected))
        return tuple(sorted({edge for edge in self.edges if frozenset(edge) not in lines}))

    @property
    def undirected_edges(self) -> tuple[tuple[str, str], ...]:
        """The edges without a direction, their ends sorted, sorted."""
        return tuple(sorted({(min(edge), max(edge)) for edge in self.undirected}))

    @property
    def joining(self) -> tuple[str, ...]:
        """The features that are children of several labels, and so join them; sorted."""
        own = frozenset(self.labels)
        number = Counter(
            child for parent, child in self.directed_edges if parent in own and child not in own
        )
        return tuple(sorted(name for name, count in number.items() if count > 1))

    @property
    def powersets(self) -> tuple[tuple[str, ...], ...]:
        """The minimal label powersets (Theorem 8), larger ones first, then by their names.

        The direction of an edge that is not identifiable does not matter: labels with a common
        child are adjacent, or their edges to it have directions.
        """
        own = frozenset(self.labels)
        joined = [edge for edge in (*self.edges, *self.undirected) if own.issuperset(edge)]
        for feature in self.joining:
            parents = [u for u, v in self.directed_edges if v == feature and u in own]
            joined += pairwise(parents)
        found = _components(sorted(own), joined)
        return tuple(sorted(found, key=lambda powerset: (-len(powerset), powerset)))


class Box(NamedTuple):
    """Where a variable is drawn; y grows upwards."""

    x: float
    y: float
    width: float
    height: float
    text: str
    hidden: int = 0
    """Number of features around a label that are not drawn."""
    rounding: float = 0.0
    """Radius of the corners."""
    badge_width: float = 0.0
    """Of the part at the right that tells the number of hidden features."""


class Curve(NamedTuple):
    """An edge from border to border, as a quadratic Bézier curve."""

    tail: str
    head: str
    points: tuple[Point, Point, Point]
    arrow: bool


class LabelDrawing(NamedTuple):
    """The boxes by the names of the variables, the edges, and the size, in inches."""

    boxes: Mapping[str, Box]
    curves: tuple[Curve, ...]
    width: float
    height: float


class _Part(NamedTuple):
    """A connected part of a drawing; its lower left corner is (0, 0)."""

    boxes: Mapping[str, Box]
    curves: Sequence[Curve]
    size: Point

    def moved(self, dx: float, dy: float) -> _Part:
        """Return the part at another place."""
        boxes = {name: b._replace(x=b.x + dx, y=b.y + dy) for name, b in self.boxes.items()}
        return self._replace(boxes=boxes, curves=[_moved(curve, dx, dy) for curve in self.curves])


def label_graph_layout(
    graph: LabelGraph, features: ShownFeatures = "auto", width: float = 7.0
) -> LabelDrawing:
    """Return what is drawn, each part of the graph by itself, single labels in rows below."""
    drawn = shown_features(graph, features)
    boxes = _boxes(graph, drawn)
    arrows = [edge for edge in graph.directed_edges if boxes.keys() >= set(edge)]
    lines = [edge for edge in graph.undirected_edges if boxes.keys() >= set(edge)]
    parts = _components(sorted(boxes), [*arrows, *lines])
    placed: list[_Part] = []
    for part in parts:
        if len(part) > 1:
            own = frozenset(part)
            some = {name: boxes[name] for name in part}
            mine = [edge for edge in arrows if own.issuperset(edge)]
            plain = [edge for edge in lines if own.issuperset(edge)]
            placed.append(_placed(some, mine, plain, width))
    placed.sort(key=lambda part: (-len(part.boxes), natural_order(min(part.boxes))))
    singles = sorted((part[0] for part in parts if len(part) == 1), key=natural_order)
    single = [_alone(name, boxes[name]) for name in singles]
    pairs = [part for part in placed if len(part.boxes) == 2]
    if len(pairs) > _MOST_PAIRS:
        return _page(placed[: -len(pairs)], [pairs, single], width)
    return _page(placed, [single], width)


def shown_features(graph: LabelGraph, features: ShownFeatures) -> tuple[str, ...]:
    """Return the features that are drawn, sorted."""
    if features not in ("auto", "all", "joining"):
        raise SettingError(f"features must be 'auto', 'all' or 'joining'; got {features!r}.")
    few = len(graph.labels) + len(graph.features) <= _MOST_SHOWN
    return graph.features if features == "all" or (few and features == "auto") else graph.joining


def _components(names: Sequence[str], joined: Iterable[tuple[str, str]]) -> list[tuple[str, ...]]:
    """Return the connected components of a graph."""
    pairs = {(min(edge), max(edge)) for edge in joined}
    found = Skeleton(names, sorted(pairs)).connected_components()
    return [tuple(names[v] for v in part) for part in found]


def _boxes(graph: LabelGraph, drawn: Sequence[str]) -> dict[str, Box]:
    """Return boxes that names fit into, nowhere yet."""
    hidden = _hidden(graph, drawn)
    boxes = {}
    for name, text in abbreviated(sorted(graph.labels), _LONGEST_LABEL).items():
        badge = text_width(f"+{hidden[name]}", BADGE_POINTS) + _BADGE_PADDING
        badge *= hidden[name] > 0
        width = max(text_width(text, LABEL_POINTS) + _LABEL_PADDING, 0.3) + badge
        round_ends = _LABEL_HEIGHT / 2
        boxes[name] = Box(0, 0, width, _LABEL_HEIGHT, text, hidden[name], round_ends, badge)
    for name, text in abbreviated(drawn, _LONGEST_FEATURE).items():
        width = max(text_width(text, FEATURE_POINTS) + _FEATURE_PADDING, 0.2)
        boxes[name] = Box(0, 0, width, _FEATURE_HEIGHT, text)
    return boxes


def _hidden(graph: LabelGraph, drawn: Sequence[str]) -> Counter[str]:
    """Return how many features of the Markov boundaries of labels are not drawn."""
    left_out = set(graph.features).difference(drawn)
    near: dict[str, set[str]] = {name: set() for name in (*graph.labels, *graph.features)}
    parents: dict[str, set[str]] = {name: set() for name in near}
    for u, v in (*graph.directed_edges, *graph.undirected_edges):
        near[u].add(v)
        near[v].add(u)
    for u, v in graph.directed_edges:
        parents[v].add(u)
    for u, v in graph.directed_edges:
        near[u] |= parents[v]
    return Counter({name: len(near[name] & left_out) for name in graph.labels})


def _placed(
    boxes: dict[str, Box],
    arrows: Sequence[tuple[str, str]],
    lines: Sequence[tuple[str, str]],
    widest: float,
) -> _Part:
    """Return a connected part of the drawing."""
    names = list(boxes)
    number = {name: v for v, name in enumerate(names)}
    arcs = [(number[u], number[v]) for u, v in (*arrows, *lines)]
    sizes = [(box.width, box.height) for box in boxes.values()]
    points = _points(sizes, arcs, widest)
    half = np.array(sizes) / 2
    ways = [_way(points, half, arc) for arc in arcs]
    reach = np.concatenate([points - half, points + half, *(way.reshape(-1, 2) for way in ways)])
    low = reach.min(axis=0)
    width, height = (float(side) for side in reach.max(axis=0) - low)
    placed = {
        name: box._replace(x=float(x), y=float(y))
        for (name, box), (x, y) in zip(boxes.items(), points - low, strict=True)
    }
    curves = []
    for i, ((tail, head), way) in enumerate(zip((*arrows, *lines), ways, strict=True)):
        clipped = _clipped(placed[tail], placed[head], way - low)
        curves.append(Curve(tail, head, clipped, i < len(arrows)))
    return _Part(placed, curves, (width, height))


def _points(sizes: Sequence[Point], arcs: Sequence[Arc], widest: float) -> Points:
    """Return the middles of the boxes of a connected part."""
    if len(sizes) == 2:
        # Side by side, the higher one at the left: a label before its feature.
        x = (sizes[0][0] + sizes[1][0]) / 2 + _LENGTH
        first_left = sizes[0][1] > sizes[1][1] or (sizes[0][1] == sizes[1][1] and arcs[0][0] == 0)
        return np.array([(0.0, 0.0), (x, 0.0)])[:: 1 if first_left else -1]
    if len(sizes) <= MOST_BY_DISTANCES:
        return joined_boxes(sizes, arcs, _LENGTH, _ROOM, widest)
    # The time of distances grows as their square: in layers, whose lengths are in pixels.
    pixels = 30 / _LABEL_HEIGHT
    ordered = sorted({(min(arc), max(arc)) for arc in arcs})
    made = drawn_in_layers([width * pixels for width, _ in sizes], ordered)
    return np.array(made.places) * (1, -1) / pixels


def _way(points: Points, half: Points, arc: Arc) -> Points:
    """Return start, control point and end of an edge between middles that passes few boxes."""
    start, end = points[arc[0]], points[arc[1]]
    across = np.array([start[1] - end[1], end[0] - start[0]])
    found: tuple[int, Points] | None = None
    for bend in _BENDS:
        way = np.array([start, (start + end) / 2 + bend * across, end])
        curve = _on_curve(way)
        passed = passed_boxes(points, half + 0.03, curve[:-1], curve[1:])
        passed[:, list(arc)] = False
        number = int(np.count_nonzero(passed.any(axis=0)))
        if found is None or number < found[0]:
            found = number, way
        if not found[0]:
            break
    assert found is not None
    return found[1]


def _on_curve(way: Points) -> Points:
    """Return points along a quadratic Bézier curve."""
    t = _ALONG[:, None]
    curve: Points = (1 - t) ** 2 * way[0] + 2 * t * (1 - t) * way[1] + t**2 * way[2]
    return curve


def _clipped(tail: Box, head: Box, way: Points) -> tuple[Point, Point, Point]:
    """Return the curve from border to border."""
    first, last = _leaves(tail, way), 1 - _leaves(head, way[::-1])
    # The part of a Bézier curve between two parameters, by its blossom.
    ends = [(first, first), (first, last), (last, last)]
    cut = [
        (1 - s) * (1 - t) * way[0] + (s * (1 - t) + t * (1 - s)) * way[1] + s * t * way[2]
        for s, t in ends
    ]
    return (*((float(x), float(y)) for x, y in cut),)  # type: ignore[return-value]


def _leaves(box: Box, way: Points) -> float:
    """Return the parameter at which a curve from the middle of a box leaves it, by bisection."""
    inside, outside = 0.0, 0.5
    for _ in range(40):
        t = (inside + outside) / 2
        x, y = (1 - t) ** 2 * way[0] + 2 * t * (1 - t) * way[1] + t**2 * way[2]
        if border_distance(box, (x, y)) < 0:
            inside = t
        else:
            outside = t
    return outside


def border_distance(box: Box, point: Point) -> float:
    """Return how far a point is from the border of a box with round corners; negative inside."""
    dx = abs(point[0] - box.x) - (box.width / 2 - box.rounding)
    dy = abs(point[1] - box.y) - (box.height / 2 - box.rounding)
    return math.hypot(max(dx, 0.0), max(dy, 0.0)) + min(max(dx, dy), 0.0) - box.rounding


def _alone(name: str, box: Box) -> _Part:
    """Return a part of one box."""
    size = (box.width, box.height)
    return _Part({name: box._replace(x=box.width / 2, y=box.height / 2)}, (), size)


def _page(parts: Sequence[_Part], blocks: Sequence[Sequence[_Part]], width: float) -> LabelDrawing:
    """Return parts packed on a page, or on a larger one, and below them blocks in columns."""
    sizes = [part.size for part in parts]
    everything = [*sizes, *(part.size for block in blocks for part in block)]
    area = sum((w + _PART_GAP) * (h + _PART_GAP) for w, h in everything)
    fits = area < width * width
    page = width if fits else max(width, math.sqrt(_ASPECT * area))
    widest = max([page, *(w for w, _ in sizes)])
    # The whole is made from the top down, where y is negative.
    corners = packed(sizes, widest, _PART_GAP)
    placed = [
        part.moved(left, -top - part.size[1])
        for part, (left, top) in zip(parts, corners, strict=True)
    ]
    bottom = max((top + h for (_, h), (_, top) in zip(sizes, corners, strict=True)), default=0.0)
    for block in blocks:
        gap = _SINGLE_GAP if block and len(block[0].boxes) == 1 else _PART_GAP
        columns = _columns([part.size[0] for part in block], widest, gap)
        for i, part in enumerate(block):
            row, column = divmod(i, len(columns))
            if not column:
                bottom += (_SINGLE_GAP if row else _PART_GAP * bool(placed)) + _LABEL_HEIGHT
            height = part.size[1]
            placed.append(part.moved(columns[column], (_LABEL_HEIGHT - height) / 2 - bottom))
    boxes = {name: box for part in placed for name, box in part.moved(0.0, bottom).boxes.items()}
    curves = [curve for part in placed for curve in part.moved(0.0, bottom).curves]
    right = max((box.x + box.width / 2 for box in boxes.values()), default=0.0)
    bends = [x for curve in curves for x, _ in curve.points]
    return LabelDrawing(boxes, tuple(curves), max([right, *bends]), bottom)


def _columns(widths: Sequence[float], widest: float, gap: float) -> list[float]:
    """Return the left sides of as many columns of parts as there is room for."""
    for number in range(len(widths), 0, -1):
        columns = [max(widths[j::number]) + gap for j in range(number)]
        if sum(columns) - gap <= widest or number == 1:
            return [0.0, *accumulate(columns[:-1])]
    return []


def _moved(curve: Curve, dx: float, dy: float) -> Curve:
    """Return an edge at another place."""
    start, control, end = ((x + dx, y + dy) for x, y in curve.points)
    return curve._replace(points=(start, control, end))

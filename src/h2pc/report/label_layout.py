"""What a picture of the graph around labels shows, and where: boxes with names, and edges."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np

from h2pc.errors import SettingError
from h2pc.graphs import Skeleton
from h2pc.graphs.distances import Points
from h2pc.graphs.layers import Arc, Point, drawn_in_layers
from h2pc.graphs.layout import MOST_BY_DISTANCES
from h2pc.graphs.straight_lines import joined_boxes, passed_boxes
from h2pc.report.box_names import abbreviated, common_beginning, natural_order, text_width
from h2pc.report.label_parts import (
    PAGE,
    SMALL,
    USUAL,
    Box,
    Curve,
    LabelDrawing,
    Part,
    Sizes,
    alone,
    joined_parts,
    page_width,
)

ShownFeatures = Literal["auto", "all", "joining"]

_MOST_SHOWN = 64
"""Number of variables up to which all features are drawn."""
_MOST_USUAL = 100
"""Number of boxes up to which they have the usual size; more are small, and fill a page."""
_LONGEST_LABEL, _LONGEST_FEATURE = 24, 20
"""Letters of a name."""
_MOST_PAIRS = 3
"""Number of parts of two boxes up to which they are packed among the others."""
_LOOSE, _DENSE = 0.3, 0.6
"""The part of a space that small boxes and the room between them take, and the most of a page."""
_WIDE = 1.7
"""Width to height of a part that has more room than it needs."""
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


def label_graph_layout(
    graph: LabelGraph, features: ShownFeatures = "auto", width: float = 7.0
) -> LabelDrawing:
    """Return what is drawn, each part of the graph by itself, single labels in rows below."""
    drawn = shown_features(graph, features)
    is_small = len(graph.labels) + len(drawn) > _MOST_USUAL
    sizes = SMALL if is_small else USUAL
    left_out = common_beginning(graph.labels) if is_small else ""
    boxes = _boxes(graph, drawn, sizes, left_out)
    arrows = [edge for edge in graph.directed_edges if boxes.keys() >= set(edge)]
    lines = [edge for edge in graph.undirected_edges if boxes.keys() >= set(edge)]

    def placed(part: Sequence[str], page: Point | None = None) -> Part:
        own = frozenset(part)
        mine, plain = ([e for e in edges if own.issuperset(e)] for edges in (arrows, lines))
        return _placed({name: boxes[name] for name in part}, mine, plain, sizes, width, page)

    found = _components(sorted(boxes), [*arrows, *lines])
    singles = sorted((part[0] for part in found if len(part) == 1), key=natural_order)
    blocks = [[alone(name, boxes[name]) for name in singles]]
    several = [part for part in found if len(part) > 1]
    several.sort(key=lambda part: (-len(part), natural_order(min(part))))
    n_pairs = sum(len(part) == 2 for part in several)
    if n_pairs > _MOST_PAIRS:
        blocks.insert(0, [placed(part) for part in several[-n_pairs:]])
        del several[-n_pairs:]
    if is_small and several:
        spaces = [_space([boxes[name] for name in part], sizes, width) for part in several]
        parts = [placed(*each) for each in zip(several[1:], spaces[1:], strict=True)]
        below = joined_parts(parts, blocks, width, sizes).height + sizes.part_gap
        first = _on_page(spaces[0], max(PAGE * width - below, width / 2), width)
        parts.insert(0, placed(several[0], first))
    else:
        parts = [placed(part) for part in several]
        everything = [part.size for part in (*parts, *(one for block in blocks for one in block))]
        width = page_width(everything, width, sizes.part_gap)
    return joined_parts(parts, blocks, width, sizes)._replace(left_out=left_out)


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


def _space(boxes: Sequence[Box], sizes: Sizes, width: float) -> Point:
    """Return the width and height of a space, at most as wide as a page, for boxes and edges."""
    area = sum((box.width + sizes.room) * (box.height + sizes.room) for box in boxes) / _LOOSE
    wide = min(width, max(math.sqrt(_WIDE * area), *(box.width for box in boxes)))
    return wide, area / wide


def _on_page(space: Point, high: float, width: float) -> Point:
    """Return a space that is no higher than a page, filled more where it has to be."""
    if space[1] <= high:
        return space
    dense = space[0] * space[1] * _LOOSE / _DENSE
    larger = max(1.0, math.sqrt(dense / (width * high)))
    return width * larger, high * larger


def _boxes(graph: LabelGraph, drawn: Sequence[str], sizes: Sizes, left_out: str) -> dict[str, Box]:
    """Return boxes that names fit into, nowhere yet."""
    hidden = _hidden(graph, drawn)
    boxes = {}
    short = {name.removeprefix(left_out): name for name in sorted(graph.labels)}
    for key, text in abbreviated(short, _LONGEST_LABEL).items():
        name, high = short[key], sizes.label_height
        badge = text_width(f"+{hidden[name]}", sizes.badge) + sizes.badge_padding
        badge *= hidden[name] > 0
        width = max(text_width(text, sizes.label) + sizes.label_padding, sizes.least) + badge
        boxes[name] = Box(0, 0, width, high, text, hidden[name], high / 2, badge)
    for name, text in abbreviated(drawn, _LONGEST_FEATURE).items():
        width = max(text_width(text, sizes.feature) + sizes.feature_padding, 0.2)
        boxes[name] = Box(0, 0, width, sizes.feature_height, text)
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
    sizes: Sizes,
    widest: float,
    page: Point | None,
) -> Part:
    """Return a connected part of the drawing."""
    names = list(boxes)
    number = {name: v for v, name in enumerate(names)}
    arcs = [(number[u], number[v]) for u, v in (*arrows, *lines)]
    whole = [(box.width, box.height) for box in boxes.values()]
    points = _points(whole, arcs, sizes, widest, page)
    half = np.array(whole) / 2
    ways = [_way(points, half, arc, sizes.clear, page) for arc in arcs]
    reach = np.concatenate([points - half, points + half, *map(_on_curve, ways)])
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
    return Part(placed, curves, (width, height))


def _points(
    boxes: Sequence[Point], arcs: Sequence[Arc], sizes: Sizes, widest: float, page: Point | None
) -> Points:
    """Return the middles of the boxes of a connected part."""
    if len(boxes) == 2:
        # Side by side, the higher one at the left: a label before its feature.
        x = (boxes[0][0] + boxes[1][0]) / 2 + sizes.length
        first_left = boxes[0][1] > boxes[1][1] or (boxes[0][1] == boxes[1][1] and arcs[0][0] == 0)
        return np.array([(0.0, 0.0), (x, 0.0)])[:: 1 if first_left else -1]
    if len(boxes) <= MOST_BY_DISTANCES:
        return joined_boxes(boxes, arcs, sizes.length, sizes.room, widest, page)
    # The time of distances grows as their square: in layers, whose lengths are in pixels.
    pixels = 30 / sizes.label_height
    ordered = sorted({(min(arc), max(arc)) for arc in arcs})
    made = drawn_in_layers([width * pixels for width, _ in boxes], ordered)
    return np.array(made.places) * (1, -1) / pixels


def _way(points: Points, half: Points, arc: Arc, clear: float, page: Point | None) -> Points:
    """Return start, control point and end of an edge between middles that passes few boxes."""
    low, high = (points - half).min(axis=0), (points + half).max(axis=0)
    start, end = points[arc[0]], points[arc[1]]
    across = np.array([start[1] - end[1], end[0] - start[0]])
    found: tuple[int, Points] | None = None
    for bend in _BENDS:
        way = np.array([start, (start + end) / 2 + bend * across, end])
        curve = _on_curve(way)
        passed = passed_boxes(points, half + clear, curve[:-1], curve[1:])
        passed[:, list(arc)] = False
        number = int(np.count_nonzero(passed.any(axis=0)))
        if page is not None:  # which edges do not leave without need
            number += bool(((curve < low) | (curve > high)).any())
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
    inside, outside = 0.0, 1.0  # a wide box beside a small one is left after half of the curve
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

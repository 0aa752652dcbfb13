"""A drawing of boxes joined by straight lines: few lines cross, and few pass a box."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import shortest_path

from h2pc.graphs.distances import Points, boxes_apart, majorized
from h2pc.graphs.layers import Arc

Flags = NDArray[np.bool_]

_STRETCH = np.array([1.25, 1.0])
"""Boxes are wide: more room sideways."""
_STARTS, _MOVES = 1200, 8000
"""First guesses times nodes, and moves that are tried in all, at least those below per node."""
_MOST_STARTS, _MOST_MOVES, _LEAST_MOVES = 16, 120, 14
_CROSSING, _PASSING, _OVERLAP, _AREA, _TOO_WIDE = 1.0, 8.0, 16.0, 1.5, 6.0
"""What a crossing, a line behind a box and two boxes at one place cost; the area of the drawing in
that of its boxes; a length beyond the width of the page. Stress costs as it is."""
_CLEAR = 0.6
"""Room that lines keep from boxes, in parts of that between boxes."""
_LONGER, _AROUND_HUB, _LONGEST = 0.35, 0.07, 3.5
"""Lines are longer where many meet, at both ends or at one, by a part for each, up to a limit."""
_COMPACT = 0.85
"""Exponent of long distances: long paths may wind."""
_EVEN, _PUSHES, _GROWTH = 0.75, 400, 1.04
"""On a page: the part of ranks, beside lengths, in first places; how often boxes are pushed apart;
how much larger the page becomes where that does not suffice."""


class _Graph(NamedTuple):
    """The sizes of boxes, the lines between them, and how far apart they should be."""

    half: Points
    lines: NDArray[np.intp]
    far: Points
    room: float
    of_box: list[NDArray[np.intp]]
    """For every box, its lines."""
    meet: Flags
    """Which lines have a common end."""


def joined_boxes(
    sizes: Sequence[tuple[float, float]],
    lines: Sequence[Arc],
    length: float,
    room: float,
    widest: float,
    page: tuple[float, float] | None = None,
) -> Points:
    """Return the middles of the boxes of a connected graph, the same each time.

    The stress of distances is minimised from several first guesses (Gansner, Koren and North
    2004); of the best one, single boxes are moved while that makes lines easier to follow
    (Davidson and Harel 1996, *Drawing graphs nicely using simulated annealing*, without the heat).

    Parameters
    ----------
    sizes : sequence of pairs of float
        Widths and heights of the boxes.
    lines : sequence of pairs of int
        The boxes that are joined.
    length : float
        Of a line, from border to border, about.
    room : float
        The least room between two boxes.
    widest : float
        The width of a page, which a drawing should not exceed without need.
    page : pair of float, default=None
        Width and height of a page to be filled; it is exceeded only where boxes have no room on it.
    """
    n = len(sizes)
    half = np.array(sizes, np.float64).reshape(n, 2) / 2
    if n < 2:
        return np.zeros((n, 2))
    ends = np.array(lines, np.intp).reshape(-1, 2)
    degree = np.bincount(ends.ravel(), minlength=n)
    fewer, more = np.sort(degree[ends], axis=1).T
    many = 1 + _LONGER * (fewer - 1) + _AROUND_HUB * np.maximum(more - 5, 0)
    many = np.minimum(many, _LONGEST)
    long = length * many + half[ends].mean(axis=2).sum(axis=1)
    joined = coo_array((long, (ends[:, 0], ends[:, 1])), shape=(n, n)).tocsr()
    far = shortest_path(joined, directed=False)
    shortest = float(long.min())
    far = shortest * (far / shortest) ** _COMPACT
    of_box = [np.flatnonzero((ends == v).any(axis=1)) for v in range(n)]
    meet = (ends[:, None, :, None] == ends[None, :, None, :]).any(axis=(2, 3))
    graph = _Graph(half, ends, far, room, of_box, meet)

    best, least, chosen = np.zeros((n, 2)), np.inf, graph
    for seed in range(max(1, min(_MOST_STARTS, _STARTS // n))):
        rng = np.random.default_rng(seed)
        start = rng.random((n, 2)) * length * np.sqrt(n)
        points = majorized(start, graph.far.copy()) * _STRETCH
        if page is None:
            points = _without_overlap(graph, points)
            fitted = graph
        else:
            points = _on_page(graph, _spread(points, np.array(page)), np.array(page))
            fitted = _scaled_to(graph, points)
        cost = sum(sum(_cost(fitted, points, v)) for v in range(n))
        wide, high = np.ptp(points, axis=0) + length
        cost += _AREA * wide * high / float((4 * half.prod(axis=1)).sum())
        cost += _TOO_WIDE * max(0.0, wide - widest) / length
        if cost < least:
            best, least, chosen = points, cost, fitted
    if page is None:
        points = _without_overlap(graph, _improved(chosen, best))
    else:
        points = _on_page(graph, _improved(chosen, best, np.array(page)), np.array(page))
    rounded: Points = np.round(points - (points - half).min(axis=0), 4)
    return rounded


def passed_boxes(points: Points, half: Points, starts: Points, ends: Points) -> Flags:
    """Return which straight lines pass which boxes, a row for every line."""
    enter: Any = 0.0
    leave: Any = 1.0
    for k in (0, 1):
        way = (ends[:, k] - starts[:, k])[:, None]
        from_box = starts[:, k][:, None] - points[:, k][None]
        # A line along an axis is between two sides of a box always, or never.
        per_way = 1.0 / np.where(way == 0.0, 1e-12, way)
        middle, reach = -from_box * per_way, half[:, k][None] * np.abs(per_way)
        enter, leave = np.maximum(enter, middle - reach), np.minimum(leave, middle + reach)
    passed: Flags = enter < leave
    return passed


def _without_overlap(graph: _Graph, points: Points) -> Points:
    """Return points pushed apart, on a larger drawing where that does not suffice."""
    points = boxes_apart(points, 2 * graph.half, graph.room)
    while _overlaps(graph, points):
        points = boxes_apart(points * 1.05, 2 * graph.half, graph.room)
    return points


def _spread(points: Points, page: NDArray[np.float64]) -> Points:
    """Return points all over a page, more evenly than they were."""
    ranks = points.argsort(axis=0, kind="stable").argsort(axis=0, kind="stable")
    even = ranks / max(1, len(points) - 1)
    extent = np.maximum(np.ptp(points, axis=0), 1e-9)
    spread: Points = _EVEN * even + (1 - _EVEN) * (points - points.min(axis=0)) / extent
    return spread * page


def _on_page(graph: _Graph, points: Points, page: NDArray[np.float64]) -> Points:
    """Return points pushed apart within a page, from its corner on, or within a larger one."""
    # Of boxes that are as high as they are wide, as many go sideways as up and down.
    square = graph.half[:, 1].mean() / graph.half[:, 0].mean()
    while True:
        low, high = graph.half, page - graph.half
        for step in range(_PUSHES):
            points = np.clip(points, low, high)
            if not _overlaps(graph, points):
                return points
            # Those that block each other come free where both ways out take turns.
            lean = np.array([square * (1.0, 2.0, 0.5)[step % 3], 1.0])
            sizes = (2 * graph.half + graph.room) * lean
            points = boxes_apart(points * lean, sizes, 1e-3, pushes=2) / lean
        points, page = points * _GROWTH, page * _GROWTH


def _scaled_to(graph: _Graph, points: Points) -> _Graph:
    """Return the graph with distances as long, on average, as those of some points."""
    away = points[:, None] - points[None]
    wanted = graph.far + np.eye(len(points))
    share = np.hypot(away[..., 0], away[..., 1]) / wanted
    return graph._replace(far=graph.far * float((share * share).sum() / share.sum()))


def _overlaps(graph: _Graph, points: Points) -> bool:
    """Whether two boxes are nearer than four fifths of the room wanted."""
    away = np.abs(points[:, None] - points[None])
    hit = away < graph.half[:, None] + graph.half[None] + 0.8 * graph.room
    # Every box is at its own place.
    return bool(np.count_nonzero(hit[..., 0] & hit[..., 1]) > len(points))


def _improved(graph: _Graph, points: Points, page: NDArray[np.float64] | None = None) -> Points:
    """Return points of which each was moved a number of times, where that costs less.

    On a page, no point leaves it.
    """
    points = points.copy()
    n = len(points)
    rng = np.random.default_rng(0)
    rounds = max(_LEAST_MOVES, min(_MOST_MOVES, _MOVES // n))
    size = np.median(graph.far)
    neighbours: list[list[int]] = [[] for _ in range(n)]
    for u, v in graph.lines.tolist():
        neighbours[u].append(v)
        neighbours[v].append(u)
    for step in range(rounds):
        reach = size * (1.0 - step / rounds) + graph.room
        for v in range(n):
            before, (stress, unclear) = points[v].copy(), _cost(graph, points, v)
            if not unclear and step % 4:
                continue
            around = before if step % 3 else points[neighbours[v]].mean(axis=0)
            points[v] = around + rng.normal(size=2) * _STRETCH * reach * 0.6
            if page is not None:
                points[v] = np.clip(points[v], graph.half[v], page - graph.half[v])
            if sum(_cost(graph, points, v)) >= stress + unclear:
                points[v] = before
    return points


def _cost(graph: _Graph, points: Points, v: int) -> tuple[float, float]:
    """Return what the place of a box costs: its stress, and whatever makes lines unclear."""
    half, lines, far, room, of_box, meet = graph
    away = points - points[v]
    wanted = far[v].copy()
    wanted[v] = 1.0
    off = (np.hypot(away[:, 0], away[:, 1]) - wanted) / wanted
    off[v] = 0.0
    near = np.abs(away) - half - half[v] < room
    overlap = np.count_nonzero(near[:, 0] & near[:, 1]) - 1

    mine = of_box[v]
    starts, ends = points[lines[:, 0]], points[lines[:, 1]]
    wider = half + _CLEAR * room
    passing = passed_boxes(points, wider, starts[mine], ends[mine])
    rows = np.arange(len(mine))
    passing[rows, lines[mine, 0]] = passing[rows, lines[mine, 1]] = False
    behind = passed_boxes(points[v : v + 1], wider[v : v + 1], starts, ends)
    behind[mine] = False
    crossing = _crossing(starts[mine], ends[mine], starts, ends) & ~meet[mine]
    hidden = np.count_nonzero(passing) + np.count_nonzero(behind)
    unclear = _OVERLAP * overlap + _PASSING * hidden + _CROSSING * np.count_nonzero(crossing)
    return float((off * off).sum()), unclear


def _crossing(starts: Points, ends: Points, other_starts: Points, other_ends: Points) -> Flags:
    """Return which lines cross which others."""
    p, q = starts[:, None], ends[:, None]
    r, s = other_starts[None], other_ends[None]
    crossed: Flags = (_left(p, q, r) != _left(p, q, s)) & (_left(r, s, p) != _left(r, s, q))
    return crossed


def _left(start: Points, end: Points, point: Points) -> Flags:
    """Whether points are to the left of lines."""
    way, to = end - start, point - start
    left: Flags = way[..., 0] * to[..., 1] > way[..., 1] * to[..., 0]
    return left

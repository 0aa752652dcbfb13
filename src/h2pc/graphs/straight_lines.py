"""A drawing of boxes joined by straight lines: few lines cross, and few pass a box."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

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
_MOST_STARTS, _MOST_MOVES, _LEAST_MOVES = 16, 120, 16
_CROSSING, _PASSING, _OVERLAP, _AREA, _TOO_WIDE = 1.0, 8.0, 16.0, 1.5, 6.0
"""What a crossing, a line behind a box and two boxes at one place cost; the area of the drawing in
that of its boxes; a length beyond the width of the page. Stress costs as it is."""
_CLEAR = 0.6
"""Room that lines keep from boxes, in parts of that between boxes."""
_LONGER, _LONGEST = 0.35, 3.5
"""Lines are longer where many meet at both ends, by this part for each, up to a limit."""
_COMPACT = 0.85
"""Exponent of long distances: long paths may wind."""


class _Graph(NamedTuple):
    """The sizes of boxes, the lines between them, and how far apart they should be."""

    half: Points
    lines: NDArray[np.intp]
    far: Points
    room: float


def joined_boxes(
    sizes: Sequence[tuple[float, float]],
    lines: Sequence[Arc],
    length: float,
    room: float,
    widest: float,
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
    """
    n = len(sizes)
    half = np.array(sizes, np.float64).reshape(n, 2) / 2
    if n < 2:
        return np.zeros((n, 2))
    ends = np.array(lines, np.intp).reshape(-1, 2)
    degree = np.bincount(ends.ravel(), minlength=n)
    many = np.minimum(1 + _LONGER * (degree[ends].min(axis=1) - 1), _LONGEST)
    long = length * many + half[ends].mean(axis=2).sum(axis=1)
    joined = coo_array((long, (ends[:, 0], ends[:, 1])), shape=(n, n)).tocsr()
    far = shortest_path(joined, directed=False)
    shortest = float(long.min())
    graph = _Graph(half, ends, shortest * (far / shortest) ** _COMPACT, room)

    best, least = np.zeros((n, 2)), np.inf
    for seed in range(max(1, min(_MOST_STARTS, _STARTS // n))):
        rng = np.random.default_rng(seed)
        start = rng.random((n, 2)) * length * np.sqrt(n)
        points = _without_overlap(graph, majorized(start, graph.far.copy()) * _STRETCH)
        cost = sum(sum(_cost(graph, points, v)) for v in range(n))
        wide, high = np.ptp(points, axis=0) + length
        cost += _AREA * wide * high / float((4 * half.prod(axis=1)).sum())
        cost += _TOO_WIDE * max(0.0, wide - widest) / length
        if cost < least:
            best, least = points, cost
    points = _without_overlap(graph, _improved(graph, best))
    return np.round(points - (points - half).min(axis=0), 4)


def passed_boxes(points: Points, half: Points, starts: Points, ends: Points) -> Flags:
    """Return which straight lines pass which boxes, a row for every line."""
    way = (ends - starts)[:, None]
    from_box = starts[:, None] - points[None]
    with np.errstate(divide="ignore", invalid="ignore"):
        one, two = (-half[None] - from_box) / way, (half[None] - from_box) / way
    inside = np.abs(from_box) < half[None]
    # A line along an axis is between two sides of a box always, or never.
    enter = np.where(way == 0, np.where(inside, -np.inf, np.inf), np.minimum(one, two))
    leave = np.where(way == 0, np.where(inside, np.inf, -np.inf), np.maximum(one, two))
    passed: Flags = np.maximum(enter.max(axis=2), 0.0) < np.minimum(leave.min(axis=2), 1.0)
    return passed


def _without_overlap(graph: _Graph, points: Points) -> Points:
    """Return points pushed apart, on a larger drawing where that does not suffice."""
    points = boxes_apart(points, 2 * graph.half, graph.room)
    while _overlaps(graph, points):
        points = boxes_apart(points * 1.05, 2 * graph.half, graph.room)
    return points


def _overlaps(graph: _Graph, points: Points) -> bool:
    """Whether two boxes are nearer than four fifths of the room wanted."""
    away = np.abs(points[:, None] - points[None])
    hit = (away < graph.half[:, None] + graph.half[None] + 0.8 * graph.room).all(axis=2)
    np.fill_diagonal(hit, False)
    return bool(hit.any())


def _improved(graph: _Graph, points: Points) -> Points:
    """Return points of which each was moved a number of times, where that costs less."""
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
            if sum(_cost(graph, points, v)) >= stress + unclear:
                points[v] = before
    return points


def _cost(graph: _Graph, points: Points, v: int) -> tuple[float, float]:
    """Return what the place of a box costs: its stress, and whatever makes lines unclear."""
    half, lines, far, room = graph
    away = points - points[v]
    other = np.arange(len(points)) != v
    length = np.hypot(away[:, 0], away[:, 1])[other]
    stress = float((((length - far[v, other]) / far[v, other]) ** 2).sum())
    gap = np.abs(away) - half - half[v]
    overlap = int((gap[other] < room).all(axis=1).sum())

    mine = (lines == v).any(axis=1)
    starts, ends = points[lines[:, 0]], points[lines[:, 1]]
    wider = half + _CLEAR * room
    passing = passed_boxes(points, wider, starts[mine], ends[mine])
    rows = np.arange(len(passing))
    passing[rows, lines[mine, 0]] = passing[rows, lines[mine, 1]] = False
    behind = passed_boxes(points[v : v + 1], wider[v : v + 1], starts[~mine], ends[~mine])
    # Lines of one box do not cross, nor those that meet at their other ends.
    apart = (lines[mine][:, None, :, None] != lines[None, :, None, :]).all(axis=(2, 3))
    crossing = _crossing(starts[mine], ends[mine], starts, ends) & apart
    hidden = int(passing.sum()) + int(behind.sum())
    unclear = _OVERLAP * overlap + _PASSING * hidden + _CROSSING * int(crossing.sum())
    return stress, unclear


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

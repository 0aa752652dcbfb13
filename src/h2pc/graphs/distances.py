"""A drawing by distances: nodes are as far apart as the paths between them are long."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import shortest_path
from scipy.spatial import KDTree

from h2pc.graphs.layers import Arc, Point

Points = NDArray[np.float64]

_LENGTH = 84.0
"""Of an edge, in pixels."""
_HEIGHT, _MARGIN = 30.0, 10.0
_ROUNDS, _PUSHES = 80, 200
_ROOM = 5.0
"""Area of the drawing for each area of a box."""
_STRETCH = np.array([1.35, 1.0])
"""Boxes are wide: more room sideways."""
_ENOUGH = 1e-3
"""Part by which the stress has to fall for another round."""


def drawn_by_distances(
    widths: Sequence[float], arcs: Sequence[Arc], start: Sequence[Point]
) -> tuple[Point, ...]:
    """Return places of the nodes of a connected graph, found from a first guess.

    Rounds are those of Gansner, Koren and North (2004), *Graph drawing by stress majorization*.
    """
    n = len(widths)
    if n < 2:
        return tuple((0.0, 0.0) for _ in widths)
    points = np.array(start, np.float64)
    wide, high = np.maximum(np.ptp(points, axis=0), 1.0)
    points *= _LENGTH * np.sqrt(n) / np.array([wide, high])
    tails, heads = np.array(arcs).T
    joined = coo_array((np.ones(len(arcs)), (tails, heads)), shape=(n, n)).tocsr()
    far = shortest_path(joined, directed=False, unweighted=True) * _LENGTH
    points = majorized(points, far)
    wide, high = np.ptp(points, axis=0)
    points = _roomy(points[:, ::-1] if high > wide else points, np.array(widths))
    sizes = np.stack([np.array(widths), np.full(n, _HEIGHT)], axis=1)
    return tuple((float(x), float(y)) for x, y in boxes_apart(points, sizes, _MARGIN))


def majorized(points: Points, far: Points) -> Points:
    """Return points whose distances are near those wanted, near ones above all."""
    np.fill_diagonal(far, 1.0)
    weight = far**-2
    np.fill_diagonal(weight, 0.0)
    total = weight.sum(axis=1)
    before = np.inf
    for _ in range(_ROUNDS):
        dx, dy = (points[:, None, k] - points[None, :, k] for k in (0, 1))
        length = np.maximum(np.sqrt(dx * dx + dy * dy), 1e-9)
        stress = float((weight * (length - far) ** 2).sum())
        if stress > (1 - _ENOUGH) * before:
            break
        before = stress
        # What moves a point: where each other one stands, and how far off it should be.
        pull = weight * far / length
        # Sums along rows, not products of matrices: their order depends on no number of threads.
        moved = [
            ((weight * points[None, :, k]).sum(axis=1) + (pull * d).sum(axis=1)) / total
            for k, d in ((0, dx), (1, dy))
        ]
        points = np.stack(moved, axis=1)
    return points


def _roomy(points: Points, widths: NDArray[np.float64]) -> Points:
    """Return the points so far apart that all boxes together cover a part of the drawing only."""
    points = points * _STRETCH
    boxes = float((widths + _MARGIN).sum()) * (_HEIGHT + _MARGIN)
    area = float(np.prod(np.maximum(np.ptp(points, axis=0), _LENGTH)))
    roomier: Points = points * max(1.0, np.sqrt(_ROOM * boxes / area))
    return roomier


def boxes_apart(points: Points, sizes: Points, margin: float, pushes: int = _PUSHES) -> Points:
    """Return the middles of boxes, pushed apart until none lies on another, or some times."""
    points = points.copy()
    reach = float(np.hypot(*(sizes.max(axis=0) + margin)))
    for _ in range(pushes):
        one, other = KDTree(points).query_pairs(reach, output_type="ndarray").T
        order = np.lexsort((other, one))
        one, other = one[order], other[order]
        between = points[other] - points[one]
        overlap = (sizes[one] + sizes[other]) / 2 + margin - np.abs(between)
        hit = (overlap > 0.05 * margin).all(axis=1)
        if not hit.any():
            break
        one, other, between, overlap = one[hit], other[hit], between[hit], overlap[hit]
        # The way out is the shorter one: mostly up and down, since names are wide.
        axis = overlap.argmin(axis=1)
        rows = np.arange(one.size)
        sign = np.where(between[rows, axis] >= 0, 1.0, -1.0)
        push = np.zeros_like(between)
        push[rows, axis] = 0.5 * sign * overlap[rows, axis]
        np.add.at(points, other, push)
        np.subtract.at(points, one, push)
    return points

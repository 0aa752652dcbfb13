"""Parts of a picture of the graph around labels, and how they are packed on a page."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from h2pc.graphs.layers import Point
from h2pc.graphs.layout import packed

PAGE = 1.37
"""Height to width of a page."""
_ASPECT = 1.3
"""Width to height of a drawing that does not fit on a page."""


class Sizes(NamedTuple):
    """Sizes of print: of names and numbers in points, of everything else in inches."""

    label: float = 8.0
    feature: float = 6.5
    badge: float = 6.0
    label_height: float = 0.205
    feature_height: float = 0.155
    label_padding: float = 0.16
    """Room beside a name, on both sides together."""
    feature_padding: float = 0.10
    badge_padding: float = 0.09
    least: float = 0.3
    """Width of a label."""
    length: float = 0.30
    """Of an edge from border to border, about."""
    room: float = 0.13
    """The least between two boxes, for an arrowhead."""
    clear: float = 0.03
    """What edges that bend around boxes keep from them."""
    part_gap: float = 0.28
    single_gap: float = 0.08
    head: float = 0.075
    """Of an arrow."""
    line: float = 0.9
    """Of an edge between labels, in points."""


USUAL = Sizes()
SMALL = Sizes(
    label=6.0,
    feature=6.0,
    badge=5.0,
    label_height=0.125,
    feature_height=0.115,
    label_padding=0.07,
    feature_padding=0.05,
    badge_padding=0.035,
    least=0.2,
    length=0.12,
    room=0.042,
    clear=0.012,
    part_gap=0.14,
    single_gap=0.045,
    head=0.04,
    line=0.6,
)
"""Of many boxes, which fill a page."""


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
    sizes: Sizes = USUAL
    left_out: str = ""
    """What all names of labels begin with, if it is not written."""


class Part(NamedTuple):
    """A connected part of a drawing; its lower left corner is (0, 0)."""

    boxes: Mapping[str, Box]
    curves: Sequence[Curve]
    size: Point

    def moved(self, dx: float, dy: float) -> Part:
        """Return the part at another place."""
        boxes = {name: b._replace(x=b.x + dx, y=b.y + dy) for name, b in self.boxes.items()}
        return self._replace(
            boxes=boxes, curves=[moved_curve(curve, dx, dy) for curve in self.curves]
        )


def alone(name: str, box: Box) -> Part:
    """Return a part of one box."""
    size = (box.width, box.height)
    return Part({name: box._replace(x=box.width / 2, y=box.height / 2)}, (), size)


def page_width(sizes: Sequence[Point], width: float, gap: float) -> float:
    """Return the width of a page, or of a larger one where things of some sizes need it."""
    area = sum((w + gap) * (h + gap) for w, h in sizes)
    fits = area < PAGE * width * width
    return width if fits else max(width, math.sqrt(_ASPECT * area))


def joined_parts(
    parts: Sequence[Part], blocks: Sequence[Sequence[Part]], width: float, sizes: Sizes
) -> LabelDrawing:
    """Return parts packed on a page, and below them blocks of parts in columns."""
    widest = max([width, *(part.size[0] for part in parts)])
    # The whole is made from the top down, where y is negative.
    corners = packed([part.size for part in parts], widest, sizes.part_gap)
    placed = [
        part.moved(left, -top - part.size[1])
        for part, (left, top) in zip(parts, corners, strict=True)
    ]
    bottom = max(
        (top + part.size[1] for part, (_, top) in zip(parts, corners, strict=True)), default=0.0
    )
    for block in blocks:
        columns = _columns([part.size[0] for part in block], widest, _gap(block, sizes))
        for i, part in enumerate(block):
            row, column = divmod(i, len(columns))
            if not column:
                gap = sizes.single_gap if row else sizes.part_gap * bool(placed)
                bottom += gap + sizes.label_height
            height = part.size[1]
            placed.append(part.moved(columns[column], (sizes.label_height - height) / 2 - bottom))
    boxes = {name: box for part in placed for name, box in part.moved(0.0, bottom).boxes.items()}
    curves = [curve for part in placed for curve in part.moved(0.0, bottom).curves]
    right = max((box.x + box.width / 2 for box in boxes.values()), default=0.0)
    bends = [x for curve in curves for x, _ in curve.points]
    return LabelDrawing(boxes, tuple(curves), max([right, *bends]), bottom, sizes)


def _gap(block: Sequence[Part], sizes: Sizes) -> float:
    """Return the gap between the columns of a block."""
    return sizes.single_gap if block and len(block[0].boxes) == 1 else sizes.part_gap


def _columns(widths: Sequence[float], widest: float, gap: float) -> list[float]:
    """Return the left sides of as many columns of parts as there is room for."""
    for number in range(len(widths), 0, -1):
        columns = [max(widths[j::number]) + gap for j in range(number)]
        if sum(columns) - gap <= widest or number == 1:
            return [0.0, *accumulate(columns[:-1])]
    return []


def moved_curve(curve: Curve, dx: float, dy: float) -> Curve:
    """Return an edge at another place."""
    start, control, end = ((x + dx, y + dy) for x, y in curve.points)
    return curve._replace(points=(start, control, end))

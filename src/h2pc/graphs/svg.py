"""Graphs as SVG for notebooks: boxes in layers, arrows downwards."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from itertools import pairwise

from h2pc.graphs.checked_names import Edge
from h2pc.graphs.layers import Point
from h2pc.graphs.layout import HEIGHT, box_width, edge_path, layouts, shown
from h2pc.variables import Vars

MOST_VARIABLES = 250
"""Larger graphs are described only: a drawing takes long, and nobody could read it."""

_MARGIN, _ARROW = 6.0, 8.0
_BOX = "fill:#e8eef4;stroke:#75828e"
_TEXT = "fill:#1c2630;font:11.5px sans-serif;text-anchor:middle;dominant-baseline:central"
_LINE = "fill:none;stroke:#75828e;stroke-width:1.3"


def graph_html(
    names: Sequence[str],
    order: Vars,
    directed: Sequence[Edge],
    undirected: Sequence[Edge],
    caption: str,
) -> str:
    """Return a caption and a drawing, which needs neither scripts nor other files.

    Variables that come first in ``order`` are above the others.
    """
    head = f"<div>{escape(caption)}</div>"
    if not 0 < len(names) <= MOST_VARIABLES:
        return head
    place = {v: i for i, v in enumerate(order)}
    edges = [(place[u], place[v]) for u, v in (*directed, *undirected)]
    return head + _svg([names[v] for v in order], edges, n_arrows=len(directed))


def _svg(names: Sequence[str], edges: Sequence[Edge], n_arrows: int) -> str:
    """Return the drawing; the first edges are arrows."""
    made = layouts(names, [(min(edge), max(edge)) for edge in edges])
    drawing = made.drawings[made.first]
    parts, points = [], list(drawing.places)
    for i, ((tail, head), bends) in enumerate(zip(edges, drawing.bends, strict=True)):
        points += bends
        between = bends if tail < head else bends[::-1]
        way = [drawing.places[tail], *between, drawing.places[head]]
        path = edge_path(names[tail], names[head], way)
        parts.append(_line(path, is_arrow=i < n_arrows))
    for name, (x, y) in zip(names, drawing.places, strict=True):
        width = box_width(name)
        points += [(x - width / 2, y - HEIGHT / 2), (x + width / 2, y + HEIGHT / 2)]
        parts.append(
            f"<g><title>{escape(name)}</title>"
            f'<rect x="{x - width / 2:.1f}" y="{y - HEIGHT / 2:.1f}" width="{width:.1f}" '
            f'height="{HEIGHT:.1f}" rx="7" style="{_BOX}"/>'
            f'<text x="{x:.1f}" y="{y:.1f}" style="{_TEXT}">{escape(shown(name))}</text></g>'
        )
    left, top = (min(point[axis] for point in points) - _MARGIN for axis in (0, 1))
    width, height = (
        max(point[axis] for point in points) + _MARGIN - start
        for axis, start in enumerate((left, top))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width:.0f}" '
        f'viewBox="{left:.1f} {top:.1f} {width:.1f} {height:.1f}" style="max-width:100%">'
        + "".join(parts)
        + "</svg>"
    )


def _line(path: Sequence[Point], *, is_arrow: bool) -> str:
    """Return an edge, with a head at its end if it is directed."""
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in path)
    line = f'<polyline points="{points}" style="{_LINE}"/>'
    if not is_arrow:
        return line
    x, y = path[-1]
    # The last step may be very short: the head follows the last one that has a direction.
    x_before, y_before = next(
        (before for before, _ in pairwise(reversed(path[:-1])) if math.dist(before, path[-1]) > 1),
        path[0],
    )
    length = max(math.dist((x_before, y_before), (x, y)), 1e-9)
    dx, dy = _ARROW * (x - x_before) / length, _ARROW * (y - y_before) / length
    sides = [(x - dx + side * dy, y - dy - side * dx) for side in (0.4, -0.4)]
    head = " ".join(f"{a:.1f},{b:.1f}" for a, b in ((x, y), *sides))
    return f'{line}<polygon points="{head}" style="fill:#75828e"/>'

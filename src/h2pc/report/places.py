"""Positions of variables and edges in a picture, by Graphviz's ``dot`` or as on the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from shutil import which
from subprocess import CalledProcessError, run
from typing import Literal, NamedTuple

from h2pc.errors import SettingError
from h2pc.graphs.layers import Arc, Point
from h2pc.graphs.layout import HEIGHT, box_width, edge_path, layouts

Layout = Literal["auto", "dot", "layers", "distances"]

_MOST_BY_DOT = 400
"""Number of variables up to which ``dot`` is fast, and its drawing not too wide."""
_INCH = 72.0


class Placed(NamedTuple):
    """Positions by name; the upper left corner is (0, 0), and y grows downwards."""

    places: Mapping[str, Point]
    ways: Mapping[tuple[str, str], Sequence[Point]]
    """For every edge, the points between its ends, or a curve."""
    curved: bool
    """Whether edges are cubic Bézier curves from border to border."""
    size: Point

    def way(self, tail: str, head: str) -> tuple[list[Point], bool]:
        """Return the points of an edge from border to border, and whether they make a curve."""
        backward = (tail, head) not in self.ways
        between = list(self.ways[head, tail][::-1] if backward else self.ways[tail, head])
        if self.curved:
            return between, True
        return edge_path(tail, head, [self.places[tail], *between, self.places[head]]), False


def placed(order: Sequence[str], lines: Sequence[tuple[str, str]], layout: Layout) -> Placed:
    """Return positions of variables, the first in the order on top, and of lines between them."""
    number = {name: i for i, name in enumerate(order)}
    pairs = [(number[u], number[v]) for u, v in lines]
    if layout == "dot" or (layout == "auto" and which("dot") and len(order) <= _MOST_BY_DOT):
        return _by_dot(order, lines, pairs)
    made = layouts(order, [(min(pair), max(pair)) for pair in pairs])
    name = made.first if layout == "auto" else layout
    if name not in made.drawings:
        raise SettingError(f"{len(order):,} variables are too many to be placed by distances.")
    drawing = made.drawings[name]
    places = dict(zip(order, drawing.places, strict=True))
    ways = {
        line: way if u < v else way[::-1]
        for line, (u, v), way in zip(lines, pairs, drawing.bends, strict=True)
    }
    return _at_corner(places, ways, curved=False)


def _by_dot(order: Sequence[str], lines: Sequence[tuple[str, str]], pairs: Sequence[Arc]) -> Placed:
    """Return the positions of Graphviz."""
    nodes = [f"{i} [width={box_width(name) / _INCH:.4f}];" for i, name in enumerate(order)]
    edges = [f"{min(pair)} -> {max(pair)};" for pair in pairs]
    shape = f'node [shape=box, fixedsize=true, label="", height={HEIGHT / _INCH:.4f}];'
    text = "\n".join(["digraph {", "edge [dir=none];", shape, *nodes, *edges, "}"])
    if which("dot") is None:
        raise SettingError("The layout 'dot' needs Graphviz's program dot; it was not found.")
    try:
        # Numbers instead of names: nothing in them has to be quoted.
        said = run(["dot", "-Tplain"], input=text, capture_output=True, text=True, check=True)
    except CalledProcessError as error:
        raise SettingError(f"Graphviz's program dot failed: {error.stderr.strip()}.") from None
    places: dict[str, Point] = {}
    curves: dict[Arc, list[Point]] = {}
    for words in map(str.split, said.stdout.splitlines()):
        if words[0] == "node":
            places[order[int(words[1])]] = (_INCH * float(words[2]), -_INCH * float(words[3]))
        elif words[0] == "edge":
            numbers = [_INCH * float(word) for word in words[4 : 4 + 2 * int(words[3])]]
            points = [(x, -y) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
            curves[int(words[1]), int(words[2])] = points
    ways = {
        line: curves[u, v] if u < v else curves[v, u][::-1]
        for line, (u, v) in zip(lines, pairs, strict=True)
    }
    return _at_corner(places, ways, curved=True)


def _at_corner(
    places: Mapping[str, Point], ways: Mapping[tuple[str, str], Sequence[Point]], *, curved: bool
) -> Placed:
    """Return the drawing with its corner at (0, 0)."""
    points = [point for way in ways.values() for point in way]
    xs = [x for x, _ in points]
    for name, (x, _) in places.items():
        xs += [x - box_width(name) / 2, x + box_width(name) / 2]
    ys = [y for _, y in points]
    ys += [y + side * HEIGHT / 2 for _, y in places.values() for side in (-1, 1)]
    left, top = min(xs, default=0.0), min(ys, default=0.0)
    return Placed(
        {name: (x - left, y - top) for name, (x, y) in places.items()},
        {line: [(x - left, y - top) for x, y in way] for line, way in ways.items()},
        curved,
        (max(xs, default=1.0) - left, max(ys, default=1.0) - top),
    )

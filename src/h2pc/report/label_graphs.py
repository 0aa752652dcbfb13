"""Pictures of the graph around labels (Figures 3 to 7): labels round, features square."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from h2pc.errors import SettingError
from h2pc.graphs import Dag
from h2pc.multilabel.label_structure import edges_near
from h2pc.report.box_names import text_width
from h2pc.report.label_layout import LabelGraph as LabelGraph
from h2pc.report.label_layout import ShownFeatures, label_graph_layout
from h2pc.report.label_parts import USUAL, Box, Curve, LabelDrawing, Sizes
from h2pc.report.shapes import counted

# Those of Okabe and Ito, Color Universal Design (2008), which the colour-blind tell apart.
_COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#000000")
_DASHES: tuple[Any, ...] = ("-", (0, (3, 1.5)), (0, (1, 1)))
"""Of the borders of powersets whose colours come again."""
_TINT = 0.68
"""Part of white in the colour of a box."""
_ALONE, _FEATURE, _LINE, _DARK = "#ffffff", "#eceff1", "#8a949d", "#1f2a33"
_FEATURE_BORDER, _QUIET = "#9aa5af", "#4f5963"
# Inches: around everything, for the title, between the drawing and its legend, the largest picture.
_EDGE, _TITLE, _ABOVE_LEGEND, _LARGEST = 0.08, 0.34, 0.16, 24.0
_HEAD_HALF = 0.37
"""Half the width of an arrowhead, in parts of its length."""
_LEGEND_POINTS, _TITLE_POINTS = 6.5, 9.0
_LEGEND_HEIGHT, _SIGN, _LEGEND_GAP = 0.19, 0.26, 0.2
_MANY_EDGES = 120
"""Number of edges from which on they are thin."""
_TEXT_WIDTH = 17 / 2.54
"""Of a page of A4, in inches."""
_PIXELS, _DPI = 2200, 200
"""The longest side of a PNG, and the most pixels for an inch."""


class _Style(NamedTuple):
    """How the box of a label is drawn."""

    fill: Any
    border: str
    line: Any = "-"


class _Sign(NamedTuple):
    """A line of the legend: what is drawn, and what it means."""

    kind: str
    text: str


def plot_label_graph(
    graph: LabelGraph | Dag,
    labels: Sequence[str] | None = None,
    ax: Any = None,
    *,
    features: ShownFeatures = "auto",
    width: float = 7.0,
) -> Any:
    """Draw the graph around labels; each powerset of several labels has a colour.

    Labels are round and features square, with their names inside. Single labels are in rows
    below the others. Sizes are those of print: names of labels are of 8 points, of features 6.5.
    More than 100 labels and features fill a page, with names of 6 points; what all labels begin
    with, such as ``TAG_``, is left out then.

    Parameters
    ----------
    graph : LabelGraph or Dag
        A graph on labels and features, or labels with the edges to them and to their children.
    labels : sequence of str, default=None
        The names of the labels of a Dag; a LabelGraph has its own.
    ax : matplotlib axes, default=None
        The axes to draw on, which the drawing is scaled to; by default those of a new figure, as
        large as the graph needs.
    features : {'auto', 'all', 'joining'}, default='auto'
        The features to draw: all of them, or those that are children of several labels and so
        join them. The number of others around a label is then written beside its name. By default
        all of a graph of up to 64 variables.
    width : float, default=7.0
        The width of the text of a page in inches, that of a column for instance. Graphs that do
        not fit take more, up to 24 inches.

    Returns
    -------
    matplotlib axes
        The axes drawn on.

    Examples
    --------
    >>> from h2pc import Dag
    >>> names = ("blue", "sea", "sky", "tree", "wind")
    >>> dag = Dag.from_edges(names, [("sea", "sky"), ("blue", "sky"), ("wind", "blue")])
    >>> plot_label_graph(dag, ["sea", "sky", "tree"]).get_title()
    'graph: 3 labels in 2 powersets, 1 feature, 2 edges'
    """
    if not width > 0:
        raise SettingError(f"width must be a positive number of inches; got {width!r}.")
    graph = _label_graph(graph, labels)
    drawing = label_graph_layout(graph, features, width - 2 * _EDGE)
    sizes = drawing.sizes
    styles = _styles(graph.powersets)
    title = _title(graph)
    signs = _signs(drawing, graph)
    rows = _legend_rows(signs, max(drawing.width, width - 2 * _EDGE))
    wide = max(drawing.width, *(_row_width(row) for row in rows)) + 2 * _EDGE
    below = _EDGE + len(rows) * _LEGEND_HEIGHT + _ABOVE_LEGEND
    high = below + drawing.height + _EDGE
    if ax is None:
        ax, scale = _own_axes(wide, high, title)
    else:
        scale = _scale(ax, wide, high, title)

    left = (wide - drawing.width) / 2
    own = frozenset(graph.labels)
    dark = sizes.line * (1 if len(drawing.curves) <= _MANY_EDGES else 2 / 3)
    for among, colour, thickness in ((False, _LINE, 2 / 3 * sizes.line), (True, _DARK, dark)):
        curves = [c for c in drawing.curves if own.issuperset((c.tail, c.head)) == among]
        _draw_curves(ax, curves, (left, below), colour, thickness * scale, sizes.head)
    for name, box in drawing.boxes.items():
        moved = box._replace(x=box.x + left, y=box.y + below)
        if name in styles:
            _draw_label(ax, moved, styles[name], sizes, scale)
        else:
            _draw_feature(ax, moved, sizes, scale)
    _draw_legend(ax, rows, (wide, len(rows) * _LEGEND_HEIGHT + _EDGE), styles, scale)
    return ax


def save_label_graphs(graphs: Mapping[str, LabelGraph], folder: Path) -> list[Path]:
    """Draw graphs for a page of A4 into a folder, as PNG and as PDF, and return their paths."""
    import matplotlib as mpl
    from PIL import Image

    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, graph in graphs.items():
        figure = plot_label_graph(graph, width=_TEXT_WIDTH).figure
        picture, printed = folder / f"{name}.png", folder / f"{name}.pdf"
        dpi = int(min(_DPI, _PIXELS / max(figure.get_size_inches())))
        figure.savefig(picture, dpi=dpi, metadata={"Software": None})
        # A palette takes a third of the bytes; this method keeps colours that are rare.
        with Image.open(picture) as image:
            small = image.convert("RGB").quantize(256, Image.Quantize.MAXCOVERAGE)
        small.save(picture, optimize=True)
        with mpl.rc_context({"pdf.fonttype": 42}):  # texts that can be searched and edited
            figure.savefig(printed, metadata={"CreationDate": None})
        paths += [picture, printed]
    return paths


def _label_graph(graph: LabelGraph | Dag, labels: Sequence[str] | None) -> LabelGraph:
    """Return the labels and the edges that lead to them and to their children."""
    if isinstance(graph, LabelGraph):
        if labels is not None:
            raise SettingError("labels must be None for a LabelGraph, which has its own.")
        return graph
    if labels is None:
        raise SettingError("labels must name the labels of the Dag; got None.")
    return LabelGraph("graph", tuple(labels), edges_near(graph, labels))


def _title(graph: LabelGraph) -> str:
    """Return the title of a picture: what is in it."""
    n_edges = len(graph.directed_edges) + len(graph.undirected_edges)
    return (
        f"{graph.title}: {counted(len(graph.labels), 'label')} in "
        f"{counted(len(graph.powersets), 'powerset')}, "
        f"{counted(len(graph.features), 'feature')}, {counted(n_edges, 'edge')}"
    )


def _own_axes(wide: float, high: float, title: str) -> tuple[Any, float]:
    """Return axes of a new figure whose units are inches, and the scale of the texts."""
    from matplotlib.figure import Figure

    scale = min(1.0, _LARGEST / max(wide, high + _TITLE))
    room = max(wide * scale, text_width(title, _TITLE_POINTS) + 2 * _EDGE)
    whole = high * scale + _TITLE
    figure = Figure(figsize=(room, whole), facecolor="white")
    ax = figure.add_axes((0, 0, 1, 1 - _TITLE / whole))
    spare = (room / scale - wide) / 2
    ax.set_xlim(-spare, wide + spare)
    ax.set_ylim(0, high)
    ax.set_axis_off()
    ax.set_title(title, fontsize=_TITLE_POINTS, parse_math=False)
    return ax, scale


def _scale(ax: Any, wide: float, high: float, title: str) -> float:
    """Return the scale at which a drawing fits into given axes."""
    ax.set_xlim(0, wide)
    ax.set_ylim(0, high)
    ax.set_aspect("equal")
    ax.set_axis_off()
    ax.set_title(title, fontsize=_TITLE_POINTS, parse_math=False)
    # Layout engines and aspects take effect when a figure is drawn.
    ax.figure.draw_without_rendering()
    (x, _), (x_next, _) = ax.transData.transform([(0, 0), (1, 0)])
    return float((x_next - x) / ax.figure.dpi)


def _styles(powersets: Sequence[Sequence[str]]) -> dict[str, _Style]:
    """Return the style of every label: colours of powersets, other lines where they come again."""
    from matplotlib.colors import to_rgb

    styles: dict[str, _Style] = {}
    for i, powerset in enumerate(powersets):
        border = _COLOURS[i % len(_COLOURS)]
        fill = tuple(_TINT + (1 - _TINT) * part for part in to_rgb(border))
        line = _DASHES[i // len(_COLOURS) % len(_DASHES)]
        style = _Style(fill, border, line) if len(powerset) > 1 else _Style(_ALONE, _DARK)
        styles |= dict.fromkeys(powerset, style)
    return styles


def _draw_label(ax: Any, box: Box, style: _Style, sizes: Sizes, scale: float) -> None:
    """Draw a label with its name, and the number of its features that are not drawn."""
    _draw_box(ax, box, style.fill, style.border, sizes.line * scale, style.line)
    _write(ax, box.x - box.badge_width / 2, box.y, box.text, sizes.label * scale, "black")
    if box.hidden:
        x = box.x + (box.width - box.badge_width - box.height * 0.3) / 2
        _write(ax, x, box.y, f"+{box.hidden}", sizes.badge * scale, _QUIET)


def _draw_feature(ax: Any, box: Box, sizes: Sizes, scale: float) -> None:
    """Draw a feature with its name."""
    _draw_box(ax, box, _FEATURE, _FEATURE_BORDER, 2 / 3 * sizes.line * scale)
    _write(ax, box.x, box.y, box.text, sizes.feature * scale, _DARK)


def _draw_box(ax: Any, box: Box, fill: Any, border: str, thickness: float, line: Any = "-") -> None:
    """Draw a box with round corners, or with square ones."""
    from matplotlib.patches import PathPatch

    ax.add_patch(
        PathPatch(
            _outline(box),
            facecolor=fill,
            edgecolor=border,
            linewidth=thickness,
            linestyle=line,
            joinstyle="miter",
            zorder=2,
        )
    )


def _outline(box: Box) -> Any:
    """Return the border of a box; its corners are quarters of circles."""
    from matplotlib.path import Path as Outline

    wide, high, radius = box.width / 2, box.height / 2, box.rounding
    # Of the Bézier curve that is nearest to a quarter of a circle.
    handle = radius * (1 - 4 / 3 * (2**0.5 - 1))
    points: list[tuple[float, float]] = []
    for across, up in ((1, 1), (-1, 1), (-1, -1), (1, -1)):
        side, end = (wide, high - radius), (wide - radius, high)
        quarter = [side, (wide, high - handle), (wide - handle, high), end]
        if across != up:
            quarter.reverse()
        points += [(box.x + across * x, box.y + up * y) for x, y in quarter]
    curve = [Outline.LINETO, *[Outline.CURVE4] * 3]
    codes = [Outline.MOVETO, *curve[1:], *curve * 3, Outline.CLOSEPOLY]
    return Outline([*points, points[0]], codes)


def _write(ax: Any, x: float, y: float, text: str, size: float, colour: str, **style: Any) -> None:
    """Write a text around a place."""
    ax.text(
        x,
        y,
        text,
        size=size,
        color=colour,
        zorder=3,
        parse_math=False,
        **{"ha": "center", "va": "center_baseline", **style},
    )


def _draw_curves(
    ax: Any,
    curves: Iterable[Curve],
    corner: tuple[float, float],
    colour: str,
    thickness: float,
    head: float,
) -> None:
    """Draw edges as one path and their arrowheads as another: small files."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path as Outline

    lines, heads = [], []
    for curve in curves:
        start, control, end = np.array(curve.points) + corner
        if curve.arrow:
            way = end - control
            way /= max(float(np.hypot(*way)), 1e-9)
            across = np.array([-way[1], way[0]]) * _HEAD_HALF * head
            base = end - way * head
            heads += [end, base + across, base - across, end]
            end = end - way * head * 0.8
        lines += [start, control, end]
    if lines:
        codes = [Outline.MOVETO, Outline.CURVE3, Outline.CURVE3] * (len(lines) // 3)
        style = {"facecolor": "none", "edgecolor": colour, "linewidth": thickness, "zorder": 1}
        ax.add_patch(PathPatch(Outline(lines, codes), capstyle="butt", **style))
    if heads:
        codes = [Outline.MOVETO, *[Outline.LINETO] * 2, Outline.CLOSEPOLY] * (len(heads) // 4)
        ax.add_patch(PathPatch(Outline(heads, codes), facecolor=colour, linewidth=0, zorder=1))


def _signs(drawing: LabelDrawing, graph: LabelGraph) -> list[_Sign]:
    """Return the legend: what occurs in the drawing alone."""
    sizes = [len(powerset) for powerset in graph.powersets]
    occurring = {
        _Sign("powerset", "label, coloured by powerset"): max(sizes, default=0) > 1,
        _Sign("alone", "label alone in its powerset"): 1 in sizes,
        _Sign("feature", "feature"): len(drawing.boxes) > len(graph.labels),
        _Sign("hidden", "features not drawn"): any(b.hidden for b in drawing.boxes.values()),
        _Sign("arrow", "directed edge"): any(curve.arrow for curve in drawing.curves),
        _Sign("line", "undirected edge"): not all(curve.arrow for curve in drawing.curves),
        _Sign("", f"names of labels without {drawing.left_out}"): bool(drawing.left_out),
    }
    return [sign for sign, occurs in occurring.items() if occurs]


def _sign_width(sign: _Sign) -> float:
    """Return the width of a sign with its text, in inches."""
    return (_SIGN + 0.06) * bool(sign.kind) + text_width(sign.text, _LEGEND_POINTS)


def _row_width(row: Sequence[_Sign]) -> float:
    """Return the width of a row of signs."""
    return sum(map(_sign_width, row)) + _LEGEND_GAP * (len(row) - 1)


def _legend_rows(signs: Sequence[_Sign], widest: float) -> list[list[_Sign]]:
    """Return the signs in rows."""
    rows: list[list[_Sign]] = [[]]
    for sign in signs:
        if rows[-1] and _row_width([*rows[-1], sign]) > widest:
            rows.append([])
        rows[-1].append(sign)
    return rows


def _draw_legend(
    ax: Any,
    rows: Sequence[Sequence[_Sign]],
    corner: tuple[float, float],
    styles: Mapping[str, _Style],
    scale: float,
) -> None:
    """Draw the legend below the drawing, in the middle."""
    several = list(dict.fromkeys(style for style in styles.values() if style.fill != _ALONE))
    y = corner[1] - _LEGEND_HEIGHT / 2
    for row in rows:
        x = (corner[0] - _row_width(row)) / 2
        for sign in row:
            if sign.kind:
                _draw_sign(ax, sign.kind, x, y, several, scale)
            after = x + _sign_width(sign) - text_width(sign.text, _LEGEND_POINTS)
            _write(ax, after, y, sign.text, _LEGEND_POINTS * scale, _QUIET, ha="left")
            x += _sign_width(sign) + _LEGEND_GAP
        y -= _LEGEND_HEIGHT


def _draw_sign(
    ax: Any, kind: str, x: float, y: float, several: Sequence[_Style], scale: float
) -> None:
    """Draw what a line of the legend is about."""
    middle, high = x + _SIGN / 2, 0.11
    if kind == "powerset":
        for i, style in enumerate(several[:2]):
            first = middle - 0.07 * (len(several[:2]) - 1)
            box = Box(first + 0.14 * i, y, 0.12, high, "", rounding=high / 2)
            _draw_box(ax, box, style.fill, style.border, 0.7 * scale, style.line)
    elif kind == "alone":
        box = Box(middle, y, _SIGN, high, "", rounding=high / 2)
        _draw_box(ax, box, _ALONE, _DARK, 0.7 * scale)
    elif kind == "feature":
        _draw_box(ax, Box(middle, y, _SIGN, high, ""), _FEATURE, _FEATURE_BORDER, 0.6 * scale)
    elif kind == "hidden":
        _write(ax, middle, y, "+3", USUAL.badge * scale, _QUIET)
    else:
        points = ((x, y), (middle, y), (x + _SIGN, y))
        edge = [Curve("", "", points, kind == "arrow")]
        _draw_curves(ax, edge, (0, 0), _DARK, USUAL.line * scale, USUAL.head)

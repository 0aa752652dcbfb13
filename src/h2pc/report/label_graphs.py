"""Pictures of the graph around labels (Figures 3 to 7): labels round, features square."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import cycle
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from h2pc.errors import SettingError
from h2pc.graphs import Dag
from h2pc.graphs.layout import box_width, layouts
from h2pc.multilabel.label_structure import edges_near
from h2pc.multilabel.powersets import minimal_label_powersets
from h2pc.report.shapes import counted, save_figure

Places = dict[str, tuple[float, float]]
"""Positions of the variables, in inches."""

_POWERSETS = ("#8fcbb3", "#f2b872", "#9db4e8", "#e59a9a", "#c9b1e0", "#d9d27a")
_ALONE, _FEATURE, _LINE, _DARK = "#ffffff", "#d5dade", "#9aa5af", "#22303c"
# Inches: half a variable, for the title, and the largest drawing.
_RADIUS, _TITLE, _LARGEST = 0.09, 0.45, 80.0
_PIXELS = 120
"""Pixels of a layout for each inch."""
_MOST_NAMED = 90
"""Number of variables up to which features are named; labels always are."""


class LabelGraph(NamedTuple):
    """The graph around the labels of a data set: the edges to labels and to their children."""

    title: str
    labels: tuple[str, ...]
    edges: tuple[tuple[str, str], ...]
    """Names of parents and children; those that are not labels are features."""
    undirected: tuple[tuple[str, str], ...] = ()
    """Edges among them that are drawn as lines, since their direction is not identifiable."""


def plot_label_graph(
    graph: LabelGraph | Dag, labels: Sequence[str] | None = None, ax: Any = None
) -> Any:
    """Draw the graph around labels; each powerset of several labels has a colour.

    Parameters
    ----------
    graph : LabelGraph or Dag
        A graph on labels and features, or labels with the edges to them and to their children.
    labels : sequence of str, default=None
        The names of the labels of a Dag; a LabelGraph has its own.
    ax : matplotlib axes, default=None
        The axes to draw on; by default those of a new figure, as large as the graph needs.

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
    from matplotlib.figure import Figure

    graph = _label_graph(graph, labels)
    place, (width, height) = label_graph_layout(graph)
    if ax is None:
        whole = max(height, 1.5) + _TITLE
        ax = Figure(figsize=(max(width, 6.5), whole)).add_axes((0, 0, 1, 1 - _TITLE / whole))
    features = _features(graph)
    dag = Dag.from_edges((*graph.labels, *features), graph.edges)
    powersets = minimal_label_powersets(dag, graph.labels)

    own, lines = frozenset(graph.labels), frozenset(graph.undirected)
    for among, colour, thickness in ((False, _LINE, 0.010), (True, _DARK, 0.016)):
        edges = [edge for edge in graph.edges if own.issuperset(edge) == among]
        _draw_edges(ax, place, [edge for edge in edges if edge in lines], colour, thickness, 0)
        _draw_edges(ax, place, [edge for edge in edges if edge not in lines], colour, thickness, 6)
    _draw_variables(ax, place, features, "s", _FEATURE, 45)
    several = [powerset for powerset in powersets if len(powerset) > 1]
    for powerset, colour in zip(several, cycle(_POWERSETS), strict=False):
        _draw_variables(ax, place, powerset, "o", colour, 130)
    alone = [label for powerset in powersets if len(powerset) == 1 for label in powerset]
    _draw_variables(ax, place, alone, "o", _ALONE, 130)
    _write_names(ax, place, graph.labels, 7.5, "black")
    if len(place) <= _MOST_NAMED:
        _write_names(ax, place, features, 5.5, "#5b6570")

    ax.set_xlim(0, width)
    ax.set_ylim(0, height)
    ax.set_aspect("equal")
    ax.set_axis_off()
    ax.set_title(
        f"{graph.title}: {counted(len(graph.labels), 'label')} in "
        f"{counted(len(powersets), 'powerset')}, {counted(len(features), 'feature')}, "
        f"{counted(len(graph.edges), 'edge')}",
        fontsize=10,
    )
    return ax


def _label_graph(graph: LabelGraph | Dag, labels: Sequence[str] | None) -> LabelGraph:
    """Return the labels and the edges that lead to them and to their children."""
    if isinstance(graph, LabelGraph):
        if labels is not None:
            raise SettingError("labels must be None for a LabelGraph, which has its own.")
        return graph
    if labels is None:
        raise SettingError("labels must name the labels of the Dag; got None.")
    return LabelGraph("graph", tuple(labels), edges_near(graph, labels))


def save_label_graphs(graphs: Mapping[str, LabelGraph], folder: Path) -> list[Path]:
    """Draw graphs into a folder, as PNG and as SVG, and return their paths."""
    from PIL import Image

    paths = []
    for name, graph in graphs.items():
        paths += save_figure(plot_label_graph(graph).figure, folder, name, 110, fonttype="none")
        # A palette suffices for the few colours, and takes a third of the bytes.
        with Image.open(folder / f"{name}.png") as image:
            small = image.convert("RGB").quantize(256)
        small.save(folder / f"{name}.png", optimize=True)
    return paths


def label_graph_layout(graph: LabelGraph) -> tuple[Places, tuple[float, float]]:
    """Return the positions of the variables, and width and height of the drawing, in inches.

    Distances follow those in the graph, as on the page of a network.
    """
    dag = Dag.from_edges(sorted({*graph.labels, *_features(graph)}), sorted(graph.edges))
    order = dag.topological_order
    place = {v: i for i, v in enumerate(order)}
    names = [dag.names[v] for v in order]
    named = names if len(names) <= _MOST_NAMED else graph.labels
    written = [name if name in named else "" for name in names]
    made = layouts(written, [(place[u], place[v]) for u, v in dag.edges]).drawings
    # Very large graphs have layers only, which are wide.
    points = np.array(made.get("distances", made["layers"]).places) * (1, -1) / _PIXELS
    points *= min(1.0, _LARGEST / max(*np.ptp(points, axis=0), 1e-9))
    margin = max(map(box_width, written)) / 2 / _PIXELS
    points += margin - points.min(axis=0)
    width, height = (points.max(axis=0) + margin).tolist()
    return dict(zip(names, map(tuple, points.tolist()), strict=True)), (width, height)


def _draw_edges(
    ax: Any, place: Places, edges: Iterable[tuple[str, str]], colour: str, width: float, head: int
) -> None:
    """Draw arrows from border to border of the variables, with heads of some width, or none."""
    ends = np.array([(place[parent], place[child]) for parent, child in edges])
    if not ends.size:
        return
    along = ends[:, 1] - ends[:, 0]
    length = np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-9)
    start, arrow = ends[:, 0] + along / length * _RADIUS, along * (1 - 2 * _RADIUS / length)
    ax.quiver(
        *start.T,
        *arrow.T,
        angles="xy",
        scale_units="xy",
        scale=1,
        units="xy",
        width=width,
        headwidth=head,
        headlength=head * 7 / 6,
        headaxislength=head,
        minlength=0,
        color=colour,
        zorder=1,
    )


def _draw_variables(
    ax: Any, place: Places, names: Iterable[str], marker: str, colour: str, size: float
) -> None:
    """Draw variables with one marker and one colour."""
    points = [place[name] for name in names]
    if points:
        ax.scatter(
            *zip(*points, strict=True),
            s=size,
            marker=marker,
            color=colour,
            edgecolor=_DARK,
            linewidth=0.8,
            zorder=2,
        )


def _write_names(ax: Any, place: Places, names: Iterable[str], size: float, colour: str) -> None:
    """Write names above their variables, readable where an edge runs behind."""
    # Outlined text would be paths in the SVG, ten times as long.
    behind = {"facecolor": "white", "alpha": 0.65, "linewidth": 0, "pad": 0.4}
    for name in names:
        x, y = place[name]
        style = {"size": size, "color": colour, "ha": "center", "va": "bottom", "bbox": behind}
        ax.text(x, y + 1.2 * _RADIUS, name, zorder=3, parse_math=False, **style)


def _features(graph: LabelGraph) -> list[str]:
    """Return the variables that are not labels, sorted."""
    return sorted({name for edge in graph.edges for name in edge}.difference(graph.labels))

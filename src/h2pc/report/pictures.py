"""Pictures of graphs, drawn with matplotlib (the extra ``plots``)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

from h2pc.algorithms.learn_result import LearnResult
from h2pc.errors import GraphError, SettingError
from h2pc.graphs import Cpdag, Dag, Skeleton, dag_to_cpdag
from h2pc.learners.edge_strengths import EdgeStrengths
from h2pc.metrics import Verdict, compare_edges
from h2pc.report.identifiable import View, checked_view, identifiable_directions
from h2pc.report.places import Layout, Placed, placed
from h2pc.report.shapes import Line, axes_for, counted, draw_boxes, draw_line

Graph = Dag | Cpdag | Skeleton

_EDGE = "#6b7782"
_LEGEND = 0.4
"""Inches."""
_VERDICTS: dict[Verdict, tuple[str, Any]] = {
    Verdict.RIGHT: ("#14795a", "solid"),
    Verdict.MISSING: ("#c0351d", (0, (5, 3))),
    Verdict.EXTRA: ("#4457c8", (0, (1.2, 1.6))),
    Verdict.REVERSED: ("#a06000", (0, (6, 2, 1.2, 2))),
    Verdict.DIFFERENTLY_MARKED: ("#8a3f9c", (0, (6, 2, 1.2, 2, 1.2, 2))),
}


def plot_network(
    graph: Any,
    ax: Any = None,
    *,
    view: Literal["auto", "class", "dag"] = "auto",
    layout: Layout = "auto",
    highlight: Iterable[str] = (),
    strengths: EdgeStrengths | None = None,
) -> Any:
    """Draw a graph: a box for every variable, an arrow for every directed edge.

    What was learned is drawn with the directions that are identifiable; other edges are lines.

    Parameters
    ----------
    graph : Dag, Cpdag, Skeleton, BayesianNetwork, LearnResult, SkeletonResult or fitted learner
        The graph, or an object that has one.
    ax : matplotlib axes, default=None
        The axes to draw on; by default those of a new figure, as large as the graph needs.
    view : {"auto", "class", "dag"}, default="auto"
        The directions to draw: all ("dag"), or those that are identifiable ("class"): the same in
        all equivalent graphs that obey the constraints of the learner. "auto" is "class" for a
        result or a fitted learner, otherwise the graph as it is.
    layout : {"auto", "dot", "layers", "distances"}, default="auto"
        Positions of the variables: by Graphviz's program ``dot``, in layers from parents to
        children, or by the lengths of the paths between them. "auto" is ``dot`` where it is
        installed, otherwise layers; distances for undirected graphs and for very large ones.
    highlight : iterable of str, default=()
        Variables to emphasise.
    strengths : EdgeStrengths, default=None
        Bootstrap strengths: weak edges are drawn thin.

    Returns
    -------
    matplotlib axes
        The axes drawn on.

    Examples
    --------
    >>> from h2pc import H2PC, load_network
    >>> asia = load_network("asia")
    >>> plot_network(asia, highlight=["smoke"]).get_title()
    '8 variables, 8 edges'
    >>> plot_network(H2PC().fit(asia.sample(2000, random_state=1))).get_title()
    '8 variables, 8 edges'
    """
    if view == "auto":
        view = "class" if _is_learned(graph) else "dag"
    plain = _seen(_graph(graph), _run(graph), checked_view(view))
    chosen = tuple(highlight)
    for name in chosen:
        if name not in plain.names:
            raise GraphError(f"highlight must name variables of the graph; got {name!r}.")
    order, directed, undirected = _drawn(plain)
    where = _places(order, (*directed, *undirected), layout, is_directed=bool(directed))
    ax, scale = axes_for(ax, where)
    edges = () if strengths is None else strengths.edges
    share = {frozenset((edge.parent, edge.child)): edge.strength for edge in edges}
    for lines, arrow in ((directed, True), (undirected, False)):
        for line in lines:
            width = 1.1 if strengths is None else 0.4 + 1.8 * share.get(frozenset(line), 0.0)
            draw_line(ax, where, line, scale, arrow, _EDGE, "solid", width)
    draw_boxes(ax, where, scale, chosen)
    n_edges = len(directed) + len(undirected)
    return _finished(
        ax, where, f"{counted(len(plain.names), 'variable')}, {counted(n_edges, 'edge')}"
    )


def plot_comparison(
    learned: Any,
    reference: Any,
    ax: Any = None,
    *,
    view: View = "class",
    layout: Layout = "auto",
) -> Any:
    """Draw a learned graph over a reference: right, missing, extra and reversed edges.

    If one of the graphs is undirected, edges are compared without their directions.

    Parameters
    ----------
    learned, reference : Dag, Cpdag, Skeleton, BayesianNetwork, result or fitted learner
        The graphs to compare, matched by name.
    ax : matplotlib axes, default=None
        The axes to draw on; by default those of a new figure, as large as the graphs need.
    view : {"class", "dag"}, default="class"
        What is compared: the equivalence classes, as by :func:`h2pc.shd`, or the graphs, as by
        :func:`h2pc.dag_shd`. Of classes, edges have arrowheads where directions are identifiable;
        constraints of the learner make them so in the drawing, and have no part in the comparison.
    layout : {"auto", "dot", "layers", "distances"}, default="auto"
        As for :func:`plot_network`.

    Returns
    -------
    matplotlib axes
        The axes drawn on.

    Examples
    --------
    >>> from h2pc import Dag
    >>> true = Dag.from_edges(["a", "b", "c"], [("a", "b"), ("b", "c")])
    >>> learned = Dag.from_edges(["a", "b", "c"], [("b", "a"), ("b", "c")])
    >>> plot_comparison(learned, true).get_title()
    '2 right, 0 missing, 0 extra'
    >>> plot_comparison(learned, true, view="dag").get_title()
    '1 right, 0 missing, 0 extra, 1 reversed'
    """
    ours, theirs = _graph(learned), _graph(reference)
    if isinstance(ours, Skeleton) or isinstance(theirs, Skeleton):
        ours, theirs = _undirected(ours), _undirected(theirs)
    edges = compare_edges(ours, theirs, as_classes=checked_view(view) == "class")
    ours_seen, theirs_seen = (_seen(graph, _run(learned), view) for graph in (ours, theirs))
    heads = _arrows(theirs_seen) | _arrows(ours_seen)
    order, directed, _ = _drawn(theirs_seen)
    lines = [(edge.first, edge.second) for edge in edges]
    where = _places(order, lines, layout, is_directed=bool(directed))
    ax, scale = axes_for(ax, where, _LEGEND)
    number = dict.fromkeys(_VERDICTS, 0)
    for edge in edges:
        number[edge.verdict] += 1
        line = edge.first, edge.second
        arrow = heads[line]
        line = line if arrow is None else arrow
        draw_line(ax, where, line, scale, arrow is not None, *_VERDICTS[edge.verdict], 1.6)
    draw_boxes(ax, where, scale)
    always = (Verdict.RIGHT, Verdict.MISSING, Verdict.EXTRA)
    shown = [verdict for verdict in _VERDICTS if verdict in always or number[verdict]]
    _draw_legend(ax, {verdict: f"{verdict} ({number[verdict]})" for verdict in shown})
    return _finished(ax, where, ", ".join(f"{number[verdict]} {verdict}" for verdict in shown))


def _graph(drawable: object) -> Graph:
    """Return the graph of a network, a result or a fitted learner."""
    if isinstance(drawable, Dag | Cpdag | Skeleton):
        return drawable
    for name in ("dag_", "result_", "dag", "skeleton"):
        if (inner := getattr(drawable, name, None)) is not None:
            return _graph(inner)
    unfitted = ", which is not fitted: call fit first" if hasattr(drawable, "fit") else ""
    raise GraphError(
        "A Dag, Cpdag, Skeleton, BayesianNetwork, a result or a fitted learner was expected; "
        f"got a {type(drawable).__name__}{unfitted}."
    )


def _is_learned(drawable: object) -> bool:
    """Whether this is a result or a fitted learner, rather than a graph or a network."""
    return isinstance(drawable, LearnResult) or any(
        hasattr(drawable, name) for name in ("dag_", "result_")
    )


def _run(drawable: object) -> LearnResult | None:
    """Return the result that has the constraints of a learner, if there is one."""
    inner = getattr(drawable, "result_", drawable)
    return inner if isinstance(inner, LearnResult) else None


def _seen(graph: Graph, run: LearnResult | None, view: View) -> Graph:
    """Return the graph with the directions of a view."""
    if view == "dag" or not isinstance(graph, Dag):
        return graph
    return dag_to_cpdag(graph) if run is None else identifiable_directions(run, graph)


def _arrows(graph: Graph) -> dict[Line, Line | None]:
    """Return for each pair of names, sorted, the direction of its edge, if it has one."""
    _, directed, undirected = _drawn(graph)
    pairs: dict[Line, Line | None] = {(min(line), max(line)): None for line in undirected}
    return pairs | {(min(line), max(line)): line for line in directed}


def _undirected(graph: Graph) -> Cpdag:
    """Return the graph with undirected edges only."""
    plain = graph if isinstance(graph, Skeleton) else graph.skeleton()
    return Cpdag(plain.names, (), plain.edges)


def _drawn(graph: Graph) -> tuple[list[str], list[Line], list[Line]]:
    """Return names from top to bottom, ties by name, and directed and undirected edges."""
    by_name = graph.reordered(sorted(graph.names))
    names = by_name.names
    order, *both = by_name._drawn()
    directed, undirected = ([(names[u], names[v]) for u, v in edges] for edges in both)
    return [names[v] for v in order], directed, undirected


def _places(
    order: Sequence[str], lines: Sequence[Line], layout: Layout, *, is_directed: bool
) -> Placed:
    """Return the positions of variables and edges, parents above children."""
    known = ("auto", "dot", "layers", "distances")
    if layout not in known:
        raise SettingError(f"layout must be one of {', '.join(known)}; got {layout!r}.")
    by_distances = layout == "auto" and lines and not is_directed
    return placed(order, lines, "distances" if by_distances else layout)


def _draw_legend(ax: Any, labels: dict[Verdict, str]) -> None:
    """Draw the legend of colours and lines."""
    from matplotlib.lines import Line2D

    handles = [
        Line2D([], [], color=_VERDICTS[verdict][0], linestyle=_VERDICTS[verdict][1], label=label)
        for verdict, label in labels.items()
    ]
    ax.legend(
        handles=handles,
        frameon=False,
        loc="upper center",
        bbox_to_anchor=(0.5, 0.0),
        ncols=len(handles),
        handlelength=3.2,
    )


def _finished(ax: Any, where: Placed, title: str) -> Any:
    """Return the axes with limits and title; y grows downwards."""
    width, height = where.size
    ax.set_xlim(-10, width + 10)
    ax.set_ylim(height + 10, -10)
    ax.set_aspect("equal")
    ax.set_axis_off()
    ax.set_title(title)
    return ax

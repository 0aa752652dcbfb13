"""Pictures of graphs, drawn with matplotlib (the extra ``plots``) and laid out by networkx."""

from __future__ import annotations

from typing import Any

from h2pc.graph import Skeleton

_FOUND, _MISSED, _EXTRA = "#1b7f5c", "#c8442c", "#5a6fd6"


def plot_skeleton_comparison(learned: Skeleton, true: Skeleton, ax: Any = None) -> Any:
    """Draw a learned skeleton over the true one: edges found, missed and too many.

    Parameters
    ----------
    learned, true : Skeleton
        The graphs to compare, matched by name.
    ax : matplotlib axes, optional
        Where to draw; by default a new figure.

    Returns
    -------
    matplotlib axes
        The axes drawn on.

    Examples
    --------
    >>> from h2pc import Skeleton
    >>> true = Skeleton(["a", "b", "c"], [("a", "b"), ("b", "c")])
    >>> learned = Skeleton(["a", "b", "c"], [("a", "b"), ("a", "c")])
    >>> plot_skeleton_comparison(learned, true).get_title()
    '1 edge found, 1 missed, 1 too many'
    """
    import matplotlib.pyplot as plt
    import networkx as nx
    from matplotlib.patheffects import withStroke

    if ax is None:
        _, ax = plt.subplots(figsize=(11, 8.5), layout="constrained")
    found = {frozenset(edge) for edge in learned.named_edges}
    real = {frozenset(edge) for edge in true.named_edges}
    graph = nx.Graph()
    graph.add_nodes_from(sorted(true.names))
    graph.add_edges_from(sorted(tuple(sorted(edge)) for edge in found | real))
    place = nx.kamada_kawai_layout(_tied_together(graph))

    for edges, colour, style, label in (
        (found & real, _FOUND, "solid", "found"),
        (real - found, _MISSED, "dashed", "missed"),
        (found - real, _EXTRA, "dotted", "too many"),
    ):
        lines = nx.draw_networkx_edges(
            graph,
            place,
            edgelist=sorted(tuple(sorted(edge)) for edge in edges),
            edge_color=colour,
            style=style,
            width=2.0,
            ax=ax,
        )
        if edges:
            lines.set_label(f"{label} ({len(edges)})")
    nx.draw_networkx_nodes(
        graph, place, node_size=220, node_color="#eef1f4", edgecolors="#5b6570", ax=ax
    )
    above = {name: (x, y + 0.04) for name, (x, y) in place.items()}
    labels = nx.draw_networkx_labels(graph, above, font_size=7.5, ax=ax)
    for label in labels.values():  # readable where an edge runs behind
        label.set_path_effects([withStroke(linewidth=2.5, foreground="white")])
    n_found = len(found & real)
    ax.set_title(
        f"{n_found} edge{'s' if n_found != 1 else ''} found, {len(real - found)} missed, "
        f"{len(found - real)} too many"
    )
    if ax.get_legend_handles_labels()[0]:
        ax.legend(frameon=False, loc="lower left")
    ax.set_axis_off()
    return ax


def _tied_together(graph: Any) -> Any:
    """Return the graph with one edge between its components, so that a layout keeps them near."""
    import networkx as nx

    tied = graph.copy()
    first, *others = (sorted(component)[0] for component in nx.connected_components(graph))
    tied.add_edges_from((first, other) for other in others)
    return tied

"""The files that show the graph around the labels of some data."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import TYPE_CHECKING

from h2pc.cli.outputs import Content

if TYPE_CHECKING:
    from h2pc.multilabel.label_structure import LabelStructure


def contents(name: str, found: LabelStructure) -> dict[str, Callable[[], Content]]:
    """Return a function for each kind of file that makes its content."""
    return {
        "json": lambda: found.result.to_json() + "\n",
        "dot": lambda: _dot(found),
        "svg": lambda: _picture(name, found, "svg", {"Date": None}),
        "png": lambda: _picture(name, found, "png", {"Software": None}),
        "html": lambda: _page(name, found),
    }


def _dot(found: LabelStructure) -> str:
    """Return the edges near the labels in the language of Graphviz."""
    from h2pc.graphs import Dag
    from h2pc.io.dot import to_dot

    names = sorted({*found.labels, *(name for edge in found.edges for name in edge)})
    return to_dot(Dag.from_edges(names, found.edges))


def _picture(name: str, found: LabelStructure, kind: str, metadata: dict[str, None]) -> bytes:
    """Return a picture, the same bytes each time."""
    import matplotlib as mpl

    from h2pc.report.label_graphs import LabelGraph, plot_label_graph

    content = io.BytesIO()
    with mpl.rc_context({"svg.hashsalt": name, "svg.fonttype": "none"}):
        figure = plot_label_graph(LabelGraph(name, found.labels, found.edges)).figure
        figure.savefig(content, format=kind, dpi=110, metadata=metadata)
    return content.getvalue()


def _page(name: str, found: LabelStructure) -> str:
    """Return the interactive page."""
    from h2pc.report.page import network_page

    return network_page(
        found.result,
        title=f"The labels of {name}",
        labels=found.labels,
        powersets=found.powersets,
        boundaries=found.boundaries,
    )

"""The files that show the graph around the labels of some data."""

from __future__ import annotations

import io
from collections.abc import Callable

from h2pc.cli.outputs import Content
from h2pc.graphs import Dag
from h2pc.io.dot import to_dot
from h2pc.multilabel.label_structure import LabelStructure
from h2pc.report.label_graphs import LabelGraph, plot_label_graph
from h2pc.report.page import network_page


def contents(name: str, found: LabelStructure) -> dict[str, Callable[[], Content]]:
    """Return a function for each kind of file that makes its content."""
    near = sorted({*found.labels, *(variable for edge in found.edges for variable in edge)})
    return {
        "json": lambda: found.result.to_json() + "\n",
        "dot": lambda: to_dot(Dag.from_edges(near, found.edges)),
        "svg": lambda: _picture(name, found, "svg", {"Date": None}),
        "png": lambda: _picture(name, found, "png", {"Software": None}),
        "html": lambda: network_page(
            found.result,
            title=f"The labels of {name}",
            labels=found.labels,
            powersets=found.powersets,
            boundaries=found.boundaries,
        ),
    }


def _picture(name: str, found: LabelStructure, kind: str, metadata: dict[str, None]) -> bytes:
    """Return a picture, the same bytes each time."""
    import matplotlib as mpl

    content = io.BytesIO()
    with mpl.rc_context({"svg.hashsalt": name, "svg.fonttype": "none"}):
        figure = plot_label_graph(LabelGraph(name, found.labels, found.edges)).figure
        figure.savefig(content, format=kind, dpi=110, metadata=metadata)
    return content.getvalue()

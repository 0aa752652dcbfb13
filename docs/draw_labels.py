"""Draw the labels of the tutorial: ``python docs/draw_labels.py`` writes pictures/labels.svg.

It is the picture of docs/tutorials/multilabel.md: the same samples, the same graph.
"""

from __future__ import annotations

import io
from pathlib import Path

import matplotlib as mpl

from h2pc import make_multilabel_network, plot_label_graph
from h2pc.multilabel.label_structure import label_structure

PICTURE = Path(__file__).parent / "pictures" / "labels.svg"


def picture() -> str:
    """Return the graph around the labels as SVG, the same each time."""
    truth = make_multilabel_network(n_labels=6, n_features=20, random_state=3)
    found = label_structure(*truth.sample(2000, random_state=1).to_pandas())
    content = io.StringIO()
    with mpl.rc_context({"svg.hashsalt": "labels", "svg.fonttype": "none"}):
        figure = plot_label_graph(found.result.dag, found.labels).figure
        figure.savefig(content, format="svg", metadata={"Date": None})
    return content.getvalue()


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")

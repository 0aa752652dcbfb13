"""Labels in a graph: which of them belong together, and which features tell about them."""

from h2pc.multilabel.powersets import (
    LabelLink,
    label_graph,
    label_links,
    minimal_label_powersets,
    powerset_boundary,
)

__all__ = [
    "LabelLink",
    "label_graph",
    "label_links",
    "minimal_label_powersets",
    "powerset_boundary",
]

"""Label factors as a document, and as the graph that is drawn of them."""

from __future__ import annotations

from typing import Any

from h2pc.graphs import Dag
from h2pc.multilabel.data import MultilabelData
from h2pc.multilabel.label_factors import LabelFactors
from h2pc.multilabel.powerset_model import label_combinations
from h2pc.multilabel.training_set import places


def factor_document(found: LabelFactors, data: MultilabelData) -> dict[str, Any]:
    """Return label factors as plain values, with the number of combinations of their labels."""
    document = found.to_dict()
    powersets = document.pop("factors")
    for each in powersets:
        own = data.Y[:, places(each["labels"], data.label_names)]
        each["n_combinations"] = len(label_combinations(own)[0])
    return {**document, "powersets": powersets}


def factor_graph(found: LabelFactors) -> Dag:
    """Return the links between labels, and edges from their features to them.

    Directions mean nothing; they follow the names, so that there is no cycle.
    """
    near = zip(found.labels, found.label_boundaries, strict=True)
    edges = [(feature, label) for label, some in near for feature in some]
    features = {feature for feature, _ in edges}
    joined = [link.labels for link in found.links]
    return Dag.from_edges(sorted({*found.labels, *features}), sorted({*edges, *joined}))

"""What a graph says about a prediction: roles of features, and links between labels."""

from __future__ import annotations

from collections.abc import Iterable

from h2pc.graphs import Dag
from h2pc.multilabel.powersets import (
    LabelLink,
    enclosing_powerset,
    label_links,
    minimal_label_powersets,
)
from h2pc.multilabel.training_set import Names


class LabelRoles:
    """The roles of features and the links of labels in a graph, computed once for all labels."""

    def __init__(self, dag: Dag | None, labels: Iterable[str]) -> None:
        self._dag = dag
        known = tuple(labels)
        self._links = () if dag is None else label_links(dag, known)
        self._minimal = () if dag is None else minimal_label_powersets(dag, known)

    def links(self, labels: Names) -> tuple[LabelLink, ...]:
        """Return the links that one of the labels is part of."""
        own = frozenset(labels)
        return tuple(link for link in self._links if own.intersection(link.labels))

    def of_features(self, labels: Names) -> dict[str, str]:
        """Return for each feature next to the labels what it is to them, such as ``parent of a``.

        The labels of the same minimal powersets count too: their features help to predict.
        """
        if self._dag is None:
            return {}
        found: dict[str, dict[str, list[str]]] = {}
        for label in enclosing_powerset(labels, self._minimal):
            near = {
                "parent": self._dag.parents(label),
                "child": self._dag.children(label),
                "spouse": self._dag.spouses(label),
            }
            for role, features in near.items():
                for feature in features:
                    found.setdefault(feature, {}).setdefault(role, []).append(label)
        return {
            feature: "; ".join(
                f"{role} of {', '.join(roles[role])}"
                for role in ("parent", "child", "spouse")
                if role in roles
            )
            for feature, roles in found.items()
        }


def link_sentence(link: LabelLink) -> str:
    """Return why two labels depend on each other given the features.

    Examples
    --------
    >>> link_sentence(LabelLink(("ant", "bee"), True, ("rain",)))
    "'ant' and 'bee' are adjacent, and are both parents of rain."
    """
    first, second = link.labels
    reasons = ["are adjacent"] if link.adjacent else []
    if link.through:
        reasons.append(f"are both parents of {', '.join(link.through)}")
    return f"{first!r} and {second!r} {', and '.join(reasons)}."

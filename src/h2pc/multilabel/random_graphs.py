"""Random graphs over labels and features, whose minimal label powersets are chosen beforehand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from h2pc.graphs import Dag

MOST_PARENTS = 3
"""Of any variable: tables stay small, and every parent has a say."""

_LINKS_BY_FEATURE = 0.3
"""How often two labels are joined by a common child, rather than by edges."""

_CAUSES = 0.8
"""How often a feature is a cause of a label, rather than an effect. Where two causes meet, edges
have a direction that data can tell."""

_T = TypeVar("_T")


def random_multilabel_dag(
    labels: Sequence[str], features: Sequence[str], max_powerset: int, rng: np.random.Generator
) -> Dag:
    """Graph in which causes come before labels, and effects after them.

    Labels have common children within a powerset only, and features at will.
    """
    draft = _Draft(rng)
    rest = draft.shuffled(features)
    waiting = draft.shuffled(labels)
    while waiting:
        size = int(rng.integers(1, max_powerset + 1))
        draft.join(waiting[:size], rest)
        waiting = waiting[size:]
    for label in labels:  # everyone has a feature of its own, as far as they go round
        if rest:
            draft.tell_about(label, rest.pop())
    while rest:
        draft.place(rest.pop(), labels)
    return Dag.from_edges(sorted((*labels, *features)), draft.arcs)


class _Draft:
    """A graph that grows by one feature, or one powerset, at a time."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.arcs: list[tuple[str, str]] = []
        self._rng = rng
        self._n_parents: Counter[str] = Counter()
        self._causes: list[str] = []
        self._caused: list[list[str]] = []
        self._effects: list[str] = []

    def shuffled(self, names: Sequence[str]) -> list[str]:
        """Names in random order."""
        return [names[i] for i in self._rng.permutation(len(names)).tolist()]

    def join(self, powerset: Sequence[str], features: list[str]) -> None:
        """Make a powerset of the labels; common children are taken from the features."""
        for i, label in enumerate(powerset[1:], start=1):
            if features and self._rng.random() < _LINKS_BY_FEATURE:
                child = features.pop()
                self._add((self._one_of(powerset[:i]), label), child)
                self._effects.append(child)
            else:
                self._add(powerset[max(0, i - 2) : i], label)

    def tell_about(self, label: str, feature: str) -> None:
        """Make the feature a cause of the label, or an effect."""
        if self._with_room([label]) and self._rng.random() < _CAUSES:
            self._cause([label], feature)
        else:
            self._add([label], feature)
            self._effects.append(feature)

    def place(self, feature: str, labels: Sequence[str]) -> None:
        """Give the feature a part: near to labels, far from them, or none at all."""
        role = self._one_of(("label", "two labels", "effect", "feature", "nobody"))
        open_labels = self._with_room(labels)
        open_effects = self._with_room(self._effects)
        if role == "label":
            self.tell_about(self._one_of(labels), feature)
        elif role == "two labels" and len(open_labels) > 1:
            self._cause(sorted(self.shuffled(open_labels)[:2]), feature)
        elif role == "effect" and open_effects:
            self._add([feature], self._one_of(open_effects))
        elif role == "feature" and (known := self._causes + self._effects):
            self._add([self._one_of(known)], feature)

    def _cause(self, labels: list[str], feature: str) -> None:
        # Two causes of the same two labels look much like two of their common children.
        taken = labels in self._caused
        for label in labels[:1] if taken else labels:
            self._add([feature], label)
        self._caused.append(labels)
        self._causes.append(feature)

    def _add(self, parents: Sequence[str], child: str) -> None:
        self.arcs += [(parent, child) for parent in parents]
        self._n_parents[child] += len(parents)

    def _with_room(self, names: Sequence[str]) -> list[str]:
        return [name for name in names if self._n_parents[name] < MOST_PARENTS]

    def _one_of(self, choices: Sequence[_T]) -> _T:
        return choices[int(self._rng.integers(len(choices)))]

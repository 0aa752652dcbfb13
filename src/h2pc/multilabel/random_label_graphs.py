"""Random graphs of labels and features, whose powersets are at most as large as wanted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from h2pc.graphs import Dag

MOST_PARENTS = 3
"""Of any variable, so that tables stay small."""

_LINKS_BY_FEATURE = 0.3
"""How often two labels are joined by a common child, rather than by edges."""

_CAUSES = 0.8
"""How often a feature is a cause of a label, rather than an effect. Where two causes meet, edges
have a direction that can be learned."""

_T = TypeVar("_T")


def random_dag(
    labels: Sequence[str], features: Sequence[str], max_powerset: int, rng: np.random.Generator
) -> Dag:
    """Return a random graph in which causes come before labels, and effects after them.

    Labels have common children within a powerset only, and features at will.
    """
    draft = _Draft(labels, rng)
    rest = draft.shuffled(features)
    waiting = draft.shuffled(labels)
    start = 0
    while start < len(waiting):
        size = int(rng.integers(1, max_powerset + 1))
        draft.join(waiting[start : start + size], rest)
        start += size
    for label in labels:  # a feature for each label, as long as there are any
        if rest:
            draft.attach(label, rest.pop())
    while rest:
        draft.place(rest.pop())
    return Dag.from_edges(sorted((*labels, *features)), draft.arcs)


class _Draft:
    """A graph that grows by one feature, or one powerset, at a time.

    Lists of variables that may have more parents are kept, not made anew for every feature: there
    may be thousands of labels.
    """

    def __init__(self, labels: Sequence[str], rng: np.random.Generator) -> None:
        self.arcs: list[tuple[str, str]] = []
        self._labels, self._is_label = labels, frozenset(labels)
        self._rng = rng
        self._n_parents: Counter[str] = Counter()
        self._causes: list[str] = []
        self._caused: set[tuple[str, ...]] = set()
        self._effects: list[str] = []
        self._open_labels = list(labels)
        self._open_effects: list[str] = []

    def shuffled(self, names: Sequence[str]) -> list[str]:
        """Return the names in random order."""
        return [names[i] for i in self._rng.permutation(len(names)).tolist()]

    def join(self, powerset: Sequence[str], features: list[str]) -> None:
        """Make a powerset of the labels; common children are taken from the features."""
        for i, label in enumerate(powerset[1:], start=1):
            if features and self._rng.random() < _LINKS_BY_FEATURE:
                child = features.pop()
                self._effect((self._one_of(powerset[:i]), label), child)
            else:
                self._add(powerset[max(0, i - 2) : i], label)

    def attach(self, label: str, feature: str) -> None:
        """Make the feature a cause of the label, or an effect."""
        if self._has_room(label) and self._rng.random() < _CAUSES:
            self._cause((label,), feature)
        else:
            self._effect((label,), feature)

    def place(self, feature: str) -> None:
        """Connect the feature with labels, with effects, with a feature, or with nothing."""
        role = self._one_of(("label", "two labels", "effect", "feature", "none"))
        n_open, n_known = len(self._open_labels), len(self._causes) + len(self._effects)
        if role == "label":
            self.attach(self._one_of(self._labels), feature)
        elif role == "two labels" and n_open > 1:
            two = self._rng.permutation(n_open)[:2].tolist()
            self._cause(tuple(sorted(self._open_labels[i] for i in two)), feature)
        elif role == "effect" and self._open_effects:
            self._add((feature,), self._one_of(self._open_effects))
        elif role == "feature" and n_known:
            self._add((self._known(int(self._rng.integers(n_known))),), feature)

    def _known(self, i: int) -> str:
        """Return a feature by its number: causes first, then effects."""
        n_causes = len(self._causes)
        return self._causes[i] if i < n_causes else self._effects[i - n_causes]

    def _cause(self, labels: tuple[str, ...], feature: str) -> None:
        # Two causes of the same two labels look much like two of their common children.
        taken = labels in self._caused
        for label in labels[:1] if taken else labels:
            self._add((feature,), label)
        self._caused.add(labels)
        self._causes.append(feature)

    def _effect(self, labels: tuple[str, ...], feature: str) -> None:
        self._effects.append(feature)
        self._open_effects.append(feature)
        self._add(labels, feature)

    def _add(self, parents: Sequence[str], child: str) -> None:
        self.arcs += [(parent, child) for parent in parents]
        self._n_parents[child] += len(parents)
        if not self._has_room(child):
            is_label = child in self._is_label
            (self._open_labels if is_label else self._open_effects).remove(child)

    def _has_room(self, name: str) -> bool:
        return self._n_parents[name] < MOST_PARENTS

    def _one_of(self, choices: Sequence[_T]) -> _T:
        return choices[int(self._rng.integers(len(choices)))]

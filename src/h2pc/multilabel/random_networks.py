"""Random networks over labels and features, whose powersets and boundaries are known."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from h2pc.checks import number, whole_number
from h2pc.data.tables import default_names
from h2pc.graphs import Dag
from h2pc.multilabel.data import MultilabelData
from h2pc.multilabel.label_values import default_label_names
from h2pc.multilabel.powersets import minimal_label_powersets, powerset_boundary
from h2pc.networks import BayesianNetwork
from h2pc.random_state import RandomState, seed_of

# With these, H2PC finds all powersets of 198 in 200 networks from 5,000 samples, and labels are yet
# so uncertain given the features that the most probable combination, right in 0.32 of the samples
# on average, is better than the most probable labels, 0.30.
_LINK = (0.9, 1.3)
_FEATURE = (0.4, 0.7)
_FREQUENCY = (0.3, 0.5)
_SHIFT = 0.7

MOST_PARENTS = 3
"""Of any variable, so that tables stay small."""

_LINKS_BY_FEATURE = 0.3
"""How often two labels are joined by a common child, rather than by edges."""

_CAUSES = 0.8
"""How often a feature is a cause of a label, rather than an effect. Where two causes meet, edges
have a direction that can be learned."""

_T = TypeVar("_T")


@dataclass(frozen=True)
class MultilabelNetwork:
    """A Bayesian network some variables of which are labels; all others are features.

    Examples
    --------
    >>> from h2pc import make_multilabel_network
    >>> truth = make_multilabel_network(n_labels=3, n_features=4, random_state=1)
    >>> truth.labels, truth.features
    (('Y0', 'Y1', 'Y2'), ('X0', 'X1', 'X2', 'X3'))
    >>> truth.sample(100, random_state=7)
    MultilabelData('network', 100 samples, 4 features, 3 labels)
    """

    network: BayesianNetwork
    """The graph and its tables; the states of the labels are ``"0"`` and ``"1"``."""
    labels: tuple[str, ...]

    @property
    def dag(self) -> Dag:
        """The graph of the network."""
        return self.network.dag

    @cached_property
    def features(self) -> tuple[str, ...]:
        """The variables that are no labels, in the order of the network."""
        return tuple(name for name in self.network.names if name not in self.labels)

    @cached_property
    def powersets(self) -> tuple[tuple[str, ...], ...]:
        """The true minimal label powersets."""
        return minimal_label_powersets(self.dag, self.labels)

    @cached_property
    def boundaries(self) -> tuple[tuple[str, ...], ...]:
        """The true Markov boundary of every powerset among the features."""
        return tuple(powerset_boundary(self.dag, some, self.labels) for some in self.powersets)

    def sample(self, n_samples: int, random_state: RandomState = 0) -> MultilabelData:
        """Draw independent samples; features are the numbers of their states."""
        drawn = self.network.sample(n_samples, random_state)
        X, Y = (
            np.ascontiguousarray(drawn.codes[list(drawn.variables(names))].T, np.int64)
            for names in (self.features, self.labels)
        )
        return MultilabelData(X, Y, self.features, self.labels, name="network")


def make_multilabel_network(
    n_labels: int = 6,
    n_features: int = 20,
    *,
    max_powerset: int = 3,
    n_states: int = 2,
    strength: float = 1.0,
    random_state: RandomState = 0,
) -> MultilabelNetwork:
    """Return a random network of labels and features, to draw multi-label data from.

    The labels fall into groups of random size, which become the minimal label powersets. Inside a
    group they compete: a label is likely where its label parents are absent, and a common child
    depends on whether any of its label parents is present. So the most probable combination is not
    made of the most probable labels. Features are causes of one label or of two, effects, other
    parents of effects, effects of features, or unconnected.

    Parameters
    ----------
    n_labels : int, default=6
        The number of labels, at least one.
    n_features : int, default=20
        The number of features, at least one.
    max_powerset : int, default=3
        The most labels in a powerset.
    n_states : int, default=2
        The number of states of every feature.
    strength : float, default=1.0
        The strength of the dependence of children on parents; with 1 a few thousand samples are
        enough to learn the powersets.
    random_state : int, random generator or None, default=0
        The same seed gives the same network; None draws another one each time.

    Returns
    -------
    MultilabelNetwork
        The network, its powersets and boundaries.

    Examples
    --------
    >>> from h2pc import make_multilabel_network
    >>> truth = make_multilabel_network(n_labels=4, n_features=8, random_state=3)
    >>> truth.powersets
    (('Y0',), ('Y1',), ('Y2', 'Y3'))
    >>> truth.boundaries
    (('X3',), ('X5',), ('X0', 'X1', 'X4'))
    """
    whole_number(1)("n_labels", n_labels)
    whole_number(1)("n_features", n_features)
    whole_number(1)("max_powerset", max_powerset)
    whole_number(2)("n_states", n_states)
    number(above=0)("strength", strength)
    rng = np.random.default_rng(seed_of(random_state))
    labels, features = default_label_names(n_labels), default_names(n_features)
    dag = _random_dag(labels, features, max_powerset, rng)
    is_label = [name in labels for name in dag.names]
    cards = [2 if label else n_states for label in is_label]
    tables = [
        _table([cards[u] for u in family], [is_label[u] for u in family], strength, rng)
        for family in ((*dag.parents(v), v) for v in dag.variables)
    ]
    states = [[str(state) for state in range(card)] for card in cards]
    return MultilabelNetwork(BayesianNetwork(dag, states, tables), labels)


def _table(
    cards: Sequence[int], is_label: Sequence[bool], strength: float, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Return the table of a family, parents first: odds of states grow with a weighted sum.

    The states of a variable count from -1 to 1. Effects of parents add up.
    """
    *parents, child = is_label
    n_label_parents = sum(parents)
    linked = child or n_label_parents > 1
    link_sign = -1 if child else _sign(rng)
    total = np.zeros(cards[:-1])
    if child and not n_label_parents:
        frequency = rng.uniform(*_FREQUENCY)
        total += 0.5 * math.log(frequency / (1 - frequency))
    for axis, parent in enumerate(parents):
        is_link = parent and linked
        weight = strength * rng.uniform(*(_LINK if is_link else _FEATURE))
        sign = link_sign if is_link else _sign(rng)
        values = np.linspace(-1, 1, cards[axis])
        if is_link:
            values += _SHIFT  # one of several labels is nearly enough
        total += sign * weight * values.reshape((-1,) + (1,) * (len(parents) - 1 - axis))
    exponent = total[..., None] * np.linspace(-1, 1, cards[-1])
    odds = np.exp(exponent - exponent.max(axis=-1, keepdims=True))
    return np.asarray(odds / odds.sum(axis=-1, keepdims=True))


def _sign(rng: np.random.Generator) -> int:
    """Return 1 or -1."""
    return 1 if rng.random() < 0.5 else -1


def _random_dag(
    labels: Sequence[str], features: Sequence[str], max_powerset: int, rng: np.random.Generator
) -> Dag:
    """Return a random graph in which causes come before labels, and effects after them.

    Labels have common children within a powerset only, and features at will.
    """
    draft = _Draft(rng)
    rest = draft.shuffled(features)
    waiting = draft.shuffled(labels)
    while waiting:
        size = int(rng.integers(1, max_powerset + 1))
        draft.join(waiting[:size], rest)
        waiting = waiting[size:]
    for label in labels:  # a feature for each label, as long as there are any
        if rest:
            draft.attach(label, rest.pop())
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
        """Return the names in random order."""
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

    def attach(self, label: str, feature: str) -> None:
        """Make the feature a cause of the label, or an effect."""
        if self._with_room([label]) and self._rng.random() < _CAUSES:
            self._cause([label], feature)
        else:
            self._add([label], feature)
            self._effects.append(feature)

    def place(self, feature: str, labels: Sequence[str]) -> None:
        """Connect the feature with labels, with effects, with a feature, or with nothing."""
        role = self._one_of(("label", "two labels", "effect", "feature", "none"))
        open_labels = self._with_room(labels)
        open_effects = self._with_room(self._effects)
        if role == "label":
            self.attach(self._one_of(labels), feature)
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

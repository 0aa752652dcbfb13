"""Random networks over labels and features, whose powersets and boundaries are known."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array, csr_array

from h2pc.checks import number, one_of, whole_number
from h2pc.data.tables import default_names
from h2pc.errors import SettingError
from h2pc.graphs import Dag
from h2pc.multilabel.data import MultilabelData
from h2pc.multilabel.label_values import default_label_names
from h2pc.multilabel.powersets import minimal_label_powersets, powerset_boundaries
from h2pc.multilabel.random_label_graphs import random_dag
from h2pc.multilabel.random_label_tables import (
    feature_frequencies,
    long_tailed_frequencies,
    random_tables,
)
from h2pc.multilabel.training_set import with_small_indices
from h2pc.networks import BayesianNetwork
from h2pc.networks.sampling import forward_sample
from h2pc.random_state import RandomState, seed_of


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
        labels = frozenset(self.labels)
        return tuple(name for name in self.network.names if name not in labels)

    @cached_property
    def powersets(self) -> tuple[tuple[str, ...], ...]:
        """The true minimal label powersets."""
        return minimal_label_powersets(self.dag, self.labels)

    @cached_property
    def boundaries(self) -> tuple[tuple[str, ...], ...]:
        """The true Markov boundary of every powerset among the features."""
        return powerset_boundaries(self.dag, self.powersets, self.labels)

    def sample(
        self, n_samples: int, random_state: RandomState = 0, *, sparse: bool = False
    ) -> MultilabelData:
        """Draw independent samples; features are the numbers of their states.

        With ``sparse=True`` features are a sparse matrix, and labels numbers of one byte. The
        numbers are the same.
        """
        whole_number(1)("n_samples", n_samples)
        codes = forward_sample(self.dag, self.network.tables, n_samples, seed_of(random_state))
        features, labels = self._places(self.features), self._places(self.labels)
        if sparse:
            Y = np.ascontiguousarray(codes[labels].T, np.int8)
            return self._data(_sparse_columns(codes, features), Y)
        dense = (np.ascontiguousarray(codes[some].T, np.int64) for some in (features, labels))
        return self._data(*dense)

    def _places(self, names: tuple[str, ...]) -> list[int]:
        return [self.dag.variable(name) for name in names]

    def _data(self, X: NDArray[np.int64] | csr_array, Y: NDArray[np.integer]) -> MultilabelData:
        return MultilabelData(X, Y, self.features, self.labels, name="network")


def _sparse_columns(codes: NDArray[np.unsignedinteger], columns: list[int]) -> csr_array:
    """Return some columns, one row of codes for each, as a sparse matrix."""
    rows = [np.flatnonzero(codes[v]).astype(np.int32) for v in columns]
    starts = np.cumsum([0, *(own.size for own in rows)])
    values = np.concatenate([codes[v][own] for v, own in zip(columns, rows, strict=True)])
    parts = values.astype(np.int64), np.concatenate(rows), starts
    found = csc_array(parts, shape=(codes.shape[1], len(columns))).tocsr()
    small: csr_array = with_small_indices(found)
    return small


def make_multilabel_network(
    n_labels: int = 6,
    n_features: int = 20,
    *,
    max_powerset: int = 3,
    n_states: int = 2,
    strength: float = 1.0,
    label_frequencies: Literal["balanced", "long_tailed"] = "balanced",
    feature_frequency: float | None = None,
    random_state: RandomState = 0,
) -> MultilabelNetwork:
    """Return a random network of labels and features, to draw multi-label data from.

    The labels fall into groups of random size, which become the minimal label powersets. Inside a
    group they compete: a label is likely where its label parents are absent, and a common child
    depends on whether any of its label parents is present. So the most probable combination is not
    made of the most probable labels. Features are causes of one label or of two, effects, other
    parents of effects, effects of features, or unconnected.

    Rare labels and features are made otherwise: each is a noisy or of its parents, so that labels
    of a group come together. The graph is the same with every choice of frequencies. Networks of
    thousands of labels and tens of thousands of features take seconds.

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
    label_frequencies : {"balanced", "long_tailed"}, default="balanced"
        How often labels are present: all about as often, or by Zipf's law, the k-th most frequent
        one in a share of 0.2 / k^0.7 of the samples.
    feature_frequency : float, default=None
        How often features are not in their first state, 0: in this share of the samples on average,
        the features between half and one and a half times as often; at most 0.5. By default all
        states are about as frequent. Small ones make sparse data.
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
    one_of(("balanced", "long_tailed"))("label_frequencies", label_frequencies)
    number(above=0, optional=True)("feature_frequency", feature_frequency)
    if feature_frequency is not None and feature_frequency > 0.5:
        raise SettingError(f"feature_frequency must be at most 0.5; got {feature_frequency!r}.")
    rng = np.random.default_rng(seed_of(random_state))
    labels, features = default_label_names(n_labels), default_names(n_features)
    dag = random_dag(labels, features, max_powerset, rng)
    is_label = np.isin(dag.names, labels)
    frequencies = np.full(len(dag.names), np.nan)
    if label_frequencies == "long_tailed":
        frequencies[is_label] = long_tailed_frequencies(n_labels, rng)
    if feature_frequency is not None:
        frequencies[~is_label] = feature_frequencies(n_features, feature_frequency, rng)
    cards = np.where(is_label, 2, n_states).tolist()
    tables = random_tables(dag, cards, is_label.tolist(), frequencies, strength, rng)
    states = [[str(state) for state in range(card)] for card in cards]
    return MultilabelNetwork(BayesianNetwork(dag, states, tables), labels)

"""The forests of a cell: the same labels by the same features are learned once."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from h2pc import CompactForestClassifier
from h2pc.experiments.multilabel_folds import NumberedData
from h2pc.experiments.multilabel_setup import MultilabelCell, MultilabelSetup
from h2pc.experiments.synthetic_cell import derived_seed
from h2pc.multilabel.classifiers import MAX_SEED
from h2pc.multilabel.powerset_model import fitted_model
from h2pc.multilabel.training_set import Names, places

Labels = NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class Forests:
    """What random forests tell of the samples of a fold, and what they have told before.

    The seven columns of Table 5 share many forests: that of a powerset of a single label is one of
    binary relevance. Answers are those of :class:`BinaryRelevance` and
    :class:`MinimalLabelPowersetClassifier`, bit for bit. No forest outlives its answer: those of
    159 labels together would take gigabytes.
    """

    train: NumberedData
    test: NumberedData
    trees: int
    random_state: int
    _known: dict[tuple[Names, Names], Labels] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        train: NumberedData,
        test: NumberedData,
        setup: MultilabelSetup,
        cell: MultilabelCell,
    ) -> Forests:
        """Return the forests of a cell, none of them grown."""
        return cls(train, test, setup.trees, derived_seed(setup.seed, *cell, "forests") % 2**32)

    def told(self, powersets: Sequence[Names], inputs: Sequence[Names] | None = None) -> Labels:
        """Return all labels of the fold, those of a powerset by its inputs; by default by all."""
        told = np.empty(self.test.Y.shape, np.int8)
        seen = [self.train.features] * len(powersets) if inputs is None else inputs
        for key in zip(powersets, seen, strict=True):
            if key not in self._known:
                self._known[key] = self._told_once(*key)
            told[:, places(key[0], self.train.labels)] = self._known[key]
        return told

    def _told_once(self, powerset: Names, features: Names) -> Labels:
        """Return the labels of a powerset in the fold, by a forest of its own."""
        columns = places(features, self.train.features)
        with warnings.catch_warnings():
            # Combinations of many labels may well be as many as that.
            warnings.filterwarnings("ignore", "The number of unique classes is greater than 50%")
            model = fitted_model(
                CompactForestClassifier(self.trees, random_state=self._seed(powerset)),
                self.train.X,
                self.train.Y,
                columns,
                places(powerset, self.train.labels),
            )
        return model.predict(self.test.X)

    def _seed(self, powerset: Names) -> int:
        """Return the seed of a powerset: as in the classifiers, it belongs to its first label."""
        random = np.random.RandomState(self.random_state)
        drawn = random.randint(MAX_SEED, size=len(self.train.labels))
        first = drawn[places(powerset[:1], self.train.labels)[0]]
        return int(np.random.RandomState(first).randint(MAX_SEED))

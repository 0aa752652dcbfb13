"""The folds of a multi-label data set, and the predictions of random forests for them."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from h2pc import CompactForestClassifier, Dag
from h2pc.data.tables import default_names
from h2pc.multilabel.base import MAX_SEED
from h2pc.multilabel.data import MultilabelData
from h2pc.multilabel.data_files import read_multilabel
from h2pc.multilabel.label_structure import edges_near
from h2pc.multilabel.label_values import default_label_names
from h2pc.multilabel.powerset_model import fitted_model
from h2pc.multilabel.training_set import Categories, Names, TrainingSet, places

Labels = NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class NumberedData(TrainingSet):
    """Data whose columns are sorted by name and then renamed ``X0, X1, …`` and ``Y0, Y1, …``.

    Classifiers give these names to the columns of matrices.
    """

    names: dict[str, str] = field(default_factory=dict)
    """Original names by new names."""

    @classmethod
    def of(cls, data: MultilabelData) -> NumberedData:
        """Return data with renamed columns and dense features."""
        features, labels = sorted(data.feature_names), sorted(data.label_names)
        # Trees grow in 60 % of the time on a dense matrix, and in 70 % of that where the values of
        # a feature lie side by side; the paper's largest matrix is of 110 MB.
        dense = data.X.toarray() if data.is_sparse else np.asarray(data.X)
        numbers = default_names(len(features)), default_label_names(len(labels))
        return cls(
            np.asfortranarray(dense[:, places(features, data.feature_names)], np.float64),
            data.Y[:, places(labels, data.label_names)],
            *numbers,
            Categories(None),
            ((0, 1),) * len(labels),
            names=dict(zip(chain(*numbers), (*features, *labels), strict=True)),
        )

    def take(self, rows: NDArray[Any]) -> NumberedData:
        """Return some samples."""
        return replace(self, X=np.asfortranarray(self.X[rows]), Y=self.Y[rows])

    def local_edges(self, dag: Dag) -> list[tuple[str, str]]:
        """Return the edges that decide powersets and boundaries, by original names, sorted."""
        edges = edges_near(dag, self.targets)
        return sorted((self.names[parent], self.names[child]) for parent, child in edges)


@lru_cache(maxsize=1)
def numbered_data(name: str, folder: str) -> NumberedData:
    """Return a data set of a folder; mostly the next cell is of the same data set."""
    return NumberedData.of(read_multilabel(Path(folder) / name))


@dataclass(frozen=True, eq=False)
class Forests:
    """Predictions of random forests for the test data; forests of the same task are grown once.

    The seven columns of Table 5 share many forests: that of a powerset of a single label is one of
    binary relevance. Predictions are those of :class:`BinaryRelevance` and
    :class:`MinimalLabelPowersetClassifier`, bit for bit. Forests are not kept: those of 159 labels
    together would take gigabytes.
    """

    train: NumberedData
    test: NumberedData
    trees: int
    random_state: int
    _predicted: dict[tuple[Names, Names], Labels] = field(default_factory=dict)

    def predict(self, powersets: Sequence[Names], inputs: Sequence[Names] | None = None) -> Labels:
        """Return all labels, those of each powerset predicted from its inputs (default: all)."""
        predicted = np.empty(self.test.Y.shape, np.int8)
        used = [self.train.features] * len(powersets) if inputs is None else inputs
        for key in zip(powersets, used, strict=True):
            if key not in self._predicted:
                self._predicted[key] = self._predict_one(*key)
            predicted[:, places(key[0], self.train.targets)] = self._predicted[key]
        return predicted

    def _predict_one(self, powerset: Names, features: Names) -> Labels:
        """Return the labels of one powerset, predicted by a forest of its own."""
        with warnings.catch_warnings():
            # Combinations of many labels may well be as many as that.
            warnings.filterwarnings("ignore", "The number of unique classes is greater than 50%")
            model = fitted_model(
                CompactForestClassifier(self.trees, random_state=self._seed(powerset)),
                self.train.X,
                self.train.Y,
                places(features, self.train.features),
                places(powerset, self.train.targets),
            )
        return model.predict(self.test.X)

    def _seed(self, powerset: Names) -> int:
        """Return the seed of a powerset: as in the classifiers, that of its first label."""
        random = np.random.RandomState(self.random_state)
        drawn = random.randint(MAX_SEED, size=len(self.train.targets))
        first = drawn[places(powerset[:1], self.train.targets)[0]]
        return int(np.random.RandomState(first).randint(MAX_SEED))

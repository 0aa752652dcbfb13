"""The folds of a data set: what is learned from, and what is told."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import KFold

from h2pc import Dag, Dataset
from h2pc.errors import SettingError
from h2pc.experiments.multilabel_setup import MultilabelCell, MultilabelSetup
from h2pc.experiments.synthetic_cell import derived_seed
from h2pc.multilabel.data import MultilabelData
from h2pc.multilabel.files import load_multilabel
from h2pc.multilabel.label_structure import edges_near
from h2pc.multilabel.powerset_model import label_combinations
from h2pc.multilabel.training_set import Categories, discrete

NamedEdges = list[tuple[str, str]]


class NumberedData(NamedTuple):
    """Data whose columns are sorted by name and then called ``X0, X1, …`` and ``Y0, Y1, …``.

    Matrices have no names: these are the ones that classifiers give to their columns.
    """

    X: NDArray[np.float64]
    Y: NDArray[np.int64]
    features: tuple[str, ...]
    labels: tuple[str, ...]
    names: dict[str, str]
    """What the columns are really called."""

    @classmethod
    def of(cls, data: MultilabelData) -> NumberedData:
        """Return the data with numbers for names; features become dense."""
        by_name = [np.argsort(names) for names in (data.feature_names, data.label_names)]
        # Trees grow in 60 % of the time on a dense matrix; the paper's largest is of 110 MB.
        dense = data.X.toarray() if data.is_sparse else np.asarray(data.X)
        X, Y = dense[:, by_name[0]].astype(np.float64), data.Y[:, by_name[1]]
        numbered = MultilabelData(X, Y)
        real = (*sorted(data.feature_names), *sorted(data.label_names))
        numbers = (*numbered.feature_names, *numbered.label_names)
        names = dict(zip(numbers, real, strict=True))
        return cls(X, Y, numbered.feature_names, numbered.label_names, names)

    @property
    def n_combinations(self) -> int:
        """The number of distinct combinations of all labels."""
        return len(label_combinations(self.Y)[0])

    def take(self, rows: NDArray[Any]) -> NumberedData:
        """Return some samples."""
        return self._replace(X=self.X[rows], Y=self.Y[rows])

    def discrete(self) -> Dataset:
        """Return all variables as levels, continuous features cut at their median."""
        codes, states = discrete(self.X, self.features, Categories(None))
        return Dataset.from_codes(
            np.vstack((codes, self.Y.T.astype(codes.dtype))),
            names=(*self.features, *self.labels),
            states=(*states, *((0, 1) for _ in self.labels)),
        )

    def local_edges(self, dag: Dag) -> NamedEdges:
        """Return the real names of the edges that tell powersets and boundaries, sorted.

        They lead to a label, or to a child of a label.
        """
        near = edges_near(dag, self.labels)
        return sorted((self.names[parent], self.names[child]) for parent, child in near)


class Split(NamedTuple):
    """The data of a cell."""

    train: NumberedData
    test: NumberedData
    n_combinations: int
    """The number of distinct combinations of all labels in both together."""


def split(cell: MultilabelCell, setup: MultilabelSetup, folder: str) -> Split:
    """Return the fold of a cell, and all other samples to learn from."""
    whole = numbered_data(cell.data, folder)
    if len(whole.Y) < setup.folds:
        raise SettingError(f"folds must be at most {len(whole.Y)} samples; got {setup.folds}.")
    seed = derived_seed(setup.seed, cell.data, "folds") % 2**32
    parts = KFold(setup.folds, shuffle=True, random_state=seed).split(whole.Y)
    train, test = list(parts)[cell.fold]
    return Split(whole.take(train), whole.take(test), whole.n_combinations)


@lru_cache(maxsize=1)
def numbered_data(name: str, folder: str) -> NumberedData:
    """Return a data set of a folder; the cells of a data set mostly follow each other."""
    return NumberedData.of(load_multilabel(name, folder))

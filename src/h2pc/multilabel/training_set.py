"""Where features and targets are checked, and put into the order of their names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from h2pc.data import Dataset
from h2pc.data.columns import States, code_dtype
from h2pc.data.tables import checked_names, default_names
from h2pc.errors import DataError
from h2pc.multilabel.features import Categories, discrete, levels

Columns = NDArray[np.intp]
"""Where some columns are."""

Names = tuple[str, ...]

_MOST_SMALL = np.iinfo(np.int32).max


@dataclass(frozen=True, eq=False)
class TrainingSet:
    """Features and targets of the same samples, both in the order of their names."""

    X: Any
    """Numbers, dense or sparse, samples by features; numbers of levels for categories."""
    Y: NDArray[Any]
    """Samples by targets."""
    features: Names
    targets: Names
    categories: Categories
    states: tuple[States, ...] = ()
    """What the codes in the columns of ``Y`` stand for, once they are codes."""

    def discrete(self) -> Dataset:
        """Return all variables as levels, continuous features cut at their median."""
        codes, states = discrete(self.X, self.features, self.categories)
        return Dataset.from_codes(
            np.vstack((codes, self.Y.T.astype(code_dtype(max(map(len, self.states)))))),
            names=(*self.features, *self.targets),
            states=(*states, *self.states),
        )


@dataclass(frozen=True, eq=False)
class FeatureReader:
    """How the features of new samples are read."""

    categories: Categories
    order: Columns
    """The columns in the order of their names."""

    def read(self, estimator: Any, X: Any) -> Any:
        """Return new samples with the features of the training set."""
        coded = self.categories.coded(X)
        x = validate_data(estimator, coded, accept_sparse="csr", reset=False)
        return in_order(with_small_indices(x), self.order)


def labelled(estimator: Any, X: Any, Y: Any) -> tuple[TrainingSet, FeatureReader]:
    """Return features with labels, which are 0 or 1."""
    names = _column_names(Y)
    x, y, categories = _validated(estimator, X, Y)
    check_classification_targets(y)
    if y.ndim == 1:
        raise DataError(
            f"Y is of shape {y.shape}: expected samples by labels. Only binary classification is "
            f"supported, of one label or more."
        )
    training, reader = _by_name(estimator, x, y, names, categories)
    strange = (training.Y != 0) & (training.Y != 1)
    if strange.any():
        row, j = np.argwhere(strange)[0].tolist()
        name, value = training.targets[j], training.Y[row, j]
        raise DataError(f"label {name!r} is {value} in row {row}: expected 0 or 1")
    states = ((0, 1),) * len(training.targets)
    return replace(training, Y=training.Y.astype(np.int8), states=states), reader


def with_any_targets(estimator: Any, X: Any, y: Any) -> tuple[TrainingSet, FeatureReader]:
    """Return features with one target or several, of any classes; numbers may be cut."""
    names = _column_names(y)
    x, values, categories = _validated(estimator, X, y)
    table = values.reshape(len(values), -1)
    training, reader = _by_name(estimator, x, table, names, categories)
    found = [_target_levels(column) for column in training.Y.T]
    codes = np.column_stack([codes for codes, _ in found])
    return replace(training, Y=codes, states=tuple(states for _, states in found)), reader


def places(names: Iterable[str], among: Sequence[str]) -> Columns:
    """Return where the names are among others."""
    place = {name: j for j, name in enumerate(among)}
    return np.array([place[name] for name in names], np.intp)


def in_order(X: Any, columns: Columns) -> Any:
    """Return these columns of a matrix; itself if they are all, in their order."""
    return X if np.array_equal(columns, np.arange(X.shape[1])) else X[:, columns]


def with_small_indices(X: Any) -> Any:
    """Return a sparse matrix with 32-bit indices where they do, as trees of scikit-learn need."""
    if not issparse(X) or X.indices.dtype == np.int32 or max(X.nnz, *X.shape) > _MOST_SMALL:
        return X
    small = X.data, X.indices.astype(np.int32), X.indptr.astype(np.int32)
    return type(X)(small, shape=X.shape)


def _validated(estimator: Any, X: Any, Y: Any) -> tuple[Any, NDArray[Any], Categories]:
    """Return features and targets as scikit-learn lets them pass, and what was coded in them."""
    categories = Categories.of(X)
    coded = categories.coded(X)
    x, y = validate_data(estimator, coded, Y, multi_output=True, accept_sparse="csc")
    return with_small_indices(x), y.toarray() if issparse(y) else np.asarray(y), categories


def _by_name(
    estimator: Any, X: Any, y: NDArray[Any], names: Names | None, categories: Categories
) -> tuple[TrainingSet, FeatureReader]:
    """Return features and targets in the order of their names."""
    # Zero-padded, so that they sort in the order of the columns.
    targets = names or tuple(name.replace("X", "Y") for name in default_names(y.shape[1]))
    features = tuple(getattr(estimator, "feature_names_in_", default_names(X.shape[1])))
    twice = sorted(frozenset(features).intersection(targets))
    if twice:
        raise DataError(f"{twice[0]!r} is a label and a feature: expected different names")
    estimator.labels_ = targets

    by_name, targets_by_name = tuple(sorted(features)), tuple(sorted(targets))
    reader = FeatureReader(categories, places(by_name, features))
    X, y = in_order(X, reader.order), in_order(y, places(targets_by_name, targets))
    return TrainingSet(X, y, by_name, targets_by_name, categories), reader


def _column_names(Y: Any) -> Names | None:
    """Return the names of the columns of a table of targets; None if it is none."""
    given = getattr(Y, "column_names", getattr(Y, "columns", None))
    if given is None:
        return None
    if len(given) == 0:
        raise DataError("Y has no column: expected at least one")
    return checked_names(list(given), len(given))


def _target_levels(column: NDArray[Any]) -> tuple[NDArray[Any], States]:
    """Return the codes and states of a target: numbers as features have them, or classes."""
    if column.dtype.kind == "O":  # a table of words and numbers makes objects of both
        column = np.array(column.tolist())
    if column.dtype.kind in "biuf":
        return levels(column)
    classes, codes = np.unique(column, return_inverse=True)
    return codes, tuple(classes.tolist())

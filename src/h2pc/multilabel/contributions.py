"""By how much a prediction changes when a feature takes the values of other samples."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, issparse
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import gen_even_slices

from h2pc.multilabel.powerset_model import PowersetModel
from h2pc.multilabel.training_set import in_order, with_small_indices

MOST_BACKGROUND = 100
"""The number of training samples that a classifier keeps for explanations."""

# Cells of samples and of probabilities held at once.
_BATCH_CELLS = 2_000_000


@dataclass(frozen=True, eq=False)
class Changes:
    """The values that features take in other samples, where they differ from those of a sample.

    Sorted by feature, then by value.
    """

    columns: NDArray[np.intp]
    values: NDArray[Any]
    counts: NDArray[np.int64]
    """In how many of the other samples the feature has the value."""
    n_background: int
    """The number of other samples."""

    def of(self, columns: NDArray[np.intp], n_columns: int) -> Changes:
        """Return those of some columns."""
        own = np.zeros(n_columns, np.bool_)
        own[columns] = True
        kept = own[self.columns]
        parts = self.columns[kept], self.values[kept], self.counts[kept]
        return Changes(*parts, self.n_background)


@dataclass(frozen=True, eq=False)
class Prediction:
    """The combination that a model predicts for a sample, and its probabilities."""

    combination: NDArray[np.int8]
    probabilities: NDArray[np.float64] | None
    """Of all combinations; None where the model predicts no probabilities."""
    code: int
    """The number of the predicted combination among all."""


def background_rows(X: Any, n_rows: int = MOST_BACKGROUND) -> Any:
    """Return some samples that stand for all, the same ones whatever the order of the rows.

    The samples are sorted by a hash of their values, which puts equal ones side by side, and taken
    at equal distances: frequent samples come in as often as they should.
    """
    rows = X.tocsr() if issparse(X) else np.asarray(X)
    n = rows.shape[0]
    order = sorted(range(n), key=[_row_hash(rows, i) for i in range(n)].__getitem__)
    n_kept = min(n, n_rows)
    return rows[[order[(2 * k + 1) * n // (2 * n_kept)] for k in range(n_kept)]]


def background_of(X: Any, models: Iterable[PowersetModel]) -> Any:
    """Return the training samples that are kept for explanations; features not used are 0."""
    kept = background_rows(X)
    used = np.zeros(X.shape[1], np.bool_)
    for model in models:
        used[model.features] = True
    if issparse(kept):
        kept.data[~used[kept.indices]] = 0
        kept.eliminate_zeros()
    else:
        kept[:, ~used] = 0
    return kept


def _row_hash(rows: Any, i: int) -> bytes:
    """Return a hash of a sample, the same for dense and sparse ones."""
    if issparse(rows):
        part = slice(rows.indptr[i], rows.indptr[i + 1])
        columns, values = rows.indices[part], rows.data[part]
        order = np.argsort(columns, kind="stable")
        order = order[values[order] != 0]
        columns, values = columns[order], values[order]
    else:
        columns = np.flatnonzero(rows[i])
        values = rows[i, columns]
    cells = columns.astype(np.int64).tobytes() + values.astype(np.float64).tobytes()
    return blake2b(cells, digest_size=16).digest()


def changes(x: Any, background: Any) -> Changes:
    """Return all values of the background that differ from those of one sample."""
    others = background.toarray() if issparse(background) else np.asarray(background)
    own = np.asarray(x.toarray() if issparse(x) else x)[0]
    n, n_columns = others.shape
    by_column = np.sort(others, axis=0).T  # equal values side by side, columns one by one
    starts = np.ones((n_columns, n), np.bool_)
    starts[:, 1:] = by_column[:, 1:] != by_column[:, :-1]
    first = np.flatnonzero(starts)
    columns, values = first // n, by_column.ravel()[first]
    counts = np.diff(np.append(first, starts.size))
    here = own[columns]
    differ = (values != here) & ~(np.isnan(values) & np.isnan(here))
    return Changes(columns[differ], values[differ], counts[differ], n)


def prediction(model: PowersetModel, x: Any, *, has_probabilities: bool) -> Prediction:
    """Return what a model predicts for one sample."""
    combination = model.predict(x)[0]
    code = int(np.flatnonzero((model.combinations == combination).all(axis=1))[0])
    found = model.predict_joint_proba(x)[0].astype(np.float64) if has_probabilities else None
    return Prediction(combination, found, code)


def contributions(
    model: PowersetModel, x: Any, predicted: Prediction, changed: Changes
) -> NDArray[np.float64]:
    """Return the mean fall of the probabilities when a feature takes the values of others.

    Features by probabilities: that of the predicted combination, then those of the labels. Where
    there are no probabilities, 1 stands for what is predicted and 0 for the rest.
    """
    n_columns = x.shape[1]
    own = changed.of(model.features[_may_matter(model, x)], n_columns)
    falls = np.zeros((n_columns, 1 + model.combinations.shape[1]))
    widest = max(1, len(model.combinations), 1 if issparse(x) else n_columns)
    n_batches = -(-own.columns.size // max(1, _BATCH_CELLS // widest))
    for part in gen_even_slices(own.columns.size, n_batches) if n_batches else ():
        columns, counts = own.columns[part], own.counts[part]
        fall = _falls(model, replaced(x, columns, own.values[part]), predicted)
        for j, each in enumerate(fall.T):
            falls[:, j] += np.bincount(columns, counts * each, minlength=n_columns)
    mean: NDArray[np.float64] = falls[model.features] / own.n_background
    return mean


def _may_matter(model: PowersetModel, x: Any) -> NDArray[np.intp]:
    """Return the features, among those of a model, that may change the prediction of a sample.

    Trees look only at the features on the way of the sample to its leaf: while these stay the same,
    so does the leaf.
    """
    classifier = model.classifier
    if isinstance(classifier, RandomForestClassifier | ExtraTreesClassifier):
        trees = classifier.estimators_
    elif isinstance(classifier, DecisionTreeClassifier):
        trees = [classifier]
    else:
        return np.arange(model.features.size)
    seen = in_order(x, model.features).astype(np.float32)  # as trees see samples
    found = [tree.tree_.feature[tree.tree_.decision_path(seen).indices] for tree in trees]
    features: NDArray[np.intp] = np.unique(np.concatenate(found))
    return features[features >= 0]  # leaves have none


def _falls(model: PowersetModel, X: Any, predicted: Prediction) -> NDArray[np.float64]:
    """Return by how much probabilities are lower for other samples: combination, then labels."""
    if predicted.probabilities is None:
        other = model.predict(X)
        differ = (other != predicted.combination).any(axis=1)
        lower = predicted.combination.astype(np.float64) - other
        return np.column_stack((differ.astype(np.float64), lower))
    # Differences come first: where no probability changes, all of them are exactly 0.
    lower = predicted.probabilities - model.predict_joint_proba(X)
    return np.column_stack((lower[:, predicted.code], lower @ model.combinations))


def replaced(x: Any, columns: NDArray[np.intp], values: NDArray[Any]) -> Any:
    """Return copies of one sample, each with the value of one column replaced."""
    n = columns.size
    if not issparse(x):
        kind = np.result_type(x.dtype, values.dtype)
        copies = np.repeat(x.astype(kind), n, axis=0)
        copies[np.arange(n), columns] = values
        return copies
    one = csr_array(x, dtype=np.result_type(x.dtype, values.dtype))
    one.sort_indices()
    stored = np.tile(one.data, (n, 1))
    place = np.searchsorted(one.indices, columns)
    known = place < one.indices.size
    known[known] = one.indices[place[known]] == columns[known]
    stored[known, place[known]] = values[known]
    first = np.arange(n + 1) * one.indices.size
    copies = csr_array((stored.ravel(), np.tile(one.indices, n), first), (n, x.shape[1]))
    # The other cells were 0: a sum puts their values where nothing is stored.
    new = np.flatnonzero(~known)
    copies = copies + csr_array((values[new], (new, columns[new])), copies.shape)
    copies.eliminate_zeros()
    return with_small_indices(type(x)(copies))

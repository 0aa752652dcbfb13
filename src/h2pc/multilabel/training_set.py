"""Features and targets: checked, put into the order of their names, and made discrete."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from h2pc.data import Dataset
from h2pc.data.encoded_table import Missing
from h2pc.data.encoding import MAX_WHOLE_LEVELS, Codes, States, code_dtype
from h2pc.data.tables import checked_names, default_names
from h2pc.errors import DataError
from h2pc.multilabel.data import MultilabelData
from h2pc.multilabel.label_values import (
    LabelForm,
    check_no_missing,
    coded_labels,
    default_label_names,
    label_table,
)

Columns = NDArray[np.intp]
"""Positions of some columns."""

Names = tuple[str, ...]

_MOST_SMALL = np.iinfo(np.int32).max
# Cells made dense at once: the intermediate arrays stay at a few dozen megabytes.
_BLOCK_CELLS = 2_000_000


@dataclass(frozen=True, slots=True)
class Categories:
    """The columns of a table that hold no numbers, and the levels that they had in training."""

    levels: Dataset | None

    @classmethod
    def of(cls, X: Any, *, may_miss: bool = False) -> Categories:
        """Return those of a pandas, polars or pyarrow table; anything else has none."""
        frame = _frame(X)
        if frame is None:
            return cls(None)
        schema = frame.schema.items()
        names = [name for name, kind in schema if not (kind.is_numeric() or kind == nw.Boolean)]
        for name in names:
            if not isinstance(name, str):
                raise DataError(f"column {name!r} holds categories: expected a string for its name")
            if not may_miss and frame.get_column(name).null_count():
                raise DataError(f"column {name!r} holds missing values: expected none")
        if not names:
            return cls(None)
        missing: Missing = "available" if may_miss else "error"
        found = Dataset.from_data(frame.select(names).to_native(), missing=missing)
        if found.kind != "discrete":  # objects that are numbers
            kept = [name for name in names if not found.is_continuous[found.variable(name)]]
            return cls.of(frame.select(kept).to_native(), may_miss=may_miss)
        return cls(found.take([0]))  # one sample is enough to keep the levels

    @classmethod
    def declared(cls, words: Mapping[str, Sequence[str]]) -> Categories:
        """Return those of columns that hold the numbers of words."""
        if not words:
            return cls(None)
        names, states = zip(*words.items(), strict=True)
        return cls(Dataset.from_codes(np.zeros((len(names), 1), int), names=names, states=states))

    def coded(self, X: Any, *, may_miss: bool = False) -> Any:
        """Return ``X`` with numbers of levels in place of categories; new ones are refused."""
        if self.levels is None:
            return X
        frame = _frame(X)
        if frame is None:
            raise DataError(
                f"X is of type {type(X).__name__!r}: expected a table, because column "
                f"{self.levels.names[0]!r} holds categories"
            )
        found = self.levels.encode_like(X, missing="available" if may_miss else "error")
        codes: NDArray[Any] = found.codes.astype(np.int64)
        if not found.is_complete:
            codes = np.where(codes == found.cards[:, np.newaxis], np.nan, codes)
        columns = zip(found.names, codes, strict=True)
        return frame.with_columns(
            nw.new_series(name, codes, backend=frame.implementation) for name, codes in columns
        ).to_native()

    def states(self, name: str) -> States | None:
        """Return the levels of a column; None if it holds numbers."""
        if self.levels is None or name not in self.levels.names:
            return None
        return self.levels.states[self.levels.variable(name)]


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
    """For each target, the states that the codes in its column of ``Y`` stand for."""
    weights: NDArray[np.float64] | None = None
    """Of the samples; None where they are equal."""

    def discrete(self) -> Dataset:
        """Return all variables as levels, continuous features cut at their median.

        Whole weights are numbers of copies of a sample; with others, every sample counts once.
        """
        return self._discrete

    @cached_property
    def _discrete(self) -> Dataset:
        x, y = self.X, self.Y
        if self.weights is not None and (self.weights == np.floor(self.weights)).all():
            copies = np.repeat(np.arange(len(y)), self.weights.astype(np.intp))
            x, y = x[copies], y[copies]
        codes, states = discrete(x, self.features, self.categories)
        # A constant label has one state, even where it is always present.
        last = np.array([len(states) - 1 for states in self.states])
        targets = np.minimum(y, last).T.astype(code_dtype(int(last.max()) + 1))
        codes = np.vstack((codes, targets))
        return Dataset.from_codes(
            codes,
            names=(*self.features, *self.targets),
            states=(*states, *self.states),
            missing="available",
        )


@dataclass(frozen=True, eq=False)
class FeatureReader:
    """Reads the features of new samples as those of the training set were read."""

    categories: Categories
    order: Columns
    """The columns in the order of their names."""
    may_miss: bool = False
    """Whether features may be missing."""

    def read(self, estimator: Any, X: Any) -> Any:
        """Return the features of new samples, in the order of their names."""
        coded = self.categories.coded(X, may_miss=self.may_miss)
        finite = "allow-nan" if self.may_miss else True
        x = validate_data(
            estimator, coded, accept_sparse="csr", ensure_all_finite=finite, reset=False
        )
        return in_order(with_small_indices(x), self.order)


def labelled(
    estimator: Any, X: Any, Y: Any, *, may_miss: bool = False
) -> tuple[TrainingSet, FeatureReader]:
    """Return features with labels as zeros and ones.

    The labels are a table with two values in every column, a vector, or a list of sets of labels.
    """
    table = label_table(Y)
    _column_names(table)
    check_no_missing(table)
    training, reader = _by_name(estimator, X, table, _labels, may_miss=may_miss)
    codes, states = coded_labels(training.targets, training.Y)
    return replace(training, Y=codes, states=states), reader


def label_form(training: TrainingSet, names: Names, Y: Any) -> LabelForm:
    """Return the form that the labels of a training set had."""
    own = dict(zip(training.targets, training.states, strict=True))
    is_vector = not hasattr(Y, "columns") and np.asarray(label_table(Y)).ndim == 1
    return LabelForm(names, tuple(own[name] for name in names), is_vector)


def training_set_of(data: MultilabelData) -> TrainingSet:
    """Return the features and labels of a data set; features may be missing."""
    if not (data.is_sparse or isinstance(data.X, np.ndarray)):
        frame = nw.from_native(data.X, eager_only=True)
        names = list(data.label_names)
        labels = nw.from_numpy(data.Y, schema=names, backend=frame.implementation).to_native()
        return labelled(BaseEstimator(), data.X, labels, may_miss=True)[0]
    features, targets = tuple(sorted(data.feature_names)), tuple(sorted(data.label_names))
    return TrainingSet(
        in_order(data.X, places(features, data.feature_names)),
        in_order(data.Y, places(targets, data.label_names)),
        features,
        targets,
        Categories.declared(data.categories),
        ((0, 1),) * len(targets),
    )


def with_any_targets(estimator: Any, X: Any, y: Any) -> tuple[TrainingSet, FeatureReader]:
    """Return features with one target or several: classes, or numbers, cut as features are.

    Features may be missing, targets not.
    """

    def in_columns(values: NDArray[Any]) -> NDArray[Any]:
        return values.reshape(len(values), -1)

    training, reader = _by_name(estimator, X, y, in_columns, may_miss=True)
    found = [_target_levels(column) for column in training.Y.T]
    codes = np.column_stack([codes for codes, _ in found])
    return replace(training, Y=codes, states=tuple(states for _, states in found)), reader


def places(names: Iterable[str], among: Sequence[str]) -> Columns:
    """Return the positions of some names among others."""
    place = _places_of_all(tuple(among))
    return np.array([place[name] for name in names], np.intp)


@lru_cache(maxsize=4)
def _places_of_all(names: Names) -> dict[str, int]:
    # Thousands of powersets look for theirs among the same features.
    return {name: j for j, name in enumerate(names)}


def in_order(X: Any, columns: Columns) -> Any:
    """Return these columns of a matrix; itself if they are all, in their order."""
    return X if np.array_equal(columns, np.arange(X.shape[1])) else X[:, columns]


def with_small_indices(X: Any) -> Any:
    """Return a sparse matrix with 32-bit indices where they do, as scikit-learn's trees need."""
    if not issparse(X) or X.indices.dtype == np.int32 or max(X.nnz, *X.shape) > _MOST_SMALL:
        return X
    small = X.data, X.indices.astype(np.int32), X.indptr.astype(np.int32)
    return type(X)(small, shape=X.shape)


def discrete(
    values: Any, names: Sequence[str], categories: Categories
) -> tuple[NDArray[Any], list[States]]:
    """Return the codes and states of features, dense or sparse, one row of codes for each.

    A missing cell has the code -1.
    """
    codes: NDArray[Any] = np.empty(values.shape[::-1], np.uint8)
    states: list[States] = []
    for j, column in enumerate(_columns(values)):
        own, known = _levels_of_present(names[j], column, categories.states(names[j]))
        if not np.can_cast(own.dtype, codes.dtype):  # many levels, or missing cells
            codes = codes.astype(np.promote_types(own.dtype, codes.dtype))
        codes[j] = own
        states.append(known)
    return codes, states


def _levels_of_present(
    name: str, values: NDArray[Any], declared: States | None
) -> tuple[NDArray[Any], States]:
    """Return the codes and states of one column; the levels are those of the values that it has."""
    is_missing = np.isnan(values) if values.dtype.kind == "f" else np.zeros(1, np.bool_)
    if not is_missing.any():
        return levels(values, declared)
    if is_missing.all():
        raise DataError(f"column {name!r} holds nothing but missing values: remove it")
    present, states = levels(values[~is_missing], declared)
    codes = np.full(values.size, -1, np.int32)
    codes[~is_missing] = present
    return codes, states


def levels(values: NDArray[Any], declared: States | None = None) -> tuple[Codes, States]:
    """Return the codes and states of one column, cut at the median if it is continuous.

    It is continuous unless its levels are declared, or it holds two different values, or whole
    numbers of at most ``MAX_WHOLE_LEVELS`` kinds.
    """
    if declared is not None:
        return values.astype(code_dtype(len(declared))), declared
    # Zeros and ones are found without sorting.
    ones = values == 1
    is_zero_one = bool((ones | (values == 0)).all())
    if is_zero_one and 0 < np.count_nonzero(ones) < values.size:
        return ones.astype(np.uint8), (0, 1)
    kinds = np.unique(values)
    whole = bool((kinds == np.floor(kinds)).all())
    if kinds.size > (MAX_WHOLE_LEVELS if whole else 2):
        middle = np.median(values)
        above = values > middle
        high = above if above.any() else values == middle  # both levels have samples
        return high.astype(np.uint8), ("low", "high")
    codes = np.searchsorted(kinds, values).astype(np.uint8)
    return codes, tuple(map(int if whole else float, kinds))


def _labels(y: NDArray[Any]) -> NDArray[Any]:
    """Return labels, which must be classes, in columns; objects are checked one by one later."""
    if y.dtype.kind != "O":
        check_classification_targets(y)
    return y.reshape(len(y), -1)


def _by_name(
    estimator: Any,
    X: Any,
    Y: Any,
    in_columns: Callable[[NDArray[Any]], NDArray[Any]],
    *,
    may_miss: bool,
) -> tuple[TrainingSet, FeatureReader]:
    """Return features and targets as scikit-learn validates them, in the order of their names."""
    names, categories = _column_names(Y), Categories.of(X, may_miss=may_miss)
    x, y = validate_data(
        estimator,
        categories.coded(X, may_miss=may_miss),
        Y,
        multi_output=True,
        accept_sparse="csc",
        ensure_all_finite="allow-nan" if may_miss else True,
    )
    x, y = with_small_indices(x), in_columns(y.toarray() if issparse(y) else np.asarray(y))
    targets = names or default_label_names(y.shape[1])
    features = tuple(getattr(estimator, "feature_names_in_", default_names(x.shape[1])))
    twice = sorted(frozenset(features).intersection(targets))
    if twice:
        raise DataError(f"{twice[0]!r} is a label and a feature: expected different names")
    estimator.labels_ = targets

    by_name, targets_by_name = tuple(sorted(features)), tuple(sorted(targets))
    reader = FeatureReader(categories, places(by_name, features))
    x, y = in_order(x, reader.order), in_order(y, places(targets_by_name, targets))
    return TrainingSet(x, y, by_name, targets_by_name, categories), reader


def _column_names(Y: Any) -> Names | None:
    """Return the names of the columns of a table of targets; None if it is none."""
    given = getattr(Y, "column_names", getattr(Y, "columns", None))
    if given is None:
        return None
    if len(given) == 0:
        raise DataError("Y has no column: expected at least one")
    return checked_names(list(given), len(given))


def _target_levels(column: NDArray[Any]) -> tuple[NDArray[Any], States]:
    """Return the codes and states of a target: those of a feature, or its sorted classes."""
    if column.dtype.kind == "O":  # a table of words and numbers makes objects of both
        column = np.array(column.tolist())
    if column.dtype.kind in "biuf":
        return levels(column)
    classes, codes = np.unique(column, return_inverse=True)
    return codes, tuple(classes.tolist())


def _columns(values: Any) -> Iterator[NDArray[Any]]:
    """Yield the columns of a dense or sparse matrix, one after the other."""
    if not issparse(values):
        yield from np.asarray(values).T
        return
    width = max(1, _BLOCK_CELLS // values.shape[0])
    stored = values.tocsc()
    for start in range(0, values.shape[1], width):
        yield from stored[:, start : start + width].toarray().T


def _frame(X: Any) -> nw.DataFrame[Any] | None:
    """Return a pandas, polars or pyarrow table as narwhals sees it; None if it is no table."""
    if hasattr(X, "iloc") and hasattr(X, "columns"):
        # pandas allows repeated names, which narwhals refuses in words of its own.
        checked_names(X.columns, len(X.columns))
    seen = nw.from_native(X, eager_only=True, pass_through=True)
    return seen if isinstance(seen, nw.DataFrame) else None

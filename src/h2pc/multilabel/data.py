"""Samples with features and several labels at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array, issparse

from h2pc.data.tables import EXPECTED_TABLE, as_frame, checked_names, default_names
from h2pc.errors import DataError, DataTypeError
from h2pc.multilabel.label_values import label_matrix


@dataclass(frozen=True, init=False, eq=False, repr=False)
class MultilabelData:
    """Features and labels of the same samples; immutable.

    Parameters
    ----------
    X : 2-d array, scipy.sparse matrix, or pandas, polars or pyarrow table
        The features, samples by features. A data frame stays what it is.
    Y : 2-d array of 0 and 1, or pandas, polars or pyarrow table
        The labels, samples by labels; or booleans, or the words ``true`` and ``false``.
    feature_names, label_names : iterable of str, default=None
        By default the names of the columns, or ``X0, X1, …`` and ``Y0, Y1, …``, zero-padded.
    name : str, default=""
        The name of the data set.
    categories : mapping of str to sequence of str, default=None
        For features whose numbers stand for words: the word of 0, of 1, and so on.

    Attributes
    ----------
    X : array, scipy.sparse.csr_array or data frame
        The features; arrays are read-only, and what was sparse stays sparse.
    Y : array of int64, shape (n_samples, n_labels)
        The labels, 0 or 1; read-only. What came as int8 stays so.
    feature_names, label_names : tuple of str
        The names, in the order of the columns; no name occurs twice.
    name : str
        The name of the data set.
    categories : dict of str to tuple of str
        The words that the numbers of some features stand for.

    Examples
    --------
    >>> import numpy as np
    >>> from h2pc import MultilabelData
    >>> data = MultilabelData(np.eye(3), [[0, 1], [1, 1], [0, 0]], label_names=["sea", "sky"])
    >>> data
    MultilabelData(3 samples, 3 features, 2 labels)
    >>> data.feature_names, data.Y.sum(axis=0).tolist()
    (('X0', 'X1', 'X2'), [1, 2])
    """

    X: Any
    Y: NDArray[np.int64] | NDArray[np.int8]
    feature_names: tuple[str, ...]
    label_names: tuple[str, ...]
    name: str
    categories: Mapping[str, tuple[str, ...]]

    def __init__(
        self,
        X: Any,
        Y: Any,
        feature_names: Iterable[str] | None = None,
        label_names: Iterable[str] | None = None,
        *,
        name: str = "",
        categories: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        X, features = _kept_features(X, feature_names)
        Y, labels = label_matrix(Y, label_names)
        _check_together(X, Y, features, labels)
        words = {feature: tuple(known) for feature, known in (categories or {}).items()}
        self.__dict__.update(X=X, Y=Y, feature_names=features, label_names=labels)
        self.__dict__.update(name=name, categories=words)

    @classmethod
    def from_frame(cls, frame: Any, labels: Iterable[str], *, name: str = "") -> MultilabelData:
        """Split a pandas, polars or pyarrow table into labels and features.

        Parameters
        ----------
        frame : pandas, polars or pyarrow table
            One row a sample; the features stay in a table of the same kind.
        labels : iterable of str
            The columns that are labels; all others are features.
        name : str, default=""
            The name of the data set.

        Examples
        --------
        >>> import pandas as pd
        >>> frame = pd.DataFrame({"depth": [2.5, 0.1], "sea": [1, 0], "sky": [1, 1]})
        >>> data = MultilabelData.from_frame(frame, ["sea", "sky"])
        >>> list(data.X.columns), data.Y.tolist()
        (['depth'], [[1, 1], [0, 1]])
        """
        table = as_frame(frame)
        chosen = chosen_labels(labels, table.columns)
        return cls(table.drop(chosen).to_native(), table.select(chosen).to_native(), name=name)

    @property
    def n_samples(self) -> int:
        """The number of samples."""
        return len(self.Y)

    @property
    def n_features(self) -> int:
        """The number of features."""
        return len(self.feature_names)

    @property
    def n_labels(self) -> int:
        """The number of labels."""
        return len(self.label_names)

    @property
    def is_sparse(self) -> bool:
        """Whether the features are a sparse matrix."""
        return bool(issparse(self.X))

    def take(self, rows: ArrayLike) -> MultilabelData:
        """Return the samples ``rows``, given by their numbers or by a mask, in that order."""
        chosen = np.asarray(rows)
        if chosen.dtype == np.bool_:
            chosen = np.flatnonzero(chosen)
        is_matrix = self.is_sparse or isinstance(self.X, np.ndarray)
        X = self.X[chosen] if is_matrix else as_frame(self.X)[chosen.tolist(), :].to_native()
        words, names = self.categories, (self.feature_names, self.label_names)
        return MultilabelData(X, self.Y[chosen], *names, name=self.name, categories=words)

    def to_pandas(self) -> tuple[Any, Any]:
        """Return features and labels as pandas data frames with their names; needs pandas."""
        import pandas as pd

        X: Any
        if self.is_sparse:
            sparse: Any = pd.DataFrame.sparse
            X = sparse.from_spmatrix(self.X, columns=list(self.feature_names))
        elif isinstance(self.X, np.ndarray):
            X = pd.DataFrame(self.X, columns=list(self.feature_names))
        else:
            X = as_frame(self.X).to_pandas()
        return X, pd.DataFrame(self.Y, columns=list(self.label_names), index=X.index)

    def __repr__(self) -> str:
        name = f"{self.name!r}, " if self.name else ""
        sparse = ", sparse" if self.is_sparse else ""
        return (
            f"MultilabelData({name}{self.n_samples} samples, {self.n_features} features, "
            f"{self.n_labels} labels{sparse})"
        )


def chosen_labels(labels: Iterable[str], columns: Sequence[str]) -> tuple[str, ...]:
    """Return the labels as distinct names of columns, in the order given."""
    if isinstance(labels, str):
        raise DataTypeError(f"labels is the string {labels!r}: expected a list of names")
    chosen = tuple(labels)
    known = frozenset(columns)
    for label in chosen:
        if label not in known:
            raise DataError(f"unknown label {label!r}: expected one of the {len(known)} columns")
    if not chosen:
        raise DataError("no labels: expected the names of at least one")
    return checked_names(chosen, len(chosen))


def _kept_features(X: Any, names: Iterable[str] | None) -> tuple[Any, tuple[str, ...]]:
    """Return the features, read-only, and their names."""
    if issparse(X):
        X = _frozen_sparse(X)
    elif isinstance(X, np.ndarray):
        X = X.view(np.ndarray)
        X.flags.writeable = False
    else:
        frame = as_frame(X, EXPECTED_TABLE + " or a sparse matrix")
        columns = checked_names(frame.columns, len(frame.columns))
        if names is not None and tuple(names) != columns:
            raise DataError("feature_names came with other names than the table's: expected none")
        return X, columns
    if X.ndim != 2:
        raise DataError(f"X has {X.ndim} dimension(s): expected 2, samples by features")
    if X.dtype.kind not in "biuf":
        raise DataTypeError(f"X is of type {X.dtype}: expected numbers")
    n_features = X.shape[1]
    return X, checked_names(default_names(n_features) if names is None else names, n_features)


def _frozen_sparse(X: Any) -> csr_array:
    """Return a read-only copy in rows, in the canonical form: nothing will sort it in place."""
    rows = csr_array(X, copy=True)
    rows.sum_duplicates()
    for part in (rows.data, rows.indices, rows.indptr):
        part.flags.writeable = False
    return rows


def _check_together(
    X: Any, Y: NDArray[Any], features: tuple[str, ...], labels: tuple[str, ...]
) -> None:
    """Refuse features and labels that do not fit each other."""
    n_samples = X.shape[0]
    if n_samples != len(Y):
        raise DataError(f"X has {n_samples} rows, Y has {len(Y)}: expected the same samples")
    if not (n_samples and features and labels):
        raise DataError(
            f"{n_samples} samples, {len(features)} features and {len(labels)} labels: expected at "
            f"least one of each"
        )
    both = frozenset(features).intersection(labels)
    if both:
        raise DataError(f"{min(both)!r} is both a feature and a label: expected distinct names")

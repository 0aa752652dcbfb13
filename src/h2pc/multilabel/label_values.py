"""Labels as zeros and ones, and back as the values that they came as."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.preprocessing import MultiLabelBinarizer

from h2pc.data.tables import as_frame, checked_names, default_names
from h2pc.errors import DataError

_PAIRS = ("0 1", "0.0 1.0", "false true", "no yes", "n y", "f t", "off on", "absent present")
_MEANING = {word: place for pair in _PAIRS for place, word in enumerate(pair.split())}


def label_matrix(
    Y: Any, names: Iterable[str] | None = None
) -> tuple[NDArray[np.int64] | NDArray[np.int8], tuple[str, ...]]:
    """Return labels as a read-only matrix of zeros and ones, and their names.

    Numbers of one byte stay so: thousands of labels of many samples take eight times less memory.
    """
    if issparse(Y):
        Y = Y.toarray()
    if isinstance(Y, np.ndarray | list | tuple):
        values = np.asarray(Y)
        if values.ndim != 2:
            raise DataError(f"Y has {values.ndim} dimension(s): expected 2, samples by labels")
        n_samples, columns = len(values), list(values.T)
        default = default_label_names(len(columns))
    else:
        frame = as_frame(Y)
        n_samples = len(frame)
        columns = [frame.get_column(name).to_numpy() for name in frame.columns]
        default = tuple(frame.columns)
    found = checked_names(default if names is None else names, len(columns))
    is_small = columns and all(column.dtype == np.int8 for column in columns)
    matrix = np.empty((n_samples, len(columns)), np.int8 if is_small else np.int64)
    for j, column in enumerate(columns):
        matrix[:, j] = zero_one(found[j], column)
    matrix.flags.writeable = False
    return matrix, found


def zero_one(label: str, values: NDArray[Any]) -> NDArray[np.int64]:
    """Return the values of one label as zeros and ones; any other value is refused."""
    if values.dtype.kind not in "biuf":
        numbers = np.array(list(map(meaning, values.tolist())), np.int64)
    else:
        ones = (values == 1).astype(np.int64)
        numbers = np.where((values == 0) | (values == 1), ones, -1)
    others = np.flatnonzero(numbers < 0)
    if others.size:
        value = values[others[:1]].tolist()[0]
        raise DataError(
            f"label {label!r} holds the value {value!r}, in row {others[0]}: expected 0 or 1, or "
            f"words such as no and yes"
        )
    return numbers


def meaning(word: object) -> int:
    """Return 0 or 1 for a word that means it, -1 for any other."""
    return _MEANING.get(str(word).strip().lower(), -1)


def default_label_names(n_labels: int) -> tuple[str, ...]:
    """``Y0, Y1, …``, zero-padded so that they sort in the order of the columns."""
    return tuple(name.replace("X", "Y") for name in default_names(n_labels))


@dataclass(frozen=True, eq=False)
class LabelForm:
    """The form in which labels came, and in which predictions go out."""

    names: tuple[str, ...]
    """In the order of the columns."""
    values: tuple[tuple[Any, ...], ...]
    """For each label the value of absence and of presence; a single one if it is constant."""
    is_vector: bool = False
    """Whether there is one label, as a vector of classes."""

    @property
    def classes(self) -> Any:
        """What scikit-learn calls ``classes_``: an array, or a list of one for each label."""
        arrays = [np.array(values) for values in self.values]
        return arrays[0] if self.is_vector else arrays

    def written(self, labels: NDArray[Any]) -> NDArray[Any]:
        """Return zeros and ones, in the order of the columns, as values of the labels."""
        columns = [
            np.array(values)[np.minimum(column, len(values) - 1)]
            for values, column in zip(self.values, labels.astype(np.intp).T, strict=True)
        ]
        if self.is_vector:
            vector: NDArray[Any] = columns[0]
            return vector
        if len({column.dtype.kind for column in columns}) > 1:
            columns = [column.astype(object) for column in columns]
        return np.column_stack(columns)

    def probabilities(self, present: NDArray[np.float64]) -> Any:
        """Return probabilities of presence in the form of scikit-learn's ``predict_proba``."""
        both = [
            np.column_stack((1.0 - column, column))
            if len(values) > 1
            else np.ones((len(column), 1))
            for values, column in zip(self.values, present.T, strict=True)
        ]
        return both[0] if self.is_vector else both


def label_table(Y: Any) -> Any:
    """Return a list of sets of labels as a table with a column for each; anything else as it is."""
    is_array = getattr(Y, "ndim", 0) == 1 and Y.dtype == object
    cells = Y.tolist() if is_array else Y
    if not isinstance(cells, list | tuple) or not cells:
        return Y
    if not isinstance(cells[0], set | frozenset):
        return Y
    for row, each in enumerate(cells):
        if not isinstance(each, set | frozenset):
            raise DataError(f"Y has a {type(each).__name__} in row {row}: expected sets of labels")
        for name in each:
            if not isinstance(name, str):
                raise DataError(f"Y has the label {name!r} in row {row}: expected names of labels")
    binarizer = MultiLabelBinarizer()
    found = binarizer.fit_transform(cells)
    if not len(binarizer.classes_):
        raise DataError("Y has empty sets only: expected the names of at least one label")
    return pl.DataFrame(found, list(binarizer.classes_), orient="row")


def coded_labels(
    names: Sequence[str], columns: NDArray[Any]
) -> tuple[NDArray[np.int8], tuple[tuple[Any, ...], ...]]:
    """Return labels as zeros and ones, and for each label the values that they stand for.

    A label has two values. Of 0 and 1, no and yes, and the like it is clear which of them means
    that it is present; of any others it is the last one when they are sorted.
    """
    codes = np.empty(columns.shape, np.int8)
    values = []
    for j, (name, column) in enumerate(zip(names, columns.T, strict=True)):
        codes[:, j], found = _coded(name, column)
        values.append(found)
    return codes, tuple(values)


def check_no_missing(Y: Any) -> None:
    """Refuse a table or a series of labels that has missing values."""
    seen = nw.from_native(Y, eager_only=True, allow_series=True, pass_through=True)
    if isinstance(seen, nw.Series):
        columns = {default_label_names(1)[0]: seen}
    elif isinstance(seen, nw.DataFrame):
        columns = {name: seen.get_column(name) for name in seen.columns}
    else:
        return
    for name, column in columns.items():
        is_missing = column.is_null().to_numpy()
        if is_missing.any():
            row = int(is_missing.argmax())
            raise DataError(f"label {name!r} has no value in row {row}: expected one everywhere")


def _coded(name: str, column: NDArray[Any]) -> tuple[NDArray[Any], tuple[Any, ...]]:
    """Return one label as zeros and ones, and its values."""
    if column.dtype.kind == "O":
        column = _of_one_type(name, column)
    if column.dtype.kind not in "biufU":
        raise DataError(
            f"label {name!r} holds values of type {column.dtype.name}: expected numbers, truth "
            f"values or words"
        )
    kinds, codes = np.unique(column, return_inverse=True)
    found = kinds.tolist()
    if len(found) > 2:
        raise DataError(
            f"label {name!r} has {len(found)} values, such as {found[0]!r}, {found[1]!r} and "
            f"{found[2]!r}: expected two, for absent and present. Only binary classification is "
            f"supported, of one label or more"
        )
    meanings = [meaning(value) for value in found]
    if len(found) == 2:
        return (1 - codes, (found[1], found[0])) if meanings == [1, 0] else (codes, tuple(found))
    if column.dtype.kind in "biuf" and meanings[0] >= 0:  # constant
        both = column.dtype.type(0).item(), column.dtype.type(1).item()
        return np.full(column.size, meanings[0]), both
    return np.full(column.size, max(meanings[0], 0)), tuple(found)


def _of_one_type(name: str, column: NDArray[Any]) -> NDArray[Any]:
    """Return objects as an array of words, of numbers or of truth values."""
    cells = column.tolist()
    for row, cell in enumerate(cells):
        if cell is None:
            raise DataError(f"label {name!r} has no value in row {row}: expected one everywhere")
    is_word = {isinstance(cell, str) for cell in cells}
    made = np.array(cells) if len(is_word) == 1 else None
    if made is None or made.ndim != 1 or made.dtype.kind not in "biufU":
        raise DataError(f"label {name!r} mixes words with other values: expected one kind of value")
    return made

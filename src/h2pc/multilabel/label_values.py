"""Labels as zeros and ones."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from h2pc.data.tables import as_frame, checked_names, default_names
from h2pc.errors import DataError

_MEANING = {"0": 0, "1": 1, "0.0": 0, "1.0": 1, "false": 0, "true": 1}


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
            f"label {label!r} holds the value {value!r}, in row {others[0]}: expected 0 or 1"
        )
    return numbers


def meaning(word: object) -> int:
    """Return 0 or 1 for a word that means it, -1 for any other."""
    return _MEANING.get(str(word).strip().lower(), -1)


def default_label_names(n_labels: int) -> tuple[str, ...]:
    """``Y0, Y1, …``, zero-padded so that they sort in the order of the columns."""
    return tuple(name.replace("X", "Y") for name in default_names(n_labels))

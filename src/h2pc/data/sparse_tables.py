"""Sparse matrices: what is not stored is the number 0, and stays unstored up to the codes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from h2pc.data.columns import MOST_WHOLE_FLOATS, Column, array_column
from h2pc.errors import DataTypeError


class SparseTable:
    """A sparse matrix of scipy, samples by variables.

    Parameters
    ----------
    names : tuple of str
        The columns.
    matrix : scipy.sparse.csc_array or csc_matrix
        The cells, each stored at most once.
    """

    def __init__(self, names: tuple[str, ...], matrix: Any) -> None:
        self.names = names
        self.n_rows = int(matrix.shape[0])
        self._matrix = matrix

    def selected(self, chosen: Sequence[int]) -> SparseTable:
        """Return the table of the chosen columns only."""
        return SparseTable(tuple(self.names[j] for j in chosen), self._matrix[:, list(chosen)])

    def block(self, chosen: Sequence[int]) -> NDArray[Any] | None:
        """Return some columns as integers or booleans, if they are such; one per row."""
        stored = [slice(*self._matrix.indptr[j : j + 2]) for j in chosen]
        values = _integers(np.concatenate([self._matrix.data[part] for part in stored]))
        if values is None:
            return None
        rows = np.concatenate([self._matrix.indices[part] for part in stored])
        sizes = [part.stop - part.start for part in stored]
        block = np.zeros((len(chosen), self.n_rows), values.dtype)
        block[np.repeat(np.arange(len(chosen)), sizes), rows] = values
        return block

    def column(self, j: int) -> Column:
        """Return column ``j``, encoded."""
        stored = slice(*self._matrix.indptr[j : j + 2])
        return spread_column(
            self.names[j],
            self._matrix.data[stored],
            self._matrix.indices[stored],
            self._matrix.dtype.type(0),
            self.n_rows,
        )


def stored_by_column(matrix: Any) -> Any:
    """Return a sparse matrix of any format with its columns side by side; it is not changed."""
    if matrix.dtype.kind not in "biuf":
        raise DataTypeError(
            f"the sparse matrix is of type {matrix.dtype}: expected booleans, integers or floats "
            f"that are whole numbers"
        )
    columns = matrix.tocsc()
    if not columns.has_canonical_format:  # a cell may be stored as a sum
        columns = columns.copy() if columns is matrix else columns
        columns.sum_duplicates()
    return columns


def spread_column(
    name: str, values: NDArray[Any], rows: NDArray[Any], other: object, n_rows: int
) -> Column:
    """Encode a column that has ``values`` in some rows, and ``other`` in all the others."""
    if values.size == n_rows:
        every = np.empty_like(values)
        every[rows] = values
        return array_column(name, every)
    stored = array_column(name, np.append(values, np.array([other], values.dtype)))
    codes = np.full(n_rows, stored.codes[-1])
    codes[rows] = stored.codes[:-1]
    n_missing = int((codes == len(stored.states)).sum()) if stored.n_missing else 0
    return stored._replace(codes=codes, n_missing=n_missing)


def _integers(values: NDArray[Any]) -> NDArray[Any] | None:
    """Return stored values in as few bytes as they need, if they are integers or stand for them."""
    if values.dtype.kind == "b":
        return values
    kinds = np.unique(values)
    if values.dtype.kind == "f":
        # With more kinds in a block, its columns are looked at one by one.
        few = kinds.size < MOST_WHOLE_FLOATS
        if not (few and np.isfinite(kinds).all() and (kinds == np.floor(kinds)).all()):
            return None
        if kinds.size and np.abs(kinds).max() >= 2.0**53:
            return None
    if not kinds.size or (kinds[0] >= 0 and kinds[-1] < 256):
        return values.astype(np.uint8)
    return values.astype(np.int64) if values.dtype.kind == "f" else values

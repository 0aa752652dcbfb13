"""Tables of numbers, some of which stand for words: ARFF files, and data for classifiers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from h2pc.data.discretize import NumberTable
from h2pc.data.encoding import EncodedColumn, Floats, encode_categories, is_whole
from h2pc.data.series_encoding import encode_column
from h2pc.data.tables import blocks
from h2pc.errors import DataError

Words = tuple[str, ...]

MAX_CELLS = 1 << 27
"""The largest table of floats that is made: a gigabyte."""


@dataclass(frozen=True, eq=False, repr=False)
class CodedTable:
    """A table of numbers, some of which stand for words; immutable.

    Attributes
    ----------
    names : tuple of str
        The columns, in the order of the file.
    categories : tuple
        For every column the words of its codes 0, 1, …; None where numbers are numbers.
    cells : array of float64 or scipy.sparse.csc_array, shape (n_rows, n_columns)
        Numbers and codes, NaN where a cell is missing; sparse where the rows of the file are.
    labels : tuple of str
        The columns that the file declares as labels.
    """

    names: tuple[str, ...]
    categories: tuple[Words | None, ...]
    cells: Any
    labels: tuple[str, ...] = ()

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return int(self.cells.shape[0])

    @property
    def is_sparse(self) -> bool:
        """Whether the cells are a matrix of scipy.sparse."""
        return not isinstance(self.cells, np.ndarray)

    def selected(self, chosen: Sequence[int]) -> CodedTable:
        """Return the table of the chosen columns only."""
        names = tuple(self.names[j] for j in chosen)
        categories = tuple(self.categories[j] for j in chosen)
        labels = tuple(label for label in self.labels if label in names)
        return CodedTable(names, categories, self.cells[:, list(chosen)], labels)

    def block(self, chosen: Sequence[int]) -> NDArray[Any] | None:
        """Return some columns as integers or floats, if they are no words; one per row."""
        if any(self.categories[j] is not None for j in chosen):
            return None
        values = self.cells[:, list(chosen)]
        stored = values.data if self.is_sparse else values
        whole = np.isfinite(stored).all() and is_whole(stored)
        dense = values.toarray() if self.is_sparse else values
        return np.ascontiguousarray(dense.T, np.int64 if whole else np.float64)

    def column(self, j: int) -> EncodedColumn:
        """Return column ``j``, encoded."""
        name, words, values = self.names[j], self.categories[j], self.values(j)
        missing = np.isnan(values)
        if words is not None:
            return encode_categories(name, np.where(missing, -1, values), words)
        if missing.any() and is_whole(values):
            return encode_column(name, [None if v != v else int(v) for v in values.tolist()])
        return encode_column(name, values.astype(np.int64) if is_whole(values) else values)

    def series(self, j: int) -> Any:
        """Return column ``j`` as a narwhals series of words or numbers."""
        import narwhals as nw
        import polars as pl

        words, values = self.categories[j], self.values(j)
        numbers = pl.Series(values).fill_nan(None)
        if words:
            numbers = pl.Series(words, dtype=pl.Enum(words)).gather(numbers.cast(pl.UInt32))
        elif is_whole(values):
            numbers = numbers.cast(pl.Int64)
        return nw.from_native(numbers, series_only=True)

    def numbers(self, j: int) -> Floats | None:
        """Return column ``j`` as floats, NaN where they are missing; None if it holds words."""
        return self.values(j) if self.categories[j] is None else None

    def values(self, j: int) -> Floats:
        """Return the numbers or codes of column ``j``, NaN where a cell is missing."""
        if not self.is_sparse:
            dense: Floats = self.cells[:, j]
            return dense
        stored = slice(*self.cells.indptr[j : j + 2])
        values = np.zeros(self.n_rows)
        values[self.cells.indices[stored]] = self.cells.data[stored]
        return values

    def __repr__(self) -> str:
        sparse = ", sparse" if self.is_sparse else ""
        labels = f", {len(self.labels)} labels" if self.labels else ""
        return f"CodedTable({len(self.names)} columns × {self.n_rows} rows{sparse}{labels})"


def coded(table: NumberTable) -> CodedTable:
    """Return the table of a file as numbers; words are coded in sorted order."""
    if isinstance(table, CodedTable):
        return table
    if table.n_rows * len(table.names) > MAX_CELLS:
        raise DataError(
            f"{table.n_rows:,} rows of {len(table.names):,} columns: expected at most "
            f"{MAX_CELLS:,} cells"
        )
    cells = np.empty((table.n_rows, len(table.names)))
    categories: list[Words | None] = [None] * len(table.names)
    for chosen, block in blocks(table, range(len(table.names))):
        if block is None:
            (j,) = chosen
            cells[:, j], categories[j] = _coded_column(table, j)
        else:
            cells[:, chosen[0] : chosen[-1] + 1] = block.T
    return CodedTable(table.names, tuple(categories), cells)


def _coded_column(table: NumberTable, j: int) -> tuple[Floats, Words | None]:
    """Return the numbers of a column, or codes and the words that they stand for."""
    numbers = table.numbers(j)
    if numbers is not None:
        return numbers, None
    column = table.column(j)
    states = column.states
    is_words = all(isinstance(state, str) for state in states)
    values = np.arange(len(states)) if is_words else np.array(states, np.float64)
    words = tuple(map(str, states)) if is_words else None
    return np.append(values, np.nan)[column.codes], words

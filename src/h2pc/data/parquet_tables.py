"""Parquet files, a few columns at a time: the whole table is never in memory."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from numpy.typing import NDArray

from h2pc.data.arrow_columns import word_column
from h2pc.data.columns import Column
from h2pc.data.frame_tables import FrameTable


class ParquetTable:
    """A Parquet file; the columns that were asked for last are kept.

    Parameters
    ----------
    names : tuple of str
        The columns.
    file : pyarrow.parquet.ParquetFile
        Where they are, under whatever labels.
    words : collection of str
        Labels of columns of words that the file was told to read as dictionaries.
    """

    def __init__(self, names: tuple[str, ...], file: Any, words: Collection[str] = ()) -> None:
        self.names = names
        self.n_rows = int(file.metadata.num_rows)
        self._file = file
        self._labels = list(file.schema_arrow.names)
        self._words = frozenset(words)
        self._read: dict[int, int] = {}
        self._columns: FrameTable | None = None

    def selected(self, chosen: Sequence[int]) -> ParquetTable:
        """Return the table of the chosen columns only."""
        table = ParquetTable(self.names, self._file, self._words)
        table.names = tuple(self.names[j] for j in chosen)
        table._labels = [self._labels[j] for j in chosen]
        return table

    def block(self, chosen: Sequence[int]) -> NDArray[Any] | None:
        """Return some columns as integers or booleans, if they are such; one per row."""
        columns = self._held(chosen)
        return columns.block([self._read[j] for j in chosen])

    def column(self, j: int) -> Column:
        """Return column ``j``, encoded."""
        if self._labels[j] in self._words:
            return word_column(self.names[j], self.series(j).to_native())
        return self._held([j]).column(self._read[j])

    def series(self, j: int) -> Any:
        """Return column ``j`` as narwhals shows it."""
        return self._held([j]).series(self._read[j])

    def _held(self, chosen: Sequence[int]) -> FrameTable:
        """Return columns among which the chosen ones are; what was held before is let go."""
        if self._columns is None or any(j not in self._read for j in chosen):
            import narwhals as nw

            self._columns = None
            labels = [self._labels[j] for j in chosen]
            table = _with_floats(self._file.read(columns=labels).select(labels))
            names = tuple(self.names[j] for j in chosen)
            self._read = {j: place for place, j in enumerate(chosen)}
            self._columns = FrameTable(names, nw.from_native(table, eager_only=True))
        return self._columns


def _with_floats(table: Any) -> Any:
    """Return a table with floats in place of decimals."""
    import pyarrow as pa

    for j, field in enumerate(table.schema):
        if pa.types.is_decimal(field.type):
            table = table.set_column(j, field.name, table.column(j).cast(pa.float64(), safe=False))
    return table

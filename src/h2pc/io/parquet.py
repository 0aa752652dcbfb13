"""Parquet files, by pyarrow, a few columns at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from h2pc.data.arrow_columns import word_column
from h2pc.data.parquet_tables import ParquetTable
from h2pc.data.tables import checked_names
from h2pc.errors import DataTypeError, FileFormatError, SettingError
from h2pc.io.coded_table import CodedTable, Floats, Words

MAX_CELLS = 1 << 27
"""The largest table of floats we read: a gigabyte."""


def read_parquet(path: str | os.PathLike[str], max_cells: int = MAX_CELLS) -> CodedTable:
    """Table of a Parquet file: columns of numbers, and columns of words, coded in sorted order.

    Parameters
    ----------
    path : path
        The file.
    max_cells : int
        The most cells to accept.

    Returns
    -------
    CodedTable
        The columns; booleans are 0 and 1.

    Raises
    ------
    FileFormatError
        Where the file is no Parquet file, has no rows, or is too large.
    DataTypeError
        Where a column holds neither numbers nor words.

    See Also
    --------
    h2pc.io.parquet_data.read_parquet_data : The same as a data set, in less memory.
    """
    with opened(path, max_cells) as table:
        cells = np.empty((table.n_rows, len(table.names)))
        categories = []
        for j, name in enumerate(table.names):
            cells[:, j], words = _column(name, table.series(j).to_native())
            categories.append(words)
    return CodedTable(table.names, tuple(categories), cells)


@contextmanager
def opened(path: str | os.PathLike[str], max_cells: int) -> Iterator[ParquetTable]:
    """Yield the table of a Parquet file; what goes wrong inside of it, is told of the file."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise SettingError(
            "Parquet files need pyarrow: expected it to be installed, as h2pc[arrow] does"
        ) from None
    file = os.fspath(path)
    with open(path, "rb") as source:
        try:
            schema = pq.read_schema(source)
            words = [f.name for f in schema if _is_text(pa, f.type)]
            columns = pq.ParquetFile(source, read_dictionary=words)
            n_rows, n_columns = columns.metadata.num_rows, len(schema.names)
            if not 0 < n_rows * n_columns <= max_cells:
                raise FileFormatError(
                    f"{file}: {n_rows:,} rows of {n_columns:,} columns: expected 1 to "
                    f"{max_cells:,} cells"
                )
            yield ParquetTable(checked_names(schema.names, n_columns), columns, words)
        except (pa.ArrowException, OSError, UnicodeError) as error:
            if isinstance(error, OSError) and error.errno is not None:  # of the disk
                raise
            raise FileFormatError(f"{file}: expected a Parquet file, and a whole one") from None


def _column(name: str, column: Any) -> tuple[Floats, Words | None]:
    """Numbers of a column, or codes and the words that they stand for."""
    import pyarrow as pa

    kind = column.type
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
        if _is_text(pa, kind):
            return _coded(name, column)
        column = column.cast(kind)
    if pa.types.is_boolean(kind):
        column = column.cast(pa.int8())
    elif _is_text(pa, kind):
        return _coded(name, column)
    elif not (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
        raise DataTypeError(
            f"column {name!r} is of type {kind}: expected numbers, booleans or words"
        )
    floats = column.cast(pa.float64(), safe=False).to_numpy()
    return floats, None


def _coded(name: str, column: Any) -> tuple[Floats, Words]:
    """Codes of words in sorted order; NaN where there is none."""
    codes, words, _, n_missing = word_column(name, column)
    floats = codes.astype(np.float64)
    if n_missing:
        floats[codes == len(words)] = np.nan
    return floats, tuple(map(str, words))


def _is_text(pa: Any, kind: Any) -> bool:
    """Whether a column of this type holds words."""
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))

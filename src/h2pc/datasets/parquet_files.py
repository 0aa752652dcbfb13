"""Parquet files, by pyarrow."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from h2pc.data.tables import checked_names
from h2pc.datasets.coded_table import CodedTable, Floats, Words
from h2pc.errors import DataTypeError, FileFormatError, SettingError

MAX_CELLS = 1 << 27
"""The largest table we read: a gigabyte of floats."""


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
    """
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise SettingError(
            "Parquet files need pyarrow: expected it to be installed, as h2pc[arrow] does"
        ) from None
    file = os.fspath(path)
    try:
        with open(path, "rb") as source:
            about = pq.read_metadata(source)
            if not 0 < about.num_rows * about.num_columns <= max_cells:
                raise FileFormatError(
                    f"{file}: {about.num_rows:,} rows of {about.num_columns:,} columns: expected "
                    f"1 to {max_cells:,} cells"
                )
            table = pq.read_table(source)
    except pa.ArrowException:
        raise FileFormatError(f"{file}: expected a Parquet file, and a whole one") from None
    names = checked_names(table.column_names, table.num_columns)
    cells = np.empty((table.num_rows, table.num_columns))
    categories = []
    for j, name in enumerate(names):
        cells[:, j], words = _column(pa, name, table.column(j))
        categories.append(words)
    return CodedTable(names, tuple(categories), cells)


def _column(pa: Any, name: str, column: Any) -> tuple[Floats, Words | None]:
    """Numbers of a column, or codes and the words that they stand for."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
        column = column.cast(kind)
    if pa.types.is_boolean(kind):
        column = column.cast(pa.int8())
    elif pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return _coded(column.to_pylist())
    elif not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)):
        raise DataTypeError(
            f"column {name!r} is of type {kind}: expected numbers, booleans or words"
        )
    floats = column.cast(pa.float64(), safe=False).to_numpy()
    return floats, None


def _coded(texts: list[str | None]) -> tuple[Floats, Words]:
    """Codes of words in sorted order; NaN where there is none."""
    words = sorted({text for text in texts if text is not None})
    code = {word: float(j) for j, word in enumerate(words)}
    return np.array([np.nan if text is None else code[text] for text in texts]), tuple(words)

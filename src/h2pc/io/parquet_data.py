"""Parquet files as data sets of discrete variables, a few columns at a time."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from h2pc.data import Dataset, Discretizer
from h2pc.data.columns import Column
from h2pc.data.cut_columns import cut_column, wants_cutting
from h2pc.data.discretize import Strategy
from h2pc.data.encoding import Missing
from h2pc.data.number_tables import Floats
from h2pc.data.parquet_tables import ParquetTable
from h2pc.errors import DataError
from h2pc.io.parquet import opened

MAX_CELLS = 1 << 34
"""The largest file we read: of a hundred million rows, 171 columns."""


def read_parquet_data(
    path: str | os.PathLike[str],
    *,
    columns: Iterable[str] | None = None,
    drop: Collection[str] = (),
    levels: int | None = None,
    strategy: Strategy = "quantile",
    missing: Missing = "error",
    max_levels: int | None = None,
    max_cells: int = MAX_CELLS,
) -> Dataset:
    """Data set of a Parquet file.

    A few columns at a time are read, and become codes of one or two bytes per cell before others
    are: ten million rows of fifty columns take a gigabyte, not a hundred. Columns that are not
    wanted are not read.

    Parameters
    ----------
    path : path
        The file.
    columns : iterable of str, optional
        The columns to take; by default all.
    drop : collection of str
        Columns to leave out.
    levels : int, optional
        How many intervals to cut numbers into: fractions, and whole numbers of more than 20 kinds.
        By default whole numbers are levels, and fractions are refused.
    strategy : {"quantile", "uniform"}
        Intervals of about equally many samples, or of equal width.
    missing, max_levels
        As in :meth:`Dataset.from_data`.
    max_cells : int
        The most cells of the file to accept, read or not.

    Returns
    -------
    Dataset
        Its levels are as :meth:`Dataset.from_data` takes them from a pyarrow table.

    Raises
    ------
    FileFormatError
        Where the file is no Parquet file, has no rows, or is too large.
    DataError
        Where a column is unknown, or cannot be used.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import pyarrow as pa, pyarrow.parquet as pq
    >>> from h2pc.io.parquet_data import read_parquet_data
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "coast.parquet"
    >>> pq.write_table(pa.table({"ground": ["sand", "rock"], "depth": [2.5, 0.5]}), path)
    >>> read_parquet_data(path, levels=2).states
    (('(-inf, 1.5]', '(1.5, inf)'), ('rock', 'sand'))
    """
    cut = None if levels is None else Discretizer(strategy, levels)
    with opened(path, max_cells) as table:
        kept = table.selected(_kept(table.names, columns, drop))
        source: Any = kept if cut is None else _CutTable(kept, cut)
        return Dataset.from_data(source, missing=missing, max_levels=max_levels)


class _CutTable:
    """A table whose numbers are cut into intervals where they have many kinds."""

    def __init__(self, table: ParquetTable, cut: Discretizer) -> None:
        self.names = table.names
        self.n_rows = table.n_rows
        self._table = table
        self._cut = cut

    def selected(self, chosen: Sequence[int]) -> _CutTable:
        return _CutTable(self._table.selected(chosen), self._cut)

    def block(self, chosen: Sequence[int]) -> NDArray[Any] | None:
        block = self._table.block(chosen)
        return block if block is not None and block.dtype == np.bool_ else None

    def column(self, j: int) -> Column:
        values = self._numbers(j)
        if values is None or not wants_cutting(values):
            return self._table.column(j)
        return cut_column(self.names[j], values, self._cut)

    def _numbers(self, j: int) -> Floats | None:
        """Return the numbers of a column, NaN where they are missing; None if it has others."""
        import narwhals as nw

        series = self._table.series(j)
        if not series.dtype.is_numeric():
            return None
        return np.asarray(series.cast(nw.Float64).to_numpy(), np.float64)


def _kept(
    names: tuple[str, ...], columns: Iterable[str] | None, drop: Collection[str]
) -> list[int]:
    """Places of the columns that are wanted, without those to drop, in their order."""
    wanted = names if columns is None else tuple(columns)
    known = frozenset(names)
    for name in (*wanted, *drop):
        if name not in known:
            raise DataError(f"unknown column {name!r}: expected one of {len(names)}")
    chosen = frozenset(wanted).difference(drop)
    kept = [j for j, name in enumerate(names) if name in chosen]
    if not kept:
        raise DataError("no column is left: expected at least one")
    return kept

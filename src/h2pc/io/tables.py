"""Any table file as a data set of discrete variables: CSV, TSV, Parquet, ARFF."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Collection, Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from h2pc.data import Dataset, Discretizer
from h2pc.data.columns import MOST_WHOLE_FLOATS, Codes, States, code_dtype
from h2pc.data.discretize import Strategy
from h2pc.data.encoding import Encoded, Missing, check_levels, check_missing, without_missing
from h2pc.data.number_tables import interval_labels
from h2pc.errors import DataError, DataTypeError, FileFormatError
from h2pc.io.arff import read_arff
from h2pc.io.coded_table import CodedTable, Floats
from h2pc.io.csv import read_csv
from h2pc.io.files import text_of
from h2pc.io.parquet import read_parquet
from h2pc.io.parquet_data import read_parquet_data
from h2pc.io.table_kinds import table_kind

MAX_BYTES = 1 << 31
"""The longest text we read: two gigabytes, also after decompression."""


def read_dataset(
    path: str | os.PathLike[str],
    *,
    columns: Iterable[str] | None = None,
    drop: Collection[str] = (),
    levels: int | None = None,
    strategy: Strategy = "quantile",
    missing: Missing = "error",
    max_levels: int | None = None,
) -> Dataset:
    r"""Data set of a table file.

    Parameters
    ----------
    path : path
        A file whose name ends in ``.csv``, ``.tsv``, ``.tab``, ``.parquet`` or ``.arff``; but for
        Parquet, also with ``.gz``, ``.bz2`` or ``.xz`` after it.
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

    Returns
    -------
    Dataset
        Words are levels in sorted order, those of ARFF in their declared order.

    Raises
    ------
    FileFormatError
        Where the file is damaged; the message names the line and what was expected there.
    DataError
        Where a column is unknown, or cannot be used.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from h2pc.io.tables import read_dataset
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "coast.tsv"
    >>> _ = path.write_text("depth\tground\n2.5\tsand\n0.1\trock\n3.5\trock\n")
    >>> data = read_dataset(path, levels=2)
    >>> data.names, data.states
    (('depth', 'ground'), (('(-inf, 2.5]', '(2.5, inf)'), ('rock', 'sand')))
    """
    if table_kind(Path(path)) == ".parquet":
        return read_parquet_data(
            path,
            columns=columns,
            drop=drop,
            levels=levels,
            strategy=strategy,
            missing=missing,
            max_levels=max_levels,
        )
    table = chosen_columns(read_table_file(path), columns, drop)
    return discrete(table, levels=levels, strategy=strategy, missing=missing, max_levels=max_levels)


def read_table_file(path: str | os.PathLike[str], max_bytes: int = MAX_BYTES) -> CodedTable:
    """Table of a file, of the kind that the ending of its name tells."""
    file = Path(path)
    kind = table_kind(file)
    if kind == ".parquet":
        return read_parquet(file)
    if kind == ".arff":
        arff = read_arff(file, max_bytes=max_bytes)
        return CodedTable(arff.names, arff.categories, arff.cells)
    if kind == ".csv":
        return read_csv(file, max_bytes)
    return parsed_csv(_with_commas(text_of(file, max_bytes), str(file)), str(file))


def parsed_csv(content: bytes, source: str, max_bytes: int = MAX_BYTES) -> CodedTable:
    """Table of CSV that is in no file of its own; ``source`` is its name in error messages."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        path.write_bytes(content)
        try:
            return read_csv(path, max_bytes)
        except FileFormatError as error:
            raise FileFormatError(str(error).replace(str(path), source)) from None


def _with_commas(text: str, source: str) -> bytes:
    """Text with tabs between its cells as one with commas, line by line."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter="\t", strict=True)
    out = io.StringIO(newline="")
    try:
        csv.writer(out, lineterminator="\n").writerows(reader)
    except csv.Error as error:
        raise FileFormatError(f"{source}, line {reader.line_num}: {error}") from None
    return out.getvalue().encode()


def chosen_columns(
    table: CodedTable, columns: Iterable[str] | None = None, drop: Collection[str] = ()
) -> CodedTable:
    """Columns of a table that are wanted, in their order, without those to drop."""
    known = frozenset(table.names)
    wanted = known if columns is None else frozenset(columns := tuple(columns))
    for name in (*(columns or ()), *drop):
        if name not in known:
            raise DataError(f"unknown column {name!r}: expected one of {_listed(table.names)}")
    gone = frozenset(drop)
    kept = [j for j, name in enumerate(table.names) if name in wanted and name not in gone]
    if not kept:
        raise DataError("no column is left: expected at least one")
    return CodedTable(
        tuple(table.names[j] for j in kept),
        tuple(table.categories[j] for j in kept),
        table.cells if len(kept) == len(table.names) else table.cells[:, kept],
    )


def continuous_columns(table: CodedTable) -> tuple[str, ...]:
    """Names of the columns that hold fractions, and so have to be cut."""
    numbers = [j for j, words in enumerate(table.categories) if words is None]
    return tuple(table.names[j] for j in numbers if not _is_whole(_present(table, j)))


def discrete(
    table: CodedTable,
    *,
    levels: int | None = None,
    strategy: Strategy = "quantile",
    missing: Missing = "error",
    max_levels: int | None = None,
) -> Dataset:
    """Data set of a table; see :func:`read_dataset` for the parameters."""
    check_missing(missing)
    cut = None if levels is None else Discretizer(strategy, levels)
    order = sorted(range(len(table.names)), key=table.names.__getitem__)
    columns = [_column(table, j, cut) for j in order]
    found = without_missing(_encoded([table.names[j] for j in order], columns), missing)
    check_levels(found, max_levels)
    place = {name: v for v, name in enumerate(found.names)}
    rows = [place[name] for name in table.names]  # from_codes sorts, and remembers this order
    return Dataset.from_codes(
        found.codes[rows], names=table.names, states=[found.states[v] for v in rows]
    )


class _Column(NamedTuple):
    """One encoded column; missing cells carry the code ``len(states)``."""

    codes: Codes
    states: States
    declared: bool


def _small(codes: NDArray[Any], states: States) -> Codes:
    """Codes in one or two bytes each: of thousands of columns, eight would be too many."""
    return codes.astype(code_dtype(len(states) + 1))


def _encoded(names: list[str], columns: list[_Column]) -> Encoded:
    """Columns side by side."""
    n_missing = np.array([int((c.codes == len(c.states)).sum()) for c in columns], np.int64)
    widest = max(len(c.states) + 1 for c in columns)
    return Encoded(
        tuple(names),
        np.stack([c.codes for c in columns]).astype(code_dtype(widest), copy=False),
        [c.states for c in columns],
        np.array([c.declared for c in columns], np.bool_),
        n_missing,
    )


def _column(table: CodedTable, j: int, cut: Discretizer | None) -> _Column:
    """Codes of a column: its words, its whole numbers, or the intervals that it is cut into."""
    words, values = table.categories[j], table.column(j)
    holes = np.isnan(values)
    if words is not None:
        codes = _small(np.where(holes, len(words), values), words)
        # All words of a CSV file occur; where some do not, somebody declared them.
        return _Column(codes, words, len(np.unique(values[~holes])) < len(words))
    present = _present(table, j)
    kinds = np.unique(present)
    if cut is not None and (kinds.size > MOST_WHOLE_FLOATS or not _is_whole(kinds)):
        return _cut_column(table.names[j], values, cut)
    if not _is_whole(kinds):
        raise DataTypeError(
            f"column {table.names[j]!r} holds {kinds.size} different numbers, fractions among "
            f"them: expected categories or whole numbers; pass levels=3 to cut it into three levels"
        )
    codes = np.where(holes, kinds.size, np.searchsorted(kinds, values))
    states = tuple(map(int, kinds.tolist()))
    return _Column(_small(codes, states), states, declared=False)


def _cut_column(name: str, values: Floats, cut: Discretizer) -> _Column:
    """Intervals of a column of numbers."""
    own = Discretizer(cut.strategy, cut.levels)
    try:
        edges = own.fit(values[:, np.newaxis]).edges_[0]
    except DataError as error:
        raise DataError(str(error).replace("column 0", f"column {name!r}")) from None
    states = tuple(interval_labels(edges))
    found = np.searchsorted(edges, values, side="left")
    codes = np.where(np.isnan(values), len(states), found)
    return _Column(_small(codes, states), states, declared=True)


def _present(table: CodedTable, j: int) -> Floats:
    """Numbers of a column that are there, all finite."""
    values = table.column(j)
    present: Floats = values[~np.isnan(values)]
    if np.isinf(present).any():
        raise DataError(f"column {table.names[j]!r} holds infinite values: expected finite numbers")
    return present


def _is_whole(numbers: Floats) -> bool:
    """Whether all of these are whole numbers that floats hold exactly."""
    return bool((numbers == np.floor(numbers)).all() and (np.abs(numbers) < 2.0**53).all())


def _listed(names: tuple[str, ...]) -> str:
    shown = ", ".join(map(repr, names[:10]))
    return f"{shown}, … ({len(names)} in all)" if len(names) > 10 else shown

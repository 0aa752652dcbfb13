"""Table files: CSV, TSV, Parquet and Excel through polars, and ARFF."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from h2pc.data import Dataset, Discretizer
from h2pc.data.discretize import CutTable, Floats, NumberTable, Strategy, is_whole
from h2pc.data.encoded_table import Missing
from h2pc.data.encoding import ContinuousColumnError, EncodedColumn, encode_column
from h2pc.data.tables import FrameTable, checked_names
from h2pc.errors import DataError, FileFormatError, SettingError
from h2pc.io.arff import read_arff
from h2pc.io.csv import MISSING, number, parse_csv
from h2pc.io.files import bytes_of, decompressed, table_kind

if TYPE_CHECKING:
    import polars as pl

MAX_BYTES = 1 << 31
"""The longest text that is read: two gigabytes, also after decompression."""

MAX_CELLS = 1 << 34
"""The largest Parquet file that is read: of a hundred million rows, 171 columns."""

_SEPARATORS = {".csv": ",", ".tsv": "\t", ".tab": "\t"}


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
    r"""Read a data set of discrete variables from a table file.

    In text files the cells ``?``, ``NA``, ``N/A``, ``NaN``, ``nan``, ``null`` and empty ones are
    missing, in columns of numbers ``None`` as well. A column of text is one of numbers if all its
    cells are. A Parquet file is read a few columns at a time, so that ten million rows of fifty
    columns take a gigabyte and not a hundred.

    Parameters
    ----------
    path : path
        A file whose name ends in ``.csv``, ``.tsv``, ``.tab``, ``.arff``, all of them also with
        ``.gz``, ``.bz2`` or ``.xz`` after it; in ``.parquet``; or in ``.xlsx``, of which the first
        sheet is read (needs ``fastexcel``).
    columns : iterable of str, default=None
        The columns to take; by default all.
    drop : collection of str, default=()
        Columns to leave out.
    levels : int, default=None
        The number of intervals to cut numbers into: fractions, and whole numbers of more than 20
        kinds. By default whole numbers are levels, and fractions are refused.
    strategy : {"quantile", "uniform"}, default="quantile"
        Intervals of about equally many samples, or of equal width.
    missing : {"error", "drop", "level", "available"}, default="error"
        As in :meth:`Dataset.from_data`.
    max_levels : int, default=None
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
    >>> from h2pc import read_dataset
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "coast.tsv"
    >>> _ = path.write_text("depth\tground\n2.5\tsand\n0.1\trock\n3.5\trock\n")
    >>> data = read_dataset(path, levels=2)
    >>> data.names, data.states
    (('depth', 'ground'), (('(-inf, 2.5]', '(2.5, inf)'), ('rock', 'sand')))
    """
    with read_table(path) as table:
        try:
            return discrete(
                selected(table, columns, drop),
                levels=levels,
                strategy=strategy,
                missing=missing,
                max_levels=max_levels,
            )
        except ContinuousColumnError as error:
            remedy = "pass levels=3 to cut numbers into three levels"
            raise ContinuousColumnError(error.column, error.finding, remedy) from None


@contextmanager
def read_table(
    path: str | os.PathLike[str],
    *,
    label_xml: str | os.PathLike[str] | None = None,
    max_bytes: int = MAX_BYTES,
    max_cells: int = MAX_CELLS,
) -> Iterator[Any]:
    """Yield the table of a file; the ending of its name says of what kind it is.

    It has ``names``, ``n_rows``, ``labels`` (those that an ARFF file declares) and the methods of
    a :class:`NumberTable`.
    """
    file = Path(path)
    kind = table_kind(file)
    if kind == ".parquet":
        with _parquet_errors(file):
            yield ParquetTable.opened(file, max_cells)
    elif kind == ".xlsx":
        yield _excel_table(file)
    elif kind == ".arff":
        yield read_arff(file, label_xml=label_xml, max_bytes=max_bytes)
    else:
        yield TextTable(parse_csv(bytes_of(file, max_bytes), str(file), _SEPARATORS[kind]))


def csv_table(content: bytes, source: str) -> TextTable:
    """Return the table of CSV that is in no file; ``source`` is its name in error messages."""
    return TextTable(parse_csv(decompressed(content, source, MAX_BYTES), source))


def selected(table: Any, columns: Iterable[str] | None = None, drop: Collection[str] = ()) -> Any:
    """Return a table of the chosen columns, in their order, without those to drop."""
    known = frozenset(table.names)
    wanted = known if columns is None else frozenset(columns := tuple(columns))
    for name in (*(columns or ()), *drop):
        if name not in known:
            raise DataError(f"unknown column {name!r}: expected one of {_listed(table.names)}")
    gone = frozenset(drop)
    kept = [j for j, name in enumerate(table.names) if name in wanted and name not in gone]
    if not kept:
        raise DataError("no column is left: expected at least one")
    return table if len(kept) == len(known) else table.selected(kept)


def discrete(
    table: NumberTable,
    *,
    levels: int | None = None,
    strategy: Strategy = "quantile",
    missing: Missing = "error",
    max_levels: int | None = None,
) -> Dataset:
    """Return the data set of a table; see :func:`read_dataset` for the parameters."""
    source = table if levels is None else CutTable(table, Discretizer(strategy, levels))
    return Dataset.from_data(source, missing=missing, max_levels=max_levels)


class TextTable:
    """A polars data frame whose strings may be numbers: the cells of a column decide.

    A column is one of integers if all its cells are whole numbers, one of floats if all are
    numbers, and one of words otherwise.
    """

    labels: tuple[str, ...] = ()

    def __init__(self, frame: pl.DataFrame) -> None:
        self.names = tuple(frame.columns)
        self.n_rows = frame.height
        self._frame = frame

    def selected(self, chosen: Sequence[int]) -> TextTable:
        """Return the table of the chosen columns only."""
        return TextTable(self._frame[:, list(chosen)])

    def block(self, chosen: Sequence[int]) -> NDArray[Any] | None:
        """Return some columns as integers, if all their cells are such; one per row."""
        import polars as pl

        columns = self._frame[:, list(chosen)]
        if any(dtype not in (pl.String, pl.Float64) for dtype in columns.dtypes):
            return None
        values = columns.cast(pl.Float64, strict=False).to_numpy()
        if not (np.isfinite(values).all() and is_whole(values)):
            return None
        return np.ascontiguousarray(values.T, np.int64)

    def column(self, j: int) -> EncodedColumn:
        """Return column ``j``, encoded."""
        import narwhals as nw

        return encode_column(self.names[j], nw.from_native(self._typed(j), series_only=True))

    def numbers(self, j: int) -> Floats | None:
        """Return column ``j`` as floats, NaN where they are missing; None if it holds words."""
        return _floats(self._typed(j))

    def _typed(self, j: int) -> pl.Series:
        """Return column ``j`` as integers or floats, if its cells are such."""
        import polars as pl

        series = self._frame.to_series(j)
        if series.dtype == pl.String:
            series = _numbers_or_words(series)
        if series.dtype == pl.Float64 and is_whole(series.to_numpy()):
            return series.cast(pl.Int64)
        return series


class ParquetTable:
    """A Parquet file of which a few columns at a time are read; those read last are kept."""

    labels: tuple[str, ...] = ()

    def __init__(self, names: tuple[str, ...], n_rows: int, scan: pl.LazyFrame) -> None:
        self.names = names
        self.n_rows = n_rows
        self._scan = scan
        self._places: dict[int, int] = {}
        self._columns: FrameTable | None = None

    @classmethod
    def opened(cls, file: Path, max_cells: int) -> ParquetTable:
        """Return the table of a file; only its names and its number of rows are read."""
        import polars as pl

        scan = pl.scan_parquet(file, glob=False)
        names = tuple(scan.collect_schema().names())
        n_rows = int(scan.select(pl.len()).collect().item())
        if not 0 < n_rows * len(names) <= max_cells:
            raise FileFormatError(
                f"{file}: {n_rows:,} rows of {len(names):,} columns: expected 1 to "
                f"{max_cells:,} cells"
            )
        return cls(names, n_rows, scan)

    def selected(self, chosen: Sequence[int]) -> ParquetTable:
        """Return the table of the chosen columns only."""
        import polars as pl

        names = tuple(self.names[j] for j in chosen)
        return ParquetTable(names, self.n_rows, self._scan.select(pl.nth(list(chosen))))

    def block(self, chosen: Sequence[int]) -> NDArray[Any] | None:
        """Return some columns as integers or booleans, if they are such; one per row."""
        columns = self._read(chosen)
        return columns.block([self._places[j] for j in chosen])

    def column(self, j: int) -> EncodedColumn:
        """Return column ``j``, encoded."""
        return self._read([j]).column(self._places[j])

    def numbers(self, j: int) -> Floats | None:
        """Return column ``j`` as floats, NaN where they are missing; None if it holds others."""
        return _floats(self._read([j]).series(self._places[j]).to_native())

    def _read(self, chosen: Sequence[int]) -> FrameTable:
        """Return a table that holds the chosen columns; what was held before is released."""
        if self._columns is None or any(j not in self._places for j in chosen):
            import narwhals as nw
            import polars as pl
            import polars.selectors as cs

            self._columns = None
            frame = self._scan.select(pl.nth(list(chosen))).collect()
            frame = frame.with_columns(cs.decimal().cast(pl.Float64))
            self._places = {j: place for place, j in enumerate(chosen)}
            names = tuple(self.names[j] for j in chosen)
            self._columns = FrameTable(names, nw.from_native(frame, eager_only=True))
        return self._columns


def _floats(series: pl.Series) -> Floats | None:
    """Return a column of numbers as floats, NaN where they are missing; None if it holds others."""
    import polars as pl

    if not series.dtype.is_numeric():
        return None
    return np.asarray(series.cast(pl.Float64).to_numpy(), np.float64)


def _numbers_or_words(texts: pl.Series) -> pl.Series:
    """Return the numbers that the texts of a column stand for, or the texts if one is a word."""
    import polars as pl

    numbers = texts.cast(pl.Float64, strict=False)
    if not numbers.is_finite().all():
        return texts
    others = texts.filter(numbers.is_null() & texts.is_not_null())
    known: dict[str, float | None] = {"None": None}
    try:
        for text in (*others.head(1), *others.unique()):  # mostly the first is a word
            known[text] = None if text == "None" else number(text)
    except ValueError:
        return texts
    if not others.len():
        return numbers
    pairs = zip(texts.to_list(), numbers.to_list(), strict=True)
    return pl.Series([known.get(t) if n is None else n for t, n in pairs], dtype=pl.Float64)


def _excel_table(file: Path) -> TextTable:
    """Return the table of the first sheet of an Excel file; its first row names the columns."""
    import polars as pl
    import polars.selectors as cs

    try:
        from fastexcel import FastExcelError
    except ImportError:
        raise SettingError(
            "Excel files need fastexcel: expected it to be installed, as by pip install "
            "'h2pc[excel]'"
        ) from None
    with open(file, "rb"):  # the usual errors of files
        pass
    try:
        top = pl.read_excel(
            file, has_header=False, raise_if_empty=False, read_options={"n_rows": 1}
        )
        frame = pl.read_excel(file, infer_schema_length=None, raise_if_empty=False)
    except (FastExcelError, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        raise FileFormatError(f"{file}: expected an Excel file, and a whole one") from error
    if not frame.height:
        raise FileFormatError(f"{file}: no rows: expected names in the first row, and a second one")
    try:
        header = [str(cell).strip() for cell in top.row(0) if cell is not None]
        frame.columns = list(checked_names(header, frame.width))
    except DataError as error:
        raise FileFormatError(f"{file}, row 1: {error}") from None
    return TextTable(frame.with_columns(cs.string().replace(dict.fromkeys(MISSING))))


@contextmanager
def _parquet_errors(file: Path) -> Iterator[None]:
    """Report any error of polars as one of the file."""
    import polars as pl

    with open(file, "rb"):  # the usual errors of files
        pass
    try:
        yield
    except (pl.exceptions.PolarsError, OSError, pl.exceptions.PanicException) as error:
        raise FileFormatError(f"{file}: expected a Parquet file, and a whole one") from error


def _listed(names: tuple[str, ...]) -> str:
    shown = ", ".join(map(repr, names[:10]))
    return f"{shown}, … ({len(names)} in all)" if len(names) > 10 else shown

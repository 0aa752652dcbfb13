"""Parquet files, of which a few columns at a time are read."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from h2pc.data.discretize import Floats
from h2pc.data.encoding import EncodedColumn
from h2pc.data.tables import FrameTable, checked_names
from h2pc.errors import FileFormatError, SettingError
from h2pc.io.memory import check_fits
from h2pc.io.text_table import TextTable, as_floats

if TYPE_CHECKING:
    import polars as pl

MAX_CELLS = 1 << 34
"""The largest Parquet file that is read: of a hundred million rows, 171 columns."""

# A column that is read, in its largest form, beside the codes of all columns and a copy of them.
_BYTES_PER_ROW = 64
_BYTES_PER_CELL = 2


class ParquetTable:
    """A Parquet file of which a few columns at a time are read; those read last are kept."""

    labels: tuple[str, ...] = ()

    def __init__(
        self, path: Path, file: Any, names: tuple[str, ...], index: Collection[str] = ()
    ) -> None:
        self.names = names
        self.n_rows: int = file.metadata.num_rows
        self.index = frozenset(index)
        self._path, self._file = path, file
        self._places: dict[int, int] = {}
        self._columns: FrameTable | None = None

    def selected(self, chosen: Sequence[int]) -> ParquetTable:
        """Return the table of the chosen columns only."""
        names = tuple(self.names[j] for j in chosen)
        return ParquetTable(self._path, self._file, names, self.index)

    def transposed(self) -> TextTable:
        """Return the table with rows for columns; the first column names the rows."""
        return TextTable.of_frame(self._frame(self.names)).transposed()

    def block(self, chosen: Sequence[int]) -> NDArray[Any] | None:
        """Return some columns as integers or booleans, if they are such; one per row."""
        columns = self._read(chosen)
        return columns.block([self._places[j] for j in chosen])

    def column(self, j: int) -> EncodedColumn:
        """Return column ``j``, encoded."""
        return self._read([j]).column(self._places[j])

    def series(self, j: int) -> Any:
        """Return column ``j`` as a narwhals series."""
        return self._read([j]).series(self._places[j])

    def numbers(self, j: int) -> Floats | None:
        """Return column ``j`` as floats, NaN where they are missing; None if it holds others."""
        return as_floats(self.series(j).to_native())

    def _read(self, chosen: Sequence[int]) -> FrameTable:
        """Return a table that holds the chosen columns; what was held before is released."""
        if self._columns is None or any(j not in self._places for j in chosen):
            import narwhals as nw
            import polars as pl
            import polars.selectors as cs

            self._columns = None
            names = tuple(self.names[j] for j in chosen)
            frame = self._frame(names).with_columns(cs.decimal().cast(pl.Float64))
            self._places = {j: place for place, j in enumerate(chosen)}
            self._columns = FrameTable(names, nw.from_native(frame, eager_only=True))
        return self._columns

    def _frame(self, names: Sequence[str]) -> pl.DataFrame:
        """Return the columns of these names."""
        import polars as pl

        with parquet_errors(self._path):
            # The name of a column stands for all names that go on with a point after it.
            columns = self._file.read(columns=list(names)).select(list(names))
            if columns.num_rows != self.n_rows:
                raise FileFormatError(
                    f"{self._path}: {columns.num_rows:,} rows in columns {', '.join(names[:3])}: "
                    f"expected {self.n_rows:,}, as the Parquet file says"
                )
            columns.validate(full=True)  # polars takes strings for valid
            kinds = pl.from_arrow(columns.schema.empty_table()).schema
            return pl.DataFrame(
                {name: _series(columns.column(name), kinds[name]) for name in names}
            )


@contextmanager
def parquet_table(path: Path, max_cells: int, free: int) -> Iterator[ParquetTable]:
    """Yield the table of a file; only its names and its number of rows are read at first."""
    try:
        from pyarrow.parquet import ParquetFile
    except ImportError:
        raise SettingError(
            "Parquet files need pyarrow: expected it to be installed, as by pip install "
            "'h2pc[parquet]'"
        ) from None
    with open(path, "rb") as source:  # the usual errors of files
        with parquet_errors(path):
            file = ParquetFile(source)
            metadata, schema = file.metadata, file.schema_arrow
            names, n_rows = checked_names(schema.names, len(schema)), metadata.num_rows
            # A long word in all rows is stored once, and is to be read once.
            words = [field.name for field in schema if _is_words(field.type)]
            file = ParquetFile(source, metadata=metadata, read_dictionary=words)
            index = _stored_index(metadata.metadata or {}, names)
        if not 0 < n_rows * len(names) <= max_cells:
            raise FileFormatError(
                f"{path}: {n_rows:,} rows of {len(names):,} columns: expected 1 to "
                f"{max_cells:,} cells"
            )
        needed = n_rows * (_BYTES_PER_CELL * len(names) + _BYTES_PER_ROW)
        check_fits(str(path), n_rows, len(names), needed, free)
        yield ParquetTable(path, file, names, index)


def _is_words(kind: Any) -> bool:
    import pyarrow.types as types

    return any(
        is_such(kind)
        for is_such in (types.is_string, types.is_large_string, types.is_binary, types.is_large_binary)
    )


def _series(column: Any, kind: pl.DataType) -> pl.Series:
    """Return a column of pyarrow as one of polars."""
    import polars as pl
    import pyarrow as pa

    if not pa.types.is_dictionary(column.type):
        return pl.Series(column)
    words = [pl.Series(part.dictionary).gather(pl.Series(part.indices)) for part in column.chunks]
    series = pl.concat(words)
    return series.cast(kind) if isinstance(kind, pl.Enum) else series


def _stored_index(metadata: dict[bytes, bytes], names: Collection[str]) -> list[str]:
    """Return the columns in which pandas stored the index of a data frame."""
    found = [name for name in names if name.startswith("__index_level_")]
    try:
        stored = json.loads(metadata.get(b"pandas", b"{}"))["index_columns"]
    except (ValueError, RecursionError, KeyError, TypeError):
        return found
    if not isinstance(stored, list):
        return found
    named = [name for name in stored if isinstance(name, str) and name in names]
    return list(dict.fromkeys((*found, *named)))


@contextmanager
def parquet_errors(path: Path) -> Iterator[None]:
    """Report any error of pyarrow and polars as one of the file."""
    import polars as pl
    import pyarrow as pa

    try:
        yield
    except (
        pa.ArrowException,
        OSError,
        UnicodeDecodeError,
        pl.exceptions.PolarsError,
        pl.exceptions.PanicException,
    ) as error:
        raise FileFormatError(f"{path}: expected a Parquet file, and a whole one") from error

"""Parquet files, of which a few columns at a time are read."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from numpy.typing import NDArray

from h2pc.data.encoding import EncodedColumn, Floats
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

# Measured: 14 bytes for every number that stays one.
_BYTES_PER_NUMBER = 16

# Words are held as they are decompressed, and as they are decoded.
_COPIES = 2
_BYTES_OF_NUMBER = 16
_BATCH_ROWS = 1024


class ParquetTable:
    """A Parquet file of which a few columns at a time are read; those read last are kept."""

    labels: tuple[str, ...] = ()

    def __init__(self, source: ParquetSource, names: tuple[str, ...]) -> None:
        self.names = names
        self.n_rows = source.n_rows
        self.index = frozenset(_stored_index(source.metadata, names))
        self._source = source
        self._places: dict[int, int] = {}
        self._columns: FrameTable | None = None

    def selected(self, chosen: Sequence[int]) -> ParquetTable:
        """Return the table of the chosen columns only."""
        return ParquetTable(self._source, tuple(self.names[j] for j in chosen))

    def transposed(self) -> TextTable:
        """Return the table with rows for columns; the first column names the rows."""
        return TextTable.of_frame(self._source.columns(self.names)).transposed()

    def block(self, chosen: Sequence[int]) -> NDArray[Any] | None:
        """Return some columns as numbers or booleans, if they are of one type; one per row."""
        if not self._source.are_numbers(self.names[j] for j in chosen):
            return None  # words are read one column at a time
        columns = self._read(chosen)
        return columns.block([self._places[j] for j in chosen])

    def column(self, j: int) -> EncodedColumn:
        """Return column ``j``, encoded."""
        return self._read([j]).column(self._places[j])

    def check_room(self, n_continuous: int) -> None:
        """Refuse more continuous columns than fit into memory."""
        self._source.check_continuous(n_continuous)

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
            frame = self._source.columns(names).with_columns(cs.decimal().cast(pl.Float64))
            self._places = {j: place for place, j in enumerate(chosen)}
            self._columns = FrameTable(names, nw.from_native(frame, eager_only=True))
        return self._columns


class ParquetSource:
    """An open Parquet file, of which columns that fit into memory are read.

    Parameters
    ----------
    path : Path
        Its name in error messages.
    content : file
        Its bytes.
    free : int
        How many bytes a column may take.
    """

    def __init__(self, path: Path, content: IO[bytes], free: int) -> None:
        from pyarrow.parquet import ParquetFile

        self._path, self._free = path, free
        with _errors(path):
            self._plain = ParquetFile(content)
            metadata, schema = self._plain.metadata, self._plain.schema_arrow
            self.names = checked_names(schema.names, len(schema))
            self.n_rows: int = metadata.num_rows
            self.metadata: dict[bytes, bytes] = metadata.metadata or {}
            self._types = dict(zip(self.names, schema.types, strict=True))
            self._n_bytes = _n_bytes_of_words(metadata)
            # A long word in all rows is stored once, and is to be read once.
            words = [name for name, kind in self._types.items() if _is_words(kind)]
            self._file = ParquetFile(content, metadata=metadata, read_dictionary=words)

    def are_numbers(self, names: Iterable[str]) -> bool:
        """Whether columns hold integers, floats or booleans."""
        import pyarrow.types as types

        kinds = {self._types[name] for name in names}
        known = (types.is_integer, types.is_floating, types.is_boolean)
        return all(any(is_such(kind) for is_such in known) for kind in kinds)

    def check_continuous(self, n_columns: int) -> None:
        """Refuse more continuous columns than fit into memory."""
        needed = _BYTES_PER_NUMBER * self.n_rows * n_columns
        check_fits(str(self._path), self.n_rows, n_columns, needed, self._free)

    def columns(self, names: Sequence[str]) -> pl.DataFrame:
        """Return the columns of these names."""
        import polars as pl
        import pyarrow as pa

        if not all(pa.types.is_primitive(self._types[name]) for name in names):
            self._check_fits(names, _COPIES * self._n_bytes)
        with _errors(self._path):
            columns = self._read(list(names))
            if columns.num_rows != self.n_rows:
                raise FileFormatError(
                    f"{self._path}: {columns.num_rows:,} rows in columns {', '.join(names[:3])}: "
                    f"expected {self.n_rows:,}, as the Parquet file says"
                )
            columns.validate(full=True)  # polars takes strings for valid
            kinds = pl.DataFrame(columns.schema.empty_table()).schema
            return pl.DataFrame(
                {name: self._series(name, columns[name], kinds[name]) for name in names}
            )

    def _read(self, names: list[str]) -> Any:
        """Return a table of pyarrow."""
        import pyarrow as pa

        # The name of a column stands for all names that go on with a point after it.
        try:
            return self._file.read(columns=names).select(names)
        except (OSError, pa.ArrowException):
            # The file is damaged, or of an encoding that pyarrow reads as plain words only.
            if not any(_is_words(self._types[name]) for name in names):
                raise
            batches, needed = [], 0
            for batch in self._plain.iter_batches(_BATCH_ROWS, columns=names):
                batches.append(batch)
                needed += batch.nbytes
                self._check_fits(names, needed)
            if not batches:
                raise
        return pa.Table.from_batches(batches).select(names)

    def _series(self, name: str, column: Any, kind: pl.DataType) -> pl.Series:
        """Return a column of pyarrow as one of polars, without a name."""
        import polars as pl
        import pyarrow as pa

        if not pa.types.is_dictionary(column.type):
            return pl.Series(column)
        words = [pl.Series(part.dictionary) for part in column.chunks]
        series = pl.concat(
            own.gather(pl.Series(part.indices))
            for own, part in zip(words, column.chunks, strict=True)
        )
        if series.dtype == pl.String:
            longest = max(
                (own.str.len_bytes().fill_null(0).to_numpy().max(initial=0) for own in words),
                default=0,
            )
            if int(longest) * len(series) > self._free:
                self._check_fits([name], int(series.str.len_bytes().cast(pl.Int64).sum()))
        return series.cast(kind) if isinstance(kind, pl.Enum) else series

    def _check_fits(self, names: Sequence[str], needed: int) -> None:
        if needed > self._free:
            raise FileFormatError(
                f"{self._path}: columns {', '.join(names[:3])} need {needed / 1e9:.2g} GB of "
                f"memory: expected at most {self._free / 1e9:.2g} GB"
            )


@contextmanager
def parquet_table(path: Path, max_cells: int, free: int) -> Iterator[ParquetTable]:
    """Yield the table of a file; only its names and its number of rows are read at first."""
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError:
        raise SettingError(
            "Parquet files need pyarrow: expected it to be installed, as by pip install "
            "'h2pc[parquet]'"
        ) from None
    with open(path, "rb") as content:
        source = ParquetSource(path, content, free)
        n_rows, n_columns = source.n_rows, len(source.names)
        if not 0 < n_rows * n_columns <= max_cells:
            raise FileFormatError(
                f"{path}: {n_rows:,} rows of {n_columns:,} columns: expected 1 to "
                f"{max_cells:,} cells"
            )
        needed = n_rows * (_BYTES_PER_CELL * n_columns + _BYTES_PER_ROW)
        check_fits(str(path), n_rows, n_columns, needed, free)
        yield ParquetTable(source, source.names)


def _is_words(kind: Any) -> bool:
    import pyarrow.types as types

    kinds = (types.is_string, types.is_large_string, types.is_binary, types.is_large_binary)
    return any(is_such(kind) for is_such in kinds)


def _n_bytes_of_words(metadata: Any) -> int:
    """Return how many bytes columns take after decompression beyond those of plain numbers.

    The sizes of single columns are not asked for: pyarrow ends the process where one is damaged.
    """
    groups = map(metadata.row_group, range(metadata.num_row_groups))
    n_bytes = sum(group.total_byte_size for group in groups)
    n_cells = metadata.num_rows * metadata.num_columns
    return max(0, int(n_bytes - _BYTES_OF_NUMBER * n_cells))


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
def _errors(path: Path) -> Iterator[None]:
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

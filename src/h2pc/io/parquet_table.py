"""Parquet files, of which a few columns at a time are read."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

from numpy.typing import NDArray

from h2pc.data.encoding import EncodedColumn, Floats
from h2pc.data.series_encoding import encode_column
from h2pc.data.tables import FrameTable, as_series, checked_names
from h2pc.errors import FileFormatError, SettingError
from h2pc.io.memory import check_fits
from h2pc.io.small_numbers import SmallNumbers
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

# A million columns take gigabytes while their places in the file are known. Measured: 19 bytes for
# every byte of that part of the file.
_BYTES_PER_BYTE_OF_METADATA = 20

# A column of a few rows takes longer to be found than to be read: small numbers are kept.
_FEW_ROWS = 10_000

# A column takes more bytes than this there, so that a damaged file cannot claim any number of them;
# pyarrow trusts every file to have a million.
_BYTES_PER_COLUMN = 32
_USUAL_COLUMNS = 1_000_000
_LARGEST_LIMIT = (1 << 31) - 1

# Words are held as they are decompressed, and as they are decoded.
_COPIES = 2
_BYTES_OF_NUMBER = 16
_BATCH_ROWS = 1024


class ParquetTable:
    """A Parquet file of which a few columns at a time are read; those read last are kept."""

    labels: tuple[str, ...] = ()

    def __init__(self, source: ParquetSource, columns: Sequence[int]) -> None:
        self.names = tuple([source.names[place] for place in columns])
        self.n_rows = source.n_rows
        self.index = frozenset(_stored_index(source.metadata, self.names))
        self._source = source
        self._in_file = columns
        self._places: dict[int, int] = {}
        self._columns: FrameTable | None = None

    def selected(self, chosen: Sequence[int]) -> ParquetTable:
        """Return the table of the chosen columns only."""
        return ParquetTable(self._source, [self._in_file[j] for j in chosen])

    def transposed(self) -> TextTable:
        """Return the table with rows for columns; the first column names the rows."""
        return TextTable.of_frame(self._source.columns(self._in_file)).transposed()

    def block(self, chosen: Sequence[int]) -> NDArray[Any] | None:
        """Return some columns as numbers or booleans, if they are of one type; one per row."""
        in_file = [self._in_file[j] for j in chosen]
        kept = self._source.kept(in_file)
        if kept is not None:
            return kept.block(in_file)
        if not self._source.are_numbers(in_file):
            return None  # words are read one column at a time
        columns = self._read(chosen)
        block = columns.block([self._places[j] for j in chosen])
        if block is not None:
            self._source.keep(in_file, block)
        return block

    def column(self, j: int) -> EncodedColumn:
        """Return column ``j``, encoded."""
        return encode_column(self.names[j], self.series(j))

    def check_room(self, n_continuous: int) -> None:
        """Refuse more continuous columns than fit into memory."""
        self._source.check_continuous(n_continuous)

    def series(self, j: int) -> Any:
        """Return column ``j`` as a narwhals series."""
        if self._source.kept([self._in_file[j]]) is not None:
            return as_series(cast("NDArray[Any]", self.block([j]))[0])
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
            in_file = [self._in_file[j] for j in chosen]
            frame = self._source.columns(in_file).with_columns(cs.decimal().cast(pl.Float64))
            self._places = {j: place for place, j in enumerate(chosen)}
            names = tuple(frame.columns)
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

        self._path, self._content, self._free = path, content, free
        n_bytes = _bytes_of_metadata(content)
        if n_bytes * _BYTES_PER_BYTE_OF_METADATA > free:
            needed = n_bytes * _BYTES_PER_BYTE_OF_METADATA
            raise FileFormatError(
                f"{path}: its columns need {needed / 1e9:.2g} GB of memory to be found: expected "
                f"at most {free / 1e9:.2g} GB"
            )
        self._limits = {
            "thrift_string_size_limit": min(max(n_bytes, 1), _LARGEST_LIMIT),
            "thrift_container_size_limit": max(n_bytes // _BYTES_PER_COLUMN, _USUAL_COLUMNS),
        }
        with _errors(path):
            plain = ParquetFile(content, **self._limits)
            metadata, schema = plain.metadata, plain.schema_arrow
            self.names = checked_names(schema.names, len(schema))
            self.n_rows: int = metadata.num_rows
            self.metadata: dict[bytes, bytes] = metadata.metadata or {}
            # One object for all columns of a type: of a million, they would take gigabytes.
            shared: dict[Any, Any] = {}
            types = (schema.field(place).type for place in range(len(schema)))
            self._types = [shared.setdefault(kind, kind) for kind in types]
            self._n_bytes = _n_bytes_of_words(metadata)
            # A long word in all rows is stored once, and is to be read once.
            are_words = {kind: _is_words(kind) for kind in shared}
            columns = zip(self.names, self._types, strict=True)
            words = [name for name, kind in columns if are_words[kind]]
            with_words = plain
            if words:
                with_words = ParquetFile(content, metadata=metadata, read_dictionary=words)
        self._files: tuple[Any, Any] | None = (plain, with_words)
        self._kept: SmallNumbers | None = None

    def are_numbers(self, columns: Iterable[int]) -> bool:
        """Whether columns hold integers, floats or booleans."""
        import pyarrow.types as types

        kinds = {self._types[place] for place in columns}
        known = (types.is_integer, types.is_floating, types.is_boolean)
        return all(any(is_such(kind) for is_such in known) for kind in kinds)

    def keep(self, columns: Sequence[int], block: NDArray[Any]) -> None:
        """Keep columns, the rows of an array, where a wide file has small integers or booleans.

        They need not be read again. Once all columns are kept, the file is no longer needed.
        """
        if self.n_rows > _FEW_ROWS or block.dtype.kind == "f":
            return
        if self._kept is None:
            self._kept = SmallNumbers(len(self.names), self.n_rows)
        if self._kept.add(columns, block) and self._kept.has_all():
            self._release()

    def kept(self, columns: Sequence[int]) -> SmallNumbers | None:
        """Return where these columns are kept; None unless all are."""
        return self._kept if self._kept is not None and self._kept.has(columns) else None

    def _release(self) -> None:
        """Give the memory back in which pyarrow keeps the places of columns in the file."""
        import pyarrow as pa

        self._files = None
        pa.system_memory_pool().release_unused()  # that of all libraries, as the system has it

    def check_continuous(self, n_columns: int) -> None:
        """Refuse more continuous columns than fit into memory."""
        needed = _BYTES_PER_NUMBER * self.n_rows * n_columns
        check_fits(str(self._path), self.n_rows, n_columns, needed, self._free)

    def columns(self, places: Sequence[int]) -> pl.DataFrame:
        """Return the columns at these places in the file."""
        import polars as pl
        import pyarrow as pa

        names = [self.names[place] for place in places]
        are_primitive = all(map(pa.types.is_primitive, {self._types[place] for place in places}))
        if not are_primitive:
            self._check_fits(names, _COPIES * self._n_bytes)
        with _errors(self._path):
            columns = self._read(places)
            if columns.num_rows != self.n_rows:
                raise FileFormatError(
                    f"{self._path}: {columns.num_rows:,} rows in columns {', '.join(names[:3])}: "
                    f"expected {self.n_rows:,}, as the Parquet file says"
                )
            columns.validate(full=True)  # polars takes strings for valid
            if are_primitive and len(names) > 1:
                return cast("pl.DataFrame", pl.from_arrow(columns))
            kinds = pl.DataFrame(columns.schema.empty_table()).schema
            return pl.DataFrame(
                {name: self._series(name, columns[name], kinds[name]) for name in names}
            )

    def _read(self, places: Sequence[int]) -> Any:
        """Return a table of pyarrow."""
        import pyarrow as pa
        from pyarrow.parquet import ParquetFile

        if self._files is None:  # released, and needed after all
            plain = ParquetFile(self._content, **self._limits)
            self._files = (plain, plain)
        plain, with_words = self._files
        names = [self.names[place] for place in places]
        # The name of a column stands for all names that go on with a point after it.
        try:
            return with_words.read(columns=names).select(names)
        except (OSError, pa.ArrowException):
            # The file is damaged, or of an encoding that pyarrow reads as plain words only.
            if not any(_is_words(self._types[place]) for place in places):
                raise
            batches, needed = [], 0
            for batch in plain.iter_batches(_BATCH_ROWS, columns=names):
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
        yield ParquetTable(source, range(n_columns))


def _is_words(kind: Any) -> bool:
    import pyarrow.types as types

    kinds = (types.is_string, types.is_large_string, types.is_binary, types.is_large_binary)
    return any(is_such(kind) for is_such in kinds)


def _bytes_of_metadata(content: IO[bytes]) -> int:
    """Return how long the part of a file is that describes its columns; 0 where it is damaged."""
    size = content.seek(0, os.SEEK_END)
    content.seek(max(0, size - 8))
    length = int.from_bytes(content.read(4), "little")
    content.seek(0)
    return length if length < size else 0


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

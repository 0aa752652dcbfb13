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
from h2pc.data.tables import FrameTable
from h2pc.errors import FileFormatError
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
        self, names: tuple[str, ...], n_rows: int, scan: pl.LazyFrame, index: Collection[str] = ()
    ) -> None:
        self.names = names
        self.n_rows = n_rows
        self.index = frozenset(index)
        self._scan = scan
        self._places: dict[int, int] = {}
        self._columns: FrameTable | None = None

    @classmethod
    def opened(cls, file: Path, max_cells: int, free: int) -> ParquetTable:
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
        needed = n_rows * (_BYTES_PER_CELL * len(names) + _BYTES_PER_ROW)
        check_fits(str(file), n_rows, len(names), needed, free)
        return cls(names, n_rows, scan, _stored_index(file, names))

    def selected(self, chosen: Sequence[int]) -> ParquetTable:
        """Return the table of the chosen columns only."""
        import polars as pl

        names = tuple(self.names[j] for j in chosen)
        scan = self._scan.select(pl.nth(list(chosen)))
        return ParquetTable(names, self.n_rows, scan, self.index)

    def transposed(self) -> TextTable:
        """Return the table with rows for columns; the first column names the rows."""
        return TextTable.of_frame(self._scan.collect()).transposed()

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
            frame = self._scan.select(pl.nth(list(chosen))).collect()
            if frame.height != self.n_rows:
                raise FileFormatError(
                    f"{frame.height:,} rows in columns {', '.join(frame.columns[:3])}: expected "
                    f"{self.n_rows:,}, as the Parquet file says"
                )
            frame = frame.with_columns(cs.decimal().cast(pl.Float64))
            self._places = {j: place for place, j in enumerate(chosen)}
            names = tuple(self.names[j] for j in chosen)
            self._columns = FrameTable(names, nw.from_native(frame, eager_only=True))
        return self._columns


def _stored_index(file: Path, names: Collection[str]) -> list[str]:
    """Return the columns in which pandas stored the index of a data frame."""
    import polars as pl

    found = [name for name in names if name.startswith("__index_level_")]
    try:
        stored = json.loads(pl.read_parquet_metadata(file).get("pandas", "{}"))["index_columns"]
    except (ValueError, RecursionError, KeyError, TypeError):
        return found
    if not isinstance(stored, list):
        return found
    named = [name for name in stored if isinstance(name, str) and name in names]
    return list(dict.fromkeys((*found, *named)))


@contextmanager
def parquet_errors(file: Path) -> Iterator[None]:
    """Report any error of polars as one of the file."""
    import polars as pl

    with open(file, "rb"):  # the usual errors of files
        pass
    try:
        yield
    except (pl.exceptions.PolarsError, OSError, pl.exceptions.PanicException) as error:
        raise FileFormatError(f"{file}: expected a Parquet file, and a whole one") from error

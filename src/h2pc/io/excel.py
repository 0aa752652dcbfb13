"""Excel files: the first sheet, as a table of strings and numbers."""

from __future__ import annotations

import re
import zipfile
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from h2pc.data.tables import default_names
from h2pc.errors import DataError, FileFormatError, SettingError
from h2pc.io.csv import column_names
from h2pc.io.dialect import MISSING, TextForm, has_header
from h2pc.io.text_table import TextTable

if TYPE_CHECKING:
    import polars as pl

_SAMPLE_ROWS = 100

_SHEET = re.compile(r"(?i)worksheets/[^/]*\.xml$")
_CELL = re.compile(rb'\br="([A-Z]{1,7})(\d{1,12})"')
_LARGE_AREA = 1_000_000
_MOST_EMPTY = 50

# Cells of Excel's XML take this much memory for every byte of it, at most.
BYTES_PER_BYTE_OF_XML = 5


def excel_table(file: Path, form: TextForm, max_bytes: int) -> TextTable:
    """Return the table of the first sheet of an Excel file.

    Parameters
    ----------
    file : Path
        The file.
    form : TextForm
        What is known of it: the decimal mark of numbers that are text, and whether its first row
        names the columns.
    max_bytes : int
        The longest content to accept, after decompression.
    """
    import polars as pl
    import polars.selectors as cs

    try:
        from fastexcel import FastExcelError
    except ImportError:
        raise SettingError(
            "Excel files need fastexcel: expected it to be installed, as by pip install "
            "'h2pc[excel]'"
        ) from None
    _check_size(file, max_bytes)
    try:
        top = _sheet(file, has_header=False, read_options={"n_rows": _SAMPLE_ROWS})
        rows = [["" if cell is None else str(cell) for cell in row] for row in top.rows()]
        named = has_header(rows, ".") if form.header is None and rows else form.header is not False
        frame = _sheet(file, has_header=named, infer_schema_length=None)
    except (
        FastExcelError,
        pl.exceptions.PolarsError,
        pl.exceptions.PanicException,
        LookupError,  # no sheet
        ValueError,
    ) as error:
        raise FileFormatError(f"{file}: expected an Excel file, and a whole one") from error
    if not frame.height or not frame.width:
        raise FileFormatError(f"{file}: no rows: expected names in the first row, and a second one")
    try:
        first = rows[0][: frame.width] if named else ()
        names, nameless = column_names(first, frame.width)
    except DataError as error:
        raise FileFormatError(f"{file}, row 1: {error}") from None
    frame.columns = list(names if named else default_names(frame.width))
    empty = [name for name in nameless if frame.get_column(name).null_count() == frame.height]
    frame = frame.drop(empty) if len(empty) < frame.width else frame
    return TextTable.of_frame(
        frame.with_columns(cs.string().replace(dict.fromkeys(MISSING))),
        decimal=form.decimal or ".",
        nameless=nameless,
    )


def _sheet(file: Path, **settings: Any) -> pl.DataFrame:
    import polars as pl

    frame: pl.DataFrame = pl.read_excel(
        file, raise_if_empty=False, drop_empty_cols=False, **settings
    )
    return frame


def _check_size(file: Path, max_bytes: int) -> None:
    """Refuse a file whose parts are too long once they are decompressed."""
    with open(file, "rb") as opened:  # the usual errors of files
        try:
            with zipfile.ZipFile(opened) as parts:
                n_bytes = sum(part.file_size for part in parts.infolist())
                if n_bytes > max_bytes:
                    raise FileFormatError(
                        f"{file}: more than {max_bytes:,} bytes after decompression: expected a "
                        f"smaller file"
                    )
                for name in parts.namelist():
                    if _SHEET.search(name):
                        _check_area(file, parts.read(name))
        except (
            zipfile.BadZipFile,
            zlib.error,
            ValueError,
            NotImplementedError,
            RuntimeError,
        ) as error:
            if isinstance(error, FileFormatError):
                raise
            return  # an old or damaged file, for the reader to refuse


def _check_area(file: Path, sheet: bytes) -> None:
    """Refuse a sheet with cells so far apart that the table would be empty but for a few."""
    n_cells, n_rows, n_columns = 0, 0, 0
    for found in _CELL.finditer(sheet):
        n_cells += 1
        n_rows = max(n_rows, int(found[2]))
        n_columns = max(n_columns, _column_number(found[1]))
    area = n_rows * n_columns
    if area > _LARGE_AREA and area > _MOST_EMPTY * n_cells:
        raise FileFormatError(
            f"{file}: {n_cells:,} cells in {n_rows:,} rows and {n_columns:,} columns: expected a "
            f"table without such gaps"
        )


def _column_number(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + letter - ord("A") + 1
    return number

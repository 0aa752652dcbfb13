"""Text with separators between its cells, as a polars data frame of strings.

The separator is given, the encoding is UTF-8, the decimal mark is a point, and the first line
names the columns: whatever guesses one of these belongs here, before the text is parsed.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from h2pc.data.tables import checked_names
from h2pc.errors import DataError, FileFormatError
from h2pc.io.files import decoded

if TYPE_CHECKING:
    import polars as pl

MISSING = ("", "?", "NA", "N/A", "NaN", "nan", "null")
"""Texts that stand for a missing cell; in columns of numbers ``None`` does so too."""


def parse_csv(content: bytes, source: str, separator: str = ",") -> pl.DataFrame:
    """Return the cells of a text as strings, null where they are missing.

    Parameters
    ----------
    content : bytes
        The text, in UTF-8; its first line names the columns.
    source : str
        The name of the text in error messages.
    separator : str, default=","
        The character between two cells.

    Raises
    ------
    FileFormatError
        Where rows differ in length, where there are none, or where a quote does not close.
    """
    import polars as pl

    content = content.removeprefix(b"\xef\xbb\xbf")
    if _is_plain(content):
        names = _header(content.partition(b"\n")[0], source, separator)
        try:
            frame = _parsed(content.replace(b"\r\n", b"\n"), names, separator, header=True)
        except (pl.exceptions.PolarsError, UnicodeError):
            pass  # the csv module finds the line
        else:
            # Rows that are too short are filled with nulls.
            n_separators = (len(names) - 1) * (frame.height + 1)
            if frame.height and content.count(separator.encode()) == n_separators:
                return frame
    names, checked = _checked(decoded(content, source), source, separator)
    return _parsed(checked, names, ",", header=False)


def number(text: str) -> float:
    """Return the number that a text stands for; ``ValueError`` where it is a word."""
    value = float(text)
    if value - value != 0 or "_" in text or not text.isascii():  # Python reads more than files
        raise ValueError(text)
    return value


def _is_plain(content: bytes) -> bool:
    """Whether every line is a row, and every separator separates two cells."""
    return not (
        b'"' in content
        or b"\n\n" in content
        or b"\n\r" in content
        or content[:1] in (b"\n", b"\r", b"")
        or content.count(b"\r") != content.count(b"\r\n")
    )


def _parsed(content: bytes, names: Sequence[str], separator: str, *, header: bool) -> pl.DataFrame:
    import polars as pl

    return pl.read_csv(
        content,
        has_header=False,
        skip_lines=int(header),
        schema=dict.fromkeys(names, pl.String),
        separator=separator,
        quote_char=None if header else '"',
        null_values=list(MISSING),
        raise_if_empty=False,
    )


def _checked(text: str, source: str, separator: str) -> tuple[tuple[str, ...], bytes]:
    """Return the names and the rows of a text, every cell in quotes; errors name the line."""
    out = io.StringIO(newline="")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        names = _checked_header(next(reader, []))
        csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(_rows(reader, names))
    except (csv.Error, FileFormatError) as error:
        raise FileFormatError(f"{source}, line {reader.line_num}: {error}") from None
    if not out.tell():
        raise FileFormatError(f"{source}, line 1: the end of the text: expected at least one row")
    return names, out.getvalue().encode()


def _rows(reader: Iterator[list[str]], names: Sequence[str]) -> Iterator[list[str]]:
    for row in reader:
        if len(row) == len(names):
            yield row
        elif row:  # an empty line is no row
            raise FileFormatError(
                f"a row of {len(row)} values: expected {len(names)}, one per column"
            )


def _header(line: bytes, source: str, separator: str) -> tuple[str, ...]:
    names = decoded(line, source).removesuffix("\r").split(separator)
    try:
        return _checked_header(names)
    except FileFormatError as error:
        raise FileFormatError(f"{source}, line 1: {error}") from None


def _checked_header(header: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the columns, distinct, at least one."""
    if not header:
        raise FileFormatError("an empty line: expected the names of the columns")
    try:
        return checked_names([name.strip() for name in header], len(header))
    except DataError as error:
        raise FileFormatError(str(error)) from None

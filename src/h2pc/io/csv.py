"""Text with separators between its cells, as a polars data frame of strings."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from h2pc.data.tables import checked_names, default_names
from h2pc.errors import DataError, DataWarning, FileFormatError, Remedy
from h2pc.io.dialect import MISSING, Decimal, Dialect, TextForm, leading_lines, recognised
from h2pc.io.memory import check_text
from h2pc.io.text_encoding import as_utf8

if TYPE_CHECKING:
    import polars as pl

_SPACES = re.compile(rb"[ \t]+")
_OUTER_SPACES = re.compile(rb"(?m)^ | (?=\r?$)")


class ParsedText(NamedTuple):
    """The cells of a text."""

    frame: pl.DataFrame
    """Strings, null where they are missing."""
    decimal: Decimal
    nameless: frozenset[str]
    """Columns that the text gives no name."""
    notices: tuple[DataWarning, ...]


def parse_csv(
    content: bytes,
    source: str,
    given: TextForm | None = None,
    *,
    default: str = ",",
    free: int | None = None,
) -> ParsedText:
    """Return the cells of a text; what is not given of its form is recognised.

    Parameters
    ----------
    content : bytes
        The text.
    source : str
        The name of the text in error messages.
    given : TextForm, default=None
        What is known of its form.
    default : str, default=","
        The separator where none makes rows of equal length.
    free : int, default=None
        The bytes of memory that reading may take; by default any number.

    Raises
    ------
    FileFormatError
        Where rows differ in length, where there are none, or where a quote does not close.
    """
    known = TextForm() if given is None else given
    content, encoding = as_utf8(content, source, known.encoding)
    start, form = leading_lines(content, known)
    n_before = content.count(b"\n", 0, start)
    content = content[start:] if start else content
    dialect = recognised(content, form, source, default)
    if free is not None:
        n_rows = content.count(b"\n") + 1
        check_text(source, len(content), n_rows, dialect.width, free)
    try:
        names, nameless = column_names(dialect.names, dialect.width)
    except DataError as error:
        raise FileFormatError(f"{source}, line {n_before + 1}: {error}") from None
    if dialect.sep == " ":
        content = _single_spaces(content)
    frame = _plain_frame(content, names, dialect)
    if frame is None:
        checked = _checked(content.decode(), source, dialect, n_before)
        frame = _parsed(checked, names, ",", header=False)
    if dialect.spaced:
        frame = _stripped(frame)
    empty = [name for name in nameless if frame.get_column(name).null_count() == frame.height]
    frame = frame.drop(empty) if len(empty) < frame.width else frame
    notices = _notices(source, known, encoding, dialect)
    return ParsedText(frame, dialect.decimal, frozenset(nameless) - {*empty}, notices)


def number(text: str) -> float:
    """Return the number that a text stands for; ``ValueError`` where it is a word."""
    value = float(text)
    if value - value != 0 or "_" in text or not text.isascii():  # Python reads more than files
        raise ValueError(text)
    return value


def column_names(first: Sequence[str], width: int) -> tuple[tuple[str, ...], list[str]]:
    """Return distinct names for the columns, and which of them the first row does not name.

    Without a first row the columns are ``X0, X1, …``; one without a name is ``column 3``.
    """
    if not first:
        return default_names(width), []
    given = [name.strip() for name in first]
    if given[0].startswith("#"):
        given[0] = given[0].lstrip("# ") or given[0]
    if len(given) == width - 1:
        given = ["", *given]  # the names of rows have none
    elif len(given) == width + 1:
        given = given[:-1]
    names = [name or f"column {j + 1}" for j, name in enumerate(given)]
    nameless = [name for name, own in zip(names, given, strict=True) if not own]
    return checked_names(names, width), nameless


def _notices(
    source: str, known: TextForm, encoding: str, dialect: Dialect
) -> tuple[DataWarning, ...]:
    """Return what was assumed of a text and may be wrong."""
    found = []
    if known.encoding is None and not encoding.startswith("utf"):
        found.append(
            DataWarning(
                f"{source} is no UTF-8: read as {encoding}",
                Remedy("encoding", "cp1250", "reads it as Central European, for example"),
            )
        )
    if known.header is None and not dialect.header:
        found.append(
            DataWarning(
                f"{source} has no line of names: the columns are called "
                f"{default_names(dialect.width)[0]}, …",
                Remedy("header", True, "takes the first line for names"),
            )
        )
    return tuple(found)


def _single_spaces(content: bytes) -> bytes:
    """Return the text with one space between two cells, unless there are quotes."""
    if b'"' in content:
        return content
    return _OUTER_SPACES.sub(b"", _SPACES.sub(b" ", content))


def _plain_frame(content: bytes, names: Sequence[str], dialect: Dialect) -> pl.DataFrame | None:
    """Return the cells of a text without quotes and empty lines; None where it is no such text."""
    import polars as pl

    if content.endswith((b"\n\n", b"\n\r\n", b"\x1a")):
        content = content.rstrip(b"\r\n\x1a")
    if not _is_plain(content, dialect):
        return None
    try:
        lines = content.replace(b"\r\n", b"\n") if b"\r" in content else content
        frame = _parsed(lines, names, dialect.sep, header=dialect.header)
    except (pl.exceptions.PolarsError, UnicodeError):
        return None  # the csv module finds the line
    # Rows that are too short are filled with nulls.
    sep = dialect.sep.encode()
    n_first = content.count(sep, 0, content.find(b"\n")) if dialect.header else 0
    n_separators = (len(names) - 1) * frame.height + n_first
    return frame if frame.height and content.count(sep) == n_separators else None


def _is_plain(content: bytes, dialect: Dialect) -> bool:
    """Whether every separator separates two cells, and every line of a single column is a row."""
    if b'"' in content or content[:1] in (b"\n", b"\r", b""):
        return False
    if b"#" in content and b"\n#" in content:
        return False
    if b"\r" in content and content.count(b"\r") != content.count(b"\r\n"):
        return False
    # In wider tables the number of separators shows whether a line is empty.
    return dialect.width > 1 or not (b"\n\n" in content or b"\n\r" in content)


def _parsed(content: bytes, names: Sequence[str], separator: str, *, header: bool) -> pl.DataFrame:
    import polars as pl

    return pl.read_csv(
        content,
        has_header=False,
        skip_lines=int(header),
        schema=dict.fromkeys(names, pl.String),
        separator=separator,
        quote_char='"' if b'"' in content else None,
        null_values=list(MISSING),
        raise_if_empty=False,
    )


def _stripped(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the cells without the spaces around them."""
    import polars as pl

    return frame.with_columns(pl.all().str.strip_chars().replace(dict.fromkeys(MISSING)))


def _checked(text: str, source: str, dialect: Dialect, n_before: int) -> bytes:
    """Return the rows of a text, every cell in quotes; errors name the line."""
    out = io.StringIO(newline="")
    reader = csv.reader(
        io.StringIO(text, newline=""),
        delimiter=dialect.sep,
        skipinitialspace=dialect.spaced or dialect.sep == " ",
        strict=True,
    )
    try:
        if dialect.header:
            next(row for row in reader if row)
        csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(
            _rows(reader, dialect)
        )
    except (csv.Error, FileFormatError) as error:
        raise FileFormatError(f"{source}, line {n_before + reader.line_num}: {error}") from None
    if not out.tell():
        raise FileFormatError(
            f"{source}, line {n_before + 1}: the end of the text: expected at least one row"
        )
    return out.getvalue().encode()


def _rows(reader: Iterator[list[str]], dialect: Dialect) -> Iterator[list[str]]:
    width = dialect.width
    for row in reader:
        if dialect.sep == " " and row and not row[-1]:
            row.pop()  # a space at the end of the line
        if len(row) == width:
            yield row
        elif dialect.trailing and len(row) == width - 1:
            yield [*row, ""]
        elif row and row != ["\x1a"] and not row[0].startswith("#"):  # no row: empty, a comment
            raise FileFormatError(f"a row of {len(row)} values: expected {width}, one per column")

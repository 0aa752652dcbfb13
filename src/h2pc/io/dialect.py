"""The form of a text table, recognised from its first lines: separator, decimal mark, header."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from h2pc.errors import FileFormatError, Remedy, SettingError

MISSING = ("", "?", "NA", "N/A", "NaN", "nan", "null")
"""Texts that stand for a missing cell; in columns of numbers ``None`` does so too."""

SEPARATORS = ("\t", "|", ";", ",", " ")
"""Separators that are recognised; the first one that makes equal rows wins."""

Decimal = Literal[".", ","]

_NAMES = {"tab": "\t", "\\t": "\t", "space": " ", "spaces": " ", "comma": ",", "semicolon": ";"}

# The first lines decide; a row that is damaged among them is one of few.
_SAMPLE = 1 << 18
_SAMPLE_ROWS = 500
_EQUAL_ROWS = 0.8

_POINT = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*")
_COMMA = re.compile(r"\s*[+-]?(\d+,?\d*|,\d+)([eE][+-]?\d+)?\s*")
_THOUSANDS = re.compile(r"\s*[+-]?[1-9]\d{0,2}(,\d{3})+\s*")
_SEP_LINE = re.compile(rb"(?i)\s*\"?sep=(.)\"?[ \t;,]*\r?\n?", re.DOTALL)

Row = list[str]


@dataclass(frozen=True)
class TextForm:
    """What the user says of the form of a text; None is recognised.

    Attributes
    ----------
    sep : str or None
        The character between two cells; a space stands for any run of spaces and tabs.
    decimal : {".", ","} or None
        The decimal mark.
    encoding : str or None
        The encoding.
    header : bool or None
        Whether the first line names the columns.
    """

    sep: str | None = None
    decimal: Decimal | None = None
    encoding: str | None = None
    header: bool | None = None

    def __post_init__(self) -> None:
        if self.sep is not None:
            sep = _NAMES.get(self.sep.lower(), self.sep)
            if len(sep) != 1 or not sep.isascii() or sep in '"\r\n\0#':
                raise SettingError(
                    f"sep={self.sep!r}: expected one character, such as ',', ';', 'tab' or 'space'"
                )
            object.__setattr__(self, "sep", sep)
        if self.decimal not in (None, ".", ","):
            raise SettingError(f"decimal={self.decimal!r}: expected '.' or ','")
        if self.decimal == "," and self.sep == ",":
            raise SettingError("decimal=',' came with sep=',': expected two different characters")


@dataclass(frozen=True)
class Dialect:
    """The form of a text table.

    Attributes
    ----------
    sep : str
        The character between two cells; a space stands for any run of spaces and tabs.
    decimal : str
        The decimal mark.
    header : bool
        Whether the first row names the columns.
    names : tuple of str
        The names of that row; empty where it has none.
    width : int
        The number of cells of a row.
    trailing : bool
        Whether every row ends with a separator after which nothing comes.
    spaced : bool
        Whether a space follows every separator.
    """

    sep: str
    decimal: Decimal
    header: bool
    names: tuple[str, ...]
    width: int
    trailing: bool
    spaced: bool


def leading_lines(content: bytes, given: TextForm) -> tuple[int, TextForm]:
    """Return how many bytes come before the table, and the form with a ``sep=;`` of Excel."""
    start = 0
    found = _SEP_LINE.match(content[:100])
    if found:
        start = found.end()
        if given.sep is None:
            sep = found[1].decode("ascii", "replace")
            given = replace(given, sep=sep) if sep in ",;\t|" else given
    while True:
        end = content.find(b"\n", start) + 1
        line = content[start : end or len(content)]
        if line.strip() and not _is_leading_comment(content, start, end):
            return start + 2 * line.startswith(b"# "), given
        if not end:
            return len(content) if not line.strip() else start, given
        start = end


def _is_leading_comment(content: bytes, start: int, end: int) -> bool:
    """Whether a line begins with # and is no header.

    ``#name,age`` is a header if the next line has as many separators, and ``# name,age`` if that
    line also holds numbers.
    """
    if content[start : start + 1] != b"#" or not end:
        return False
    line = content[start:end].decode(errors="replace").strip()
    rest = content[end : end + _SAMPLE].lstrip(b"\r\n").partition(b"\n")[0]
    below = rest.decode(errors="replace").strip()
    if below.startswith("#"):
        return True
    for sep in SEPARATORS:
        names, cells = rows_of([line.lstrip("# ")], sep), rows_of([below], sep)
        if not names or not cells or len(names[0]) != len(cells[0]):
            continue
        if line[1:2] != " " and (len(cells[0]) > 1 and sep != " "):
            return False
        holds_numbers = any(map(_POINT.fullmatch, cells[0]))
        if len(cells[0]) > 1 and holds_numbers and not any(map(_POINT.fullmatch, names[0])):
            return False
    return True


def recognised(content: bytes, given: TextForm, source: str, default: str = ",") -> Dialect:
    """Return the form of a text in UTF-8 that begins with the table.

    Parameters
    ----------
    content : bytes
        The text.
    given : TextForm
        What the user said of it.
    source : str
        What error messages call it.
    default : str, default=","
        The separator where none makes equal rows.

    Raises
    ------
    FileFormatError
        Where it is one column of cells with separators in them.
    """
    sample = content[:_SAMPLE].decode(errors="ignore")
    lines = re.split(r"\r\n|\n|\r", sample)
    if len(content) > _SAMPLE:
        lines = lines[:-1] or lines
    sep, rows = _separator(lines, given, default)
    if not rows or not rows[0]:
        raise FileFormatError(f"{source}, line 1: an empty line: expected the names of the columns")
    decimal = given.decimal or _decimal(rows, sep)
    header = has_header(rows, decimal) if given.header is None else given.header
    width = _width(rows)
    if width == 1 and len(rows[0]) == 1:
        _check_single_column(lines, given.sep, source)
    first = rows[0]
    if header and not _fits(first, rows):
        width = len(first)  # a row that differs is for the parser to name
    body = [row for row in rows[1:] or rows if len(row) == width]
    ends = bool(body) and width > 1 and not any(row[-1].strip() for row in body)
    trailing = ends and (not header or len(first) < width or not first[-1].strip())
    names = (*first, "") if trailing and len(first) < width else tuple(first)
    names = names if header else ()
    return Dialect(sep, decimal, header, names, width, trailing, _are_spaced(rows, sep))


def rows_of(lines: Sequence[str], sep: str) -> list[Row]:
    """Return the cells of lines; empty lines are none."""
    if sep == " ":
        lines = [" ".join(line.split()) for line in lines]
    found: list[Row] = []
    try:
        for row in csv.reader([f"{line}\n" for line in lines], delimiter=sep):
            if row and not (row[0].startswith("#") and found and len(row) != len(found[0])):
                found.append(row)
            if len(found) > _SAMPLE_ROWS:
                break
    except csv.Error:  # a cell that is too long
        return [line.split(sep) for line in lines if line][: _SAMPLE_ROWS + 1]
    return found


def _separator(lines: Sequence[str], given: TextForm, default: str) -> tuple[str, list[Row]]:
    """Return the separator, and the rows that it makes."""
    if given.sep is not None:
        return given.sep, rows_of(lines, given.sep)
    by_sep = {sep: rows_of(lines, sep) for sep in SEPARATORS}
    for sep, rows in by_sep.items():
        if _are_equal(rows) and (sep != " " or _is_aligned(rows)):
            return sep, rows
    # No separator makes equal rows: the row that differs is for the parser to name.
    first = next((line for line in lines if line.strip()), "")
    counts = {sep: first.count(sep) for sep in (default, *SEPARATORS[:-1])}
    best = max(counts, key=lambda sep: counts[sep])
    return best, by_sep[best]


def _are_equal(rows: Sequence[Row]) -> bool:
    """Whether almost all rows have the same number of cells, two at least, and the first one."""
    if not rows:
        return False
    body = rows[1:] or rows
    width = _width(rows)
    share = sum(len(row) == width for row in body) / len(body)
    return width >= 2 and share >= _EQUAL_ROWS and _fits(rows[0], rows)


def _fits(first: Row, rows: Sequence[Row]) -> bool:
    """Whether the first row names the others: all their cells, or all but the names of rows."""
    width = _width(rows)
    if len(first) == width - 1 >= 1:
        named = len(first) >= 2 or any(row[-1:] == [""] for row in rows[1:])
        return named and all(len(row) == width for row in rows[1:])
    return len(first) == width or (len(first) == width + 1 and not first[-1].strip())


def _are_spaced(rows: Sequence[Row], sep: str) -> bool:
    """Whether a space follows every separator."""
    later = [cell for row in rows for cell in row[1:] if cell]
    return sep not in " \t" and bool(later) and all(cell[0] == " " for cell in later)


def _is_aligned(rows: Sequence[Row]) -> bool:
    """Whether all rows of words between spaces are equal, and a column of them holds numbers."""
    width = _width(rows)
    body = rows[1:]
    return (
        bool(body)
        and all(len(row) == width for row in body)
        and any(_all_match(_POINT, body, j) or _all_match(_COMMA, body, j) for j in range(width))
    )


def _width(rows: Sequence[Row]) -> int:
    """Return how many cells most rows have; the first one may be a header."""
    counts = Counter(map(len, rows[1:] or rows))
    return max(counts, key=lambda width: (counts[width], width))


def _cells(rows: Sequence[Row], j: int) -> list[str]:
    return [row[j] for row in rows if len(row) > j and row[j].strip() not in MISSING]


def _all_match(pattern: re.Pattern[str], rows: Sequence[Row], j: int) -> bool:
    cells = _cells(rows, j)
    return bool(cells) and all(map(pattern.fullmatch, cells))


def _decimal(rows: Sequence[Row], sep: str) -> Decimal:
    """Return the decimal mark: a comma where some column needs it, and none a point."""
    if sep == ",":
        return "."
    body = rows[1:] or rows
    needs_comma = False
    for j in range(_width(rows)):
        cells = _cells(body, j)
        if not cells:
            continue
        if any("." in cell for cell in cells) and all(map(_POINT.fullmatch, cells)):
            return "."
        fractions = [cell for cell in cells if "," in cell]
        if (
            fractions
            and all(map(_COMMA.fullmatch, cells))
            and not all(map(_THOUSANDS.fullmatch, fractions))
        ):
            needs_comma = True
    return "," if needs_comma else "."


def has_header(rows: Sequence[Row], decimal: str) -> bool:
    """Whether the first row names the columns.

    It does unless it holds numbers where the rows below do, and no word above numbers; or unless
    all its words occur again below. Consecutive numbers are names, as pandas gives to arrays.
    """
    first, body = rows[0], rows[1:]
    if not body or len(first) != _width(rows):
        return True
    number = _POINT if decimal == "." else _COMMA
    numeric = [j for j in range(len(first)) if _all_match(number, body, j)]
    words = [j for j in numeric if first[j].strip() and not number.fullmatch(first[j])]
    above = [first[j].strip() for j in numeric if number.fullmatch(first[j])]
    if words:
        return any(first[j].strip() not in MISSING for j in words)
    if above:
        return _are_consecutive(above)
    return not all(
        cell.strip() and any(len(row) > j and row[j] == cell for row in body)
        for j, cell in enumerate(first)
    )


def _are_consecutive(cells: Sequence[str]) -> bool:
    """Whether these are whole numbers that follow each other, two at least."""
    if len(cells) < 2 or not all(cell.isdecimal() and len(cell) < 10 for cell in cells):
        return False
    numbers = list(map(int, cells))
    return numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def _check_single_column(lines: Sequence[str], sep: str | None, source: str) -> None:
    """Refuse a single column most of whose cells hold what separates cells elsewhere."""
    own = [line for line in lines if line.strip()]
    for other in SEPARATORS[:-1]:
        if other != sep and sum(other in line for line in own) > len(own) / 2:
            raise FileFormatError(
                f"{source}: one column, whose cells hold {other!r}: expected the same number of "
                f"cells in every row",
                Remedy("sep", other, "splits the rows there"),
            )

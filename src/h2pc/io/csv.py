"""Comma-separated values with a header line."""

from __future__ import annotations

import csv
import io
import os
from array import array
from collections.abc import Iterable, Iterator, Sequence
from math import nan
from operator import getitem

import numpy as np

from h2pc.data.tables import checked_names
from h2pc.errors import DataError, FileFormatError
from h2pc.io.coded_table import CodedTable, Floats, Words, number
from h2pc.io.files import MAX_BYTES, text_of

MISSING = ("", "?", "NA", "N/A", "NaN", "nan", "null", "None")
"""What stands for a missing cell."""

MISSING_WORDS = MISSING[:-1]
"""The same in columns of words, where None is a word like others."""

_MOST_REMEMBERED = 1 << 16


def read_csv(path: str | os.PathLike[str], max_bytes: int = MAX_BYTES) -> CodedTable:
    """Table of a CSV file: columns of numbers, and columns of words, coded in sorted order.

    Parameters
    ----------
    path : path
        The file, in UTF-8, compressed by gzip, bzip2, xz or not at all. Its first line names the
        columns.
    max_bytes : int
        The longest text to accept, after decompression.

    Returns
    -------
    CodedTable
        The columns; a column is one of words as soon as one of its cells is.

    Raises
    ------
    FileFormatError
        Where rows differ in length, where there are none, or where a quote does not close.
    """
    file, text = os.fspath(path), text_of(path, max_bytes)
    (names,) = _rows(file, text, only_header=True)
    columns: Sequence[dict[str, float]] = ()
    cells = _plain_numbers(file, text)
    if cells is None:
        columns = _column_kinds(_rows(file, text), len(names))
        cells = array("d")
        for row in _rows(file, text):
            cells.extend(map(getitem, columns, row))
    if not cells:
        raise FileFormatError(f"{file}, line 1: the end of the text: expected at least one row")
    matrix = np.frombuffer(cells, np.float64).reshape(-1, len(names))
    categories: list[Words | None] = [None] * len(names)
    for j, column in enumerate(columns):
        if isinstance(column, _Words):
            categories[j] = _sorted_words(matrix[:, j], column)
    return CodedTable(tuple(names), tuple(categories), matrix)


def _rows(file: str, text: str, *, only_header: bool = False) -> Iterator[list[str]]:
    """Rows of a text, all as long as the header; or the header."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        header = next(reader, [])
        if only_header:
            yield list(_checked_header(header))
            return
        for row in reader:
            if len(row) == len(header):
                yield row
            elif row:  # an empty line is none
                raise FileFormatError(
                    f"a row of {len(row)} values: expected {len(header)}, one per column"
                )
    except (csv.Error, FileFormatError) as error:
        raise FileFormatError(f"{file}, line {reader.line_num}: {error}") from None


def _checked_header(header: Sequence[str]) -> Sequence[str]:
    """Names of the columns, distinct, at least one."""
    if not header:
        raise FileFormatError("an empty line: expected the names of the columns")
    try:
        return checked_names([name.strip() for name in header], len(header))
    except DataError as error:
        raise FileFormatError(str(error)) from None


class _Numbers(dict[str, float]):
    """The number that a text stands for; ``ValueError`` where it is a word."""

    def __missing__(self, text: str) -> float:
        value = number(text)
        if len(self) < _MOST_REMEMBERED:
            self[text] = value
        return value


class _Words(dict[str, float]):
    """A code for every word of a column, in the order of arrival."""

    def __init__(self) -> None:
        super().__init__(dict.fromkeys(MISSING_WORDS, nan))

    def __missing__(self, word: str) -> float:
        code = self[word] = float(len(self) - len(MISSING_WORDS))
        return code

    def words(self) -> list[str]:
        return list(self)[len(MISSING_WORDS) :]


def _plain_numbers(file: str, text: str) -> array[float] | None:
    """All cells, if all of them are finite numbers; this is common, and quick."""
    body = text.partition("\n")[2]
    if "_" in body or not body.isascii():  # Python reads more than files hold
        return None
    cells = array("d")
    try:
        for row in _rows(file, text):
            cells.extend(map(float, row))
    except ValueError as error:
        if isinstance(error, FileFormatError):
            raise
        return None
    return cells if not cells or np.isfinite(np.frombuffer(cells)).all() else None


def _column_kinds(rows: Iterable[list[str]], n_columns: int) -> list[dict[str, float]]:
    """What the texts of every column are stored as: numbers, or words where there is one."""
    numbers = _Numbers(dict.fromkeys(MISSING, nan))

    def is_number(text: str) -> bool:
        try:
            numbers[text]
        except ValueError:
            return False
        return True

    numeric = list(range(n_columns))
    for row in rows:
        try:
            for j in numeric:
                numbers[row[j]]
        except ValueError:
            numeric = [j for j in numeric if is_number(row[j])]
    kept = frozenset(numeric)
    return [numbers if j in kept else _Words() for j in range(n_columns)]


def _sorted_words(codes: Floats, column: _Words) -> Words:
    """Words of a column in sorted order, to which its codes are changed."""
    words = column.words()
    order = sorted(range(len(words)), key=words.__getitem__)
    rank = np.full(len(words) + 1, nan)
    rank[order] = np.arange(len(words))
    codes[:] = rank[np.where(np.isnan(codes), -1, codes).astype(np.int64)]
    return tuple(words[i] for i in order)

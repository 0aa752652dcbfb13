"""Weka's ARFF files, as Mulan and MEKA use them for multi-label data."""

from __future__ import annotations

import io
import os
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from math import nan
from operator import getitem
from typing import Any

import numpy as np
from numpy.typing import NDArray

from h2pc.errors import FileFormatError
from h2pc.io import arff_grammar
from h2pc.io.arff_grammar import MISSING, QUOTED_MARK, Attribute, shortened
from h2pc.io.coded_table import CodedTable
from h2pc.io.csv import number
from h2pc.io.files import MAX_BYTES, text_of
from h2pc.io.label_xml import read_label_names


def read_arff(
    path: str | os.PathLike[str],
    *,
    label_xml: str | os.PathLike[str] | None = None,
    max_bytes: int = MAX_BYTES,
) -> CodedTable:
    """Return the table of an ARFF file, dense or sparse.

    Sparse rows stay sparse; a cell that they do not list is 0, or the first category. Numeric,
    nominal and string attributes are read; dates and nested relations are refused.

    Parameters
    ----------
    path : path
        The file, in UTF-8, compressed by gzip, bzip2, xz or not at all.
    label_xml : path, default=None
        Mulan's XML file, which lists the labels. Without it, MEKA's option ``-C n`` in the name of
        the relation does: the first n columns, or the last ones if n is negative.
    max_bytes : int, default=2**28
        The longest text to accept, after decompression.

    Returns
    -------
    CodedTable
        The columns, and the labels that are declared.

    Raises
    ------
    FileFormatError
        Where the text is no ARFF; the message names the line and what was expected there.
    """
    table = parse_arff(text_of(path, max_bytes), name=os.fspath(path))
    if label_xml is None:
        return table
    labels = read_label_names(label_xml)
    known = frozenset(table.names)
    for label in labels:
        if label not in known:
            raise FileFormatError(
                f"{os.fspath(label_xml)}: label {label!r}: expected an attribute of {path}"
            )
    return replace(table, labels=labels)


def parse_arff(text: str, *, name: str = "ARFF") -> CodedTable:
    """Return the table of a text in ARFF; errors call it ``name``.

    Examples
    --------
    >>> table = parse_arff('''
    ... @relation weather
    ... @attribute wind numeric
    ... @attribute sky {clear, grey}
    ... @data
    ... 2.5, grey
    ... ?,   clear
    ... ''')
    >>> table
    CodedTable(2 columns × 2 rows)
    >>> table.values(0).tolist(), table.values(1).tolist(), table.categories
    ([2.5, nan], [1.0, 0.0], (None, ('clear', 'grey')))
    """
    lines = _Lines(text)
    try:
        return _table(iter(lines))
    except FileFormatError as error:
        raise FileFormatError(f"{name}, line {lines.number}: {error}") from None


class _Lines:
    """The lines of a text that hold more than a comment."""

    def __init__(self, text: str) -> None:
        self.number = 0
        self._text = io.StringIO(text, newline=None)

    def __iter__(self) -> Iterator[str]:
        for text in self._text:
            self.number += 1
            line = text.strip()
            if line and not line.startswith("%"):
                if "\0" in line:
                    raise FileFormatError("a NUL character: expected text")
                yield line


def _table(lines: Iterator[str]) -> CodedTable:
    """Return the table of these lines."""
    attributes, labels = _header(lines)
    names, indexes = tuple(attributes), [_index(each) for each in attributes.values()]
    first = next(lines, None)
    if first is None:
        raise FileFormatError("the end of the text: expected at least one row")
    rows = (_SparseRows if first.startswith("{") else _DenseRows)(names, indexes)
    for line in chain([first], lines):
        rows.add(line)
    categories = tuple(map(_categories, attributes.values(), indexes))
    return CodedTable(names, categories, rows.cells(), labels)


def _header(lines: Iterator[str]) -> tuple[dict[str, Attribute], tuple[str, ...]]:
    """Read the declarations up to the data; return the attributes by name, and the labels."""
    relation: str | None = None
    attributes: dict[str, Attribute] = {}
    for line in lines:
        word, rest = arff_grammar.keyword(line)
        if word == "relation":
            if relation is not None or attributes:
                raise FileFormatError("@relation: expected once, before all attributes")
            relation = arff_grammar.relation(rest)
        elif word == "attribute":
            attribute = arff_grammar.attribute(rest)
            if attribute.name in attributes:
                raise FileFormatError(
                    f"attribute {attribute.name!r} occurs twice: expected distinct names"
                )
            attributes[attribute.name] = attribute
        elif not attributes:
            raise FileFormatError("@data: expected an @attribute before")
        else:
            names = tuple(attributes)
            chosen = arff_grammar.declared_labels(relation or "", len(names))
            return attributes, tuple(names[j] for j in chosen)
    raise FileFormatError("the end of the text: expected @data")


class _Numbers(dict[str, float]):
    """The number that a text stands for."""

    def __missing__(self, text: str) -> float:
        try:
            return number(text)
        except ValueError:
            raise KeyError(text) from None


class _Texts(dict[str, float]):
    """A code for every text, in the order of arrival; the mark of a gap is there from the start."""

    def __missing__(self, text: str) -> float:
        code = self[text] = float(len(self) - 1)
        return code


def _index(attribute: Attribute) -> dict[str, float]:
    """What each text of a column is stored as."""
    if attribute.kind == "numeric":
        return _Numbers({MISSING: nan})
    if attribute.kind == "string":
        return _Texts({MISSING: nan})
    known = {MISSING: nan}
    for code, category in enumerate(attribute.categories):
        known[QUOTED_MARK if category == MISSING else category] = float(code)
    return known


def _categories(attribute: Attribute, index: dict[str, float]) -> tuple[str, ...] | None:
    if attribute.kind == "string":
        texts = (text for text in index if text != MISSING)
        return tuple(MISSING if text == QUOTED_MARK else text for text in texts)
    return attribute.categories or None


class _DenseRows:
    """Rows that list every cell."""

    def __init__(self, names: Sequence[str], indexes: Sequence[dict[str, float]]) -> None:
        self._names = names
        self._indexes = indexes
        self._cells = array("d")

    def add(self, line: str) -> None:
        if line.startswith("{"):
            raise FileFormatError("a sparse row: expected a dense one, like the first")
        texts = arff_grammar.dense_row(line)
        if len(texts) != len(self._names):
            raise FileFormatError(
                f"a row of {len(texts)} values: expected {len(self._names)}, one per attribute"
            )
        try:
            self._cells.extend(map(getitem, self._indexes, texts))
        except KeyError:
            raise _bad_cell(self._names, self._indexes, texts) from None

    def cells(self) -> NDArray[np.float64]:
        cells = np.frombuffer(self._cells, np.float64).reshape(-1, len(self._names))
        cells.flags.writeable = False
        return cells


class _SparseRows:
    """Rows that list what is not zero."""

    def __init__(self, names: Sequence[str], indexes: Sequence[dict[str, float]]) -> None:
        self._names = names
        self._indexes = indexes
        self._numbers = {str(j): j for j in range(len(names))}
        self._columns = array("q")
        self._values = array("d")
        self._ends = array("q", [0])
        for index in indexes:
            if isinstance(index, _Texts):
                index.setdefault("", 0.0)  # what is not listed

    def add(self, line: str) -> None:
        if not line.startswith("{"):
            raise FileFormatError("a dense row: expected a sparse one {…}, like the first")
        numbers, texts = arff_grammar.sparse_row(line)
        try:
            columns = [self._numbers[number] for number in numbers]
        except KeyError as error:
            raise FileFormatError(
                f"column number {shortened(error.args[0])}: expected 0 to {len(self._names) - 1}"
            ) from None
        if len(set(columns)) < len(columns):
            raise FileFormatError("a column occurs twice in the row: expected each once")
        indexes = [self._indexes[j] for j in columns]
        try:
            self._values.extend(map(getitem, indexes, texts))
        except KeyError:
            raise _bad_cell([self._names[j] for j in columns], indexes, texts) from None
        self._columns.extend(columns)
        self._ends.append(len(self._columns))

    def cells(self) -> Any:
        from scipy.sparse import csr_array

        parts = (self._values, np.float64), (self._columns, np.int64), (self._ends, np.int64)
        values, columns, ends = (np.frombuffer(part, dtype) for part, dtype in parts)
        shape = (ends.size - 1, len(self._names))
        # Copied by the change to columns, and so free of the buffers above.
        cells = csr_array((values, columns, ends), shape=shape).tocsc()
        cells.eliminate_zeros()
        cells.sort_indices()
        for part in (cells.data, cells.indices, cells.indptr):
            part.flags.writeable = False
        return cells


def _bad_cell(
    names: Iterable[str], indexes: Iterable[dict[str, float]], texts: Iterable[str]
) -> FileFormatError:
    """Error about the first cell that its column does not know."""
    for name, index, text in zip(names, indexes, texts, strict=True):
        try:
            index[text]
        except KeyError:
            expected = "a number" if isinstance(index, _Numbers) else "one of its categories"
            return FileFormatError(
                f"value {shortened(text)} of {name!r}: expected {expected}, or ?"
            )
    raise AssertionError("every cell is known")

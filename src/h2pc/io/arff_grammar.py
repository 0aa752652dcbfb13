"""The grammar of ARFF: declarations, and rows of texts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from h2pc.errors import FileFormatError

MISSING = "?"

QUOTED_MARK = "\0?"
"""Stands for a quoted question mark, which is a text like any other; files hold no NUL."""

_QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_NAME = re.compile(rf"\s*(?:({_QUOTED})|([^\s,{{}}%'\"][^\s,{{}}%]*))")
_VALUE = re.compile(rf"\s*(?:({_QUOTED})|([^\s,{{}}%'\"][^,{{}}%]*))\s*")
_COLUMN = re.compile(r"\s*([0-9]+)\s+(?=\S)")
_KEYWORD = re.compile(r"@([A-Za-z]+)(?![^\s'\"%{])")
_NOTHING = re.compile(r"\s*(?:%.*)?$")
_SPACE = re.compile(r"\s")
_ESCAPE = re.compile(r"\\(.)")
_CONTROL = {"n": "\n", "r": "\r", "t": "\t"}
# What makes a row more than words between commas.
_SPECIAL = re.compile(r"['\"%\\{}]")

# MEKA's options follow a colon; filters of Weka append their own names to those of relations.
_LABEL_OPTION = re.compile(r"(?<!\S)-[Cc]\s+(-?[0-9]{1,9})(?=\s|-weka|$)")
_COLUMN_FILTER = re.compile(r"weka\.filters\.\w+\.attribute\.")


class Attribute(NamedTuple):
    """A declared column."""

    name: str
    kind: str
    """``"numeric"``, ``"nominal"`` or ``"string"``."""
    categories: tuple[str, ...] = ()


def keyword(line: str) -> tuple[str, str]:
    """Split ``@keyword rest``; the keyword comes back in lower case."""
    found = _KEYWORD.match(line)
    word = found[1].lower() if found else ""
    if found is None or word not in {"relation", "attribute", "data"}:
        raise _unexpected(line, "@relation, @attribute or @data")
    rest = line[found.end() :]
    if word == "data":
        _check_nothing_left(rest)
    return word, rest


def relation(text: str) -> str:
    """Name of a relation: quoted, or all words up to a comment."""
    found = _NAME.match(text)
    if found and found[1] is not None:
        _check_nothing_left(text[found.end() :])
        return _unquoted(found[1])
    return text.partition("%")[0].strip()


def declared_labels(name: str, n_columns: int) -> range:
    """Columns that MEKA's option ``-C n`` declares as labels: the first, or the last if n < 0.

    Nothing is known after a filter of Weka has moved columns.
    """
    found = _LABEL_OPTION.search(name.partition(":")[2])
    if found is None or _COLUMN_FILTER.search(name):
        return range(0)
    n_labels = int(found[1])
    if abs(n_labels) > n_columns:
        raise FileFormatError(f"option -C {n_labels}: expected at most {n_columns}, the attributes")
    return range(n_labels) if n_labels >= 0 else range(n_columns + n_labels, n_columns)


def attribute(text: str) -> Attribute:
    """Declared column of the text after ``@attribute``."""
    found = _NAME.match(text)
    if found is None:
        raise _unexpected(text, "the name of an attribute")
    name = found[2] if found[1] is None else _unquoted(found[1])
    rest = text[found.end() :].strip()
    if rest.startswith("{"):
        return Attribute(name, "nominal", _categories(rest[1:]))
    word = rest.partition("%")[0].partition("[")[0].strip().lower()  # KEEL adds [low, high]
    if word in {"numeric", "real", "integer"}:
        return Attribute(name, "numeric")
    if word == "string":
        return Attribute(name, "string")
    raise _unexpected(rest, f"numeric, string or {{categories}} for attribute {name!r}")


def _categories(text: str) -> tuple[str, ...]:
    words, position = _values(text)
    if text[position : position + 1] != "}":
        raise _unexpected(text[position:], "} after the categories")
    _check_nothing_left(text[position + 1 :])
    found = [MISSING if word == QUOTED_MARK else word for word in words]
    if len(set(found)) < len(found):
        twice = next(word for word, n in Counter(found).items() if n > 1)
        raise FileFormatError(f"category {twice!r} occurs twice: expected distinct ones")
    return tuple(found)


def dense_row(line: str) -> Sequence[str]:
    """Texts of a row ``a, b, …``; a row without commas is split at spaces."""
    if not _SPECIAL.search(line):
        if "," not in line:
            return line.split()
        words = line.split(",")
        return [word.strip() for word in words] if _SPACE.search(line) else words
    found, position = _values(line)
    _check_nothing_left(line[position:])
    return found


def sparse_row(line: str) -> tuple[Sequence[str], Sequence[str]]:
    """Column numbers and texts of a row ``{column text, …}``."""
    body = line[1:-1]
    if line.endswith("}") and not _SPECIAL.search(body):
        words = body.replace(",", " , ").split()
        n_commas = len(words) // 3
        if not words or (
            len(words) % 3 == 2 and words[2::3].count(",") == n_commas == body.count(",")
        ):
            return words[0::3], words[1::3]
    return _sparse_row(line)


def _sparse_row(line: str) -> tuple[list[str], list[str]]:
    """Return the same for rows with quotes, comments or mistakes."""
    columns: list[str] = []
    texts: list[str] = []
    position = 1
    while columns or not line[position:].lstrip().startswith("}"):
        number = _COLUMN.match(line, position)
        value = _VALUE.match(line, number.end()) if number else None
        if number is None or value is None:
            raise _unexpected(line[position:], "a column number and a value")
        columns.append(number[1])
        texts.append(_text(value))
        position = value.end()
        if line[position : position + 1] != ",":
            break
        position += 1
    rest = line[position:].lstrip()
    if not rest.startswith("}"):
        raise _unexpected(rest, "a comma or the } of the row")
    _check_nothing_left(rest[1:])
    return columns, texts


def _values(text: str) -> tuple[list[str], int]:
    """Values between commas, and where the last one ends."""
    found: list[str] = []
    position = 0
    while value := _VALUE.match(text, position):
        found.append(_text(value))
        position = value.end()
        if text[position : position + 1] != ",":
            return found, position
        position += 1
    raise _unexpected(text[position:], "a value")


def _text(value: re.Match[str]) -> str:
    if value[1] is None:
        return value[2].rstrip()
    text = _unquoted(value[1])
    return QUOTED_MARK if text == MISSING else text


def _unquoted(word: str) -> str:
    inner = word[1:-1]
    if "\\" not in inner:
        return inner
    return _ESCAPE.sub(lambda escape: _CONTROL.get(escape[1], escape[1]), inner)


def _check_nothing_left(text: str) -> None:
    if not _NOTHING.match(text):
        raise _unexpected(text, "the end of the line")


def _unexpected(text: str, expected: str) -> FileFormatError:
    came = shortened(text.strip()) if text.strip() else "the end of the line"
    return FileFormatError(f"{came}: expected {expected}")


def shortened(text: str) -> str:
    """The beginning of a text, quoted, for an error message."""
    return f"{text[:40]!r}{'…' if len(text) > 40 else ''}"

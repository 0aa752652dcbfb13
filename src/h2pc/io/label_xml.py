"""Mulan's XML lists of labels."""

from __future__ import annotations

import os
from typing import NoReturn
from xml.parsers import expat

from h2pc.errors import FileFormatError
from h2pc.io.files import bytes_of

MAX_XML_BYTES = 1 << 24
"""The longest list of labels we read: 16 MB."""


def read_label_names(path: str | os.PathLike[str]) -> tuple[str, ...]:
    """Names of the labels in one of Mulan's XML files, in the order of the file.

    Labels may be nested. Document types and entities are refused and nothing is fetched, so that
    files from anywhere may be read.

    Parameters
    ----------
    path : path
        The file, compressed by gzip, bzip2, xz or not at all.

    Returns
    -------
    tuple of str
        The names, all different, at least one.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "labels.xml"
    >>> _ = path.write_text('<labels><label name="sea"/><label name="sky"/></labels>')
    >>> read_label_names(path)
    ('sea', 'sky')
    """
    reader = _LabelReader()
    content = bytes_of(path, MAX_XML_BYTES)
    try:
        reader.read(content)
    except FileFormatError as error:
        raise FileFormatError(f"{os.fspath(path)}, line {reader.line}: {error}") from None
    except (expat.ExpatError, LookupError, ValueError) as error:  # the last two: odd encodings
        raise FileFormatError(
            f"{os.fspath(path)}, line {reader.line}: expected well-formed XML: {error}"
        ) from None
    return tuple(reader.names)


class _LabelReader:
    """Collects names of labels, and refuses whatever else XML can do."""

    def __init__(self) -> None:
        self.names: dict[str, None] = {}
        self._depth = 0
        # Elements are known by their local names, whatever the namespace.
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text
        self._parser.StartDoctypeDeclHandler = _refuse_declaration
        self._parser.EntityDeclHandler = _refuse_declaration
        self._parser.ExternalEntityRefHandler = _refuse_declaration

    @property
    def line(self) -> int:
        """Where the parser is."""
        return self._parser.CurrentLineNumber

    def read(self, content: bytes) -> None:
        """Read a whole file."""
        self._parser.Parse(content, True)
        if not self.names:
            raise FileFormatError("no labels: expected at least one <label name=…>")

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        expected = "label" if self._depth else "labels"
        if tag.rpartition(" ")[2] != expected:
            raise FileFormatError(f"element <{tag}>: expected <{expected}>")
        self._depth += 1
        if expected == "labels":
            return
        name = attributes.get("name")
        if name is None:
            raise FileFormatError("a <label> without a name: expected <label name=…>")
        if name in self.names:
            raise FileFormatError(f"label {name!r} occurs twice: expected distinct names")
        self.names[name] = None

    def _end(self, tag: str) -> None:  # noqa: ARG002
        self._depth -= 1

    @staticmethod
    def _text(text: str) -> None:
        if text.strip():
            raise FileFormatError(f"text {text.strip()[:40]!r}: expected elements only")


def _refuse_declaration(*_: object) -> NoReturn:
    raise FileFormatError("a document type or an entity: expected plain elements")

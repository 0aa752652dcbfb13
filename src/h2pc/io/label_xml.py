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
    names: dict[str, None] = {}
    inside: list[str] = []

    def start(tag: str, attributes: dict[str, str]) -> None:
        expected = "label" if inside else "labels"
        if tag.rpartition(" ")[2] != expected:
            raise FileFormatError(f"element <{tag}>: expected <{expected}>")
        inside.append(tag)
        if expected == "label":
            name = attributes.get("name")
            if name is None:
                raise FileFormatError("a <label> without a name: expected <label name=…>")
            if name in names:
                raise FileFormatError(f"label {name!r} occurs twice: expected distinct names")
            names[name] = None

    # Elements are known by their local names, whatever the namespace.
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _tag: inside.pop()
    parser.CharacterDataHandler = _refuse_text
    parser.StartDoctypeDeclHandler = _refuse_declaration
    parser.EntityDeclHandler = _refuse_declaration
    parser.ExternalEntityRefHandler = _refuse_declaration
    content = bytes_of(path, MAX_XML_BYTES)
    try:
        parser.Parse(content, True)
        if not names:
            raise FileFormatError("no labels: expected at least one <label name=…>")
    except (expat.ExpatError, LookupError, ValueError) as error:  # the last two: odd encodings
        is_ours = isinstance(error, FileFormatError)
        reason = str(error) if is_ours else f"expected well-formed XML: {error}"
        place = f"{os.fspath(path)}, line {parser.CurrentLineNumber}"
        raise FileFormatError(f"{place}: {reason}") from None
    return tuple(names)


def _refuse_text(text: str) -> None:
    if text.strip():
        raise FileFormatError(f"text {text.strip()[:40]!r}: expected elements only")


def _refuse_declaration(*_: object) -> NoReturn:
    raise FileFormatError("a document type or an entity: expected plain elements")

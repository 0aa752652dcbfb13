"""XMLBIF 0.3, the XML form of BIF, as Weka, GeNIe, pgmpy and pyAgrum read and write it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from typing import NoReturn
from xml.parsers import expat

import numpy as np

from h2pc.errors import FileFormatError, H2pcError
from h2pc.io.identifiers import Spelling, originals, spellings
from h2pc.io.network_document import (
    Family,
    NetworkDocument,
    assembled,
    check_size_as_text,
    family_shape,
)

_NOT_IN_XML = re.compile("[^\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def xmlbif_text(document: NetworkDocument) -> str:
    """Return a network in XMLBIF 0.3; every number reads back exactly."""
    check_size_as_text(document, "XMLBIF")
    spelled = spellings(document, _is_plain, _is_plain, str)
    definitions = (_definition(document, spelled, v, name) for v, (name, *_) in enumerate(spelled))
    head = '<?xml version="1.0" encoding="UTF-8"?>\n<BIF VERSION="0.3">\n<NETWORK>'
    parts = [head, "<NAME>unknown</NAME>", *map(_variable, spelled), *definitions]
    return "\n".join([*parts, "</NETWORK>", "</BIF>", ""])


def _is_plain(name: str) -> bool:
    """Whether XML holds this name, and gives it back without a change."""
    return bool(name) and name == name.strip() and not _NOT_IN_XML.search(name)


def _variable(spelling: Spelling) -> str:
    parts = [
        ("NAME", spelling.name),
        *(("OUTCOME", state) for state in spelling.states),
        *(("PROPERTY", f"{key} = {value}") for key, value in spelling.properties.items()),
    ]
    return f'<VARIABLE TYPE="nature">\n{_elements(parts)}</VARIABLE>'


def _definition(document: NetworkDocument, spelled: list[Spelling], v: int, name: str) -> str:
    """Return one table: the given variables first, the variable itself fastest."""
    parts = [
        ("FOR", name),
        *(("GIVEN", spelled[p].name) for p in document.dag.parents(v)),
        ("TABLE", " ".join(map(repr, document.tables[v].ravel().tolist()))),
    ]
    return f"<DEFINITION>\n{_elements(parts)}</DEFINITION>"


def _elements(parts: list[tuple[str, str]]) -> str:
    return "".join(f"  <{tag}>{escape(text, quote=False)}</{tag}>\n" for tag, text in parts)


def parse_xmlbif(content: bytes, source: str) -> NetworkDocument:
    """Return the network of an XMLBIF file; ``source`` is its name in error messages.

    Entities are refused and nothing is fetched, so that files from anywhere may be read.
    """
    reader = _Reader()
    try:
        reader.read(content)
        families = [_family(block, reader.states) for block in reader.blocks()]
        return assembled(originals(families, reader.properties))
    except H2pcError as error:
        raise FileFormatError(f"{source}: {error}") from None
    except (expat.ExpatError, LookupError, ValueError) as error:  # the last two: odd encodings
        raise FileFormatError(f"{source}: expected well-formed XML: {error}.") from None


@dataclass
class _Definition:
    """The texts of a DEFINITION."""

    name: str = ""
    parents: list[str] = field(default_factory=list)
    table: str = ""


class _Reader:
    """Collects variables and definitions."""

    def __init__(self) -> None:
        self.states: dict[str, tuple[str, ...]] = {}
        self._definitions: dict[str, _Definition] = {}
        self._open: list[str] = []
        self._text: list[str] = []
        self.properties: dict[str, dict[str, str]] = {}
        self._name, self._definition = "", _Definition()
        self._outcomes: list[str] = []
        self._own: dict[str, str] = {}

    def read(self, content: bytes) -> None:
        """Go through a file once."""
        parser = expat.ParserCreate()
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text.append
        parser.EntityDeclHandler = self._refuse_entity
        parser.Parse(content, True)

    def blocks(self) -> list[_Definition]:
        """Return one definition for every variable, at least one."""
        if not self.states:
            raise FileFormatError("expected XMLBIF: no variable is declared.")
        for name in self._definitions:
            if name not in self.states:
                raise FileFormatError(f"{name!r} is defined, but not declared.")
        for name in self.states:
            if name not in self._definitions:
                raise FileFormatError(f"{name!r} has no definition.")
        return [self._definitions[name] for name in self.states]

    def _start(self, tag: str, _attributes: dict[str, str]) -> None:
        self._open.append(tag.upper())
        self._text.clear()
        if self._open[-1] == "VARIABLE":
            self._name, self._outcomes, self._own = "", [], {}
        elif self._open[-1] == "DEFINITION":
            self._definition = _Definition()

    def _end(self, tag: str) -> None:
        text, inside = "".join(self._text).strip(), self._open[-2:-1]
        self._open.pop()
        match tag.upper():
            case "NAME" if inside == ["VARIABLE"]:
                self._name = text
            case "PROPERTY" if inside == ["VARIABLE"]:
                key, _, value = text.partition("=")
                self._own[key.strip()] = value.strip()
            case "OUTCOME":
                self._outcomes.append(text)
            case "FOR":
                self._definition.name = text
            case "GIVEN":
                self._definition.parents.append(text)
            case "TABLE":
                self._definition.table = text
            case "VARIABLE":
                if self._name in self.states:
                    raise FileFormatError(f"{self._name!r} is declared twice.")
                self.states[self._name] = tuple(self._outcomes)
                self.properties[self._name] = self._own
            case "DEFINITION":
                if self._definition.name in self._definitions:
                    raise FileFormatError(f"{self._definition.name!r} is defined twice.")
                self._definitions[self._definition.name] = self._definition
        self._text.clear()

    def _refuse_entity(self, *_declaration: object) -> NoReturn:
        raise FileFormatError("entities are not read: expected plain XML.")


def _family(block: _Definition, states: Mapping[str, tuple[str, ...]]) -> Family:
    """Return one family: the given variables first, the variable itself fastest."""
    for parent in block.parents:
        if parent not in states:
            raise FileFormatError(f"{block.name!r} has an unknown parent {parent!r}.")
    shape = family_shape([len(states[name]) for name in (*block.parents, block.name)], block.name)
    n_cells = int(np.prod(shape))
    try:
        values = [float(word) for word in block.table.split()]
    except ValueError:
        raise FileFormatError(f"the table of {block.name!r} must hold numbers.") from None
    if len(values) != n_cells:
        raise FileFormatError(
            f"the table of {block.name!r} must have {n_cells} numbers; it has {len(values)}."
        )
    table = np.array(values).reshape(shape)
    return Family(block.name, states[block.name], tuple(block.parents), table)

"""XMLBIF 0.3, the XML form of BIF, as Weka, GeNIe, pgmpy and pyAgrum read and write it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from html import escape
from typing import NoReturn
from xml.etree.ElementTree import Element, TreeBuilder
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
    """Return the network of an XMLBIF file; ``source`` is its name in error messages."""
    try:
        return _document(_tree(content))
    except H2pcError as error:
        raise FileFormatError(f"{source}: {error}") from None
    except (expat.ExpatError, LookupError, ValueError) as error:  # the last two: odd encodings
        raise FileFormatError(f"{source}: expected well-formed XML: {error}.") from None


def _tree(content: bytes) -> Element:
    """Return the elements of a file, their tags in capitals.

    Entities are refused and nothing is fetched, so that files from anywhere may be read.
    """

    def refuse_entity(*_declaration: object) -> NoReturn:
        raise FileFormatError("entities are not read: expected plain XML.")

    builder, parser = TreeBuilder(), expat.ParserCreate()
    parser.StartElementHandler = lambda tag, _attributes: builder.start(tag.upper(), {})
    parser.EndElementHandler = lambda tag: builder.end(tag.upper())
    parser.CharacterDataHandler = builder.data
    parser.EntityDeclHandler = refuse_entity
    parser.Parse(content, True)
    return builder.close()


def _document(root: Element) -> NetworkDocument:
    """Return the network of the elements."""
    states: dict[str, tuple[str, ...]] = {}
    properties: dict[str, dict[str, str]] = {}
    for node in root.iter("VARIABLE"):
        name = _text(node, "NAME")
        if name in states:
            raise FileFormatError(f"{name!r} is declared twice.")
        states[name] = _texts(node, "OUTCOME")
        pairs = (text.partition("=") for text in _texts(node, "PROPERTY"))
        properties[name] = {key.strip(): value.strip() for key, _, value in pairs}
    if not states:
        raise FileFormatError("expected XMLBIF: no variable is declared.")
    families: dict[str, Family] = {}
    for node in root.iter("DEFINITION"):
        name = _text(node, "FOR")
        if name not in states:
            raise FileFormatError(f"{name!r} is defined, but not declared.")
        if name in families:
            raise FileFormatError(f"{name!r} is defined twice.")
        families[name] = _family(name, _texts(node, "GIVEN"), _text(node, "TABLE"), states)
    for name in states:
        if name not in families:
            raise FileFormatError(f"{name!r} has no definition.")
    return assembled(originals(families.values(), properties))


def _text(node: Element, tag: str) -> str:
    return node.findtext(tag, "").strip()


def _texts(node: Element, tag: str) -> tuple[str, ...]:
    return tuple((each.text or "").strip() for each in node.iterfind(tag))


def _family(
    name: str, parents: tuple[str, ...], text: str, states: Mapping[str, tuple[str, ...]]
) -> Family:
    """Return one family: the given variables first, the variable itself fastest."""
    for parent in parents:
        if parent not in states:
            raise FileFormatError(f"{name!r} has an unknown parent {parent!r}.")
    shape = family_shape([len(states[v]) for v in (*parents, name)], name)
    try:
        values = np.array([float(word) for word in text.split()])
    except ValueError:
        raise FileFormatError(f"the table of {name!r} must hold numbers.") from None
    if values.size != math.prod(shape):
        raise FileFormatError(
            f"the table of {name!r} must have {math.prod(shape)} numbers; it has {values.size}."
        )
    return Family(name, states[name], parents, values.reshape(shape))

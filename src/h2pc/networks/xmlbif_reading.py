"""Reading XMLBIF 0.3, as Weka, GeNIe and h2pc write it."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass, field
from typing import NoReturn
from xml.parsers import expat

import numpy as np

from h2pc.errors import FileFormatError, H2pcError
from h2pc.io.files import bytes_of
from h2pc.networks.assembly import Family, assembled
from h2pc.networks.families import MAX_CELLS, MAX_PARENTS
from h2pc.networks.network import BayesianNetwork


def read_xmlbif(path: str | os.PathLike[str]) -> BayesianNetwork:
    """Network of an XMLBIF file, compressed or not; its variables are sorted by name.

    Entities are refused and nothing is fetched, so that files from anywhere may be read.
    """
    file, reader = os.fspath(path), _Reader()
    try:
        reader.read(bytes_of(path))
        return assembled([_family(block, reader.states) for block in reader.blocks()])
    except H2pcError as error:
        raise FileFormatError(f"{file}: {error}") from None
    except (expat.ExpatError, LookupError, ValueError) as error:  # the last two: odd encodings
        raise FileFormatError(f"{file}: expected well-formed XML: {error}.") from None


@dataclass
class _Definition:
    """What a DEFINITION says, word by word."""

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
        self._name, self._outcomes, self._definition = "", [""], _Definition()

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
            self._name, self._outcomes = "", []
        elif self._open[-1] == "DEFINITION":
            self._definition = _Definition()

    def _end(self, tag: str) -> None:
        text, inside = "".join(self._text).strip(), self._open[-2:-1]
        self._open.pop()
        match tag.upper():
            case "NAME" if inside == ["VARIABLE"]:
                self._name = text
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
            case "DEFINITION":
                if self._definition.name in self._definitions:
                    raise FileFormatError(f"{self._definition.name!r} is defined twice.")
                self._definitions[self._definition.name] = self._definition
        self._text.clear()

    def _refuse_entity(self, *_declaration: object) -> NoReturn:
        raise FileFormatError("entities are not read: expected plain XML.")


def _family(block: _Definition, states: dict[str, tuple[str, ...]]) -> Family:
    """Return one family: the given variables first, the variable itself fastest."""
    for parent in block.parents:
        if parent not in states:
            raise FileFormatError(f"{block.name!r} has an unknown parent {parent!r}.")
    shape = [len(states[name]) for name in (*block.parents, block.name)]
    n_cells = math.prod(shape)
    if len(block.parents) > MAX_PARENTS or n_cells > MAX_CELLS:
        raise FileFormatError(f"the table of {block.name!r} is too large.")
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

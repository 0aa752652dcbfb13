"""BIF, the interchange format of most published networks.

The format is that of Cozman's proposal (0.15) as its programs write it: ``,`` and ``|`` only
separate, names may be quoted, ``//`` and ``/* */`` are comments. A ``table`` with parents lists
the first state of the variable for all parent states (the last parent fastest), then the second.

What is written is read by pgmpy and pyAgrum too: names and states that are no plain words are
replaced by identifiers, and the originals are properties (:mod:`h2pc.io.identifiers`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import quote, unquote

import numpy as np
from numpy.typing import NDArray

from h2pc.errors import GraphError, SettingError
from h2pc.io.bif_cursor import BifText
from h2pc.io.identifiers import originals, spellings
from h2pc.io.network_document import (
    MAX_STATES,
    SUM_TOLERANCE,
    Family,
    NetworkDocument,
    assembled,
    check_size_as_text,
    family_shape,
)

_KEYWORDS = frozenset(
    ["network", "variable", "probability", "property", "type", "discrete", "default", "table"]
)
_READABLE = " ,.:()[]<>=+-_'"
"""What is not quoted in a property, beside letters and digits."""


def bif_text(document: NetworkDocument) -> str:
    """Return a network in BIF; every number reads back exactly."""
    check_size_as_text(document, "BIF")
    # pgmpy matches names without regard to case.
    spelled = spellings(document, _is_word, _is_word_or_integer, str.lower)
    parts = ["network unknown {\n}\n"]
    for name, states, properties in spelled:
        kept = "".join(
            f"  property {key} = {quote(value, _READABLE)};\n" for key, value in properties.items()
        )
        parts.append(
            f"variable {name} {{\n"
            f"  type discrete [ {len(states)} ] {{ {', '.join(states)} }};\n{kept}}}\n"
        )
    for v, (name, *_) in enumerate(spelled):
        parents = document.dag.parents(v)
        given = ", ".join(spelled[p].name for p in parents)
        parts.append(f"probability ( {name}{' | ' if given else ''}{given} ) {{\n")
        table = document.tables[v]
        for row in np.ndindex(table.shape[:-1]):
            labels = ", ".join(spelled[p].states[i] for p, i in zip(parents, row, strict=True))
            values = ", ".join(map(repr, table[row].tolist()))
            parts.append(f"  ({labels}) {values};\n" if parents else f"  table {values};\n")
        parts.append("}\n")
    return "".join(parts)


def _is_word(name: str) -> bool:
    """Whether all programs read this as the name of a variable."""
    return bool(re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", name)) and name.lower() not in _KEYWORDS


def _is_word_or_integer(state: str) -> bool:
    """Whether all programs read this as a state."""
    return _is_word(state) or bool(re.fullmatch("-?[0-9]+", state))


def parse_bif(text: str, source: str) -> NetworkDocument:
    """Return the network of BIF ``text``; ``source`` is its name in error messages."""
    bif = BifText(text, source)
    states: dict[str, tuple[str, ...]] = {}
    properties: dict[str, dict[str, str]] = {}
    blocks: dict[str, _Probabilities] = {}
    while not bif.at_end():
        keyword = bif.word("'network', 'variable' or 'probability'")
        if keyword == "network":
            _network(bif)
        elif keyword == "variable":
            _variable(bif, states, properties)
        elif keyword == "probability":
            _probability(bif, states, blocks)
        else:
            raise bif.error(f"expected 'network', 'variable' or 'probability', found {keyword!r}")
    if not states:
        raise bif.error("no variable is declared")
    for name in states:
        if name not in blocks:
            raise bif.error(f"no probability block for variable {name!r}")
    families = [
        Family(name, own, blocks[name].parents, blocks[name].table) for name, own in states.items()
    ]
    try:
        return assembled(originals(families, properties))
    except (GraphError, SettingError) as error:  # in the whole, reported at its last line
        raise bif.error(str(error).removesuffix(".")) from None


def _network(bif: BifText) -> None:
    """Skip the network block: it holds a name and properties only."""
    while not bif.accept("{"):
        bif.word("a name or '{'")
    while not bif.accept("}"):
        _property(bif, bif.word("'property' or '}'"))


def _property(bif: BifText, keyword: str) -> str:
    if keyword != "property":
        raise bif.error(f"unexpected {keyword!r} in a block")
    return bif.property_text()


def _variable(
    bif: BifText, states: dict[str, tuple[str, ...]], properties: dict[str, dict[str, str]]
) -> None:
    """Read one variable block into ``states`` and ``properties``."""
    name = bif.word("the name of a variable")
    if name in states:
        raise bif.error(f"variable {name!r} is declared twice")
    bif.expect("{")
    found: tuple[str, ...] | None = None
    while not bif.accept("}"):
        keyword = bif.word("'type', 'property' or '}'")
        if keyword != "type":
            key, _, value = _property(bif, keyword).partition("=")
            properties.setdefault(name, {})[key.strip()] = unquote(value.strip())
        elif found is not None:
            raise bif.error(f"variable {name!r} has two types")
        else:
            found = _discrete_type(bif, name)
    if found is None:
        raise bif.error(f"variable {name!r} has no type")
    states[name] = found


def _discrete_type(bif: BifText, name: str) -> tuple[str, ...]:
    """Return the states of ``type discrete [ n ] { a, b, … };``."""
    kind = bif.word("'discrete'")
    if kind != "discrete":
        raise bif.error(f"variable {name!r} is of type {kind!r}; only 'discrete' is known")
    bif.expect("[")
    size = bif.word("the number of states")
    bif.expect("]")
    bif.expect("{")
    states = bif.words_until("}")
    bif.accept(";")
    if not size.isdecimal() or size.lstrip("0") != str(len(states) or ""):
        raise bif.error(f"variable {name!r} declares {size[:20]} states and lists {len(states)}")
    if not 0 < len(states) <= MAX_STATES:
        raise bif.error(f"variable {name!r} must have 1 to {MAX_STATES} states")
    if len(set(states)) < len(states):
        raise bif.error(f"variable {name!r} has two states of the same name")
    return states


@dataclass
class _Probabilities:
    """The rows of one probability block, as they are read."""

    name: str
    parents: tuple[str, ...]
    codes: list[dict[str, int]]
    shape: tuple[int, ...]
    rows: dict[int, tuple[int, list[float]]] = field(default_factory=dict)
    default: list[float] | None = None
    table: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))

    def row(self, bif: BifText, labels: tuple[str, ...]) -> int:
        """Return the row of these parent states."""
        if len(labels) != len(self.parents):
            raise bif.error(f"{len(labels)} parent states for {len(self.parents)} parents")
        row = 0
        for parent, codes, card, label in zip(
            self.parents, self.codes, self.shape, labels, strict=False
        ):
            if label not in codes:
                raise bif.error(f"{label!r} is not a state of {parent!r}")
            row = row * card + codes[label]
        return row


def _probability(
    bif: BifText, states: Mapping[str, tuple[str, ...]], blocks: dict[str, _Probabilities]
) -> None:
    """Read one probability block into ``blocks``."""
    bif.expect("(")
    family = bif.words_until(")")
    if not family:
        raise bif.error("a probability block without a variable")
    for name in family:
        if name not in states:
            raise bif.error(f"unknown variable {name!r}")
    name, *parents = family
    if name in blocks:
        raise bif.error(f"variable {name!r} has two probability blocks")
    if len(set(family)) < len(family):
        raise bif.error(f"a variable comes twice in the probability block of {name!r}")
    try:
        shape = family_shape([len(states[v]) for v in (*parents, name)], name)
    except SettingError as error:
        raise bif.error(str(error).removesuffix(".")) from None
    codes = [{state: code for code, state in enumerate(states[p])} for p in parents]
    block = _Probabilities(name, tuple(parents), codes, shape)
    bif.expect("{")
    while not bif.accept("}"):
        _entry(bif, block)
    _complete(bif, block)
    blocks[name] = block


def _entry(bif: BifText, block: _Probabilities) -> None:
    """Read one entry of a probability block: a row, ``table``, ``default`` or a property."""
    card = block.shape[-1]
    if bif.accept("("):
        row = block.row(bif, bif.words_until(")"))
        if row in block.rows:
            raise bif.error(f"the row of these parent states of {block.name!r} comes twice")
        block.rows[row] = bif.position, bif.numbers(card)
        return
    keyword = bif.word("'(', 'table', 'default', 'property' or '}'")
    if keyword == "default" and block.default is None:
        block.default = bif.numbers(card)
        _check_sums(bif, np.array([block.default]), [bif.position])
    elif keyword == "table" and not block.rows:
        position = bif.position
        values = np.array(bif.numbers(math.prod(block.shape)))
        rows = values.reshape(card, -1).T
        block.rows = {i: (position, row) for i, row in enumerate(rows.tolist())}
    elif keyword in ("default", "table"):
        raise bif.error(f"a second {keyword!r} in the probability block of {block.name!r}")
    else:
        _property(bif, keyword)


def _complete(bif: BifText, block: _Probabilities) -> None:
    """Put the rows of a finished block into its table."""
    n_rows = math.prod(block.shape[:-1])
    if block.default is None and len(block.rows) < n_rows:
        raise bif.error(f"{block.name!r} has {len(block.rows)} of its {n_rows} rows")
    table = np.empty((n_rows, block.shape[-1]))
    if block.default is not None:
        table[:] = block.default
    if block.rows:
        given = np.array([values for _, values in block.rows.values()])
        _check_sums(bif, given, [position for position, _ in block.rows.values()])
        table[list(block.rows)] = given
    block.table = table.reshape(block.shape)
    block.rows.clear()


def _check_sums(bif: BifText, rows: NDArray[np.float64], positions: list[int]) -> None:
    """Refuse rows that are no probability distributions, at their own lines."""
    sums = rows.sum(axis=1)
    good = ((rows >= 0) & (rows <= 1 + SUM_TOLERANCE)).all(axis=1)
    good &= np.abs(sums - 1) <= SUM_TOLERANCE
    if not good.all():
        worst = int(good.argmin())
        raise bif.error(
            f"probabilities must lie between 0 and 1 and sum to 1; these sum to "
            f"{float(sums[worst])!r}",
            positions[worst],
        )

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
from urllib.parse import quote, unquote

import numpy as np

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
    families: dict[str, Family] = {}
    while not bif.at_end():
        keyword = bif.word("'network', 'variable' or 'probability'")
        if keyword == "network":
            _network(bif)
        elif keyword == "variable":
            _variable(bif, states, properties)
        elif keyword == "probability":
            _probability(bif, states, families)
        else:
            raise bif.error(f"expected 'network', 'variable' or 'probability', found {keyword!r}")
    if not states:
        raise bif.error("no variable is declared")
    for name in states:
        if name not in families:
            raise bif.error(f"no probability block for variable {name!r}")
    try:
        return assembled(originals(families.values(), properties))
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


def _probability(
    bif: BifText, states: Mapping[str, tuple[str, ...]], families: dict[str, Family]
) -> None:
    """Read one probability block into ``families``."""
    bif.expect("(")
    family = bif.words_until(")")
    if not family:
        raise bif.error("a probability block without a variable")
    for name in family:
        if name not in states:
            raise bif.error(f"unknown variable {name!r}")
    name, *parents = family
    if name in families:
        raise bif.error(f"variable {name!r} has two probability blocks")
    if len(set(family)) < len(family):
        raise bif.error(f"a variable comes twice in the probability block of {name!r}")
    try:
        shape = family_shape([len(states[v]) for v in (*parents, name)], name)
    except SettingError as error:
        raise bif.error(str(error).removesuffix(".")) from None
    bif.expect("{")
    rows, default = _rows(bif, name, [(parent, states[parent]) for parent in parents], shape)
    n_rows = math.prod(shape[:-1])
    if default is None and len(rows) < n_rows:
        raise bif.error(f"{name!r} has {len(rows)} of its {n_rows} rows")
    table = np.empty(shape)
    table[:] = np.nan if default is None else default
    for row, values in rows.items():
        table[row] = values
    families[name] = Family(name, states[name], tuple(parents), table)


_Row = tuple[int, ...]
"""The codes of the states of the parents."""


def _rows(
    bif: BifText, name: str, parents: list[tuple[str, tuple[str, ...]]], shape: tuple[int, ...]
) -> tuple[dict[_Row, list[float]], list[float] | None]:
    """Read the entries of a block: rows, ``table``, ``default`` or properties."""
    codes = [(parent, {state: i for i, state in enumerate(own)}) for parent, own in parents]
    rows: dict[_Row, list[float]] = {}
    default: list[float] | None = None
    while not bif.accept("}"):
        if bif.accept("("):
            row = _row(bif, bif.words_until(")"), codes)
            if row in rows:
                raise bif.error(f"the row of these parent states of {name!r} comes twice")
            rows[row] = _distribution(bif, shape[-1])
            continue
        keyword = bif.word("'(', 'table', 'default', 'property' or '}'")
        if keyword == "default" and default is None:
            default = _distribution(bif, shape[-1])
        elif keyword == "table" and not rows:
            position = bif.position
            columns = np.reshape(bif.numbers(math.prod(shape)), (shape[-1], -1))
            rows = dict(zip(np.ndindex(shape[:-1]), columns.T.tolist(), strict=True))
            for values in rows.values():
                _check_sum(bif, values, position)
        elif keyword in ("default", "table"):
            raise bif.error(f"a second {keyword!r} in the probability block of {name!r}")
        else:
            _property(bif, keyword)
    return rows, default


def _row(bif: BifText, labels: tuple[str, ...], codes: list[tuple[str, dict[str, int]]]) -> _Row:
    """Return the row of these states of the parents."""
    if len(labels) != len(codes):
        raise bif.error(f"{len(labels)} parent states for {len(codes)} parents")
    for label, (parent, known) in zip(labels, codes, strict=True):
        if label not in known:
            raise bif.error(f"{label!r} is not a state of {parent!r}")
    return tuple(known[label] for label, (_, known) in zip(labels, codes, strict=True))


def _distribution(bif: BifText, n_states: int) -> list[float]:
    """Read the probabilities of so many states."""
    position = bif.position
    values = bif.numbers(n_states)
    _check_sum(bif, values, position)
    return values


def _check_sum(bif: BifText, values: list[float], position: int) -> None:
    """Refuse what is no probability distribution, at its own line."""
    total = sum(values)
    if not (
        abs(total - 1) <= SUM_TOLERANCE and min(values) >= 0 and max(values) <= 1 + SUM_TOLERANCE
    ):
        raise bif.error(
            f"probabilities must lie between 0 and 1 and sum to 1; these sum to {total!r}", position
        )

"""Identifiers for names and states that a format, or other programs, cannot read.

The original is kept beside the identifier as a property of the variable, in JSON:
``h2pc_name`` where the name was changed, ``h2pc_states`` where a state was, or is not text.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeGuard

from h2pc.errors import SettingError
from h2pc.io.network_document import Family, NetworkDocument

Properties = Mapping[str, Mapping[str, str]]
"""For every variable, by its identifier, the values of its properties."""


class Spelling(NamedTuple):
    """How a variable is written: identifiers of it and its states, and the originals."""

    name: str
    states: tuple[str, ...]
    properties: dict[str, str]


def spellings(
    document: NetworkDocument,
    is_name: Callable[[str], bool],
    is_state: Callable[[str], bool],
    key: Callable[[str], str],
) -> list[Spelling]:
    """Return how each variable is written; identifiers that have the same ``key`` are avoided."""
    names = _identifiers(document.dag.names, is_name, key)
    found = []
    for name, identifier, states in zip(document.dag.names, names, document.states, strict=True):
        written = tuple(_identifiers([str(state) for state in states], is_state, key))
        properties = {}
        if identifier != name:
            properties["h2pc_name"] = _encoded(name)
        if written != states:
            properties["h2pc_states"] = _encoded(states)
        found.append(Spelling(identifier, written, properties))
    return found


def originals(families: Iterable[Family], properties: Properties) -> list[Family]:
    """Return the families with the names and states that their properties hold."""
    names = {
        name: _decoded(name, "h2pc_name", kept["h2pc_name"], str)
        for name, kept in properties.items()
        if "h2pc_name" in kept
    }
    found = []
    for family in families:
        states = family.states
        if "h2pc_states" in properties.get(family.name, {}):
            text = properties[family.name]["h2pc_states"]
            states = tuple(_decoded(family.name, "h2pc_states", text, list))
            if len(states) != len(family.states):
                raise SettingError(f"h2pc_states of {family.name!r} must be as many as its states.")
        parents = tuple(names.get(parent, parent) for parent in family.parents)
        found.append(Family(names.get(family.name, family.name), states, parents, family.table))
    return found


def is_text(value: object) -> TypeGuard[str]:
    """Whether this is a string that a file can hold: JSON can spell half a character."""
    return isinstance(value, str) and not re.search("[\ud800-\udfff]", value)


def is_state(value: object) -> bool:
    """Whether this may be a state; those of one variable are checked together later."""
    return is_text(value) or isinstance(value, int | None)


def _encoded(value: object) -> str:
    return json.dumps(value).replace("=", "\\u003d")  # pgmpy splits properties at any =


def _decoded(name: str, key: str, text: str, kind: type) -> Any:
    """Return the value of a property."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    parts = value if isinstance(value, list) else [value]
    if not isinstance(value, kind) or not all(map(is_state, parts)):
        raise SettingError(f"The property {key} of {name!r} must hold JSON; got {text[:40]!r}.")
    return value


def _identifiers(
    names: Sequence[str], is_safe: Callable[[str], bool], key: Callable[[str], str]
) -> list[str]:
    """Return every name as it is where it is safe and no other has its key, else a similar one."""
    taken: dict[str, str] = {}
    for name in filter(is_safe, names):
        taken.setdefault(key(name), name)
    found = []
    for name in names:
        identifier = name
        if not is_safe(name) or taken[key(name)] != name:
            ascii_name = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
            stem = re.sub(r"[^A-Za-z0-9]+", "_", ascii_name).strip("_")
            stem = stem if re.match("[A-Za-z]", stem) else f"_{stem}"
            identifier, number = stem, 2
            while not is_safe(identifier) or key(identifier) in taken:
                identifier, number = f"{stem}_{number}", number + 1
            taken[key(identifier)] = name
        found.append(identifier)
    return found

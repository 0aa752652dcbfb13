"""Networks in JSON: names, states, parents and flat tables; the format of the library, too."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np

from h2pc.errors import FileFormatError
from h2pc.io.identifiers import is_state, is_text
from h2pc.io.json_documents import document_of, is_list
from h2pc.io.network_document import Family, NetworkDocument, State, assembled, family_shape

FORMAT = "h2pc-network"
VERSION = 1


def network_json(document: NetworkDocument) -> str:
    """Return a network in JSON, one variable per line.

    Each has ``name``, ``states``, ``parents`` and ``table``: all numbers in one list, the states
    of the first parent slowest, the variable's own fastest.
    """
    dag = document.dag
    lines = [
        json.dumps(
            {
                "name": name,
                "states": document.states[v],
                "parents": dag.parents(name),
                "table": document.tables[v].ravel().tolist(),
            },
            ensure_ascii=False,
            separators=(",", ":"),
        )
        for v, name in enumerate(dag.names)
    ]
    head = f'{{"format":"{FORMAT}","version":{VERSION},"variables":['
    return head + "\n" + ",\n".join(lines) + "\n]}\n"


def parse_network_json(text: str, source: str) -> NetworkDocument:
    """Return the network of JSON ``text``; ``source`` is its name in error messages."""
    with document_of(text, source, FORMAT, VERSION) as document:
        entries = document.get("variables")
        if not isinstance(entries, list) or not entries:
            raise FileFormatError("'variables' must be a list of at least one.")
        states: dict[str, tuple[State, ...]] = {}
        for entry in entries:
            name = entry.get("name") if isinstance(entry, dict) else None
            if not is_text(name):
                raise FileFormatError("Each variable must be an object with a 'name'.")
            if name in states:
                raise FileFormatError(f"Variable {name!r} comes twice.")
            if not is_list(entry.get("states"), is_state):
                raise FileFormatError(
                    f"'states' of {name!r} must be a list of strings, of integers or of booleans."
                )
            states[name] = tuple(entry["states"])
        return assembled([_family(entry, states) for entry in entries])


def _family(entry: dict[str, Any], states: dict[str, tuple[State, ...]]) -> Family:
    """Return one family: its flat table in the shape of its parents and itself."""
    name, parents, values = entry["name"], entry.get("parents"), entry.get("table")
    if not is_list(parents, is_text):
        raise FileFormatError(f"'parents' of {name!r} must be a list of strings.")
    for parent in parents:
        if parent not in states:
            raise FileFormatError(f"Variable {name!r} has an unknown parent {parent!r}.")
    if len(set(parents)) < len(parents):
        raise FileFormatError(f"Variable {name!r} has a parent twice.")
    shape = family_shape([len(states[v]) for v in (*parents, name)], name)
    if not isinstance(values, list) or not {int, float}.issuperset(map(type, values)):
        raise FileFormatError(f"'table' of {name!r} must be a list of numbers.")
    if len(values) != math.prod(shape):
        raise FileFormatError(
            f"'table' of {name!r} must have {math.prod(shape)} numbers; it has {len(values)}."
        )
    try:
        table = np.array(values, dtype=np.float64).reshape(shape)
    except OverflowError:
        raise FileFormatError(f"'table' of {name!r} has impossible values.") from None
    return Family(name, states[name], tuple(parents), table)

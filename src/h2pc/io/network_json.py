"""Networks in JSON: names, parents, and tables or linear functions; the format of the library."""

from __future__ import annotations

import json
import math
from collections.abc import Collection
from typing import Any, TypeGuard

import numpy as np

from h2pc.errors import FileFormatError
from h2pc.io.identifiers import is_state, is_text
from h2pc.io.json_documents import document_of, is_list
from h2pc.io.network_document import (
    Family,
    GaussianDocument,
    GaussianFamily,
    NetworkDocument,
    State,
    assembled,
    assembled_gaussian,
    family_shape,
)

FORMAT = "h2pc-network"
VERSION = 1

LINEAR_GAUSSIAN = "linear-gaussian"
"""What a document of continuous variables has as its ``kind``; one of tables has none."""


def network_json(document: NetworkDocument | GaussianDocument) -> str:
    """Return a network in JSON, one variable per line.

    Each has ``name`` and ``parents``. A discrete one has ``states`` and ``table``: all numbers in
    one list, the states of the first parent slowest, the variable's own fastest. A continuous one
    has ``intercept``, ``coefficients`` in the order of its parents, and ``variance``.
    """
    if isinstance(document, GaussianDocument):
        kind, entries = f'"kind":"{LINEAR_GAUSSIAN}",', _gaussian_entries(document)
    else:
        kind, entries = "", _table_entries(document)
    lines = [json.dumps(entry, ensure_ascii=False, separators=(",", ":")) for entry in entries]
    head = f'{{"format":"{FORMAT}","version":{VERSION},{kind}"variables":['
    return head + "\n" + ",\n".join(lines) + "\n]}\n"


def _table_entries(document: NetworkDocument) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "states": document.states[v],
            "parents": document.dag.parents(name),
            "table": document.tables[v].ravel().tolist(),
        }
        for v, name in enumerate(document.dag.names)
    ]


def _gaussian_entries(document: GaussianDocument) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "parents": document.dag.parents(name),
            "intercept": float(document.intercepts[v]),
            "coefficients": document.coefficients[v].tolist(),
            "variance": float(document.variances[v]),
        }
        for v, name in enumerate(document.dag.names)
    ]


def parse_network_json(text: str, source: str) -> NetworkDocument | GaussianDocument:
    """Return the network of JSON ``text``; ``source`` is its name in error messages."""
    with document_of(text, source, FORMAT, VERSION) as document:
        kind = document.get("kind")
        if kind not in (None, LINEAR_GAUSSIAN):
            raise FileFormatError(
                f"'kind' must be {LINEAR_GAUSSIAN!r} if it is there; got {kind!r}."
            )
        entries = document.get("variables")
        if not isinstance(entries, list) or not entries:
            raise FileFormatError("'variables' must be a list of at least one.")
        names: set[str] = set()
        for entry in entries:
            name = entry.get("name") if isinstance(entry, dict) else None
            if not is_text(name):
                raise FileFormatError("Each variable must be an object with a 'name'.")
            if name in names:
                raise FileFormatError(f"Variable {name!r} comes twice.")
            names.add(name)
        if kind == LINEAR_GAUSSIAN:
            return assembled_gaussian([_gaussian_family(entry, names) for entry in entries])
        states = {entry["name"]: _states(entry) for entry in entries}
        return assembled([_family(entry, states) for entry in entries])


def _states(entry: dict[str, Any]) -> tuple[State, ...]:
    """Return the states of a discrete variable."""
    if not is_list(entry.get("states"), is_state):
        raise FileFormatError(
            f"'states' of {entry['name']!r} must be a list of strings, of integers or of booleans."
        )
    return tuple(entry["states"])


def _parents(entry: dict[str, Any], names: Collection[str]) -> tuple[str, ...]:
    """Return the parents of a variable, in the file's order."""
    name, parents = entry["name"], entry.get("parents")
    if not is_list(parents, is_text):
        raise FileFormatError(f"'parents' of {name!r} must be a list of strings.")
    for parent in parents:
        if parent not in names:
            raise FileFormatError(f"Variable {name!r} has an unknown parent {parent!r}.")
    if len(set(parents)) < len(parents):
        raise FileFormatError(f"Variable {name!r} has a parent twice.")
    return tuple(parents)


def _family(entry: dict[str, Any], states: dict[str, tuple[State, ...]]) -> Family:
    """Return one family: its flat table in the shape of its parents and itself."""
    name, parents, values = entry["name"], _parents(entry, states.keys()), entry.get("table")
    shape = family_shape([len(states[v]) for v in (*parents, name)], name)
    if not _is_numbers(values):
        raise FileFormatError(f"'table' of {name!r} must be a list of numbers.")
    if len(values) != math.prod(shape):
        raise FileFormatError(
            f"'table' of {name!r} must have {math.prod(shape)} numbers; it has {len(values)}."
        )
    try:
        table = np.array(values, dtype=np.float64).reshape(shape)
    except OverflowError:
        raise FileFormatError(f"'table' of {name!r} has impossible values.") from None
    return Family(name, states[name], parents, table)


def _gaussian_family(entry: dict[str, Any], names: set[str]) -> GaussianFamily:
    """Return one family of continuous variables."""
    name, parents = entry["name"], _parents(entry, names)
    values = entry.get("coefficients")
    if not _is_numbers(values) or len(values) != len(parents):
        raise FileFormatError(
            f"'coefficients' of {name!r} must be a list of {len(parents)} numbers, one for each "
            f"parent."
        )
    for key in ("intercept", "variance"):
        if not _is_numbers([entry.get(key)]):
            raise FileFormatError(f"{key!r} of {name!r} must be a number.")
    try:
        coefficients = np.array(values, dtype=np.float64)
        intercept, variance = float(entry["intercept"]), float(entry["variance"])
    except OverflowError:
        raise FileFormatError(f"A number of {name!r} is too large.") from None
    return GaussianFamily(name, parents, intercept, coefficients, variance)


def _is_numbers(values: object) -> TypeGuard[list[Any]]:
    """Whether this is a list of numbers; truth values are none."""
    return isinstance(values, list) and {int, float}.issuperset(map(type, values))

"""Networks in JSON: names, states, parents and flat tables; the format of the library, too."""

from __future__ import annotations

import json
from typing import Any, NoReturn

import numpy as np

from h2pc.errors import FileFormatError, GraphError, SettingError
from h2pc.io.identifiers import is_text
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
    try:
        document = json.loads(text, parse_constant=_refuse_constant)
        return assembled(_families(document))
    except json.JSONDecodeError as error:
        raise FileFormatError(f"{source}, line {error.lineno}: {error.msg}.") from None
    except RecursionError:
        raise FileFormatError(f"{source}: lists are nested too deeply.") from None
    except (_WrongShapeError, GraphError, SettingError) as error:
        raise FileFormatError(f"{source}: {error}") from None
    except ValueError as error:  # an integer of thousands of digits
        raise FileFormatError(f"{source}: {error}.") from None


class _WrongShapeError(Exception):
    """The document is JSON, but not a network."""


def _refuse_constant(name: str) -> NoReturn:
    raise _WrongShapeError(f"{name} is not a probability.")


def _families(document: Any) -> list[Family]:
    """Return the families of a parsed document."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise _WrongShapeError(f"This is not a network: 'format' must be {FORMAT!r}.")
    if document.get("version") != VERSION:
        raise _WrongShapeError(f"'version' must be {VERSION}; it is {document.get('version')!r}.")
    entries = document.get("variables")
    if not isinstance(entries, list) or not entries:
        raise _WrongShapeError("'variables' must be a list of at least one.")
    states: dict[str, tuple[State, ...]] = {}
    for entry in entries:
        name = entry.get("name") if isinstance(entry, dict) else None
        if not is_text(name):
            raise _WrongShapeError("Each variable must be an object with a 'name'.")
        if name in states:
            raise _WrongShapeError(f"Variable {name!r} comes twice.")
        states[name] = _states(name, entry.get("states"))
    return [_family(entry, states) for entry in entries]


def _states(name: str, values: Any) -> tuple[State, ...]:
    """Return the states of a variable, whose types are checked later."""
    if not isinstance(values, list) or not all(
        is_text(value) if isinstance(value, str) else isinstance(value, int | None)
        for value in values
    ):
        raise _WrongShapeError(
            f"'states' of {name!r} must be a list of strings, of integers or of booleans."
        )
    return tuple(values)


def _family(entry: dict[str, Any], states: dict[str, tuple[State, ...]]) -> Family:
    """Return one family: its flat table in the shape of its parents and itself."""
    name, parents, values = entry["name"], entry.get("parents"), entry.get("table")
    if not isinstance(parents, list) or not all(map(is_text, parents)):
        raise _WrongShapeError(f"'parents' of {name!r} must be a list of strings.")
    for parent in parents:
        if parent not in states:
            raise _WrongShapeError(f"Variable {name!r} has an unknown parent {parent!r}.")
    if len(set(parents)) < len(parents):
        raise _WrongShapeError(f"Variable {name!r} has a parent twice.")
    shape = family_shape([len(states[v]) for v in (*parents, name)], name)
    if not isinstance(values, list) or not {int, float}.issuperset(map(type, values)):
        raise _WrongShapeError(f"'table' of {name!r} must be a list of numbers.")
    n_cells = int(np.prod(shape))
    if len(values) != n_cells:
        raise _WrongShapeError(
            f"'table' of {name!r} must have {n_cells} numbers; it has {len(values)}."
        )
    try:
        table = np.array(values, dtype=np.float64).reshape(shape)
    except OverflowError:
        raise _WrongShapeError(f"'table' of {name!r} has impossible values.") from None
    return Family(name, states[name], tuple(parents), table)

"""Networks as JSON: names, states, parents and flat tables; the form of the library, too."""

from __future__ import annotations

import json
import math
import os
import re
from typing import Any, NoReturn, TypeGuard

import numpy as np

from h2pc.errors import FileFormatError, GraphError, SettingError
from h2pc.io.files import replace_file, text_of
from h2pc.networks.assembly import Family, assembled, families_of
from h2pc.networks.families import MAX_CELLS, MAX_PARENTS
from h2pc.networks.network import BayesianNetwork

FORMAT = "h2pc-network"
VERSION = 1


def read_json(path: str | os.PathLike[str]) -> BayesianNetwork:
    """Read a network from a JSON file, gzip or not; see :func:`json_text` for the form.

    Raises
    ------
    FileFormatError
        If the file is not such a network; the message names the line or the variable.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from h2pc.networks import load_network, read_json, write_json
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "asia.json"
    >>> write_json(load_network("asia"), path)
    >>> read_json(path) == load_network("asia")
    True
    """
    return parse_json(text_of(path), source=os.fspath(path))


def parse_json(text: str, *, source: str = "JSON text") -> BayesianNetwork:
    """Return the network described by JSON ``text``; ``source`` is its name in error messages.

    Examples
    --------
    >>> from h2pc.networks import json_text, load_network, parse_json
    >>> parse_json(json_text(load_network("asia")))
    BayesianNetwork(8 variables, 8 edges, 18 parameters)
    """
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
    states: dict[str, tuple[str, ...]] = {}
    for entry in entries:
        name = entry.get("name") if isinstance(entry, dict) else None
        if not _is_text(name):
            raise _WrongShapeError("Each variable must be an object with a 'name'.")
        if name in states:
            raise _WrongShapeError(f"Variable {name!r} comes twice.")
        states[name] = _strings(entry, "states")
    return [_family(entry, states) for entry in entries]


def _family(entry: dict[str, Any], states: dict[str, tuple[str, ...]]) -> Family:
    """Return one family: its flat table in the shape of its parents and itself."""
    name = entry["name"]
    parents = _strings(entry, "parents")
    for parent in parents:
        if parent not in states:
            raise _WrongShapeError(f"Variable {name!r} has an unknown parent {parent!r}.")
    if len(set(parents)) < len(parents):
        raise _WrongShapeError(f"Variable {name!r} has a parent twice.")
    shape = tuple(len(states[v]) for v in (*parents, name))
    if len(parents) > MAX_PARENTS or math.prod(shape) > MAX_CELLS:
        raise _WrongShapeError(f"The table of {name!r} is too large.")
    values = entry.get("table")
    if not isinstance(values, list) or not {int, float}.issuperset(map(type, values)):
        raise _WrongShapeError(f"'table' of {name!r} must be a list of numbers.")
    if len(values) != math.prod(shape):
        raise _WrongShapeError(
            f"'table' of {name!r} must have {math.prod(shape)} numbers; it has {len(values)}."
        )
    try:
        table = np.array(values, dtype=np.float64).reshape(shape)
    except OverflowError:
        raise _WrongShapeError(f"'table' of {name!r} has impossible values.") from None
    return Family(name, states[name], parents, table)


def _strings(entry: dict[str, Any], key: str) -> tuple[str, ...]:
    """Return a list of strings of a variable."""
    value = entry.get(key)
    if not isinstance(value, list) or not all(map(_is_text, value)):
        raise _WrongShapeError(f"{key!r} of {entry['name']!r} must be a list of strings.")
    return tuple(value)


def _is_text(value: object) -> TypeGuard[str]:
    """Whether this is a string that a file can hold: JSON can spell half a character."""
    return isinstance(value, str) and not re.search("[\ud800-\udfff]", value)


def write_json(network: BayesianNetwork, path: str | os.PathLike[str]) -> None:
    """Write a network as a JSON file, in one step; every number reads back exactly.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from h2pc.networks import load_network, write_json
    >>> write_json(load_network("asia"), pathlib.Path(tempfile.mkdtemp()) / "asia.json.gz")
    """
    replace_file(path, json_text(network))


def json_text(network: BayesianNetwork) -> str:
    """Return a network in JSON, one variable per line.

    Each has ``name``, ``states``, ``parents`` and ``table``: all numbers in one list, the states
    of the first parent slowest, the variable's own fastest.

    Examples
    --------
    >>> from h2pc.networks import json_text, load_network
    >>> json_text(load_network("asia")).splitlines()[1]
    '{"name":"asia","states":["yes","no"],"parents":[],"table":[0.01,0.99]},'
    """
    lines = [
        json.dumps(
            {
                "name": family.name,
                "states": family.states,
                "parents": family.parents,
                "table": family.table.ravel().tolist(),
            },
            ensure_ascii=False,
            separators=(",", ":"),
        )
        for family in families_of(network)
    ]
    head = f'{{"format":"{FORMAT}","version":{VERSION},"variables":['
    return head + "\n" + ",\n".join(lines) + "\n]}\n"

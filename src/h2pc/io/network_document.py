"""A Bayesian network as files describe it, whatever their format."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from h2pc.errors import SettingError
from h2pc.graphs import Dag

State = str | int | bool | None
"""A state of a variable; those of one variable are of one type, and None is a missing value."""

MAX_STATES = 1 << 16
"""Codes of samples are at most 16 bits wide."""

MAX_PARENTS = 31
"""Arrays had at most 32 axes before NumPy 2."""

MAX_CELLS = 1 << 26
"""The largest table: half a gigabyte of float64."""

SUM_TOLERANCE = 1e-5
"""How far the sum of a row may be from one: files carry six or seven digits of each number."""

MAX_CELLS_AS_TEXT = 1_000_000
"""The largest network in BIF and XMLBIF: some 20 MB of text, which takes pgmpy a minute to read."""


class NetworkDocument(NamedTuple):
    """A graph, and the states and the table of each of its variables."""

    dag: Dag
    states: tuple[tuple[State, ...], ...]
    tables: tuple[NDArray[np.float64], ...]
    """One axis for each parent, in the order of ``dag.parents(v)``, and a last one for ``v``."""


class GaussianDocument(NamedTuple):
    """A graph, and the linear function and the variance of each of its variables."""

    dag: Dag
    intercepts: Sequence[float]
    coefficients: Sequence[NDArray[np.float64]]
    """One for each parent, in the order of ``dag.parents(v)``."""
    variances: Sequence[float]


@dataclass(frozen=True)
class GaussianFamily:
    """One continuous variable of a file: coefficients in the file's order of its parents."""

    name: str
    parents: tuple[str, ...]
    intercept: float
    coefficients: NDArray[np.float64]
    variance: float


@dataclass(frozen=True)
class Family:
    """One variable of a file: its table has the parents' axes in the file's order."""

    name: str
    states: tuple[State, ...]
    parents: tuple[str, ...]
    table: NDArray[np.float64]


def assembled(families: Iterable[Family]) -> NetworkDocument:
    """Return the document of these families, its variables sorted by name.

    So a network and a data set sampled from it number the variables alike, and the order in a file
    has no meaning.
    """
    ordered = sorted(families, key=lambda family: family.name)
    names = [family.name for family in ordered]
    dag = Dag(names, [family.parents for family in ordered])
    return NetworkDocument(
        dag,
        tuple(checked_states(family.name, family.states) for family in ordered),
        tuple(map(_with_sorted_parents, ordered)),
    )


def assembled_gaussian(families: Iterable[GaussianFamily]) -> GaussianDocument:
    """Return the document of continuous variables, sorted by name."""
    ordered = sorted(families, key=lambda family: family.name)
    dag = Dag([family.name for family in ordered], [family.parents for family in ordered])
    return GaussianDocument(
        dag,
        [family.intercept for family in ordered],
        [family.coefficients[np.argsort(np.array(family.parents, object))] for family in ordered],
        [family.variance for family in ordered],
    )


def _with_sorted_parents(family: Family) -> NDArray[np.float64]:
    """Return the table with its parents' axes in the order of their names."""
    n = len(family.parents)
    return family.table.transpose(*sorted(range(n), key=family.parents.__getitem__), n)


def checked_states(name: str, states: Sequence[State]) -> tuple[State, ...]:
    """Return the states of one variable: at least one, distinct, all text, integers or booleans."""
    checked = tuple(state.item() if isinstance(state, np.generic) else state for state in states)
    kinds = {type(state) for state in checked} - {type(None)}
    if isinstance(states, str) or len(kinds) > 1 or not kinds <= {str, int, bool}:
        raise SettingError(
            f"The states of {name!r} must be a list of strings, of integers or of booleans; "
            f"got {states!r}."
        )
    if not checked or len(set(checked)) < len(checked):
        raise SettingError(f"The states of {name!r} must be distinct, and at least one.")
    if len(checked) > MAX_STATES:
        raise SettingError(f"{name!r} has {len(checked)} states; at most {MAX_STATES} are allowed.")
    return checked


def family_shape(cards: Sequence[int], name: str) -> tuple[int, ...]:
    """Return the shape of the table of ``name``, or refuse a table that is too large.

    The last of ``cards`` is that of the variable, the others are those of its parents.
    """
    n_cells = math.prod(cards)
    if len(cards) > MAX_PARENTS + 1 or n_cells > MAX_CELLS:
        raise SettingError(
            f"The table of {name!r} with {len(cards) - 1} parents would have {n_cells:,} cells and "
            f"be too large; at most {MAX_PARENTS} parents and {MAX_CELLS:,} cells are allowed."
        )
    return tuple(cards)


def check_size_as_text(document: NetworkDocument, format_name: str) -> None:
    """Refuse to write very large tables as text that hardly any program could read."""
    n_cells = sum(table.size for table in document.tables)
    if n_cells > MAX_CELLS_AS_TEXT:
        v = max(document.dag.variables, key=lambda v: document.tables[v].size)
        raise SettingError(
            f"The network has tables of {n_cells:,} cells, {document.tables[v].size:,} of them for "
            f"{document.dag.names[v]!r}; {format_name} is written up to {MAX_CELLS_AS_TEXT:,}. "
            "Write JSON instead (a file that ends in .json.gz), or limit the number of parents."
        )

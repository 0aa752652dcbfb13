"""The columns of a table, encoded; missing values treated as wished, identifiers refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from h2pc.data.encoding import (
    MAX_LEVELS,
    Codes,
    EncodedColumn,
    Floats,
    States,
    code_dtype,
    encode_integers,
)
from h2pc.data.tables import Table
from h2pc.errors import DataError, SettingError

Missing = Literal["error", "drop", "level", "available"]
"""What happens to missing values."""

# A column with so many levels, and on average fewer than two rows for each, identifies rows
# instead of describing them.
_MANY_LEVELS = 50
_ROWS_PER_LEVEL = 2

# Cells encoded at once: the intermediate arrays stay at a few dozen megabytes.
_BLOCK_CELLS = 2_000_000


@dataclass(frozen=True, slots=True)
class EncodedTable:
    """Encoded columns, variable by variable; missing cells have the code ``len(states)``.

    Continuous variables have numbers in ``values``, NaN where they are missing, and no states.
    """

    names: tuple[str, ...]
    codes: Codes
    states: list[States]
    declared: NDArray[np.bool_]
    n_missing: NDArray[np.int64]
    values: Mapping[int, Floats]


def encode_table(table: Table, order: Sequence[int]) -> EncodedTable:
    """Return the columns ``order`` of a table, in that order, encoded.

    Only one block of columns at a time is held in another form than codes.
    """
    columns = _Columns(len(order), table.n_rows)
    width = max(1, _BLOCK_CELLS // table.n_rows)
    for start in range(0, len(order), width):
        chosen = order[start : start + width]
        if columns.add_block(table, chosen):
            continue
        for j in chosen:
            if width == 1 or not columns.add_block(table, [j]):
                columns.add(table.column(j))
    return columns.encoded(tuple(table.names[j] for j in order))


class _Columns:
    """Encoded columns, in the order in which they are added."""

    def __init__(self, n_columns: int, n_rows: int) -> None:
        self._codes: Codes = np.empty((n_columns, n_rows), np.uint8)
        self._states: list[States] = []
        self._shared: dict[tuple[type, States], States] = {}
        self._declared = np.zeros(n_columns, np.bool_)
        self._n_missing = np.zeros(n_columns, np.int64)
        self._values: dict[int, Floats] = {}

    def add_block(self, table: Table, chosen: Sequence[int]) -> bool:
        """Add these columns if all of them are integers or booleans; return whether they are."""
        block = table.block(chosen)
        if block is None:
            return False
        codes, states = encode_integers(block)
        self._add_codes(codes)
        for row, own in zip(block, states, strict=True):
            if not own:
                self._values[len(self._states)] = row.astype(np.float64)
            # Thousands of variables have the same states: one tuple serves them all. True equals 1.
            key = type(own[0]) if own else object, own
            self._states.append(self._shared.setdefault(key, own))
        return True

    def add(self, column: EncodedColumn) -> None:
        """Add a column of any kind."""
        v = len(self._states)
        self._add_codes(column.codes[np.newaxis])
        self._states.append(column.states)
        self._declared[v], self._n_missing[v] = column.declared, column.n_missing
        if column.values is not None:
            self._values[v] = column.values

    def _add_codes(self, codes: Codes) -> None:
        if codes.dtype.itemsize > self._codes.dtype.itemsize:
            self._codes = self._codes.astype(codes.dtype)
        v = len(self._states)
        self._codes[v : v + len(codes)] = codes

    def encoded(self, names: tuple[str, ...]) -> EncodedTable:
        """Return all columns that were added."""
        return EncodedTable(
            names, self._codes, self._states, self._declared, self._n_missing, self._values
        )


def with_missing(data: EncodedTable, missing: Missing) -> EncodedTable:
    """Return the data; missing values are refused, dropped by rows, made a level, or stay."""
    check_missing(missing)
    holed = np.flatnonzero(data.n_missing)
    if not holed.size:
        return data
    if missing == "available":
        _check_observed(data)
        return data
    if missing == "error":
        raise DataError(
            f"missing values in {_listed(data, holed)}: expected none; pass missing='drop' to drop "
            f"these rows, missing='level' to make them a level of their own, or "
            f"missing='available' to use all cells that are there"
        )
    none_left = np.zeros_like(data.n_missing)
    if missing == "drop":
        return replace(_dropped(data, holed), n_missing=none_left)
    numbers = np.array([v for v in holed if v in data.values], np.int64)
    if numbers.size:
        raise DataError(
            f"missing values in {_listed(data, numbers)} of numbers, which have no levels: expected "
            f"none; pass missing='drop' or missing='available', or cut the numbers into levels with "
            f"h2pc.discretize"
        )
    states = [
        (*levels, None) if n else levels
        for levels, n in zip(data.states, data.n_missing, strict=True)
    ]
    return replace(data, states=states, n_missing=none_left)


def complete_rows(data: EncodedTable) -> NDArray[np.bool_]:
    """Whether each row has no missing cell."""
    whole = np.ones(data.codes.shape[1], np.bool_)
    for v in np.flatnonzero(data.n_missing).tolist():
        if v in data.values:
            whole &= ~np.isnan(data.values[v])
        else:
            whole &= data.codes[v] != len(data.states[v])
    return whole


def missing_counts(
    codes: Codes,
    cards: NDArray[np.int64],
    weights: NDArray[np.int64] | None,
    is_continuous: NDArray[np.bool_],
    values: Floats,
) -> NDArray[np.int64]:
    """Return the number of missing cells of each variable, read-only."""
    counts = np.zeros(len(cards), np.int64)
    for v in np.flatnonzero((codes.max(axis=1) == cards) & ~is_continuous):
        is_missing = codes[v] == cards[v]
        counts[v] = is_missing.sum() if weights is None else weights[is_missing].sum()
    counts[is_continuous] = [np.isnan(own).sum() for own in values]
    counts.flags.writeable = False
    return counts


def check_missing(missing: str) -> None:
    """Raise unless ``missing`` is one of the words."""
    if missing not in get_args(Missing):
        raise SettingError(f"missing={missing!r}: expected 'error', 'drop', 'level' or 'available'")


def _check_observed(data: EncodedTable) -> None:
    """Raise for a variable without any value."""
    empty = np.flatnonzero(data.n_missing == data.codes.shape[1])
    if empty.size:
        raise DataError(
            f"nothing but missing values in {_listed(data, empty)}: expected a value in every "
            f"column; remove such columns"
        )


def check_levels(data: EncodedTable, max_levels: int | None) -> None:
    """Raise for a variable with more levels than its rows can support, or than allowed."""
    if max_levels is not None and (not isinstance(max_levels, int) or max_levels < 1):
        raise SettingError(f"max_levels={max_levels!r}: expected a positive integer, or None")
    n_rows = data.codes.shape[1]
    cards = np.fromiter(map(len, data.states), np.int64, len(data.states))
    for v in np.flatnonzero(cards > (max_levels or _MANY_LEVELS)):
        if max_levels is not None:
            raise DataError(
                f"column {data.names[v]!r} has {cards[v]} levels: expected at most "
                f"max_levels={max_levels}"
            )
        n_observed = np.unique(data.codes[v]).size
        if n_observed > max(_MANY_LEVELS, n_rows / _ROWS_PER_LEVEL):
            raise DataError(
                f"column {data.names[v]!r} has {n_observed} levels in {n_rows} rows and looks like "
                f"an identifier: expected at least {_ROWS_PER_LEVEL} rows per level; remove it, or "
                f"pass max_levels={MAX_LEVELS} to keep it"
            )


def recoded(data: EncodedTable, states: Sequence[States], *, may_miss: bool = False) -> Codes:
    """Return the codes that ``states`` give to the data; a state they lack is an error.

    A missing value is the state ``None``; where there is none, it stays missing if it may.
    """
    codes = np.zeros(data.codes.shape, code_dtype(max(map(len, states)) + may_miss))
    for v, (known, found) in enumerate(zip(states, data.states, strict=True)):
        if not known:
            continue
        if v in data.values:
            number = data.values[v][~np.isnan(data.values[v])][0]
            raise DataError(
                f"column {data.names[v]!r} holds numbers such as {number:g}: expected one of "
                f"{_shortened(known)}"
            )
        if known == found and not data.n_missing[v]:
            codes[v] = data.codes[v]
            continue
        index = {state: code for code, state in enumerate(known)}
        if may_miss:
            index.setdefault(None, len(known))
        levels = (*found, None) if data.n_missing[v] else found
        table = np.array([index.get(level, -1) for level in levels], np.int64)
        observed = np.unique(data.codes[v])
        unseen = observed[table[observed] < 0]
        if unseen.size:
            value = levels[unseen[0]]
            what = "a missing value" if value is None else f"the unseen state {value!r}"
            raise DataError(
                f"column {data.names[v]!r} holds {what}: expected one of {_shortened(known)}"
            )
        codes[v] = table[data.codes[v]]
    return codes


def numbers_of(data: EncodedTable, v: int, *, may_miss: bool = False) -> Floats:
    """Return the numbers of a variable that is continuous in other data; words are an error."""
    if v in data.values:
        numbers = data.values[v]
    else:
        levels = data.states[v]
        word = next((x for x in levels if isinstance(x, bool) or not isinstance(x, int)), None)
        if word is not None:
            raise DataError(f"column {data.names[v]!r} holds {word!r}: expected numbers")
        numbers = np.array([*levels, np.nan], np.float64)[data.codes[v]]
    if data.n_missing[v] and not may_miss:
        raise DataError(f"column {data.names[v]!r} holds a missing value: expected numbers")
    return numbers


def _dropped(data: EncodedTable, holed: NDArray[np.int64]) -> EncodedTable:
    """Return the rows without a missing value, and the undeclared levels that are left."""
    whole = complete_rows(data)
    if not whole.any():
        raise DataError(
            f"every row has a missing value, in {_listed(data, holed)}: expected a row without"
        )
    codes = data.codes[:, whole]
    states = list(data.states)
    for v in np.flatnonzero(~data.declared).tolist():
        if v in data.values:
            continue
        left, new_codes = np.unique(codes[v], return_inverse=True)
        if left.size < len(states[v]):
            states[v] = tuple(states[v][level] for level in left)
            codes[v] = new_codes
    values = {v: own[whole] for v, own in data.values.items()}
    return replace(data, codes=codes, states=states, values=values)


def _listed(data: EncodedTable, holed: NDArray[Any]) -> str:
    shown = [f"{data.names[v]!r} ({data.n_missing[v]})" for v in holed[:5]]
    more = f" and {holed.size - 5} more columns" if holed.size > 5 else ""
    word = "column" if holed.size == 1 else "columns"
    return f"{word} {', '.join(shown)}{more}"


def _shortened(states: States) -> str:
    shown = ", ".join(map(repr, states[:8]))
    return f"{shown}, …" if len(states) > 8 else shown

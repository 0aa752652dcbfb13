"""The columns of a table, encoded; missing values treated as wished, identifiers refused."""

from __future__ import annotations

from collections.abc import Sequence
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
    check_apart,
    encode_floats,
    encode_integers,
    have_fractions,
)
from h2pc.data.tables import Table, blocks
from h2pc.errors import DataError, SettingError

Missing = Literal["error", "drop", "level", "available"]
"""What happens to missing values."""

# A column with so many levels, and on average fewer than two rows for each, identifies rows
# instead of describing them.
_MANY_LEVELS = 50
_ROWS_PER_LEVEL = 2


@dataclass(frozen=True, slots=True)
class EncodedTable:
    """Encoded columns, variable by variable; missing cells have the code ``len(states)``.

    Continuous variables have no states; their numbers are the rows of ``values``, in their order,
    NaN where they are missing.
    """

    names: tuple[str, ...]
    codes: Codes
    states: list[States]
    declared: NDArray[np.bool_]
    n_missing: NDArray[np.int64]
    is_continuous: NDArray[np.bool_]
    values: Floats

    def numbers(self, v: int) -> Floats:
        """Return the numbers of a continuous variable."""
        own: Floats = self.values[np.count_nonzero(self.is_continuous[:v])]
        return own


def encode_table(table: Table, order: Sequence[int]) -> EncodedTable:
    """Return the columns ``order`` of a table, in that order, encoded.

    Only one block of columns at a time is held in another form than codes and numbers.
    """
    columns = _Columns(tuple(table.names[j] for j in order), table.n_rows)
    for chosen, block in blocks(table, order):
        if block is None:
            columns.add(table.column(chosen[0]))
        elif block.dtype.kind == "f":
            columns.add_floats(block)
        else:
            columns.add_integers(block)
    return columns.encoded()


class _Columns:
    """Encoded columns, in the order in which they are added."""

    def __init__(self, names: tuple[str, ...], n_rows: int) -> None:
        self._names = names
        # Pages of zeros take no memory before they are written to.
        self._codes: Codes = np.zeros((len(names), n_rows), np.uint8)
        self._states: list[States] = []
        self._shared: dict[tuple[type, States], States] = {}
        self._declared = np.zeros(len(names), np.bool_)
        self._n_missing = np.zeros(len(names), np.int64)
        self._is_continuous = np.zeros(len(names), np.bool_)
        self._values: list[Floats] = []

    def add_integers(self, block: NDArray[Any]) -> None:
        """Add columns of integers or booleans."""
        codes, states = encode_integers(block)
        self._add_codes(codes)
        for v, own in enumerate(states):
            if own:
                # Blocks have the same states: one tuple serves them all. True equals 1.
                self._states.append(self._shared.setdefault((type(own[0]), own), own))
            else:
                name = self._names[len(self._states)]
                self._add_numbers(check_apart(name, block[v].astype(np.float64)))

    def add_floats(self, block: NDArray[Any]) -> None:
        """Add columns of floats."""
        numbers = block.astype(np.float64)
        numbers += 0.0  # of two zeros one is left
        is_sure = have_fractions(numbers)
        n_missing = np.isnan(numbers).sum(axis=1)
        is_finite = np.isfinite(numbers).sum(axis=1) + n_missing == numbers.shape[1]
        for v, (row, sure) in enumerate(zip(numbers, is_sure & is_finite, strict=True)):
            if sure:
                self._n_missing[len(self._states)] = n_missing[v]
                self._add_numbers(row)
            else:
                self.add(encode_floats(self._names[len(self._states)], row))

    def add(self, column: EncodedColumn) -> None:
        """Add a column of any kind."""
        v = len(self._states)
        self._declared[v], self._n_missing[v] = column.declared, column.n_missing
        if column.values is not None:
            self._add_numbers(column.values)
            return
        self._add_codes(column.codes[np.newaxis])
        self._states.append(column.states)

    def _add_numbers(self, values: Floats) -> None:
        self._is_continuous[len(self._states)] = True
        self._states.append(())
        self._values.append(values)

    def _add_codes(self, codes: Codes) -> None:
        if codes.dtype.itemsize > self._codes.dtype.itemsize:
            self._codes = self._codes.astype(codes.dtype)
        v = len(self._states)
        self._codes[v : v + len(codes)] = codes

    def encoded(self) -> EncodedTable:
        """Return all columns that were added."""
        values = np.empty((len(self._values), self._codes.shape[1]))
        self._values.reverse()
        for row in values:
            row[:] = self._values.pop()  # released at once
        return EncodedTable(
            self._names,
            self._codes,
            self._states,
            self._declared,
            self._n_missing,
            self._is_continuous,
            values,
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
    numbers = holed[data.is_continuous[holed]]
    if numbers.size:
        raise DataError(
            f"missing values in {_listed(data, numbers)} of numbers, which have no levels: "
            f"expected none; pass missing='available' or missing='drop', or cut the numbers into "
            f"levels with h2pc.discretize"
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
        if data.is_continuous[v]:
            whole &= ~np.isnan(data.numbers(v))
        else:
            whole &= data.codes[v] != len(data.states[v])
    return whole


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


def check_discrete(names: Sequence[str], is_continuous: NDArray[np.bool_]) -> None:
    """Raise for a continuous variable."""
    if is_continuous.any():
        raise DataError(
            f"variable {names[int(is_continuous.argmax())]!r} is continuous: expected levels; cut "
            f"its numbers with h2pc.discretize, or take a test and a score of continuous variables"
        )


def _dropped(data: EncodedTable, holed: NDArray[np.int64]) -> EncodedTable:
    """Return the rows without a missing value, and the undeclared levels that are left."""
    whole = complete_rows(data)
    if not whole.any():
        raise DataError(
            f"every row has a missing value, in {_listed(data, holed)}: expected a row without"
        )
    codes = data.codes[:, whole]
    states = list(data.states)
    for v in np.flatnonzero(~(data.declared | data.is_continuous)).tolist():
        left, new_codes = np.unique(codes[v], return_inverse=True)
        if left.size < len(states[v]):
            states[v] = tuple(states[v][level] for level in left)
            codes[v] = new_codes
    return replace(data, codes=codes, states=states, values=data.values[:, whole])


def _listed(data: EncodedTable, holed: NDArray[Any]) -> str:
    shown = [f"{data.names[v]!r} ({data.n_missing[v]})" for v in holed[:5]]
    more = f" and {holed.size - 5} more columns" if holed.size > 5 else ""
    word = "column" if holed.size == 1 else "columns"
    return f"{word} {', '.join(shown)}{more}"

"""New data, encoded with the variables and levels of a data set that is there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from h2pc.data.encoded_table import EncodedTable, encode_table
from h2pc.data.encoding import Codes, Floats, States, code_dtype
from h2pc.data.tables import as_table, has_names, places_of
from h2pc.errors import DataError


def matched(data: Any, names: tuple[str, ...], columns: tuple[str, ...]) -> EncodedTable:
    """Return the columns called ``names``; those of an array are in the order of ``columns``."""
    table = as_table(data, None if has_names(data) else columns)
    return encode_table(table, places_of(names, table))


def recoded(data: EncodedTable, states: Sequence[States], *, may_miss: bool = False) -> Codes:
    """Return the codes that ``states`` give to the data; a state they lack is an error.

    A missing value is the state ``None``; where there is none, it stays missing if it may.
    """
    codes = np.zeros(data.codes.shape, code_dtype(max(map(len, states)) + may_miss))
    for v, known in enumerate(states):
        if not known:
            continue
        found, own = data.states[v], data.codes[v]
        if data.is_continuous[v]:
            found, own = _as_levels(data.numbers(v))
        if known == found and not data.n_missing[v]:
            codes[v] = own
            continue
        index = {state: code for code, state in enumerate(known)}
        if may_miss:
            index.setdefault(None, len(known))
        levels = (*found, None) if data.n_missing[v] else found
        table = np.array([index.get(level, -1) for level in levels], np.int64)
        observed = np.unique(own)
        unseen = observed[table[observed] < 0]
        if unseen.size:
            value = levels[unseen[0]]
            what = "a missing value" if value is None else f"the unseen state {value!r}"
            raise DataError(
                f"column {data.names[v]!r} holds {what}: expected one of {_shortened(known)}"
            )
        codes[v] = table[own]
    return codes


def _as_levels(numbers: Floats) -> tuple[States, NDArray[np.int64]]:
    """Return the different numbers, whole ones as integers, and codes; missing ones come last."""
    kinds = np.unique(numbers[~np.isnan(numbers)])
    levels = tuple(int(kind) if kind == np.floor(kind) else kind for kind in kinds.tolist())
    return levels, np.searchsorted(kinds, numbers)


def renumbered(
    data: EncodedTable, is_continuous: NDArray[np.bool_], *, may_miss: bool = False
) -> Floats:
    """Return the numbers of the variables that are continuous there; words are an error."""
    chosen = np.flatnonzero(is_continuous).tolist()
    if np.array_equal(is_continuous, data.is_continuous):
        values = data.values
    else:
        values = np.empty((len(chosen), data.codes.shape[1]))
        for row, v in zip(values, chosen, strict=True):
            row[:] = data.numbers(v) if data.is_continuous[v] else _numbers_of_levels(data, v)
    for v, row in zip(chosen, values, strict=True):
        if not may_miss and np.isnan(row).any():
            raise DataError(f"column {data.names[v]!r} holds a missing value: expected numbers")
    return values


def _numbers_of_levels(data: EncodedTable, v: int) -> Floats:
    """Return the numbers that the levels of a variable are."""
    levels = data.states[v]
    for level in levels:
        if level is not None and type(level) is not int:
            raise DataError(f"column {data.names[v]!r} holds {level!r}: expected numbers")
    numbers = [np.nan if level is None else float(level) for level in levels]  # type: ignore[arg-type]
    found: Floats = np.array([*numbers, np.nan])[data.codes[v]]
    return found


def _shortened(states: States) -> str:
    shown = ", ".join(map(repr, states[:8]))
    return f"{shown}, …" if len(states) > 8 else shown

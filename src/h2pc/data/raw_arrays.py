"""The arrays that methods of ``Dataset`` are given, checked: codes, values and rows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from h2pc.data.encoding import MAX_LEVELS, Codes, Floats, States, check_finite, code_dtype
from h2pc.data.tables import checked_names, default_names
from h2pc.errors import DataError, DataTypeError, SettingError


def raw_variables(
    codes: ArrayLike,
    cards: ArrayLike | None,
    names: Iterable[object] | None,
    states: Iterable[Iterable[object]] | None,
    missing: str,
) -> tuple[tuple[str, ...], tuple[str, ...], Codes, tuple[States, ...]]:
    """Return names in their order, names by columns, codes and states of variables."""
    if missing not in ("error", "available"):
        raise SettingError(f"missing={missing!r}: expected 'error' or 'available'")
    may_miss = missing == "available"
    array = checked_codes(codes)
    columns = default_names(len(array)) if names is None else checked_names(names, len(array))
    named = checked_states(states, columns)
    sizes = checked_cards(array, cards, named, columns, may_miss=may_miss)
    levels = named or numbered_states(sizes)
    order = sorted(range(len(columns)), key=columns.__getitem__)
    ordered = np.empty(array.shape, code_dtype(int(sizes.max()) + may_miss))
    for row, j in zip(ordered, order, strict=True):  # no copy of 8 bytes per code
        row[:] = array[j]
        if may_miss:
            row[array[j] < 0] = sizes[j]
    in_order = tuple(columns[j] for j in order)
    return in_order, columns, ordered, tuple(levels[j] for j in order)


def raw_values(
    values: ArrayLike, names: Iterable[object] | None
) -> tuple[tuple[str, ...], tuple[str, ...], Floats]:
    """Return names in their order, names by columns, and the numbers of continuous variables."""
    try:
        array = np.asarray(values, np.float64)
    except (ValueError, TypeError):
        raise DataError("values is ragged or holds no numbers: expected an array") from None
    if array.ndim != 2 or 0 in array.shape:
        raise DataError(f"values is of shape {array.shape}: expected variables by samples")
    columns = default_names(len(array)) if names is None else checked_names(names, len(array))
    for name, row in zip(columns, array, strict=True):
        check_finite(name, row)
    order = sorted(range(len(columns)), key=columns.__getitem__)
    return tuple(columns[j] for j in order), columns, array[order] + 0.0


def checked_rows(rows: ArrayLike, n_rows: int) -> NDArray[np.int64]:
    """Return the positions of some of the rows, at least one."""
    chosen = np.asarray(rows)
    if chosen.ndim != 1 or chosen.dtype.kind not in "biu" or chosen.size == 0:
        raise DataError("rows is not a non-empty list of positions or booleans, as expected")
    try:
        found: NDArray[np.int64] = np.arange(n_rows)[chosen]
    except IndexError:
        raise DataError(
            f"rows do not fit: expected positions below {n_rows}, or as many booleans"
        ) from None
    if not found.size:
        raise DataError("rows selects no sample: expected at least one")
    return found


def checked_codes(codes: ArrayLike) -> NDArray[Any]:
    """Return an array of integers or booleans, variables by samples."""
    try:
        array = np.asarray(codes)
    except ValueError:
        raise DataError("codes is ragged: expected as many samples for each variable") from None
    if array.ndim != 2:
        raise DataError(f"codes has {array.ndim} dimension(s): expected 2, variables by samples")
    if 0 in array.shape:
        raise DataError(f"codes has the shape {array.shape}: expected a variable and a sample")
    if array.dtype.kind not in "biu":
        raise DataTypeError(f"codes is of type {array.dtype}: expected integers")
    return array


def checked_states(
    states: Iterable[Iterable[object]] | None, names: tuple[str, ...]
) -> tuple[States, ...] | None:
    """Return the states of each variable as distinct values, if any were given."""
    if states is None:
        return None
    levels = tuple(map(tuple, states))
    if len(levels) != len(names):
        raise DataError(f"states of {len(levels)} variables came: expected {len(names)}")
    for name, own in zip(names, levels, strict=True):
        if len(set(own)) < len(own):
            raise DataError(f"column {name!r} has a state twice: expected distinct states")
    return levels


def checked_cards(
    codes: NDArray[Any],
    cards: ArrayLike | None,
    states: tuple[States, ...] | None,
    names: tuple[str, ...],
    *,
    may_miss: bool = False,
) -> NDArray[np.int64]:
    """Return the number of levels of each variable, above all its codes; -1 may be missing."""
    found = codes.max(axis=1).astype(np.int64) + 1
    listed = found if states is None else np.array([len(own) for own in states], np.int64)
    sizes = listed if cards is None else np.asarray(cards)
    if sizes.shape != found.shape or sizes.dtype.kind not in "iu":
        raise DataError(f"cards is not a list of {len(found)} integers, as expected")
    if states is not None and (sizes != listed).any():
        v = np.flatnonzero(sizes != listed)[0]
        raise DataError(f"column {names[v]!r} has {listed[v]} states: expected {sizes[v]}")
    outside = np.flatnonzero((codes.min(axis=1) < -may_miss) | (found > sizes) | (sizes < 1))
    if outside.size:
        v = outside[0]
        raise DataError(
            f"column {names[v]!r} has codes from {codes[v].min()} to {codes[v].max()}: "
            f"expected 0 to {sizes[v] - 1}"
        )
    if sizes.max() > MAX_LEVELS - may_miss:
        v = sizes.argmax()
        raise DataError(
            f"column {names[v]!r} has {sizes[v]} levels: expected at most {MAX_LEVELS - may_miss}"
        )
    return sizes.astype(np.int64)


def numbered_states(cards: NDArray[np.int64]) -> tuple[States, ...]:
    """Return the states ``0, 1, …`` of each variable."""
    # Thousands of variables have the same number of levels: one tuple serves them all.
    known = {card: tuple(range(card)) for card in np.unique(cards).tolist()}
    return tuple(known[card] for card in cards.tolist())

"""Checks of the codes, numbers of levels and states that ``Dataset.from_codes`` is given."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from h2pc.data.encoding import MAX_LEVELS, States
from h2pc.errors import DataError, DataTypeError


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

"""Blocks of integers or booleans are encoded a few million cells at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from h2pc.data.columns import Codes, States, code_dtype, integer_column

# Cells encoded at once: the intermediate arrays stay at a few dozen megabytes.
_BLOCK_CELLS = 2_000_000

# Values further apart than this in one block are sorted column by column instead.
_WIDEST_SPAN = 256

# So few values are looked for one by one: bytes are compared faster than places are looked up.
_NARROW_SPAN = 8


def block_width(n_rows: int) -> int:
    """Return how many columns to encode at once, at least one."""
    return max(1, _BLOCK_CELLS // n_rows)


def block_codes(block: NDArray[Any], names: Sequence[str]) -> tuple[Codes, list[States]]:
    """Codes and states of integers or booleans that hold one variable per row."""
    is_boolean = block.dtype == np.bool_
    values = block.view(np.uint8) if is_boolean else block
    low = values.min(axis=1)
    # Unsigned differences are right even across the whole range of 64-bit integers.
    span = int((values.max(axis=1).astype(np.uint64) - low.astype(np.uint64)).max()) + 1
    if span > _WIDEST_SPAN:
        return _codes_one_by_one(block, names)

    offsets = np.empty(values.shape, np.uint8)
    np.subtract(values, low[:, None], out=offsets, casting="unsafe")  # no copy of 8 bytes a cell
    present = _present(offsets, span)
    codes: Codes = offsets
    for v in np.flatnonzero(_has_gaps(present)):
        ranks = (np.cumsum(present[v]) - 1).astype(np.uint8)
        codes[v] = ranks[codes[v]]
    to_state = bool if is_boolean else int
    states: list[States] = [
        tuple(to_state(smallest + offset) for offset in np.flatnonzero(row).tolist())
        for smallest, row in zip(low.tolist(), present, strict=True)
    ]
    return codes, states


def _present(offsets: Codes, span: int) -> NDArray[np.bool_]:
    """Whether each variable has each of the values ``0 .. span - 1``."""
    present = np.zeros((len(offsets), span), np.bool_)
    if span <= _NARROW_SPAN:
        for value in range(span):
            present[:, value] = (offsets == value).any(axis=1)
    else:
        present.ravel()[offsets + (np.arange(len(offsets)) * span)[:, None]] = True
    return present


def _has_gaps(present: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Whether a value that a variable lacks lies below one that it has."""
    gaps = present[:, 1:] & ~present[:, :-1]
    return np.asarray(gaps.any(axis=1))


def _codes_one_by_one(block: NDArray[Any], names: Sequence[str]) -> tuple[Codes, list[States]]:
    columns = [integer_column(name, row) for name, row in zip(names, block, strict=True)]
    widest = max(len(column.states) for column in columns)
    codes = np.empty(block.shape, code_dtype(widest))
    for row, column in zip(codes, columns, strict=True):
        row[:] = column.codes
    return codes, [column.states for column in columns]

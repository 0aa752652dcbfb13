"""Whole arrays of integers or booleans are encoded a block of columns at a time."""

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


def matrix_codes(
    matrix: NDArray[Any], order: Sequence[int], names: Sequence[str]
) -> tuple[Codes, list[States]]:
    """Codes and states of the columns ``order`` of an array of integers or booleans."""
    n_rows = matrix.shape[0]
    width = max(1, _BLOCK_CELLS // n_rows)
    codes: Codes = np.empty((len(order), n_rows), np.uint8)
    states: list[States] = []
    known: dict[States, States] = {}
    for start in range(0, len(order), width):
        chosen = list(order[start : start + width])
        block = np.ascontiguousarray(_columns(matrix, chosen).T)
        block_codes, block_states = _block_codes(block, [names[j] for j in chosen])
        if block_codes.dtype.itemsize > codes.dtype.itemsize:
            codes = codes.astype(block_codes.dtype)
        codes[start : start + width] = block_codes
        # Thousands of variables have the same states: one tuple serves them all.
        states += [known.setdefault(levels, levels) for levels in block_states]
    return codes, states


def _columns(matrix: NDArray[Any], chosen: list[int]) -> NDArray[Any]:
    """Return the chosen columns, without a copy where they are neighbours."""
    first, last = chosen[0], chosen[-1]
    if chosen == list(range(first, last + 1)):
        return matrix[:, first : last + 1]
    return matrix[:, chosen]


def _block_codes(block: NDArray[Any], names: Sequence[str]) -> tuple[Codes, list[States]]:
    """Codes and states of a block that holds one variable per row."""
    is_boolean = block.dtype == np.bool_
    values = block.view(np.uint8) if is_boolean else block
    low = values.min(axis=1)
    # Unsigned differences are right even across the whole range of 64-bit integers.
    span = int((values.max(axis=1).astype(np.uint64) - low.astype(np.uint64)).max()) + 1
    if span > _WIDEST_SPAN:
        return _codes_one_by_one(block, names)

    offsets = (values - low[:, None]).astype(np.uint8)
    cells = offsets + (np.arange(len(values)) * span)[:, None]
    present = np.zeros((len(values), span), np.bool_)
    present.ravel()[cells] = True
    if present.all():
        codes: Codes = offsets
    else:
        ranks = (np.cumsum(present, axis=1) - 1).astype(np.uint8)
        codes = ranks.ravel()[cells]
    to_state = bool if is_boolean else int
    states: list[States] = [
        tuple(to_state(smallest + offset) for offset in np.flatnonzero(row).tolist())
        for smallest, row in zip(low.tolist(), present, strict=True)
    ]
    return codes, states


def _codes_one_by_one(block: NDArray[Any], names: Sequence[str]) -> tuple[Codes, list[States]]:
    columns = [integer_column(name, row) for name, row in zip(names, block, strict=True)]
    widest = max(len(column.states) for column in columns)
    codes = np.empty(block.shape, code_dtype(widest))
    for row, column in zip(codes, columns, strict=True):
        row[:] = column.codes
    return codes, [column.states for column in columns]

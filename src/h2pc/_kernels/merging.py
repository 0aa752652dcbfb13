"""Identical rows found in one pass, whatever the number of columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from h2pc._kernels._jit import kernel, part

_SIGNATURE = (
    "Tuple((int64[::1], int64[::1]))("
    "Array({codes}, 2, 'C', readonly=True), Array(int64, 1, 'C', readonly=True), "
    "Array(int64, 1, 'C', readonly=True), Array(int64, 1, 'C', readonly=True))"
)

_PICK_SIGNATURE = (
    "Array({codes}, 2, 'C')(Array({codes}, 2, 'C', readonly=True), "
    "Array(int64, 1, 'C', readonly=True), int64[::1])"
)

# 2^64 divided by the golden ratio; odd, so that no column is ever multiplied away.
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@part
def _row_keys(codes: Any, cards: Any, variables: Any) -> Any:
    """Return a word per row, and whether equal words mean equal rows (or are only a hash)."""
    n_bits = 0.0
    for v in variables:
        n_bits += np.log2(cards[v])
    exact = n_bits < 63.0

    keys = np.zeros(codes.shape[1], np.uint64)
    for v in variables:
        factor = np.uint64(cards[v]) if exact else _GOLDEN
        keys = keys * factor + codes[v]
    return keys, exact


@part
def _rows_agree(codes: Any, variables: Any, i: Any, j: Any) -> Any:
    """Whether rows ``i`` and ``j`` have the same codes."""
    for v in variables:
        if codes[v, i] != codes[v, j]:
            return False
    return True


@kernel(_SIGNATURE.format(codes="uint8"), _SIGNATURE.format(codes="uint16"))
def merged_rows(codes: Any, cards: Any, variables: Any, weights: Any) -> Any:
    """First row and total weight of each distinct row of ``variables``, by first occurrence.

    ``codes[v, i]`` is below ``cards[v]``; ``weights[i]`` is what row ``i`` counts for.
    """
    n_rows = codes.shape[1]
    keys, exact = _row_keys(codes, cards, variables)

    n_bits = 4
    while 1 << n_bits < 2 * n_rows:
        n_bits += 1
    last_slot = (1 << n_bits) - 1
    home = (keys * _GOLDEN) >> np.uint64(64 - n_bits)

    slots = np.full(last_slot + 1, -1, np.int64)
    first = np.empty(n_rows, np.int64)
    total = np.empty(n_rows, np.int64)
    n_groups = 0
    for i in range(n_rows):
        slot = np.int64(home[i])
        while True:
            group = slots[slot]
            if group < 0:
                slots[slot] = n_groups
                first[n_groups] = i
                total[n_groups] = weights[i]
                n_groups += 1
                break
            j = first[group]
            if keys[j] == keys[i] and (exact or _rows_agree(codes, variables, i, j)):
                total[group] += weights[i]
                break
            slot = (slot + 1) & last_slot
    return first[:n_groups].copy(), total[:n_groups].copy()


@kernel(_PICK_SIGNATURE.format(codes="uint8"), _PICK_SIGNATURE.format(codes="uint16"))
def picked_codes(codes: Any, variables: Any, rows: Any) -> Any:
    """Codes of some variables in some rows."""
    picked = np.empty((variables.size, rows.size), codes.dtype)
    for i in range(variables.size):
        for j in range(rows.size):
            picked[i, j] = codes[variables[i], rows[j]]
    return picked

"""A bit per sample for each level of each variable."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from h2pc.data.columns import Codes

# Cells compared at once: the intermediate arrays stay at a few megabytes.
_BLOCK_CELLS = 2_000_000

# Words that compiled loops take at a time: what is left after them costs as much again.
_STEPS = (16, 4)
_MOST_ZEROS = 0.125


def _words_for(n_samples: int) -> int:
    """Number of words of a bitmap; some zeros at the end where they are few, and save time."""
    n_words = -(-n_samples // 64)
    padded = [-(-n_words // step) * step for step in _STEPS]
    return next((n for n in padded if n <= n_words * (1.0 + _MOST_ZEROS)), n_words)


def level_bitmaps(codes: Codes, first_row: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Row ``first_row[v] + l`` has bit ``i % 64`` of word ``i // 64`` set where ``v`` is ``l``."""
    n_variables, n_samples = codes.shape
    n_words, n_bytes = _words_for(n_samples), -(-n_samples // 8)
    bitmaps = np.zeros((int(first_row[-1]), 8 * n_words), np.uint8)
    cards = np.diff(first_row)
    width = max(1, _BLOCK_CELLS // n_samples)
    for start in range(0, n_variables, width):
        block = codes[start : start + width]
        n_levels = cards[start : start + width]
        for level in range(int(n_levels.max())):
            has = np.flatnonzero(n_levels > level)
            here = block if has.size == len(block) else block[has]
            bits = np.packbits(here == level, axis=1, bitorder="little")
            bitmaps[first_row[start + has] + level, :n_bytes] = bits
    return bitmaps.view("<u8").astype(np.uint64, copy=False)

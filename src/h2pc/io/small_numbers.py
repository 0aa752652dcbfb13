"""Columns of small integers and of booleans, kept in as few bytes as they need."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_INTEGERS, _BOOLEANS = 1, 2


class SmallNumbers:
    """Columns of a table that need not be read again.

    A column of two neighbouring integers, as 0 and 1, takes a bit for each cell, another one a
    byte.

    Parameters
    ----------
    n_columns, n_rows : int
        The size of the table.

    Examples
    --------
    >>> kept = SmallNumbers(3, 2)
    >>> kept.add([2, 0], np.array([[5, 6], [-3, 100]]))
    True
    >>> kept.has([0, 2]), kept.has([1]), kept.block([0, 2]).tolist()
    (True, False, [[-3, 100], [5, 6]])
    """

    def __init__(self, n_columns: int, n_rows: int) -> None:
        self._n_rows = n_rows
        self._kinds = np.zeros(n_columns, np.uint8)
        self._low = np.zeros(n_columns, np.int8)
        self._is_wide = np.zeros(n_columns, np.bool_)
        # Memory that is never written to is never taken.
        self._bits = np.empty((n_columns, (n_rows + 7) // 8), np.uint8)
        self._bytes = np.empty((n_columns, n_rows), np.int8)

    def add(self, columns: Sequence[int], block: NDArray[np.generic]) -> bool:
        """Keep columns of integers or booleans, the rows of an array; whether they are so small."""
        places = np.asarray(columns, np.intp)
        cells = block.view(np.int8) if block.dtype == np.bool_ else block
        low, high = cells.min(axis=1), cells.max(axis=1)
        if low.min() < -128 or high.max() > 127:
            return False
        self._low[places] = low
        is_wide = high > low + 1
        self._is_wide[places] = is_wide
        self._bits[places] = np.packbits(cells > low[:, None], axis=1)
        if is_wide.any():
            self._bytes[places[is_wide]] = cells[is_wide]
        self._kinds[places] = _BOOLEANS if block.dtype == np.bool_ else _INTEGERS
        return True

    def has(self, columns: Sequence[int]) -> bool:
        """Whether all of these columns are kept."""
        return bool(self._kinds[np.asarray(columns, np.intp)].all())

    def has_all(self) -> bool:
        """Whether all columns of the table are kept."""
        return bool(self._kinds.all())

    def block(self, columns: Sequence[int]) -> NDArray[np.generic] | None:
        """Return columns that are kept, one per row; None if only some of them are booleans."""
        places = np.asarray(columns, np.intp)
        kinds = self._kinds[places]
        if (kinds != kinds[0]).any():
            return None
        bits = np.unpackbits(self._bits[places], axis=1, count=self._n_rows)
        if kinds[0] == _BOOLEANS:
            # A constant has no bit, whether it is false or true.
            bits |= self._low[places, None].astype(np.uint8)
            return bits.view(np.bool_)
        cells = bits.view(np.int8)
        cells += self._low[places, None]
        is_wide = self._is_wide[places]
        if is_wide.any():
            cells[is_wide] = self._bytes[places[is_wide]]
        return cells

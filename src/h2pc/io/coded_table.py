"""Tables of files as numbers."""

from __future__ import annotations

from math import isfinite
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Words = tuple[str, ...]
Floats = NDArray[np.float64]


class CodedTable(NamedTuple):
    """A table of numbers, some of which stand for words."""

    names: tuple[str, ...]
    categories: tuple[Words | None, ...]
    """For every column the words of its codes 0, 1, …; None where numbers are numbers."""
    cells: Any
    """Floats, dense or in sparse columns; NaN where a cell is missing."""

    @property
    def is_sparse(self) -> bool:
        """Whether the cells are a matrix of scipy.sparse."""
        return not isinstance(self.cells, np.ndarray)

    def column(self, j: int) -> Floats:
        """Return the numbers of a column, NaN where a cell is missing."""
        column: Floats = self.cells[:, [j]].toarray()[:, 0] if self.is_sparse else self.cells[:, j]
        return column


def number(text: str) -> float:
    """Number that a text stands for; ``ValueError`` where it is a word."""
    value = float(text)
    if not isfinite(value) or "_" in text or not text.isascii():  # Python reads more than files
        raise ValueError(text)
    return value

"""The cell of a table in which each sample falls."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from h2pc.variables import Vars


def family_cells(
    codes: NDArray[np.unsignedinteger], cards: Sequence[int], variables: Vars
) -> NDArray[np.int64]:
    """Cell of the flattened table of some variables for each sample, the last one fastest."""
    first, *others = variables
    cells: NDArray[np.int64] = codes[first].astype(np.int64)
    for v in others:
        cells *= cards[v]
        cells += codes[v]
    return cells

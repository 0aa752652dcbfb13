"""The row and the cell of a variable's table in which each sample falls."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from h2pc.variables import Var, Vars


def parent_rows(
    codes: NDArray[np.unsignedinteger], cards: Sequence[int], parents: Vars
) -> NDArray[np.int64] | None:
    """Row of the flattened table for each sample, the last parent fastest; None without parents."""
    if not parents:
        return None
    rows: NDArray[np.int64] = codes[parents[0]].astype(np.int64)
    for parent in parents[1:]:
        rows *= cards[parent]
        rows += codes[parent]
    return rows


def family_cells(
    codes: NDArray[np.unsignedinteger], cards: Sequence[int], v: Var, parents: Vars
) -> NDArray[np.int64]:
    """Cell of the flattened table of ``v`` for each sample, the state of ``v`` fastest."""
    cells = parent_rows(codes, cards, (*parents, v))
    assert cells is not None
    return cells

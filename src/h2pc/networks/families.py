"""Families of a network: the shapes of their tables, and the cell a sample falls in."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from h2pc.errors import SettingError
from h2pc.variables import Var, Vars

MAX_PARENTS = 31
"""Arrays had at most 32 axes before NumPy 2."""

MAX_CELLS = 1 << 26
"""The largest table we build: half a gigabyte of float64."""


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


def family_shape(cards: Sequence[int], v: Var, parents: Vars, name: str) -> tuple[int, ...]:
    """Shape of the table of ``v``; refuses a table too large to build."""
    shape = (*(cards[p] for p in parents), cards[v])
    if len(parents) > MAX_PARENTS or math.prod(shape) > MAX_CELLS:
        raise SettingError(
            f"The table of {name!r} with {len(parents)} parents would have "
            f"{math.prod(shape):,} cells; at most {MAX_PARENTS} parents and {MAX_CELLS:,} cells "
            "are allowed."
        )
    return shape

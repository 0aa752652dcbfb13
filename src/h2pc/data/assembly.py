"""The arrays of a data set: put together, counted, and taken apart again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from h2pc.data.encoded_table import EncodedTable
from h2pc.data.encoding import Codes, Floats, States, code_dtype

if TYPE_CHECKING:
    from h2pc.data.dataset import Dataset

Weights = NDArray[np.int64] | None


def assembled(
    names: tuple[str, ...],
    columns: tuple[str, ...],
    codes: Codes,
    states: tuple[States, ...],
    weights: Weights = None,
    values: Floats | None = None,
) -> tuple[
    tuple[str, ...],
    tuple[str, ...],
    Codes,
    NDArray[np.int64],
    tuple[States, ...],
    Weights,
    NDArray[np.bool_],
    Floats,
]:
    """Return the fields of a data set of variables that are sorted by name already.

    Variables without states are continuous, and have their numbers in ``values``.
    """
    cards = np.fromiter(map(len, states), np.int64, len(states))
    numbers = np.empty((0, codes.shape[1])) if values is None else values
    largest = int(cards.max()) - 1
    if largest == np.iinfo(np.uint8).max < np.iinfo(codes.dtype).max:
        largest = max(largest, int(codes.max()))  # that of missing cells
    codes = np.ascontiguousarray(codes, code_dtype(largest + 1))
    return names, columns, codes, cards, states, weights, cards == 0, numbers


def missing_counts(data: Dataset) -> NDArray[np.int64]:
    """Return the number of samples in which each variable is missing, read-only."""
    codes, cards = data.codes, data.cards
    each = np.ones(data.n_rows, np.int64) if data.weights is None else data.weights
    counts = np.zeros(data.n_variables, np.int64)
    for v in np.flatnonzero((codes.max(axis=1) == cards) & ~data.is_continuous):
        counts[v] = each[codes[v] == cards[v]].sum()
    holed = np.isnan(data.values)
    counts[data.is_continuous] = holed.sum(axis=1) if data.weights is None else holed @ each
    counts.flags.writeable = False
    return counts


def reencoded(data: Dataset, names: tuple[str, ...]) -> EncodedTable:
    """Return the variables called ``names`` as if they were read from a table."""
    chosen = list(data.variables(names))
    is_continuous = data.is_continuous[chosen]
    places = np.cumsum(data.is_continuous)[chosen] - 1
    return EncodedTable(
        names,
        data.codes[chosen],
        [data.states[v] for v in chosen],
        np.zeros(len(chosen), np.bool_),
        data.n_missing[chosen],
        is_continuous,
        data.values[places[is_continuous]],
    )

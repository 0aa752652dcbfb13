"""The door for data: a data set's columns and levels, in the words of a network."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from h2pc.data.dataset import Dataset
from h2pc.errors import DataError


def columns_of(dataset: Dataset, names: Sequence[str]) -> list[int]:
    """Return the column of each name in the data set."""
    column = {name: c for c, name in enumerate(dataset.names)}
    missing = [name for name in names if name not in column]
    if missing:
        shown = ", ".join(map(repr, missing[:5])) + (", …" if len(missing) > 5 else "")
        raise DataError(f"The data set lacks {len(missing)} columns of the network: {shown}.")
    return [column[name] for name in names]


def states_of(dataset: Dataset, names: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Return the levels of the named columns as state names."""
    return tuple(
        tuple(str(state) for state in dataset.states[column])
        for column in columns_of(dataset, names)
    )


def aligned_codes(
    dataset: Dataset, names: Sequence[str], states: Sequence[tuple[str, ...]]
) -> NDArray[np.unsignedinteger]:
    """Codes of the named columns, in that order, numbered as in ``states``.

    Levels are matched by their names: a file may list them in another order, or lack some.
    """
    columns = columns_of(dataset, names)
    codes = dataset.codes[columns]
    if max(map(len, states), default=0) > np.iinfo(codes.dtype).max + 1:
        codes = codes.astype(np.uint16)
    for row, level_names in enumerate(states_of(dataset, names)):
        if level_names != states[row]:
            codes[row] = _recoded(codes[row], level_names, names[row], states[row])
    return codes


def _recoded(
    codes: NDArray[np.unsignedinteger],
    levels: tuple[str, ...],
    name: str,
    states: tuple[str, ...],
) -> NDArray[np.intp]:
    """Codes of one column, renumbered from its own ``levels`` to the network's ``states``."""
    number = {state: i for i, state in enumerate(states)}
    new = np.array([number.get(level, -1) for level in levels])
    recoded: NDArray[np.intp] = new[codes]
    if recoded.size and recoded.min() < 0:
        strange = levels[codes[recoded.argmin()]]
        raise DataError(
            f"Column {name!r} holds {strange!r}, which is not a state of the network: "
            f"{', '.join(map(repr, states[:10]))}."
        )
    return recoded

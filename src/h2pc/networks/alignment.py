"""Columns and levels of data, matched by name with the variables and states of a network."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from h2pc.data.dataset import Dataset
from h2pc.errors import DataError

MAX_STATES = 1 << 16
"""Codes of samples are at most 16 bits wide."""


def dataset_of(data: Any, names: Iterable[str], **options: Any) -> Dataset:
    """Return the columns called ``names`` of any table as a data set; other columns are ignored."""
    wanted = frozenset(names)
    if isinstance(data, Mapping):
        data = {name: column for name, column in data.items() if str(name) in wanted}
    elif not isinstance(data, Dataset) and hasattr(data, "columns"):
        labels = data.column_names if hasattr(data, "column_names") else data.columns  # of pyarrow
        kept = [label for label in labels if str(label) in wanted]
        data = data.select(kept) if hasattr(data, "select") else data[kept]
    return Dataset.from_data(data, **options)


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
    dataset: Dataset,
    names: Sequence[str],
    states: Sequence[tuple[str, ...]],
    *,
    unseen: bool = False,
) -> NDArray[np.unsignedinteger]:
    """Codes of the named columns, in that order, numbered as in ``states``.

    Levels are matched by their names: a file may list them in another order, or lack some. A level
    that is not among the states is an error, or with ``unseen`` has the number of the states.
    """
    columns = columns_of(dataset, names)
    codes = dataset.codes[columns]
    if max(map(len, states), default=0) > np.iinfo(codes.dtype).max:
        codes = codes.astype(np.uint32 if unseen else np.uint16)
    for row, level_names in enumerate(states_of(dataset, names)):
        if level_names != states[row]:
            codes[row] = _recoded(codes[row], level_names, names[row], states[row], unseen)
    return codes


def _recoded(
    codes: NDArray[np.unsignedinteger],
    levels: tuple[str, ...],
    name: str,
    states: tuple[str, ...],
    unseen: bool,
) -> NDArray[np.intp]:
    """Codes of one column, renumbered from its own ``levels`` to the network's ``states``."""
    number = {state: i for i, state in enumerate(states)}
    new = np.array([number.get(level, len(states)) for level in levels])
    recoded: NDArray[np.intp] = new[codes]
    if not unseen and recoded.size and recoded.max() == len(states):
        strange = levels[codes[recoded.argmax()]]
        raise DataError(
            f"Column {name!r} holds {strange!r}, which is not a state of the network: "
            f"{', '.join(map(repr, states[:10]))}."
        )
    return recoded

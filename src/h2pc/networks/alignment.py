"""Columns and levels of data, matched by name with the variables and states of a network."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from h2pc.data.dataset import Dataset
from h2pc.errors import DataError
from h2pc.io.network_document import MAX_STATES, State


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


def states_of(dataset: Dataset, names: Sequence[str]) -> tuple[tuple[State, ...], ...]:
    """Return the levels of the named columns as states.

    Strings, integers and booleans stay what they are; anything else becomes text. Continuous
    variables are refused.
    """
    columns = columns_of(dataset, names)
    for name, column in zip(names, columns, strict=True):
        if dataset.is_continuous[column]:
            raise DataError(
                f"Column {name!r} holds continuous numbers, which have no probability table: "
                f"expected levels; fit a LinearGaussianNetwork if all variables are continuous, or "
                f"cut the numbers into levels with h2pc.discretize."
            )
    return tuple(_as_states(dataset.states[column]) for column in columns)


def aligned_numbers(dataset: Dataset, names: Sequence[str]) -> NDArray[np.float64]:
    """Numbers of the named columns, in that order, NaN where they are missing.

    Levels that are whole numbers are numbers; words are an error.
    """
    numbers = np.empty((len(names), dataset.n_rows))
    row_of = np.cumsum(dataset.is_continuous) - 1
    for row, name, column in zip(numbers, names, columns_of(dataset, names), strict=True):
        if dataset.is_continuous[column]:
            row[:] = dataset.values[row_of[column]]
            continue
        levels = dataset.states[column]
        word = next((x for x in levels if isinstance(x, bool) or not isinstance(x, int)), levels)
        if word is not levels:
            raise DataError(
                f"Column {name!r} holds {word!r}: expected numbers, the values of a continuous "
                f"variable of the network."
            )
        row[:] = np.array([*levels, np.nan], np.float64)[dataset.codes[column]]
    return numbers if dataset.weights is None else np.repeat(numbers, dataset.weights, axis=1)


def _as_states(levels: Sequence[Any]) -> tuple[State, ...]:
    plain = [level.item() if isinstance(level, np.generic) else level for level in levels]
    kinds = {type(level) for level in plain} - {type(None)}
    if len(kinds) > 1 or not kinds <= {str, int, bool}:
        return tuple(None if level is None else str(level) for level in plain)
    return tuple(plain)


def whole_numbers_as_levels(dataset: Dataset) -> Dataset:
    """Return the data with whole numbers of many kinds as levels; fractions are an error.

    They are the states of a network that was fitted to declared levels.
    """
    if not dataset.is_continuous.any():
        return dataset
    codes, states = dataset.codes.astype(np.int64), list(dataset.states)
    codes[codes == dataset.cards[:, np.newaxis]] = -1
    for v, numbers in zip(np.flatnonzero(dataset.is_continuous), dataset.values, strict=True):
        kinds = np.unique(numbers[~np.isnan(numbers)])
        fractions = kinds[kinds != np.floor(kinds)]
        if fractions.size or kinds.size > MAX_STATES:
            strange = (fractions if fractions.size else kinds)[0]
            raise DataError(
                f"Column {dataset.names[v]!r} holds continuous numbers such as {strange:g}, which "
                f"are no states of the network; cut them into its levels with h2pc.discretize."
            )
        codes[v] = np.where(np.isnan(numbers), -1, np.searchsorted(kinds, numbers))
        states[v] = tuple(map(int, kinds.tolist()))
    found = Dataset.from_codes(codes, names=dataset.names, states=states, missing="available")
    return replace(found, weights=dataset.weights)


def numbering(states: Sequence[State]) -> Callable[[object], int | None]:
    """Return a function from a value to the number of the state that equals it, or is spelled so.

    So 1 and "1" are the same state, whether it was read from a table or from a file of text.
    """
    number: dict[object, int] = {str(state): i for i, state in enumerate(states)}
    number |= {state: i for i, state in enumerate(states)}
    return lambda value: number.get(value, number.get(str(value)))


def aligned_codes(
    dataset: Dataset,
    names: Sequence[str],
    states: Sequence[tuple[State, ...]],
    *,
    unseen: bool = False,
) -> NDArray[np.unsignedinteger]:
    """Codes of the named columns, in that order, numbered as in ``states``.

    Levels are matched by value: a table may have them in another order, or lack some. A level
    that is not among the states is an error, or with ``unseen`` has the number of the states. A
    missing cell has the code 0; see :func:`missing_cells`.
    """
    columns = columns_of(dataset, names)
    codes = dataset.codes[columns]
    if max(map(len, states), default=0) > np.iinfo(codes.dtype).max:
        codes = codes.astype(np.uint32 if unseen else np.uint16)
    for row, levels in enumerate(states_of(dataset, names)):
        if levels != states[row]:
            codes[row] = _recoded(codes[row], levels, names[row], states[row], unseen)
    if not dataset.is_complete:
        codes[dataset.codes[columns] == dataset.cards[columns, np.newaxis]] = 0
    return codes


def missing_cells(dataset: Dataset, names: Sequence[str]) -> NDArray[np.bool_] | None:
    """Whether each cell of the named columns is missing, in that order; None if none is."""
    if dataset.is_complete:
        return None
    columns = columns_of(dataset, names)
    cells: NDArray[np.bool_] = dataset.codes[columns] == dataset.cards[columns, np.newaxis]
    return cells if cells.any() else None


def _recoded(
    codes: NDArray[np.unsignedinteger],
    levels: tuple[State, ...],
    name: str,
    states: tuple[State, ...],
    unseen: bool,
) -> NDArray[np.intp]:
    """Codes of one column, renumbered from its own ``levels`` to the network's ``states``."""
    numbers = map(numbering(states), levels)
    # The last entry is for missing cells.
    new = np.array([*(len(states) if number is None else number for number in numbers), 0])
    recoded: NDArray[np.intp] = new[codes]
    if not unseen and recoded.size and recoded.max() == len(states):
        strange = levels[codes[recoded.argmax()]]
        raise DataError(
            f"Column {name!r} holds {strange!r}, which is not a state of the network: "
            f"{', '.join(map(repr, states[:10]))}."
        )
    return recoded

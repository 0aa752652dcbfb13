"""Variables that are copies of others, and levels that were never observed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Mapping

import numpy as np
from numpy.typing import NDArray

import h2pc._engine as _engine
from h2pc.data.assembly import assembled
from h2pc.data.dataset import Dataset
from h2pc.variables import Var

# Cells that are looked at together: a few megabytes.
_BLOCK_CELLS = 2_000_000


def with_observed_levels(data: Dataset) -> Dataset:
    """Data without the levels that no sample has; the same data where there are none.

    Examples
    --------
    >>> data = Dataset.from_codes([[0, 2, 2], [1, 0, 1]], cards=[4, 2])
    >>> with_observed_levels(data).codes.tolist(), with_observed_levels(data).cards.tolist()
    ([[0, 1, 1], [1, 0, 1]], [2, 2])
    """
    codes, states = data.codes, list(data.states)
    for v in np.flatnonzero(~data.is_continuous & ~_has_both_levels(data)).tolist():
        seen = level_counts(data, v)[:-1] > 0
        if seen.all() or not seen.any():
            continue
        if codes is data.codes:
            codes = data.codes.copy()
        number = np.cumsum(np.append(seen, True)) - 1  # the last one is that of missing cells
        codes[v] = number[data.codes[v]]
        states[v] = tuple(state for state, is_seen in zip(states[v], seen, strict=True) if is_seen)
    if codes is data.codes:
        return data
    return Dataset(
        *assembled(data.names, data.columns, codes, tuple(states), data.weights, data.values)
    )


def _has_both_levels(data: Dataset) -> NDArray[np.bool_]:
    """Whether each variable has two levels, both of them observed, and no missing cell."""
    low, high = data.codes.min(axis=1), data.codes.max(axis=1)
    both: NDArray[np.bool_] = (data.cards == 2) & (low == 0) & (high == 1)
    return both


def level_counts(data: Dataset, v: Var) -> NDArray[np.int64]:
    """Number of rows with each level of a variable, and at last with none."""
    counts: NDArray[np.int64] = _engine.code_counts(data.codes[v], int(data.cards[v]) + 1)
    return counts


def copies_in(
    data: Dataset,
    *,
    preferred: Collection[Var] = (),
    alone: Collection[Var] = (),
    group: Mapping[Var, Hashable] | None = None,
) -> dict[Var, Var]:
    """Variables that are functions of another one and it of them, with the one that they copy.

    Copies have the same levels in other words, or the same numbers; cells are missing in both or in
    none. A variable that never varies is no copy. Of several copies, the first one by name stands
    for the others.

    Parameters
    ----------
    data : Dataset
        The data.
    preferred : collection of Var, default=()
        Variables that stand for their copies rather than others.
    alone : collection of Var, default=()
        Variables that are not taken for copies, nor others for copies of them.
    group : mapping of Var to object, default=None
        Where variables belong; copies belong to the same group.

    Examples
    --------
    >>> data = Dataset.from_data({"a": [0, 1, 0, 2], "b": ["x", "z", "x", "y"], "c": [0, 1, 0, 1]})
    >>> copies_in(data)
    {1: 0}
    """
    alike: defaultdict[Hashable, list[Var]] = defaultdict(list)
    for v in _with_doubles(data):
        outline = None if v in alone else _outline(data, v)
        if outline is not None:
            alike[outline, None if group is None else group.get(v)].append(v)
    copies: dict[Var, Var] = {}
    for members in alike.values():
        equal: defaultdict[bytes, list[Var]] = defaultdict(list)
        for v in members if len(members) > 1 else ():
            equal[_content(data, v)].append(v)
        for same in equal.values():
            first = min(same, key=lambda v: (v not in preferred, v))
            copies.update((v, first) for v in same if v != first)
    return dict(sorted(copies.items()))


def _with_doubles(data: Dataset) -> list[Var]:
    """Variables but those whose two levels tell the rows apart as those of no other variable.

    Of a million variables these are mostly all, and a look at each one would take a minute.
    """
    keys = np.zeros(data.n_variables, np.int64)
    has_two = np.zeros(data.n_variables, np.bool_)
    width = max(1, _BLOCK_CELLS // data.n_rows)
    for start in range(0, data.n_variables, width):
        codes = data.codes[start : start + width]
        low, high = codes.min(axis=1, keepdims=True), codes.max(axis=1, keepdims=True)
        are_two = ((codes == low) | (codes == high)).all(axis=1) & (low < high)[:, 0]
        are_two &= high[:, 0] < data.cards[start : start + width]
        rows = np.packbits(codes != codes[:, :1], axis=1)
        found = rows.view(f"V{rows.shape[1]}").ravel().tolist()
        keys[start : start + width] = np.fromiter(map(hash, found), np.int64, len(found))
        has_two[start : start + width] = are_two
    different, counts = np.unique(keys[has_two], return_counts=True)
    is_single = has_two & ~np.isin(keys, different[counts > 1])
    return np.flatnonzero(~is_single).tolist()


def _outline(data: Dataset, v: Var) -> Hashable:
    """What copies have in common and is quickly found; None for a variable that never varies."""
    if data.is_continuous[v]:
        numbers = _numbers(data, v)
        least, most = np.nanmin(numbers), np.nanmax(numbers)
        n_missing = int(np.count_nonzero(np.isnan(numbers)))
        return None if least == most else (float(least), float(most), n_missing)
    *counts, n_missing = level_counts(data, v).tolist()
    seen = tuple(sorted(count for count in counts if count > 0))
    return None if len(seen) < 2 else (*seen, n_missing)


def _content(data: Dataset, v: Var) -> bytes:
    """All cells of a variable, its levels numbered in the order of their first rows."""
    if data.is_continuous[v]:
        return bytes(_numbers(data, v))
    codes, card = data.codes[v], int(data.cards[v])
    levels, first = np.unique(codes, return_index=True)
    number = np.full(card + 1, -1, np.int64)
    known = levels[np.argsort(first)]
    known = known[known < card]
    number[known] = np.arange(len(known))
    return bytes(number[codes].astype(np.int32))


def _numbers(data: Dataset, v: Var) -> NDArray[np.float64]:
    """The numbers of a continuous variable; there is one zero, and one NaN."""
    place = int(np.count_nonzero(data.is_continuous[:v]))
    numbers: NDArray[np.float64] = data.values[place] + 0.0
    numbers[np.isnan(numbers)] = np.nan
    return numbers

"""Lists and arrays encoded: values become codes and the states they stand for, or numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import repeat
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from h2pc.errors import DataError, DataTypeError

Codes = NDArray[np.unsignedinteger[Any]]
"""Levels as numbers: ``uint8``, or ``uint16`` where 256 are not enough."""

States = tuple[object, ...]
"""The levels of one variable, as they went in."""

MAX_LEVELS = 65_536
"""The number of levels that 16-bit codes tell apart."""

Floats = NDArray[np.float64]

MAX_WHOLE_LEVELS = 20
"""Whole numbers of at most so many kinds are levels, integers or floats; others are continuous."""

EXPECTED = "expected categories, strings, booleans or real numbers"

# Integers of one block that span more than this are sorted column by column.
_WIDEST_SPAN = 256

# So few values are searched for one by one: comparing bytes is faster than indexing.
_NARROW_SPAN = 8

# So many rows mostly show whether numbers are of many kinds.
_GLANCE = 1000

# So many rows mostly show that numbers are fractions.
_FIRST_FEW = 16


class EncodedColumn(NamedTuple):
    """An encoded column; missing cells have the code ``len(states)``.

    Where it is continuous it has ``values`` and no states, and all codes are 0.
    """

    codes: Codes
    states: States
    declared: bool
    """Whether the states were declared beforehand, rather than found in the rows."""
    n_missing: int
    values: Floats | None = None
    """The numbers of a continuous column, NaN where they are missing."""


def code_dtype(n_codes: int) -> type[np.unsignedinteger[Any]]:
    """Return the smallest type that holds the codes ``0 .. n_codes - 1``."""
    return np.uint8 if n_codes <= 256 else np.uint16


def encode_integers(block: NDArray[Any]) -> tuple[Codes, list[States]]:
    """Return codes and states of a block of integers or booleans, one variable per row.

    The levels are the values found, in increasing order; of more than ``MAX_WHOLE_LEVELS`` kinds
    there are none.
    """
    near = values_near(block)
    if near is None:
        return _sorted_rows(block)

    low, codes, present = near
    many = present.sum(axis=1) > MAX_WHOLE_LEVELS
    present[many], codes[many] = False, 0
    has_gaps = (present[:, 1:] & ~present[:, :-1]).any(axis=1)
    for v in np.flatnonzero(has_gaps).tolist():
        ranks = (np.cumsum(present[v]) - 1).astype(np.uint8)
        codes[v] = ranks[codes[v]]
    # Thousands of variables have the same states: one tuple serves them all.
    to_state = bool if block.dtype == np.bool_ else int
    packed = np.packbits(present, axis=1)
    bits = packed.view(f"V{packed.shape[1]}").ravel().tolist()
    found: dict[tuple[int, bytes], States] = {}
    states = []
    for v, key in enumerate(zip(low.tolist(), bits, strict=True)):
        own = found.get(key)
        if own is None:
            offsets = np.flatnonzero(present[v]).tolist()
            own = found[key] = tuple(to_state(key[0] + offset) for offset in offsets)
        states.append(own)
    return codes, states


def values_near(
    block: NDArray[Any],
) -> tuple[NDArray[Any], NDArray[np.uint8], NDArray[np.bool_]] | None:
    """Return the smallest value of each row of integers or booleans, and what is above it.

    That is: how far every cell is above it, and whether a row has each distance. None where a row
    has values that are far apart.
    """
    values = block.view(np.uint8) if block.dtype == np.bool_ else block
    low = values.min(axis=1)
    # Unsigned differences are right even across the whole range of 64-bit integers.
    span = int((values.max(axis=1).astype(np.uint64) - low.astype(np.uint64)).max()) + 1
    if span > _WIDEST_SPAN:
        return None
    offsets = np.empty(values.shape, np.uint8)
    np.subtract(values, low[:, None], out=offsets, casting="unsafe")  # no copy of 8 bytes a cell
    return low, offsets, _present(offsets, span)


def encode_floats(name: str, values: NDArray[Any]) -> EncodedColumn:
    """Encode the few whole numbers of a float column as integers; other floats are continuous.

    A missing value turns integers into floats in pandas and NumPy, in all columns of an array:
    at most ``MAX_WHOLE_LEVELS`` different whole numbers are therefore taken for integers.
    """
    missing = np.isnan(values)
    present = values[~missing]
    check_finite(name, present)
    if has_many_kinds(present):
        return continuous_column(values)
    levels = np.unique(present)
    codes = np.searchsorted(levels, values)
    codes[missing] = levels.size
    return encoded_column(name, codes, tuple(map(int, levels)), n_missing=int(missing.sum()))


def have_fractions(block: NDArray[Any]) -> NDArray[np.bool_]:
    """Whether each row of a block of floats has a fraction; NaN and infinity are none."""
    found: NDArray[np.bool_] = (block[:, :_FIRST_FEW] > np.floor(block[:, :_FIRST_FEW])).any(axis=1)
    unsure = np.flatnonzero(~found)  # mostly the first few of a row are enough
    found[unsure] = (block[unsure] > np.floor(block[unsure])).any(axis=1)
    return found


def check_apart(name: str, numbers: Floats) -> Floats:
    """Raise for many integers that are only a few floats."""
    present = numbers[~np.isnan(numbers)]
    if np.abs(present).max() >= 2.0**53 and np.unique(present).size <= MAX_WHOLE_LEVELS:
        raise DataError(too_long(name))
    return numbers


def too_long(name: str) -> str:
    """Return what is wrong with many integers that are only a few floats."""
    return (
        f"column {name!r} holds integers so long that floats cannot tell them apart: expected "
        f"smaller ones"
    )


def check_finite(name: str, values: NDArray[Any]) -> None:
    """Raise for an infinite number."""
    if np.isinf(values).any():
        raise DataError(f"column {name!r} holds infinite values: expected finite numbers")


def is_whole(numbers: NDArray[Any]) -> bool:
    """Whether all of these are whole numbers that floats hold exactly, or missing."""
    present = numbers[~np.isnan(numbers)]
    return bool((present == np.floor(present)).all() and (np.abs(present) < 2.0**53).all())


def has_many_kinds(values: NDArray[Any]) -> bool:
    """Whether numbers are continuous: fractions, or many kinds of whole numbers."""
    present = values[~np.isnan(values)]
    if not present.size or not is_whole(present):
        return bool(present.size)
    if present.max() - present.min() < MAX_WHOLE_LEVELS:
        return False
    few = present[:_GLANCE]  # mostly enough to see that they are many
    return any(np.unique(some).size > MAX_WHOLE_LEVELS for some in (few, present))


def continuous_column(values: NDArray[Any]) -> EncodedColumn:
    """Return a column of numbers that are no levels; NaN stands for missing ones."""
    numbers = values.astype(np.float64) + 0.0  # of two zeros one is left
    n_missing = int(np.isnan(numbers).sum())
    return EncodedColumn(np.zeros(numbers.size, np.uint8), (), False, n_missing, numbers)


def encode_objects(name: str, values: Sequence[Any]) -> EncodedColumn:
    """Encode Python strings, integers or booleans, with missing values among them."""
    kinds = _kinds(name, values)
    if "float" in kinds and any(v == v for v in values if isinstance(v, float | np.floating)):
        if kinds - {"int", "float", "missing"}:
            _refuse_mixture(name, kinds)
        return encode_floats(name, _as_floats(name, values))
    kinds -= {"float", "missing"}
    if len(kinds) > 1:
        _refuse_mixture(name, kinds)
    convert = {"bool": bool, "int": int, "str": str}[kinds.pop()] if kinds else bool
    present = {v for v in set(values) if not _is_missing(v)}
    levels = sorted(map(convert, present))
    if convert is int and len(levels) > MAX_WHOLE_LEVELS:
        return continuous_column(check_apart(name, _as_floats(name, values)))
    index = {level: code for code, level in enumerate(levels)}
    # A value that is no level is missing: other kinds were refused above.
    found = map(index.get, values, repeat(len(levels)))
    codes = np.fromiter(found, np.int64, len(values))
    return encoded_column(name, codes, tuple(levels), n_missing=int((codes == len(levels)).sum()))


def _as_floats(name: str, values: Sequence[Any]) -> Floats:
    """Return Python numbers as floats, NaN where they are missing."""
    try:
        numbers = np.array([np.nan if _is_missing(v) else float(v) for v in values])
    except OverflowError:
        raise DataError(too_long(name)) from None
    return numbers


def encode_categories(
    name: str, codes: NDArray[Any], categories: Iterable[object], *, ordered: bool = True
) -> EncodedColumn:
    """Encode declared categories in their order, or sorted; the code ``-1`` means missing."""
    listed = list(categories)
    states = list(dict.fromkeys(c for c in listed if not _is_missing(c)))
    if not states:
        raise DataError(f"column {name!r} declares no categories: expected at least one")
    if not ordered and len(set(map(type, states))) == 1 and hasattr(states[0], "__lt__"):
        states.sort()
    index = {state: code for code, state in enumerate(states)}
    # The last entry is for the code -1.
    recoded = np.array([*(index.get(c, len(states)) for c in listed), len(states)])
    found = recoded[np.asarray(codes, np.int64)]
    n_missing = int((found == len(states)).sum())
    return encoded_column(name, found, tuple(states), declared=True, n_missing=n_missing)


def encode_sparse(
    name: str, values: NDArray[Any], rows: NDArray[Any], other: object, n_rows: int
) -> EncodedColumn:
    """Encode a column that has ``values`` in some rows, and ``other`` in all the others."""
    if values.size == n_rows:
        every = np.empty_like(values)
        every[rows] = values
        return encode_array(name, every)
    stored = encode_array(name, np.append(values, np.array([other], values.dtype)))
    if stored.values is not None:
        numbers = np.full(n_rows, stored.values[-1])
        numbers[rows] = stored.values[:-1]
        return continuous_column(numbers)
    codes = np.full(n_rows, stored.codes[-1])
    codes[rows] = stored.codes[:-1]
    n_missing = int((codes == len(stored.states)).sum()) if stored.n_missing else 0
    return stored._replace(codes=codes, n_missing=n_missing)


def encode_array(name: str, values: NDArray[Any]) -> EncodedColumn:
    """Encode a one-dimensional array by its type."""
    kind = values.dtype.kind
    if kind in "biu":
        (codes,), (states,) = encode_integers(values[np.newaxis])
        if states:
            return encoded_column(name, codes, states)
        return continuous_column(check_apart(name, values.astype(np.float64)))
    if kind == "f":
        return encode_floats(name, values)
    if kind in "OUT":
        return encode_objects(name, values.tolist())
    return refuse_type(name, str(values.dtype), dates=kind in "mM")


def _present(offsets: Codes, span: int) -> NDArray[np.bool_]:
    """Whether each variable has each of the values ``0 .. span - 1``."""
    present = np.zeros((len(offsets), span), np.bool_)
    if span <= _NARROW_SPAN:
        for value in range(span):
            present[:, value] = (offsets == value).any(axis=1)
    else:
        present.ravel()[offsets + (np.arange(len(offsets)) * span)[:, None]] = True
    return present


def _sorted_rows(block: NDArray[Any]) -> tuple[Codes, list[States]]:
    """Return codes and states of integers far apart, found by sorting each row."""
    found: list[States] = []
    codes: Codes = np.zeros(block.shape, np.uint8)
    for v, row in enumerate(block):
        # Mostly the first few are enough to see that they are many.
        levels = np.unique(row[:_GLANCE])
        if row.size > _GLANCE and levels.size <= MAX_WHOLE_LEVELS:
            levels = np.unique(row)
        few = levels.size <= MAX_WHOLE_LEVELS
        if few:
            codes[v] = np.searchsorted(levels, row)
        found.append(tuple(levels.tolist()) if few else ())
    return codes, found


def encoded_column(
    name: str, codes: NDArray[Any], states: States, *, declared: bool = False, n_missing: int = 0
) -> EncodedColumn:
    """Return a column of levels, its codes in as few bytes as they need."""
    n_codes = len(states) + (n_missing > 0)
    if n_codes > MAX_LEVELS:
        raise DataError(f"column {name!r} has {n_codes} levels: expected at most {MAX_LEVELS}")
    return EncodedColumn(codes.astype(code_dtype(n_codes), copy=False), states, declared, n_missing)


def _kinds(name: str, values: Iterable[Any]) -> set[str]:
    """Return the kinds of Python values in a column, ``"missing"`` among them."""
    kinds = set()
    for kind in set(map(type, values)):
        if (known := _kind(kind)) is None:
            refuse_type(name, f"object holding values of type {kind.__name__!r}")
        kinds.add(known)
    return kinds


def _kind(kind: type) -> str | None:
    # Subclasses such as enumerations hash differently from the plain value they equal.
    for word, plain, scalar in (
        ("bool", bool, np.bool_),
        ("int", int, np.integer),
        ("str", str, np.str_),
        ("float", float, np.floating),
    ):
        if kind is plain or issubclass(kind, scalar):
            return word
    return "missing" if kind is type(None) or _is_pandas_missing(kind) else None


def _is_pandas_missing(kind: type) -> bool:
    return kind.__module__.startswith("pandas.") and kind.__name__ in {"NAType", "NaTType"}


def _is_missing(value: Any) -> bool:
    kind = type(value)
    if issubclass(kind, float | np.floating):
        return bool(value != value)
    return value is None or _is_pandas_missing(kind)


def refuse_type(name: str, type_name: str, *, dates: bool = False) -> NoReturn:
    """Raise for a column of a type that has no levels and is no number."""
    hint = "; make categories of dates first, for example the month" if dates else ""
    raise DataTypeError(f"column {name!r} is of type {type_name}: {EXPECTED}{hint}")


def _refuse_mixture(name: str, kinds: set[str]) -> NoReturn:
    mixture = " and ".join(sorted(kinds - {"missing"}))
    raise DataTypeError(f"column {name!r} mixes values of type {mixture}: expected one type")

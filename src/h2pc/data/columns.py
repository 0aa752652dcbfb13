"""One column of a table becomes small integers and the states they stand for."""

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

MOST_LEVELS = 65_536
"""What a 16-bit code can tell apart."""

MOST_WHOLE_FLOATS = 20
"""A float column of so few whole numbers is an integer column that met a missing value."""

EXPECTED = "expected categories, strings, booleans or integers"


class Column(NamedTuple):
    """An encoded column; missing cells carry the code ``len(states)``."""

    codes: Codes
    states: States
    declared: bool
    """Whether the states were declared beforehand, rather than found in the rows."""
    n_missing: int


def code_dtype(n_codes: int) -> type[np.unsignedinteger[Any]]:
    """Return the smallest type that holds the codes ``0 .. n_codes - 1``."""
    return np.uint8 if n_codes <= 256 else np.uint16


def integer_column(name: str, values: NDArray[Any]) -> Column:
    """Encode integers or booleans; the levels are the values found, in increasing order."""
    levels, codes = np.unique(values, return_inverse=True)
    return _column(name, codes, tuple(levels.tolist()))


def float_column(name: str, values: NDArray[Any]) -> Column:
    """Encode the few whole numbers of a float column as integers; refuse any other floats.

    A missing value turns integers into floats in pandas and NumPy, in all columns of an array:
    whole numbers of at most ``MOST_WHOLE_FLOATS`` kinds are therefore taken as the integers they
    are.
    """
    missing = np.isnan(values)
    present = values[~missing]
    if np.isinf(present).any():
        raise DataError(f"column {name!r} holds infinite values: expected finite categories")
    levels = np.unique(present)
    if levels.size > MOST_WHOLE_FLOATS or (levels != np.floor(levels)).any():
        raise DataTypeError(
            f"column {name!r} holds floats, {levels.size} different ones: {EXPECTED}; cut it into "
            f"levels first, for example with h2pc.discretize(data, levels=3)"
        )
    codes = np.searchsorted(levels, values)
    codes[missing] = levels.size
    return _column(name, codes, tuple(map(int, levels)), n_missing=int(missing.sum()))


def object_column(name: str, values: Sequence[Any]) -> Column:
    """Encode Python strings, integers or booleans, with missing values among them."""
    kinds = _kinds(name, values)
    if "float" in kinds and any(v == v for v in values if isinstance(v, float | np.floating)):
        if kinds - {"int", "float", "missing"}:
            _refuse_mixture(name, kinds)
        return float_column(name, _floats(values))
    kinds -= {"float", "missing"}
    if len(kinds) > 1:
        _refuse_mixture(name, kinds)
    convert = {"bool": bool, "int": int, "str": str}[kinds.pop()] if kinds else bool
    present = {v for v in set(values) if not _is_missing(v)}
    levels = sorted(map(convert, present))
    index = {level: code for code, level in enumerate(levels)}
    # Whatever is not a level is a missing value, by the check of kinds above.
    found = map(index.get, values, repeat(len(levels)))
    codes = np.fromiter(found, np.int64, len(values))
    return _column(name, codes, tuple(levels), n_missing=int((codes == len(levels)).sum()))


def categorical_column(
    name: str, codes: NDArray[Any], categories: Iterable[object], *, ordered: bool = True
) -> Column:
    """Keep declared categories in their order, or sorted; the code ``-1`` says missing."""
    listed = list(categories)
    states = list(dict.fromkeys(c for c in listed if not _is_missing(c)))
    if not states:
        raise DataError(f"column {name!r} declares no categories: expected at least one")
    if not ordered:
        _sort_where_possible(states)
    index = {state: code for code, state in enumerate(states)}
    # The last entry serves the code -1.
    recoded = np.array([*(index.get(c, len(states)) for c in listed), len(states)])
    found = recoded[np.asarray(codes, np.int64)]
    n_missing = int((found == len(states)).sum())
    return _column(name, found, tuple(states), declared=True, n_missing=n_missing)


def with_holes(name: str, present: Column, missing: NDArray[np.bool_]) -> Column:
    """Spread a column over more rows, in some of which its value is missing."""
    n_levels = len(present.states)
    codes = np.full(missing.size, n_levels, code_dtype(n_levels + 1))
    codes[~missing] = present.codes
    return _column(
        name, codes, present.states, declared=present.declared, n_missing=int(missing.sum())
    )


def array_column(name: str, values: NDArray[Any]) -> Column:
    """Encode one-dimensional NumPy values of any kind that makes sense."""
    kind = values.dtype.kind
    if kind in "biu":
        return integer_column(name, values)
    if kind == "f":
        return float_column(name, values)
    if kind in "OUT":
        return object_column(name, values.tolist())
    return refuse_type(name, str(values.dtype), dates=kind in "mM")


def refuse_type(name: str, type_name: str, *, dates: bool = False) -> NoReturn:
    """Raise the error for a column of a type that has no levels."""
    hint = "; make categories of dates first, for example the month" if dates else ""
    raise DataTypeError(f"column {name!r} is of type {type_name}: {EXPECTED}{hint}")


def _column(
    name: str, codes: NDArray[Any], states: States, *, declared: bool = False, n_missing: int = 0
) -> Column:
    n_codes = len(states) + (n_missing > 0)
    if n_codes > MOST_LEVELS:
        raise DataError(f"column {name!r} has {n_codes} levels: expected at most {MOST_LEVELS}")
    return Column(codes.astype(code_dtype(n_codes), copy=False), states, declared, n_missing)


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


def _floats(values: Sequence[Any]) -> NDArray[np.float64]:
    return np.array([np.nan if _is_missing(v) else float(v) for v in values])


def _refuse_mixture(name: str, kinds: set[str]) -> NoReturn:
    mixture = " and ".join(sorted(kinds - {"missing"}))
    raise DataTypeError(f"column {name!r} mixes values of type {mixture}: expected one type")


def _sort_where_possible(states: list[Any]) -> None:
    if len(set(map(type, states))) == 1 and hasattr(states[0], "__lt__"):
        states.sort()

"""The tables that users pass, in one form: names, rows, and one encoded column at a time."""

from __future__ import annotations

import difflib
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol, cast, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from h2pc.data.encoding import MAX_WHOLE_LEVELS, EncodedColumn, encode_sparse, is_whole
from h2pc.data.series_encoding import encode_column
from h2pc.errors import DataError, DataTypeError

# Cells of one block: its intermediate arrays stay at a few dozen megabytes.
_BLOCK_CELLS = 2_000_000

EXPECTED_TABLE = "a pandas, polars or pyarrow table, a two-dimensional NumPy array"


@runtime_checkable
class Table(Protocol):
    """The interface of any kind of input to the encoding."""

    names: tuple[str, ...]
    n_rows: int

    def block(self, chosen: Sequence[int]) -> NDArray[Any] | None:
        """Some columns as numbers or booleans, if they are such, NaN where missing; one per row."""

    def column(self, j: int) -> EncodedColumn:
        """Column ``j``, encoded."""


class SeriesTable(Table, Protocol):
    """A table that also returns its columns as they are."""

    def series(self, j: int) -> Any:
        """Column ``j`` as a narwhals series."""


def blocks(
    table: Table, order: Sequence[int]
) -> Iterator[tuple[Sequence[int], NDArray[Any] | None]]:
    """Yield the columns ``order`` in blocks, each as an array; without one, a column is alone.

    What does not make one array is halved: a column of words among thousands of numbers is found
    in a few steps.
    """
    width = max(1, _BLOCK_CELLS // table.n_rows)
    left = [order[start : start + width] for start in range(0, len(order), width)][::-1]
    while left:
        chosen = left.pop()
        block = table.block(chosen)
        if block is None and len(chosen) > 1:
            middle = len(chosen) // 2
            left += [chosen[middle:], chosen[:middle]]
        else:
            yield chosen, block


def as_table(data: Any, names: Iterable[object] | None = None) -> Table:
    """Return ``data`` as a table, its names replaced by ``names`` if these are given."""
    if isinstance(data, np.ndarray):
        return _array_table(data, names)
    if _is_sparse(data):  # before mappings: some sparse matrices are such
        return _sparse_table(data, names)
    if isinstance(data, Mapping):
        return _mapping_table(data, names)
    if names is None and isinstance(data, Table):
        return data
    return _frame_table(data, names)


def has_names(data: Any) -> bool:
    """Whether columns have names of their own; those of arrays have none."""
    return not (isinstance(data, np.ndarray) or _is_sparse(data))


def places_of(names: Iterable[str], table: Table) -> list[int]:
    """Return the positions of the columns called ``names``, in that order."""
    place = {name: j for j, name in enumerate(table.names)}
    chosen = []
    for name in names:
        if name not in place:
            raise DataError(f"column {name!r} is absent from the new data: expected it")
        chosen.append(place[name])
    return chosen


def place_of(name: str, names: Sequence[str]) -> int:
    """Return the position of a variable among the sorted names."""
    v = bisect_left(names, name) if isinstance(name, str) else len(names)
    if v < len(names) and names[v] == name:
        return v
    close = difflib.get_close_matches(str(name), names, n=1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    raise DataError(f"unknown variable {name!r}: expected one of {len(names)}{hint}")


def as_frame(data: Any, expected: str = EXPECTED_TABLE) -> Any:
    """Return a pandas, polars or pyarrow table as a narwhals data frame."""
    import narwhals as nw

    if hasattr(data, "iloc") or hasattr(data, "column_names"):
        # pandas and pyarrow allow repeated names, which narwhals refuses in words of its own.
        labels = list(getattr(data, "column_names", getattr(data, "columns", ())))
        checked_names(labels, len(labels))
    try:
        return nw.from_native(data, eager_only=True)
    except TypeError:
        hint = "; collect() the lazy frame first" if hasattr(data, "collect") else ""
        raise DataTypeError(
            f"data is of type {type(data).__name__!r}: expected {expected}{hint}"
        ) from None


def _is_sparse(data: Any) -> bool:
    return type(data).__module__.startswith("scipy.sparse")


def default_names(n_columns: int) -> tuple[str, ...]:
    """``X0, X1, …``, zero-padded so that they sort in the order of the columns."""
    width = len(str(n_columns - 1))
    return tuple(f"X{j:0{width}d}" for j in range(n_columns))


def checked_names(labels: Iterable[object], n_columns: int) -> tuple[str, ...]:
    """Return the labels as distinct strings, one per column."""
    if isinstance(labels, str):
        raise DataTypeError(f"names is the string {labels!r}: expected one name per column")
    given = tuple(labels)
    are_strings = set(map(type, given)) == {str}  # of a million, this is quick
    names = cast("tuple[str, ...]", given) if are_strings else tuple(map(_name, given))
    if len(names) != n_columns:
        raise DataError(f"{len(names)} names came for {n_columns} columns: expected one for each")
    if len(set(names)) < len(names):
        twice = next(name for name, n in Counter(names).items() if n > 1)
        raise DataError(f"column name {twice!r} occurs more than once: expected distinct names")
    return names


def _name(label: object) -> str:
    if isinstance(label, str):
        return str(label)
    if isinstance(label, int | np.integer) and not isinstance(label, bool):
        return str(label)
    raise DataTypeError(
        f"column name {label!r} is of type {type(label).__name__!r}: expected a string"
    )


def check_shape(n_rows: int, n_columns: int) -> None:
    """Refuse data without rows or columns."""
    if n_columns == 0:
        raise DataError("the data have no columns: expected at least one")
    if n_rows == 0:
        raise DataError("the data have no rows: expected at least one")


def _check_dimensions(what: str, values: Any) -> None:
    if values.ndim != 2:
        raise DataError(
            f"the {what} has {values.ndim} dimension(s): expected 2, samples by variables"
        )
    check_shape(*values.shape)


class _ArrayTable:
    """A two-dimensional NumPy array, samples by variables."""

    def __init__(self, names: tuple[str, ...], values: NDArray[Any]) -> None:
        self.names = names
        self.n_rows = len(values)
        self._values = values

    def block(self, chosen: Sequence[int]) -> NDArray[Any] | None:
        if self._values.dtype.kind not in "biuf":
            return None
        first, last = chosen[0], chosen[-1]
        if list(chosen) == list(range(first, last + 1)):  # neighbours need no copy before the last
            return np.ascontiguousarray(self._values[:, first : last + 1].T)
        return np.ascontiguousarray(self._values[:, list(chosen)].T)

    def column(self, j: int) -> EncodedColumn:
        return encode_column(self.names[j], self._values[:, j])

    def series(self, j: int) -> Any:
        return as_series(self._values[:, j])


class _MappingTable:
    """A dictionary of columns: lists, arrays or series."""

    def __init__(self, names: tuple[str, ...], columns: Sequence[Any]) -> None:
        self.names = names
        self.n_rows = len(columns[0])
        self._columns = columns

    def block(self, chosen: Sequence[int]) -> NDArray[Any] | None:  # noqa: ARG002
        return None

    def column(self, j: int) -> EncodedColumn:
        return encode_column(self.names[j], self._columns[j])

    def series(self, j: int) -> Any:
        return as_series(self._columns[j])


class SparseTable:
    """A sparse matrix of scipy, samples by variables; cells that are not stored are 0.

    Parameters
    ----------
    names : tuple of str
        The columns.
    matrix : scipy.sparse.csc_array or csc_matrix
        The cells, each stored at most once.
    """

    def __init__(self, names: tuple[str, ...], matrix: Any) -> None:
        self.names = names
        self.n_rows = int(matrix.shape[0])
        self._matrix = matrix

    def block(self, chosen: Sequence[int]) -> NDArray[Any] | None:
        """Return some columns as numbers or booleans; one per row."""
        columns = np.asarray(chosen, np.intp)
        starts, ends = self._matrix.indptr[columns], self._matrix.indptr[columns + 1]
        sizes = ends - starts
        stored: Any = slice(starts[0], ends[-1])
        if (starts[1:] != ends[:-1]).any():  # the columns are not side by side
            stored = np.repeat(ends - np.cumsum(sizes), sizes) + np.arange(sizes.sum())
        values, rows = _as_integers(self._matrix.data[stored]), self._matrix.indices[stored]
        block = np.zeros((len(columns), self.n_rows), values.dtype)
        first = np.repeat(np.arange(len(columns)) * self.n_rows, sizes)
        block.ravel()[first + rows] = values
        return block

    def column(self, j: int) -> EncodedColumn:
        """Return column ``j``, encoded."""
        stored = slice(*self._matrix.indptr[j : j + 2])
        values, rows = self._matrix.data[stored], self._matrix.indices[stored]
        zero = self._matrix.dtype.type(0)
        return encode_sparse(self.names[j], values, rows, zero, self.n_rows)

    def series(self, j: int) -> Any:
        """Return column ``j`` as a narwhals series."""
        stored = slice(*self._matrix.indptr[j : j + 2])
        values = np.zeros(self.n_rows, self._matrix.dtype)
        values[self._matrix.indices[stored]] = self._matrix.data[stored]
        return as_series(values)


class FrameTable:
    """A data frame of pandas, polars or pyarrow.

    Parameters
    ----------
    names : tuple of str
        The columns.
    frame : narwhals.DataFrame
        Their values, under any labels.
    """

    def __init__(self, names: tuple[str, ...], frame: Any) -> None:
        self.names = names
        self.n_rows = len(frame)
        self._frame = frame
        self._labels = list(frame.columns)
        types = frame.schema.dtypes()
        kinds = {dtype: _kind(dtype) for dtype in set(types)}
        self._kinds = [kinds[dtype] for dtype in types]

    def block(self, chosen: Sequence[int]) -> NDArray[Any] | None:
        """Return some columns as numbers or booleans, if they are of one type; one per row."""
        kind = self._kinds[chosen[0]]
        if not kind or any(self._kinds[j] != kind for j in chosen):
            return None
        if len(chosen) == 1:
            values = self.series(chosen[0]).to_numpy()[:, np.newaxis]
        else:
            # By place: pandas has labels that narwhals takes for something else.
            values = self._frame[:, list(chosen)].to_numpy()
        # Missing values, or types that no integer type covers, make something else of integers.
        kinds = "f" if kind == "floats" else "biu"
        return np.ascontiguousarray(values.T) if values.dtype.kind in kinds else None

    def column(self, j: int) -> EncodedColumn:
        """Return column ``j``, encoded."""
        return encode_column(self.names[j], self.series(j))

    def series(self, j: int) -> Any:
        """Return column ``j`` as a narwhals series."""
        return self._frame.get_column(self._labels[j])


def as_series(values: Any) -> Any:
    """Return a list, a one-dimensional array or a series as a narwhals series."""
    import narwhals as nw
    import polars as pl

    if isinstance(values, list | tuple | range | np.ndarray):
        plain = isinstance(values, np.ndarray) and values.dtype.kind in "biuf"
        try:
            values = pl.Series(values if plain else list(values))
        except (TypeError, OverflowError, pl.exceptions.PolarsError):
            values = pl.Series(list(values), dtype=pl.Object)
    return nw.from_native(values, series_only=True)


def _kind(dtype: Any) -> str:
    """Return whether a column holds booleans, floats, integers that NumPy has, or neither."""
    import narwhals as nw

    if dtype == nw.Boolean or dtype.is_float():
        return "booleans" if dtype == nw.Boolean else "floats"
    return "integers" if dtype.is_integer() and dtype not in (nw.Int128, nw.UInt128) else ""


def _array_table(values: NDArray[Any], names: Iterable[object] | None) -> Table:
    if isinstance(values, np.ma.MaskedArray):
        raise DataTypeError("masked arrays are not supported: expected a plain array with NaN")
    _check_dimensions("array", values)
    if names is None:
        return _ArrayTable(default_names(values.shape[1]), values)
    return _ArrayTable(checked_names(names, values.shape[1]), values)


def _sparse_table(matrix: Any, names: Iterable[object] | None) -> Table:
    _check_dimensions("sparse array", matrix)
    n_columns = int(matrix.shape[1])
    named = default_names(n_columns) if names is None else checked_names(names, n_columns)
    return SparseTable(named, _stored_by_column(matrix))


def _stored_by_column(matrix: Any) -> Any:
    """Return a sparse matrix of any format with its columns side by side; it is not changed."""
    if matrix.dtype.kind not in "biuf":
        raise DataTypeError(
            f"the sparse matrix is of type {matrix.dtype}: expected booleans, integers or floats"
        )
    columns = matrix.tocsc()
    if not columns.has_canonical_format:  # a cell may be stored as a sum
        columns = columns.copy() if columns is matrix else columns
        columns.sum_duplicates()
    return columns


def _as_integers(values: NDArray[Any]) -> NDArray[Any]:
    """Return stored values in as few bytes as they need, if they are integers or stand for them."""
    if values.dtype.kind == "b":
        return values
    if values.dtype.kind == "f":
        kinds = np.unique(values)
        few = kinds.size < MAX_WHOLE_LEVELS
        if not (few and np.isfinite(kinds).all() and is_whole(kinds)):
            return values
    if not values.size or (values.min() >= 0 and values.max() < 256):
        return values.astype(np.uint8)
    return values.astype(np.int64) if values.dtype.kind == "f" else values


def _mapping_table(data: Mapping[Any, Any], names: Iterable[object] | None) -> Table:
    named = checked_names(data if names is None else names, len(data))
    columns = [_mapped_column(name, v) for name, v in zip(named, data.values(), strict=True)]
    check_shape(len(columns[0]) if columns else 0, len(columns))
    for name, values in zip(named, columns, strict=True):
        if len(values) != len(columns[0]):
            raise DataError(
                f"column {name!r} has {len(values)} rows: expected {len(columns[0])}, "
                f"as in column {named[0]!r}"
            )
    return _MappingTable(named, columns)


def _mapped_column(name: str, values: Any) -> Any:
    """Return a list, an array or a narwhals series, all of which have a length."""
    if isinstance(values, list | tuple | range):
        return values
    if isinstance(values, np.ndarray):
        if values.ndim != 1 or isinstance(values, np.ma.MaskedArray):
            raise DataError(f"column {name!r} is not a plain array of 1 dimension, as expected")
        return values
    import narwhals as nw

    try:
        return nw.from_native(values, series_only=True)
    except TypeError:
        raise DataTypeError(
            f"column {name!r} is of type {type(values).__name__!r}: expected a list, "
            f"a one-dimensional array or a series"
        ) from None


def _frame_table(data: Any, names: Iterable[object] | None) -> Table:
    frame = as_frame(data, EXPECTED_TABLE + ", or a dictionary of columns")
    check_shape(len(frame), len(frame.columns))
    named = checked_names(frame.columns if names is None else names, len(frame.columns))
    return FrameTable(named, frame)

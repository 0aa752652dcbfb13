"""The tables that users bring, seen alike: names, rows, and one encoded column at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from h2pc.data.columns import Column, array_column, object_column
from h2pc.data.frame_tables import FrameTable
from h2pc.data.parquet_tables import ParquetTable
from h2pc.data.series import series_column
from h2pc.data.sparse_tables import SparseTable, stored_by_column
from h2pc.errors import DataError, DataTypeError

EXPECTED_TABLE = "a pandas, polars or pyarrow table, a two-dimensional NumPy array"


@runtime_checkable
class Table(Protocol):
    """What the encoding asks of any kind of input."""

    names: tuple[str, ...]
    n_rows: int

    def selected(self, chosen: Sequence[int]) -> Table:
        """Return the table of the chosen columns only."""

    def block(self, chosen: Sequence[int]) -> NDArray[Any] | None:
        """Some columns as integers or booleans, if they are such; one per row of the array."""

    def column(self, j: int) -> Column:
        """Column ``j``, encoded."""


def read_table(data: Any, names: Iterable[object] | None = None) -> Table:
    """Return ``data`` as a table, its names replaced by ``names`` if these are given."""
    if isinstance(data, np.ndarray):
        return _array_table(data, names)
    if _is_sparse(data):  # before mappings: some sparse matrices are such
        return _sparse_table(data, names)
    if isinstance(data, Mapping):
        return _mapping_table(data, names)
    if type(data).__module__.startswith("pyarrow.parquet"):
        return _parquet_table(data, names)
    if names is None and isinstance(data, Table):
        return data
    return _frame_table(data, names)


def has_names(data: Any) -> bool:
    """Whether columns have names of their own; those of arrays have none."""
    return not (isinstance(data, np.ndarray) or _is_sparse(data))


def _is_sparse(data: Any) -> bool:
    return type(data).__module__.startswith("scipy.sparse")


def selected(table: Table, names: Iterable[str]) -> Table:
    """Return the columns called ``names``, in that order."""
    place = {name: j for j, name in enumerate(table.names)}
    chosen = []
    for name in names:
        if name not in place:
            raise DataError(f"column {name!r} is absent from the new data: expected it")
        chosen.append(place[name])
    return table.selected(chosen)


def default_names(n_columns: int) -> tuple[str, ...]:
    """``X0, X1, …``, zero-padded so that they sort in the order of the columns."""
    width = len(str(n_columns - 1))
    return tuple(f"X{j:0{width}d}" for j in range(n_columns))


def checked_names(labels: Iterable[object], n_columns: int) -> tuple[str, ...]:
    """Return the labels as distinct strings, one per column."""
    if isinstance(labels, str):
        raise DataTypeError(f"names is the string {labels!r}: expected one name per column")
    names = tuple(map(_name, labels))
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


def _checked_shape(n_rows: int, n_columns: int) -> None:
    if n_columns == 0:
        raise DataError("the data have no columns: expected at least one")
    if n_rows == 0:
        raise DataError("the data have no rows: expected at least one")


class _ArrayTable:
    """A two-dimensional NumPy array, samples by variables."""

    def __init__(self, names: tuple[str, ...], values: NDArray[Any]) -> None:
        self.names = names
        self.n_rows = len(values)
        self._values = values

    def selected(self, chosen: Sequence[int]) -> _ArrayTable:
        names = tuple(self.names[j] for j in chosen)
        return _ArrayTable(names, self._values[:, list(chosen)])

    def block(self, chosen: Sequence[int]) -> NDArray[Any] | None:
        if self._values.dtype.kind not in "biu":
            return None
        first, last = chosen[0], chosen[-1]
        if list(chosen) == list(range(first, last + 1)):  # neighbours need no copy before the last
            return np.ascontiguousarray(self._values[:, first : last + 1].T)
        return np.ascontiguousarray(self._values[:, list(chosen)].T)

    def column(self, j: int) -> Column:
        return array_column(self.names[j], self._values[:, j])


class _MappingTable:
    """A dictionary of columns: lists, arrays or series."""

    def __init__(self, names: tuple[str, ...], columns: Sequence[Any]) -> None:
        self.names = names
        self.n_rows = len(columns[0])
        self._columns = columns

    def selected(self, chosen: Sequence[int]) -> _MappingTable:
        names = tuple(self.names[j] for j in chosen)
        return _MappingTable(names, [self._columns[j] for j in chosen])

    def block(self, chosen: Sequence[int]) -> NDArray[Any] | None:
        values = self._columns[chosen[0]]
        if len(chosen) > 1 or not isinstance(values, np.ndarray) or values.dtype.kind not in "biu":
            return None
        return values[np.newaxis]

    def column(self, j: int) -> Column:
        values = self._columns[j]
        if isinstance(values, list | tuple | range):
            return object_column(self.names[j], list(values))
        if isinstance(values, np.ndarray):
            return array_column(self.names[j], values)
        return series_column(self.names[j], values)


def _array_table(values: NDArray[Any], names: Iterable[object] | None) -> Table:
    if isinstance(values, np.ma.MaskedArray):
        raise DataTypeError("masked arrays are not supported: expected a plain array with NaN")
    if values.ndim != 2:
        raise DataError(
            f"the array has {values.ndim} dimension(s): expected 2, samples by variables"
        )
    _checked_shape(*values.shape)
    if names is None:
        return _ArrayTable(default_names(values.shape[1]), values)
    return _ArrayTable(checked_names(names, values.shape[1]), values)


def _sparse_table(matrix: Any, names: Iterable[object] | None) -> Table:
    if matrix.ndim != 2:
        raise DataError(
            f"the sparse array has {matrix.ndim} dimension(s): expected 2, samples by variables"
        )
    n_rows, n_columns = map(int, matrix.shape)
    _checked_shape(n_rows, n_columns)
    named = default_names(n_columns) if names is None else checked_names(names, n_columns)
    return SparseTable(named, stored_by_column(matrix))


def _parquet_table(file: Any, names: Iterable[object] | None) -> Table:
    if not hasattr(file, "schema_arrow"):
        raise DataTypeError(
            f"data is of type {type(file).__name__!r}: expected {EXPECTED_TABLE}, or a ParquetFile"
        )
    labels = file.schema_arrow.names
    checked_names(labels, len(labels))
    _checked_shape(file.metadata.num_rows, len(labels))
    return ParquetTable(checked_names(labels if names is None else names, len(labels)), file)


def _mapping_table(data: Mapping[Any, Any], names: Iterable[object] | None) -> Table:
    named = checked_names(data if names is None else names, len(data))
    columns = [_mapped_column(name, v) for name, v in zip(named, data.values(), strict=True)]
    _checked_shape(len(columns[0]) if columns else 0, len(columns))
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
    _checked_shape(len(frame), len(frame.columns))
    named = checked_names(frame.columns if names is None else names, len(frame.columns))
    return FrameTable(named, frame)


def as_frame(data: Any, expected: str) -> Any:
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

"""Tables whose columns of numbers are read as floats and written back as intervals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from h2pc.data.tables import EXPECTED_TABLE, as_frame
from h2pc.errors import DataError, DataTypeError

Floats = NDArray[np.float64]


class Cut(NamedTuple):
    """A column of numbers, cut."""

    codes: NDArray[np.int64]
    """The interval of each row, counted from 0; -1 where the number is missing."""
    edges: Floats


class NumberTable(Protocol):
    """What cutting asks of any kind of table."""

    def chosen(self, columns: Iterable[Any] | None) -> Iterable[Any]:
        """Return the columns to cut: those given, or else all that call for it."""

    def values(self, column: Any) -> Floats:
        """Return the numbers of a column, NaN where they are missing."""

    def with_intervals(self, cuts: Mapping[Any, Cut]) -> Any:
        """Return the table with intervals in place of numbers."""


def number_table(data: Any) -> NumberTable:
    """Return a pandas, polars or pyarrow table or a two-dimensional array, seen alike."""
    if isinstance(data, np.ndarray):
        return _NumberArray(data)
    return _NumberFrame(as_frame(data, EXPECTED_TABLE))


def interval_labels(edges: Floats) -> list[str]:
    """Return the intervals between the edges in words, such as ``"(-inf, 1.5]"``."""
    words: list[str] = []
    for digits in (6, 9, 12, 17):
        words = [f"{edge:.{digits}g}" for edge in edges]
        if len(set(words)) == len(words):
            break
    closed = [f"({a}, {b}]" for a, b in zip(["-inf", *words], words, strict=False)]
    return [*closed, f"({words[-1] if words else '-inf'}, inf)"]


class _NumberArray:
    """A two-dimensional NumPy array; its intervals are numbers."""

    def __init__(self, values: NDArray[Any]) -> None:
        if values.ndim != 2:
            raise DataError(
                f"the array has {values.ndim} dimension(s): expected 2, samples by variables"
            )
        if values.dtype.kind not in "iuf":
            raise DataTypeError(f"the array is of type {values.dtype}: expected numbers")
        self._values = values

    def chosen(self, columns: Iterable[Any] | None) -> Iterable[Any]:
        if columns is None:
            return range(self._values.shape[1])
        return columns

    def values(self, column: Any) -> Floats:
        width = self._values.shape[1]
        if not isinstance(column, int | np.integer) or not 0 <= column < width:
            raise DataError(f"column {column!r} is unknown: expected a position below {width}")
        return self._values[:, column].astype(np.float64)

    def with_intervals(self, cuts: Mapping[Any, Cut]) -> Any:
        some_missing = any((cut.codes < 0).any() for cut in cuts.values())
        some_uncut = len(cuts) < self._values.shape[1]
        # Integers have no NaN, and an array has one type for cut and uncut columns.
        stays_float = some_missing or (some_uncut and self._values.dtype.kind == "f")
        values = self._values.astype(np.float64 if stays_float else np.int64)
        for column, (codes, _) in cuts.items():
            values[:, column] = np.where(codes < 0, np.nan, codes) if some_missing else codes
        return values


class _NumberFrame:
    """A data frame; its intervals are ordered categories."""

    def __init__(self, frame: Any) -> None:
        self._frame = frame
        self._names = frozenset(frame.columns)

    def chosen(self, columns: Iterable[Any] | None) -> Iterable[Any]:
        if columns is None:
            return [name for name, dtype in self._frame.schema.items() if dtype.is_float()]
        return columns

    def values(self, column: Any) -> Floats:
        import narwhals as nw

        if column not in self._names:
            raise DataError(f"column {column!r} is unknown: expected one of the table")
        series = self._frame.get_column(column)
        if not series.dtype.is_numeric():
            raise DataTypeError(f"column {column!r} is of type {series.dtype}: expected numbers")
        return np.asarray(series.cast(nw.Float64).to_numpy(), np.float64)

    def with_intervals(self, cuts: Mapping[Any, Cut]) -> Any:
        native = self._frame.to_native()
        library = self._frame.implementation.to_native_namespace()
        made = {"pandas": _pandas_column, "polars": _polars_column}.get(
            library.__name__, _arrow_column
        )
        changed = {
            column: made(library, column, codes, interval_labels(edges))
            for column, (codes, edges) in cuts.items()
        }
        # All at once: a table that is changed column by column is copied as often.
        if library.__name__ == "pandas":
            frame = library.DataFrame({c: changed.get(c, native[c]) for c in native.columns})
            return frame.set_axis(native.columns, axis=1).set_axis(native.index)
        if library.__name__ == "polars":
            return native.with_columns(**changed)
        columns = [changed.get(c, native.column(c)) for c in native.column_names]
        table = library.Table.from_arrays(columns, names=native.column_names)
        return table.replace_schema_metadata(native.schema.metadata)


def _pandas_column(pd: Any, _: Any, codes: NDArray[Any], labels: list[str]) -> Any:
    return pd.Categorical.from_codes(codes, labels, ordered=True)


def _polars_column(pl: Any, name: str, codes: NDArray[Any], labels: list[str]) -> Any:
    words = [None if code < 0 else labels[code] for code in codes.tolist()]
    return pl.Series(name, words, dtype=pl.Enum(labels))


def _arrow_column(pa: Any, _: str, codes: NDArray[Any], labels: list[str]) -> Any:
    indices = pa.array(codes.astype(np.int32), mask=codes < 0)
    return pa.DictionaryArray.from_arrays(indices, pa.array(labels), ordered=True)

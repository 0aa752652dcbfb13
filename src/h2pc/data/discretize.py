"""Numbers cut into intervals, so that they can be counted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, Protocol, get_args

import numpy as np
from numpy.typing import NDArray

from h2pc.data.encoding import (
    MAX_WHOLE_LEVELS,
    EncodedColumn,
    Floats,
    code_dtype,
    has_many_kinds,
)
from h2pc.data.tables import Table, as_frame
from h2pc.errors import DataError, DataTypeError, SettingError

Strategy = Literal["quantile", "uniform"]
"""Intervals of about equally many samples, or of equal width."""


@dataclass(frozen=True, slots=True, eq=False)
class Discretizer:
    """Cuts numbers into intervals, at edges found by :meth:`fit`.

    An edge belongs to the interval below it. Values outside the range seen by :meth:`fit` go to
    the outer intervals; missing values stay missing. Quantiles that repeat, or that leave an
    interval without samples, are merged, so that a column can get fewer than ``levels`` levels;
    a constant column gets one. With ``strategy="quantile"`` and ``levels=2`` the only edge is the
    median.

    Parameters
    ----------
    strategy : {"quantile", "uniform"}, default="quantile"
        Intervals of about equally many samples, or of equal width.
    levels : int, default=3
        The number of intervals.
    columns : iterable of names, or of positions in an array, default=None
        The columns to cut; by default those of numbers that are fractions, or whole numbers of
        more than 20 kinds.

    Attributes
    ----------
    edges_ : mapping
        The inner edges of each column, in increasing order; set by :meth:`fit`.

    Examples
    --------
    >>> import numpy as np
    >>> cut = Discretizer(levels=2).fit(np.array([[0.5], [2.0], [3.0], [10.0]]))
    >>> cut.edges_[0].tolist()
    [2.5]
    >>> cut.transform(np.array([[-50.0], [2.5], [99.0]])).tolist()
    [[0], [0], [1]]
    """

    strategy: Strategy = "quantile"
    levels: int = 3
    columns: Iterable[Any] | None = None
    _edges: dict[Any, Floats] | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.strategy not in get_args(Strategy):
            raise SettingError(f"strategy={self.strategy!r}: expected 'quantile' or 'uniform'")
        if isinstance(self.levels, bool) or not isinstance(self.levels, int | np.integer):
            raise SettingError(f"levels={self.levels!r}: expected an integer")
        if self.levels < 1:
            raise SettingError(f"levels={self.levels}: expected at least 1")
        if isinstance(self.columns, str):
            raise SettingError(f"columns={self.columns!r}: expected a list of columns")
        if self.columns is not None:
            object.__setattr__(self, "columns", tuple(self.columns))

    @property
    def edges_(self) -> Mapping[Any, Floats]:
        """The inner edges of each column."""
        if self._edges is None:
            raise SettingError("the Discretizer is not fitted: expected fit(data) first")
        return MappingProxyType(self._edges)

    def fit(self, data: Any) -> Discretizer:
        """Find the edges in ``data``; a fitted Discretizer cannot be fitted again."""
        if self._edges is not None:
            raise SettingError("the Discretizer is fitted already: expected a new one")
        values = _numbers_of(data, self.columns)
        edges = {column: self.edges_of(column, own) for column, own in values.items()}
        object.__setattr__(self, "_edges", edges)
        return self

    def edges_of(self, column: Any, values: Floats) -> Floats:
        """Return the inner edges for the numbers of one column; NaN stands for missing ones."""
        present = values[~np.isnan(values)]
        if present.size == 0:
            raise DataError(f"column {column!r} holds no value: expected at least one number")
        if np.isinf(present).any():
            raise DataError(f"column {column!r} holds infinite values: expected finite numbers")
        edges = _uniform if self.strategy == "uniform" else _quantiles
        found = edges(present, self.levels)
        found.flags.writeable = False
        return found

    def transform(self, data: Any) -> Any:
        """Return ``data``, a table of the same kind, with its columns cut at the edges.

        Columns of a table become ordered categories such as ``"(-inf, 1.5]"``; columns of an array
        become the numbers of the intervals.
        """
        values = _numbers_of(data, self.edges_)
        if isinstance(data, np.ndarray):
            return _array_with_intervals(
                data, {c: _interval_of(own, self.edges_[c]) for c, own in values.items()}
            )
        return _frame_with_intervals(as_frame(data), values, self.edges_)


def discretize(
    data: Any,
    *,
    strategy: Strategy = "quantile",
    levels: int = 3,
    columns: Iterable[Any] | None = None,
) -> Any:
    """Return ``data``, a table of the same kind, with its numbers cut into intervals.

    Whole numbers of at most 20 kinds are levels, and left as they are; so are those of files.

    Use a :class:`Discretizer` to cut new data at the same edges.

    Parameters
    ----------
    data : pandas, polars or pyarrow table, or 2-d array
        Rows are samples.
    strategy : {"quantile", "uniform"}, default="quantile"
        Intervals of about equally many samples, or of equal width.
    levels : int, default=3
        The number of intervals.
    columns : iterable of names, or of positions in an array, default=None
        The columns to cut; by default those of numbers that are fractions, or whole numbers of
        more than 20 kinds.

    Examples
    --------
    >>> import numpy as np
    >>> discretize(np.array([[0.1], [0.2], [5.0], [9.0]]), levels=2).tolist()
    [[0], [0], [1], [1]]
    """
    return Discretizer(strategy, levels, columns).fit(data).transform(data)


class NumberTable(Table, Protocol):
    """A table that also returns columns as numbers."""

    def numbers(self, j: int) -> Floats | None:
        """Column ``j`` as floats, NaN where they are missing; None if it holds others."""


class CutTable:
    """A table whose numbers are cut where :func:`has_many_kinds` says so."""

    def __init__(self, table: NumberTable, discretizer: Discretizer) -> None:
        self.names = table.names
        self.n_rows = table.n_rows
        self._table = table
        self._discretizer = discretizer
        self._may_need_cutting: set[int] = set()

    def block(self, chosen: Sequence[int]) -> NDArray[Any] | None:
        """Return some columns as integers or booleans, if they are such and need no cutting."""
        if not self._may_need_cutting.isdisjoint(chosen):
            return None
        block = self._table.block(chosen)
        if block is None or block.dtype == np.bool_:
            return block
        if block.dtype.kind == "f":
            found = set(chosen)
        else:
            low, high = block.min(axis=1).tolist(), block.max(axis=1).tolist()
            spans = zip(chosen, low, high, strict=True)
            found = {j for j, least, most in spans if most - least >= MAX_WHOLE_LEVELS}
        self._may_need_cutting |= found
        return None if found else block

    def column(self, j: int) -> EncodedColumn:
        """Return column ``j``, cut and encoded."""
        values = self._table.numbers(j)
        if values is None or not has_many_kinds(values):
            return self._table.column(j)
        edges = self._discretizer.edges_of(self.names[j], values)
        states = tuple(interval_labels(edges))
        codes = _interval_of(values, edges)
        n_missing = int((codes < 0).sum())
        codes[codes < 0] = len(states)
        small = codes.astype(code_dtype(len(states) + 1))
        return EncodedColumn(small, states, declared=True, n_missing=n_missing)


def interval_labels(edges: Floats) -> list[str]:
    """Return the intervals between the edges as texts, such as ``"(-inf, 1.5]"``."""
    words: list[str] = []
    for digits in (6, 9, 12, 17):
        words = [f"{edge:.{digits}g}" for edge in edges]
        if len(set(words)) == len(words):
            break
    closed = [f"({a}, {b}]" for a, b in zip(["-inf", *words], words, strict=False)]
    return [*closed, f"({words[-1] if words else '-inf'}, inf)"]


def _interval_of(values: Floats, edges: Floats) -> NDArray[np.int64]:
    """Return the interval of each number, counted from 0; -1 where the number is missing."""
    found = np.searchsorted(edges, values, side="left").astype(np.int64)
    found[np.isnan(values)] = -1
    return found


def _uniform(values: Floats, levels: int) -> Floats:
    low, high = values.min(), values.max()
    if low == high:
        return np.empty(0)
    return np.unique(np.linspace(low, high, levels + 1)[1:-1])


def _quantiles(values: Floats, levels: int) -> Floats:
    edges = np.unique(np.quantile(values, np.arange(1, levels) / levels))
    counts = np.bincount(np.searchsorted(edges, values, side="left"), minlength=edges.size + 1)
    edges = edges[counts[:-1] > 0]
    return edges[:-1] if counts[-1] == 0 else edges


def _numbers_of(data: Any, columns: Iterable[Any] | None) -> dict[Any, Floats]:
    """Return columns of a table or an array as numbers; by default all that need cutting."""
    if isinstance(data, np.ndarray):
        found = _numbers_of_array(data, columns)
    else:
        found = _numbers_of_frame(as_frame(data), columns)
    if columns is None:
        return {column: values for column, values in found.items() if has_many_kinds(values)}
    return found


def _numbers_of_frame(frame: Any, columns: Iterable[Any] | None) -> dict[Any, Floats]:
    import narwhals as nw

    known = frozenset(frame.columns)
    if columns is None:
        columns = [name for name, dtype in frame.schema.items() if dtype.is_numeric()]
    found = {}
    for column in columns:
        if column not in known:
            raise DataError(f"column {column!r} is unknown: expected one of the table")
        series = frame.get_column(column)
        if not series.dtype.is_numeric():
            raise DataTypeError(f"column {column!r} is of type {series.dtype}: expected numbers")
        found[column] = np.asarray(series.cast(nw.Float64).to_numpy(), np.float64)
    return found


def _numbers_of_array(values: NDArray[Any], columns: Iterable[Any] | None) -> dict[Any, Floats]:
    if values.ndim != 2:
        raise DataError(
            f"the array has {values.ndim} dimension(s): expected 2, samples by variables"
        )
    if values.dtype.kind not in "iuf":
        raise DataTypeError(f"the array is of type {values.dtype}: expected numbers")
    width = values.shape[1]
    found = {}
    for column in range(width) if columns is None else columns:
        if not isinstance(column, int | np.integer) or not 0 <= column < width:
            raise DataError(f"column {column!r} is unknown: expected a position below {width}")
        found[column] = values[:, column].astype(np.float64)
    return found


def _array_with_intervals(
    values: NDArray[Any], cuts: Mapping[Any, NDArray[np.int64]]
) -> NDArray[Any]:
    """Return an array with the numbers of intervals in place of numbers."""
    some_missing = any((codes < 0).any() for codes in cuts.values())
    uncut = values[:, [j for j in range(values.shape[1]) if j not in cuts]]
    # Integers have no NaN, and an array has one type for cut and uncut columns.
    stays_float = some_missing or not (uncut == np.floor(uncut)).all()
    found = values.astype(np.float64 if stays_float else np.int64)
    for column, codes in cuts.items():
        found[:, column] = np.where(codes < 0, np.nan, codes) if some_missing else codes
    return found


def _frame_with_intervals(
    frame: Any, values: Mapping[Any, Floats], edges: Mapping[Any, Floats]
) -> Any:
    """Return a table with ordered categories in place of numbers."""
    native, library = frame.to_native(), frame.implementation.to_native_namespace()
    kind = library.__name__
    made = {"pandas": _pandas_column, "polars": _polars_column}.get(kind, _arrow_column)
    changed = {}
    for column, own in values.items():
        codes, labels = _interval_of(own, edges[column]), interval_labels(edges[column])
        changed[column] = made(library, codes, labels)
    # All at once: a table that is changed column by column is copied as often.
    if kind == "pandas":
        new = library.DataFrame({c: changed.get(c, native[c]) for c in native.columns})
        return new.set_axis(native.columns, axis=1).set_axis(native.index)
    if kind == "polars":
        return native.with_columns(**changed)
    columns = [changed.get(c, native.column(c)) for c in native.column_names]
    table = library.Table.from_arrays(columns, names=native.column_names)
    return table.replace_schema_metadata(native.schema.metadata)


def _pandas_column(pd: Any, codes: NDArray[Any], labels: list[str]) -> Any:
    return pd.Categorical.from_codes(codes, labels, ordered=True)


def _polars_column(pl: Any, codes: NDArray[Any], labels: list[str]) -> Any:
    words = [None if code < 0 else labels[code] for code in codes.tolist()]
    return pl.Series(words, dtype=pl.Enum(labels))


def _arrow_column(pa: Any, codes: NDArray[Any], labels: list[str]) -> Any:
    indices = pa.array(codes.astype(np.int32), mask=codes < 0)
    return pa.DictionaryArray.from_arrays(indices, pa.array(labels), ordered=True)

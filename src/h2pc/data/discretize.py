"""Numbers cut into intervals, so that they can be counted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, get_args

import numpy as np

from h2pc.data.number_tables import Cut, Floats, number_table
from h2pc.errors import DataError, SettingError

Strategy = Literal["quantile", "uniform"]
"""Bins of about equally many samples, or of equal width."""


@dataclass(frozen=True, slots=True, eq=False)
class Discretizer:
    """Cuts numbers into intervals, and remembers where.

    An edge belongs to the interval below it. Values outside the range seen by :meth:`fit` go to
    the outer intervals; missing values stay missing. Quantiles that repeat, or that leave an
    interval without samples, are merged, so that a column can get fewer levels than asked for;
    a constant column gets one. With ``strategy="quantile"`` and ``levels=2`` the one edge is the
    median.

    Parameters
    ----------
    strategy : {"quantile", "uniform"}
        Intervals of about equally many samples, or of equal width.
    levels : int
        How many intervals.
    columns : iterable of names, or of positions in an array, optional
        What to cut; by default the float columns of a table, and all columns of an array.

    Attributes
    ----------
    edges_ : mapping
        The inner edges of each column, in increasing order; known after :meth:`fit`.

    Examples
    --------
    >>> import numpy as np
    >>> cut = Discretizer(levels=2).fit(np.array([[1.0], [2.0], [3.0], [10.0]]))
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
            raise SettingError("the edges are unknown: expected fit(data) first")
        return MappingProxyType(self._edges)

    def fit(self, data: Any) -> Discretizer:
        """Find the edges in ``data``; they are found once and never change."""
        if self._edges is not None:
            raise SettingError("the edges are known already: expected a new Discretizer")
        table = number_table(data)
        edges = {}
        for column in table.chosen(self.columns):
            values = _present(column, table.values(column))
            edges[column] = _edges_of(values, self.strategy, self.levels)
            edges[column].flags.writeable = False
        object.__setattr__(self, "_edges", edges)
        return self

    def transform(self, data: Any) -> Any:
        """Return ``data``, a table of the same kind, with its columns cut at the known edges.

        Columns of a table become ordered categories such as ``"(-inf, 1.5]"``; columns of an array
        become the numbers of the intervals.
        """
        table = number_table(data)
        cuts = {column: _cut(table.values(column), e) for column, e in self.edges_.items()}
        return table.with_intervals(cuts)


def discretize(
    data: Any,
    *,
    strategy: Strategy = "quantile",
    levels: int = 3,
    columns: Iterable[Any] | None = None,
) -> Any:
    """Return ``data``, a table of the same kind, with its float columns cut into intervals.

    Use a :class:`Discretizer` to cut new data at the same edges.

    Parameters
    ----------
    data : pandas, polars or pyarrow table, or 2-d array
        Rows are samples.
    strategy : {"quantile", "uniform"}
        Intervals of about equally many samples, or of equal width.
    levels : int
        How many intervals.
    columns : iterable of names, or of positions in an array, optional
        What to cut; by default the float columns of a table, and all columns of an array.

    Examples
    --------
    >>> import numpy as np
    >>> discretize(np.array([[0.1], [0.2], [5.0], [9.0]]), levels=2).tolist()
    [[0], [0], [1], [1]]
    """
    return Discretizer(strategy, levels, columns).fit(data).transform(data)


def _cut(values: Floats, edges: Floats) -> Cut:
    found = np.searchsorted(edges, values, side="left")
    return Cut(np.where(np.isnan(values), -1, found), edges)


def _present(column: Any, values: Floats) -> Floats:
    """Return the values that are not missing, of which there has to be one."""
    present = values[~np.isnan(values)]
    if present.size == 0:
        raise DataError(f"column {column!r} holds no value: expected at least one number")
    if np.isinf(present).any():
        raise DataError(f"column {column!r} holds infinite values: expected finite numbers")
    return present


def _edges_of(values: Floats, strategy: Strategy, levels: int) -> Floats:
    if strategy == "uniform":
        low, high = values.min(), values.max()
        if low == high:
            return np.empty(0)
        return np.unique(np.linspace(low, high, levels + 1)[1:-1])
    edges = np.unique(np.quantile(values, np.arange(1, levels) / levels))
    counts = np.bincount(np.searchsorted(edges, values, side="left"), minlength=edges.size + 1)
    edges = edges[counts[:-1] > 0]
    return edges[:-1] if counts[-1] == 0 else edges

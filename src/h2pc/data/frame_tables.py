"""Data frames of pandas, polars or pyarrow, through narwhals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from h2pc.data.columns import Column
from h2pc.data.series import series_column


class FrameTable:
    """A data frame.

    Parameters
    ----------
    names : tuple of str
        The columns.
    frame : narwhals.DataFrame
        Their values, under whatever labels.
    """

    def __init__(self, names: tuple[str, ...], frame: Any) -> None:
        self.names = names
        self.n_rows = len(frame)
        self._frame = frame
        self._labels = list(frame.columns)
        self._kinds = list(map(_kind, frame.schema.dtypes()))

    def selected(self, chosen: Sequence[int]) -> FrameTable:
        """Return the table of the chosen columns only."""
        # By place: pandas has labels that narwhals takes for something else.
        return FrameTable(tuple(self.names[j] for j in chosen), self._frame[:, list(chosen)])

    def block(self, chosen: Sequence[int]) -> NDArray[Any] | None:
        """Return some columns as integers or booleans, if they are such; one per row."""
        kind = self._kinds[chosen[0]]
        if not kind or any(self._kinds[j] != kind for j in chosen):
            return None
        if len(chosen) == 1:
            values = self._frame.get_column(self._labels[chosen[0]]).to_numpy()[:, np.newaxis]
        else:
            values = self._frame[:, list(chosen)].to_numpy()
        # Missing values, or types that no integer type covers, make something else of them.
        return np.ascontiguousarray(values.T) if values.dtype.kind in "biu" else None

    def column(self, j: int) -> Column:
        """Return column ``j``, encoded."""
        return series_column(self.names[j], self.series(j))

    def series(self, j: int) -> Any:
        """Return column ``j`` as narwhals shows it."""
        return self._frame.get_column(self._labels[j])


def _kind(dtype: Any) -> str:
    """Return whether a column holds booleans, integers that NumPy knows, or neither."""
    import narwhals as nw

    if dtype == nw.Boolean:
        return "booleans"
    return "integers" if dtype.is_integer() and dtype not in (nw.Int128, nw.UInt128) else ""

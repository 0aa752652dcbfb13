"""Features as they come: numbers for classifiers, levels for structure learning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from h2pc.data import Dataset
from h2pc.data.columns import MOST_WHOLE_FLOATS, Codes, States, code_dtype
from h2pc.data.tables import checked_names
from h2pc.errors import DataError

# Cells made dense at once: the intermediate arrays stay at a few dozen megabytes.
_BLOCK_CELLS = 2_000_000


@dataclass(frozen=True, slots=True)
class Categories:
    """The columns of a table that hold no numbers, and the levels that they had in training."""

    levels: Dataset | None

    @classmethod
    def of(cls, X: Any) -> Categories:
        """Return those of a pandas, polars or pyarrow table; anything else has none."""
        import narwhals as nw

        frame = _frame(X)
        if frame is None:
            return cls(None)
        schema = frame.schema.items()
        names = [name for name, kind in schema if not (kind.is_numeric() or kind == nw.Boolean)]
        for name in names:
            if not isinstance(name, str):
                raise DataError(f"column {name!r} holds categories: expected a string for its name")
            if frame.get_column(name).null_count():
                raise DataError(f"column {name!r} holds missing values: expected none")
        # One sample is enough to remember the levels by.
        return cls(Dataset.from_data(frame.select(names).to_native()).take([0]) if names else None)

    def coded(self, X: Any) -> Any:
        """Return ``X`` with numbers of levels in place of categories; new ones are refused."""
        if self.levels is None:
            return X
        import narwhals as nw

        frame = _frame(X)
        if frame is None:
            raise DataError(
                f"X is of type {type(X).__name__!r}: expected a table, because column "
                f"{self.levels.names[0]!r} holds categories"
            )
        found = self.levels.encode_like(X)
        columns = zip(found.names, found.codes.astype(np.int64), strict=True)
        return frame.with_columns(
            nw.new_series(name, codes, backend=frame.implementation) for name, codes in columns
        ).to_native()

    def states(self, name: str) -> States | None:
        """Return the levels of a column; None if it holds numbers."""
        if self.levels is None or name not in self.levels.names:
            return None
        return self.levels.states[self.levels.variable(name)]


def discrete(
    values: Any, names: Sequence[str], categories: Categories
) -> tuple[Codes, list[States]]:
    """Return the codes and states of features, dense or sparse, one row of codes for each."""
    declared = map(categories.states, names)
    found = [levels(column, own) for column, own in zip(_columns(values), declared, strict=True)]
    return np.vstack([codes for codes, _ in found]), [states for _, states in found]


def levels(values: NDArray[Any], declared: States | None = None) -> tuple[Codes, States]:
    """Return the codes and states of one column: cut at the median if it is continuous.

    It is continuous unless its levels are declared, or it holds two different values, or whole
    numbers of at most ``MOST_WHOLE_FLOATS`` kinds.
    """
    if declared is not None:
        return values.astype(code_dtype(len(declared))), declared
    kinds = np.unique(values)
    whole = bool((kinds == np.floor(kinds)).all())
    if kinds.size > (MOST_WHOLE_FLOATS if whole else 2):
        return cut_at_median(values).astype(np.uint8), ("low", "high")
    codes = np.searchsorted(kinds, values).astype(np.uint8)
    return codes, tuple(map(int if whole else float, kinds))


def cut_at_median(values: NDArray[Any]) -> NDArray[np.bool_]:
    """Return whether each value is above the median; or at it, where nothing is above."""
    middle = np.median(values)
    above: NDArray[np.bool_] = values > middle
    return above if above.any() else values == middle


def _columns(values: Any) -> Iterator[NDArray[Any]]:
    """Yield the columns of a dense or sparse matrix, one after the other."""
    if not issparse(values):
        yield from np.asarray(values).T
        return
    width = max(1, _BLOCK_CELLS // values.shape[0])
    stored = values.tocsc()
    for start in range(0, values.shape[1], width):
        yield from stored[:, start : start + width].toarray().T


def _frame(X: Any) -> Any:
    """Return a pandas, polars or pyarrow table as narwhals sees it; None if it is no table."""
    import narwhals as nw

    if hasattr(X, "iloc") and hasattr(X, "columns"):
        # pandas allows repeated names, which narwhals refuses in words of its own.
        checked_names(X.columns, len(X.columns))
    seen = nw.from_native(X, eager_only=True, pass_through=True)
    return seen if isinstance(seen, nw.DataFrame) else None

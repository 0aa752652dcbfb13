"""What the columns of a table hold: kinds of values, how many differ, how many are missing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from h2pc.data.encoding import (
    MAX_LEVELS,
    MAX_WHOLE_LEVELS,
    have_fractions,
    too_long,
    values_near,
)
from h2pc.data.series_encoding import encode_column
from h2pc.errors import H2pcError

Kind = Literal[
    "words", "categories", "booleans", "whole numbers", "fractions", "dates", "empty", "other"
]

# A column with so many levels, and on average fewer than two rows for each, identifies rows
# instead of describing them.
MANY_LEVELS = 50
ROWS_PER_LEVEL = 2

_FEWEST_ROWS = 20
_FEWEST_NUMBERED = 10
_DISTINCT = 0.95

# Of so many repetitions that chance would bring, at most a quarter is there: of a Poisson variable
# of mean 10, 2 or fewer have a probability of 0.3 %.
_EXPECTED_REPEATS = 10.0
_SHARE_OF_REPEATS = 0.25

_NAMELESS = re.compile(r"Unnamed: ?\d+(_level_\d+)?|index|level_\d+|row[ _.]?names?|X|\.\.\.1|")
_IDENTIFIER = re.compile(
    r"(?i:id|uuid|guid|key|index|idx)|.*(?:[_. -](?i:id|uuid|key|no|nr|num|number)|[a-z]I[dD])"
)


@dataclass(frozen=True, slots=True)
class ColumnProfile:
    """What one column holds.

    Attributes
    ----------
    name : str
        The column.
    kind : str
        The kind of its values; of numbers, whether all are whole.
    n_rows, n_missing : int
        The number of cells, and of those without a value.
    n_levels : int
        The number of different values; of categories, of those that are declared.
    n_observed : int
        The number of different values that occur.
    span : int
        From the smallest whole number to the largest; 0 for other kinds.
    is_increasing : bool
        Whether every whole number is larger than that of the row before.
    problem : str
        Why the column can be used in no way; empty where it can.
    """

    name: str
    kind: Kind
    n_rows: int
    n_missing: int
    n_levels: int
    n_observed: int
    span: int = 0
    is_increasing: bool = False
    problem: str = ""

    @property
    def n_present(self) -> int:
        """The number of cells with a value."""
        return self.n_rows - self.n_missing

    @property
    def is_number(self) -> bool:
        """Whether it holds numbers."""
        return self.kind in ("whole numbers", "fractions")

    @property
    def has_many_kinds(self) -> bool:
        """Whether its numbers are continuous: fractions, or many different whole numbers."""
        return self.kind == "fractions" or (
            self.kind == "whole numbers" and self.n_levels > MAX_WHOLE_LEVELS
        )

    @property
    def looks_like_levels(self) -> bool:
        """Whether its values are few enough to be levels."""
        few = max(MANY_LEVELS, self.n_rows / ROWS_PER_LEVEL)
        return self.n_observed <= few and self.n_levels <= MAX_LEVELS


def profiled(name: str, series: Any) -> ColumnProfile:
    """Return what a column holds, a narwhals series."""
    import narwhals as nw

    series = series.alias("values")  # polars takes names such as ^x$ for patterns
    dtype, n_rows = series.dtype, len(series)
    n_missing = int(series.null_count())
    if n_missing == n_rows:
        return ColumnProfile(name, "empty", n_rows, n_rows, 0, 0)
    if dtype.is_float():
        return _profile_of_floats(name, np.asarray(series.to_numpy(), np.float64))
    if dtype == nw.Boolean:
        n_levels = series.drop_nulls().n_unique()
        return ColumnProfile(name, "booleans", n_rows, n_missing, n_levels, n_levels)
    if dtype.is_integer() and dtype not in (nw.Int128, nw.UInt128):
        return _profile_of_integers(name, series, n_missing)
    if dtype == nw.String:
        n_levels = series.drop_nulls().n_unique()
        return ColumnProfile(name, "words", n_rows, n_missing, n_levels, n_levels)
    return _profile_of_others(name, series)


def profiles_of_block(names: Sequence[str], block: NDArray[Any]) -> list[ColumnProfile]:
    """Return what columns of floats hold, the rows of an array; NaN stands for missing values."""
    values = np.sort(np.asarray(block, np.float64), axis=1)
    n_rows = values.shape[1]
    n_missing = np.isnan(values).sum(axis=1)
    n_levels = (values[:, 1:] > values[:, :-1]).sum(axis=1) + (n_missing < n_rows)
    is_sure = have_fractions(values) & (np.isfinite(values).sum(axis=1) + n_missing == n_rows)
    return [
        ColumnProfile(name, "fractions", n_rows, holes, levels, levels)
        if sure
        else _profile_of_floats(name, np.asarray(row, np.float64))
        for name, row, holes, levels, sure in zip(
            names, block, n_missing.tolist(), n_levels.tolist(), is_sure.tolist(), strict=True
        )
    ]


def profiles_of_integers(names: Sequence[str], block: NDArray[Any]) -> list[ColumnProfile]:
    """Return what columns of integers or booleans hold, the rows of an array."""
    n_rows = block.shape[1]
    near = values_near(block)
    if near is not None:
        n_levels = near[2].sum(axis=1).tolist()
    else:
        values = np.sort(block, axis=1)
        n_levels = ((values[:, 1:] > values[:, :-1]).sum(axis=1) + 1).tolist()
    if block.dtype == np.bool_:
        counts = zip(names, n_levels, strict=True)
        return [ColumnProfile(name, "booleans", n_rows, 0, n, n) for name, n in counts]
    is_increasing = np.all(block[:, 1:] > block[:, :-1], axis=1).tolist()
    lowest, highest = block.min(axis=1).tolist(), block.max(axis=1).tolist()
    return [
        ColumnProfile(
            name,
            "whole numbers",
            n_rows,
            0,
            n,
            n,
            span=high - low + 1,
            is_increasing=increasing,
            problem=too_long(name) if _are_too_long(row, n, low, high) else "",
        )
        for name, row, n, increasing, low, high in zip(
            names, block, n_levels, is_increasing, lowest, highest, strict=True
        )
    ]


def _are_too_long(values: NDArray[Any], n_levels: int, low: int, high: int) -> bool:
    """Whether many integers are only a few floats."""
    if n_levels <= MAX_WHOLE_LEVELS or max(-low, high) < 2**53:
        return False
    return np.unique(values.astype(np.float64)).size <= MAX_WHOLE_LEVELS


def missing_cells(series: Any) -> NDArray[np.bool_]:
    """Return which cells of a narwhals series have no value."""
    if series.dtype.is_float():
        return np.isnan(np.asarray(series.to_numpy(), np.float64))
    return np.asarray(series.is_null().to_numpy(), np.bool_)


def is_row_number(profile: ColumnProfile, *, nameless: bool) -> bool:
    """Whether a column numbers the rows in their order.

    Without a name of its own, it does so with gaps too; with one, as a year may, without any.
    """
    if not profile.is_increasing:
        return False
    if nameless or _NAMELESS.fullmatch(profile.name):
        return profile.n_rows > 1
    return profile.span == profile.n_rows >= _FEWEST_NUMBERED


def is_constant(profile: ColumnProfile, *, missing_is_level: bool) -> bool:
    """Whether a column has one value everywhere; a missing one may count as another."""
    if profile.n_rows < 2 or profile.kind == "categories":
        return False
    n_levels = profile.n_levels + (missing_is_level and profile.n_missing > 0)
    return not profile.problem and n_levels < 2


def is_identifier(profile: ColumnProfile, *, nameless: bool) -> bool:
    """Whether the values of a column tell rows apart instead of describing them.

    Words do if almost all differ, and whole numbers if fewer repeat than chance would make them,
    or if almost all differ and the name says so. Fractions are measurements.
    """
    n_repeats = profile.n_present - profile.n_observed
    distinct = profile.n_observed >= _DISTINCT * profile.n_present
    if profile.kind in ("words", "categories"):
        if nameless and n_repeats == 0:
            return profile.n_rows > 2
        return not profile.looks_like_levels or (distinct and profile.n_present >= _FEWEST_ROWS)
    if profile.kind != "whole numbers" or not distinct or profile.n_present < _FEWEST_ROWS:
        return False
    if nameless or _IDENTIFIER.fullmatch(profile.name):
        return True
    expected = profile.n_present - _expected_different(profile.n_present, profile.span)
    return expected >= _EXPECTED_REPEATS and n_repeats <= _SHARE_OF_REPEATS * expected


def _expected_different(n: int, span: int) -> float:
    """Return how many of n random numbers differ, of ``span`` that are equally likely."""
    return float(-span * np.expm1(n * np.log1p(-1 / span))) if span > 1 else 1.0


def _profile_of_floats(name: str, values: NDArray[np.float64]) -> ColumnProfile:
    import polars as pl

    missing = np.isnan(values)
    n_missing = int(np.count_nonzero(missing))
    n_rows = values.size
    if n_missing == n_rows:
        return ColumnProfile(name, "empty", n_rows, n_rows, 0, 0)
    present = values[~missing] if n_missing else values
    n_levels = pl.Series(present).n_unique()
    if not np.isfinite(present).all():
        problem = f"column {name!r} holds infinite values: expected finite numbers"
        return ColumnProfile(
            name, "fractions", n_rows, n_missing, n_levels, n_levels, problem=problem
        )
    whole = bool((present == np.floor(present)).all() and (np.abs(present) < 2.0**53).all())
    if not whole:
        return ColumnProfile(name, "fractions", n_rows, n_missing, n_levels, n_levels)
    increasing = not n_missing and n_levels == n_rows and bool((np.diff(present) > 0).all())
    span = int(present.max() - present.min()) + 1
    return ColumnProfile(
        name, "whole numbers", n_rows, n_missing, n_levels, n_levels, span, increasing
    )


def _profile_of_integers(name: str, series: Any, n_missing: int) -> ColumnProfile:
    import narwhals as nw

    present = series.drop_nulls() if n_missing else series
    n_levels = int(present.n_unique())
    increasing = False
    if n_levels == len(series):
        values = present.to_numpy()
        increasing = bool((values[1:] > values[:-1]).all())
    low, high = int(present.min()), int(present.max())
    problem = ""
    if n_levels > MAX_WHOLE_LEVELS and max(-low, high) >= 2**53:
        n_floats = present.cast(nw.Float64).n_unique()
        problem = too_long(name) if n_floats <= MAX_WHOLE_LEVELS else ""
    return ColumnProfile(
        name,
        "whole numbers",
        len(series),
        n_missing,
        n_levels,
        n_levels,
        span=high - low + 1,
        is_increasing=increasing,
        problem=problem,
    )


def _profile_of_others(name: str, series: Any) -> ColumnProfile:
    """Return what a column of dates, categories or objects holds, by encoding it."""
    import narwhals as nw

    dtype, n_rows = series.dtype, len(series)
    try:
        column = encode_column(name, series)
    except H2pcError as error:
        kind: Kind = "dates" if dtype.is_temporal() else "other"
        n_missing = int(series.null_count())
        return ColumnProfile(name, kind, n_rows, n_missing, 0, 0, problem=error.message)
    if column.values is not None:
        return _profile_of_floats(name, column.values)
    n_levels = len(column.states)
    n_observed = int(np.unique(column.codes).size) - (column.n_missing > 0)
    if not n_observed:
        return ColumnProfile(name, "empty", n_rows, n_rows, 0, 0)
    first = column.states[0]
    kind = "words"
    if dtype in (nw.Categorical, nw.Enum) or column.declared:
        kind = "categories"
    elif isinstance(first, bool):
        kind = "booleans"
    elif isinstance(first, int):
        kind = "whole numbers"
    span = int(column.states[-1]) - first + 1 if kind == "whole numbers" else 0  # type: ignore[call-overload]
    return ColumnProfile(name, kind, n_rows, column.n_missing, n_levels, n_observed, span)

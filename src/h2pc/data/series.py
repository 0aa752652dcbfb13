"""One column of a pandas, polars or pyarrow table, seen through narwhals."""

from __future__ import annotations

from itertools import repeat
from typing import Any

import numpy as np

from h2pc.data.arrow_columns import dictionary_column, word_column
from h2pc.data.columns import (
    Column,
    categorical_column,
    float_column,
    object_column,
    refuse_type,
    with_holes,
)
from h2pc.data.matrices import block_codes
from h2pc.data.sparse_tables import spread_column


def series_column(name: str, series: Any) -> Column:
    """Encode a narwhals series by its type."""
    import narwhals as nw

    dtype = series.dtype
    if dtype.is_integer() or dtype == nw.Boolean:
        if dtype in (nw.Int128, nw.UInt128):  # NumPy has none
            return object_column(name, series.to_list())
        return _integer_column(name, series)
    if dtype.is_float():
        return float_column(name, series.to_numpy())
    if dtype == nw.String and hasattr(series.to_native(), "dictionary_encode"):
        return word_column(name, series.to_native())
    if dtype in (nw.String, nw.Object):
        return object_column(name, series.to_list())
    if dtype in (nw.Categorical, nw.Enum):
        return _category_column(name, series)
    if (stored := _sparse_values(series)) is not None:
        return spread_column(
            name, stored.sp_values, stored.sp_index.indices, stored.fill_value, len(series)
        )
    if series.null_count() == len(series):
        return object_column(name, [None] * len(series))
    return refuse_type(name, _type_name(series), dates=dtype.is_temporal())


def _category_column(name: str, series: Any) -> Column:
    """Encode a column of categories; only some kinds declare them before the rows are seen."""
    import narwhals as nw

    native = series.to_native()
    if hasattr(native, "unify_dictionaries"):
        return dictionary_column(name, native)
    if hasattr(native, "cat") and hasattr(native.cat, "codes"):
        return categorical_column(name, native.cat.codes.to_numpy(), native.cat.categories.tolist())
    if series.dtype == nw.Enum:
        categories = list(series.dtype.categories)
        index = {category: code for code, category in enumerate(categories)}
        codes = np.fromiter(map(index.get, series.to_list(), repeat(-1)), np.int64, len(series))
        return categorical_column(name, codes, categories)
    # The categories of a polars Categorical are shared by all columns of the process.
    return object_column(name, series.to_list())


def _integer_column(name: str, series: Any) -> Column:
    """Encode integers or booleans, of which some may be missing: NumPy knows no such integers."""
    some_missing = series.null_count() > 0
    present = series.drop_nulls().to_numpy() if some_missing else series.to_numpy()
    if present.dtype.kind not in "biu" or not present.size:
        return object_column(name, series.to_list())
    (codes,), (states,) = block_codes(present[np.newaxis], [name])
    column = Column(codes, states, declared=False, n_missing=0)
    return with_holes(name, column, series.is_null().to_numpy()) if some_missing else column


def _sparse_values(series: Any) -> Any:
    """Return the array of a sparse column of pandas, or None."""
    array = getattr(series.to_native(), "array", None)
    return array if hasattr(array, "sp_index") else None


def _type_name(series: Any) -> str:
    native = series.to_native()
    return str(getattr(native, "dtype", getattr(native, "type", series.dtype)))

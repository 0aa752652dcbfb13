"""One column of a pandas, polars or pyarrow table, seen through narwhals."""

from __future__ import annotations

from itertools import repeat
from typing import Any

import numpy as np

from h2pc.data.columns import (
    Column,
    categorical_column,
    float_column,
    integer_column,
    object_column,
    refuse_type,
)


def series_column(name: str, series: Any) -> Column:
    """Encode a narwhals series by its type."""
    import narwhals as nw

    dtype = series.dtype
    if dtype.is_integer() or dtype == nw.Boolean:
        # NumPy has neither missing integers nor 128-bit ones.
        if dtype in (nw.Int128, nw.UInt128) or series.null_count():
            return object_column(name, series.to_list())
        return integer_column(name, series.to_numpy())
    if dtype.is_float():
        return float_column(name, series.to_numpy())
    if dtype in (nw.String, nw.Object):
        return object_column(name, series.to_list())
    if dtype in (nw.Categorical, nw.Enum):
        return _category_column(name, series)
    if series.null_count() == len(series):
        return object_column(name, [None] * len(series))
    return refuse_type(name, _type_name(series), dates=dtype.is_temporal())


def _category_column(name: str, series: Any) -> Column:
    """Encode a column of categories; only some kinds declare them before the rows are seen."""
    import narwhals as nw

    native = series.to_native()
    if hasattr(native, "unify_dictionaries"):
        return _arrow_dictionary_column(name, native)
    if hasattr(native, "cat") and hasattr(native.cat, "codes"):
        return categorical_column(name, native.cat.codes.to_numpy(), native.cat.categories.tolist())
    if series.dtype == nw.Enum:
        categories = list(series.dtype.categories)
        index = {category: code for code, category in enumerate(categories)}
        codes = np.fromiter(map(index.get, series.to_list(), repeat(-1)), np.int64, len(series))
        return categorical_column(name, codes, categories)
    # The categories of a polars Categorical are shared by all columns of the process.
    return object_column(name, series.to_list())


def _arrow_dictionary_column(name: str, native: Any) -> Column:
    merged = native.unify_dictionaries().combine_chunks()
    codes = merged.indices.cast("int64").fill_null(-1).to_numpy(zero_copy_only=False)
    # An unordered dictionary lists its words as the rows happened to bring them.
    return categorical_column(
        name, codes, merged.dictionary.to_pylist(), ordered=native.type.ordered
    )


def _type_name(series: Any) -> str:
    native = series.to_native()
    return str(getattr(native, "dtype", getattr(native, "type", series.dtype)))

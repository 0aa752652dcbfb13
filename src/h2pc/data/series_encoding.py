"""Columns of any source encoded: lists, arrays, and series of pandas, polars and pyarrow."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from h2pc.data.encoding import (
    EncodedColumn,
    code_dtype,
    continuous_column,
    encode_array,
    encode_categories,
    encode_floats,
    encode_objects,
    encode_sparse,
    encoded_column,
    refuse_type,
)

# Up to so many rows a list of Python strings is encoded faster than a column of polars.
_SHORT_COLUMN = 5_000


def encode_column(name: str, values: Any) -> EncodedColumn:
    """Encode a list, a one-dimensional array or a narwhals series by the type of its values."""
    if isinstance(values, list | tuple | range):
        return encode_objects(name, list(values))
    if isinstance(values, np.ndarray):
        return encode_array(name, values)
    return _encode_series(name, values)


def _encode_series(name: str, series: Any) -> EncodedColumn:
    """Encode a narwhals series by its type."""
    import narwhals as nw

    dtype = series.dtype
    if dtype.is_integer() or dtype == nw.Boolean:
        return _series_of_integers(name, series)
    if dtype.is_float() or dtype.is_decimal():
        numbers = series if dtype.is_float() else series.cast(nw.Float64)
        return encode_floats(name, np.asarray(numbers.to_numpy(), np.float64))
    if dtype in (nw.String, nw.Object):
        return _series_of_words(name, series)
    if dtype in (nw.Categorical, nw.Enum):
        return _series_of_categories(name, series)
    stored: Any = getattr(series.to_native(), "array", None)
    if hasattr(stored, "sp_index"):  # a sparse column of pandas
        rows = stored.sp_index.indices
        return encode_sparse(name, stored.sp_values, rows, stored.fill_value, len(series))
    if series.null_count() == len(series):
        return encode_objects(name, [None] * len(series))
    native = series.to_native()
    type_name = str(getattr(native, "dtype", getattr(native, "type", dtype)))
    return refuse_type(name, type_name, dates=dtype.is_temporal())


def _series_of_integers(name: str, series: Any) -> EncodedColumn:
    """Encode integers or booleans, of which some may be missing: NumPy has no such integers."""
    import narwhals as nw

    missing = series.is_null().to_numpy() if series.null_count() else None
    if series.dtype in (nw.Int128, nw.UInt128) or (missing is not None and missing.all()):
        return encode_objects(name, series.to_list())
    present = series.to_numpy() if missing is None else series.drop_nulls().to_numpy()
    if present.dtype.kind not in "biu":
        return encode_objects(name, series.to_list())
    column = encode_array(name, present)
    if missing is None:
        return column
    if column.values is not None:
        numbers = np.full(missing.size, np.nan)
        numbers[~missing] = column.values
        return continuous_column(numbers)
    n_levels = len(column.states)
    codes = np.full(missing.size, n_levels, code_dtype(n_levels + 1))
    codes[~missing] = column.codes
    return encoded_column(name, codes, column.states, n_missing=int(missing.sum()))


def _series_of_words(name: str, series: Any) -> EncodedColumn:
    """Encode strings, without a Python object per cell where the library can; or any objects."""
    native = series.to_native()
    if len(series) > _SHORT_COLUMN and len(series) - series.null_count() > 0:
        if series.implementation.is_pyarrow():
            codes, words = _arrow_codes(native.dictionary_encode())
            return encode_categories(name, codes, words, ordered=False)._replace(declared=False)
        if series.implementation.is_polars():
            import polars as pl

            kind = pl.Enum(native.cast(pl.String).drop_nulls().unique().sort())
            column = encode_categories(name, _polars_codes(native.cast(kind)), kind.categories)
            return column._replace(declared=False)
    return encode_objects(name, series.to_list())


def _series_of_categories(name: str, series: Any) -> EncodedColumn:
    """Encode a column of categories; only some types declare them before the rows are seen."""
    import narwhals as nw

    native = series.to_native()
    if series.implementation.is_pyarrow():
        # An unordered dictionary lists its words in the order of the rows.
        codes, words = _arrow_codes(native)
        return encode_categories(name, codes, words, ordered=native.type.ordered)
    if hasattr(native, "cat") and hasattr(native.cat, "codes"):  # pandas; not arrow's inside of it
        return encode_categories(name, native.cat.codes.to_numpy(), native.cat.categories.tolist())
    if series.dtype == nw.Enum:
        return encode_categories(name, _polars_codes(native), list(series.dtype.categories))
    # The categories of a polars Categorical are shared by all columns of the process.
    return _series_of_words(name, series)


def _polars_codes(native: Any) -> NDArray[Any]:
    """Return the codes of an Enum column of polars, -1 where a cell is missing."""
    import polars as pl

    codes: NDArray[Any] = native.to_physical().cast(pl.Int64).fill_null(-1).to_numpy()
    return codes


def _arrow_codes(native: Any) -> tuple[NDArray[Any], list[Any]]:
    """Return the codes of a dictionary column of arrow, -1 where a cell is missing, and words."""
    merged = native.unify_dictionaries().combine_chunks()
    codes = merged.indices.cast("int64").fill_null(-1).to_numpy(zero_copy_only=False)
    return codes, merged.dictionary.to_pylist()

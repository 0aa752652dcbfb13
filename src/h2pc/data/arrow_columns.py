"""Words of Arrow columns, coded by Arrow: none of them becomes a Python object per cell."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from h2pc.data.columns import Column, categorical_column, object_column


def dictionary_column(name: str, native: Any) -> Column:
    """Encode a chunked array of dictionaries; an ordered one declares its levels."""
    codes, words = _unified(native)
    # An unordered dictionary lists its words as the rows happened to bring them.
    return categorical_column(name, codes, words, ordered=native.type.ordered)


def word_column(name: str, native: Any) -> Column:
    """Encode a chunked array of strings, or of their dictionaries: levels are those found."""
    if not hasattr(native.type, "index_type"):
        native = native.dictionary_encode()
    if native.null_count == len(native):
        return object_column(name, [None] * len(native))
    codes, words = _unified(native)
    column = categorical_column(name, codes, words, ordered=False)
    n_levels = len(column.states)
    is_found = np.bincount(column.codes, minlength=n_levels + 1)[:n_levels] > 0
    if is_found.all():
        return column._replace(declared=False)
    rank = np.append(np.cumsum(is_found) - 1, is_found.sum())
    found = np.flatnonzero(is_found).tolist()
    return Column(
        rank[column.codes].astype(column.codes.dtype),
        tuple(column.states[level] for level in found),
        declared=False,
        n_missing=column.n_missing,
    )


def _unified(native: Any) -> tuple[NDArray[Any], list[Any]]:
    """Return the codes of all chunks, -1 where a cell is missing, and what they stand for."""
    merged = native.unify_dictionaries().combine_chunks()
    codes = merged.indices.cast("int64").fill_null(-1).to_numpy(zero_copy_only=False)
    return codes, merged.dictionary.to_pylist()

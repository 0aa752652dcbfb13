"""Columns of numbers that are cut into intervals where they have too many kinds."""

from __future__ import annotations

import numpy as np

from h2pc.data.columns import MOST_WHOLE_FLOATS, Column, code_dtype
from h2pc.data.discretize import Discretizer
from h2pc.data.number_tables import Floats, interval_labels
from h2pc.errors import DataError


def wants_cutting(values: Floats) -> bool:
    """Whether numbers are fractions, or whole numbers of more kinds than levels should be."""
    kinds = np.unique(values[~np.isnan(values)])
    return kinds.size > MOST_WHOLE_FLOATS or bool((kinds != np.floor(kinds)).any())


def cut_column(name: str, values: Floats, cut: Discretizer) -> Column:
    """Encode numbers, NaN where they are missing, by the intervals that they are cut into."""
    own = Discretizer(cut.strategy, cut.levels)
    try:
        edges = own.fit(values[:, np.newaxis]).edges_[0]
    except DataError as error:
        raise DataError(str(error).replace("column 0", f"column {name!r}")) from None
    states = tuple(interval_labels(edges))
    missing = np.isnan(values)
    codes = np.searchsorted(edges, values, side="left").astype(code_dtype(len(states) + 1))
    codes[missing] = len(states)
    return Column(codes, states, declared=True, n_missing=int(missing.sum()))

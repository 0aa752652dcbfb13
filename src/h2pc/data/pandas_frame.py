"""Encoded data as a pandas data frame."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from h2pc.data.encoded_table import EncodedTable


def pandas_frame(data: EncodedTable, weights: NDArray[np.int64] | None) -> Any:
    """Return a pandas data frame of categories, and of floats for continuous variables.

    The state ``None`` and codes beyond the states are missing there.
    """
    import narwhals as nw

    pd = nw.Implementation.PANDAS.to_native_namespace()
    repeats = 1 if weights is None else weights
    numbers = iter(data.values)
    columns = {}
    for v, (name, own, row) in enumerate(zip(data.names, data.states, data.codes, strict=True)):
        if data.is_continuous[v]:
            columns[name] = np.repeat(next(numbers), repeats)
            continue
        categories = [state for state in own if state is not None]
        places = {state: code for code, state in enumerate(categories)}
        table = np.array([*(places.get(state, -1) for state in own), -1])
        columns[name] = pd.Categorical.from_codes(table[np.repeat(row, repeats)], categories)
    return pd.DataFrame(columns)

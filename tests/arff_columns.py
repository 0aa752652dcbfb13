"""Columns of tables by name, as tests compare them."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from h2pc.io.coded_table import CodedTable


class Nominal(NamedTuple):
    """Codes of categories, -1 where a cell is missing, and the categories."""

    codes: NDArray[np.int64]
    categories: tuple[str, ...]


def column_of(table: CodedTable, name: str) -> NDArray[np.float64] | Nominal:
    """Return the numbers of a column, or its codes and categories."""
    j = table.names.index(name)
    values, categories = table.values(j), table.categories[j]
    if categories is None:
        return values
    return Nominal(np.where(np.isnan(values), -1, values).astype(np.int64), categories)

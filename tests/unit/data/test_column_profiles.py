"""Columns that are looked at together have the profiles that each has alone."""

import narwhals as nw
import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from h2pc.data.column_profiles import profiled, profiles_of_integers

SHAPES = st.tuples(st.integers(2, 4), st.integers(1, 30))
INTEGERS = st.one_of(st.integers(-3, 3), st.integers(2**53 - 2, 2**53 + 40), st.integers(-400, 400))


@given(
    SHAPES.flatmap(
        lambda shape: st.one_of(
            arrays.arrays(np.bool_, shape),
            arrays.arrays(np.int64, shape, elements=INTEGERS),
            arrays.arrays(np.uint8, shape),
            st.integers(-5, 5).map(lambda start: np.arange(start, start + shape[1])[None] + 0),
        )
    )
)
def test_a_block_of_integers_has_the_profiles_of_its_columns(block):
    names = [f"x{j}" for j in range(len(block))]

    found = profiles_of_integers(names, block)

    columns = [nw.from_native(pl.Series(row), series_only=True) for row in block]
    assert found == [profiled(name, column) for name, column in zip(names, columns, strict=True)]

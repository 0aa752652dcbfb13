"""Sorting in kernels is that of NumPy."""

import numba
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from h2pc._kernels.ordering import in_order, stable_order

NUMBERS = st.lists(st.integers(-5, 5), max_size=70).map(lambda values: np.array(values, np.int64))
REALS = st.lists(st.floats(allow_nan=False), max_size=40).map(
    lambda values: np.array(values, float)
)


@numba.njit
def order_of(values):
    """Parts of kernels are called from compiled code only."""
    return stable_order(values)


@numba.njit
def sorted_by_kernel(values):
    return in_order(values)


@given(NUMBERS | REALS)
def test_equal_values_keep_their_order(values):
    assert order_of(values).tolist() == np.argsort(values, kind="stable").tolist()


@given(NUMBERS)
def test_values_come_from_the_smallest_to_the_largest(values):
    assert sorted_by_kernel(values).tolist() == sorted(values.tolist())

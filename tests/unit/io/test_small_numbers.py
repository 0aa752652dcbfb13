"""Columns that are kept in as few bytes as they need."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from h2pc.io.small_numbers import SmallNumbers

SHAPES = st.tuples(st.integers(1, 6), st.integers(1, 20))


@given(
    SHAPES.flatmap(
        lambda shape: st.one_of(
            arrays.arrays(np.bool_, shape),
            arrays.arrays(np.int64, shape, elements=st.integers(-128, 127)),
            arrays.arrays(np.uint16, shape, elements=st.integers(126, 127)),
            arrays.arrays(np.int8, shape),
        )
    ),
    st.randoms(use_true_random=False),
)
def test_what_is_kept_comes_back_in_any_order(block, random):
    n_columns, n_rows = block.shape
    places = random.sample(range(n_columns + 3), n_columns)
    kept = SmallNumbers(n_columns + 3, n_rows)

    assert kept.add(places, block)

    order = random.sample(range(n_columns), n_columns)
    found = kept.block([places[i] for i in order])
    assert (found.dtype == np.bool_) == (block.dtype == np.bool_)
    np.testing.assert_array_equal(found, block[order])
    assert [v for v in range(n_columns + 3) if kept.has([v])] == sorted(places)


@pytest.mark.parametrize("value", [-129, 128, 2**62, -(2**63)])
def test_larger_numbers_are_not_kept(value):
    kept = SmallNumbers(2, 2)

    assert not kept.add([0, 1], np.array([[0, 1], [0, value]]))
    assert not kept.has([0])


def test_booleans_and_integers_are_no_block_together():
    kept = SmallNumbers(2, 2)
    kept.add([0], np.array([[True, False]]))
    kept.add([1], np.array([[1, 0]]))

    assert kept.has_all()
    assert kept.block([0, 1]) is None
    assert kept.block([0]).tolist() == [[True, False]]

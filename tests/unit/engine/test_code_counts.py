"""How often every code of a column occurs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from h2pc._engine import code_counts


@given(st.lists(st.integers(0, 299), max_size=200), st.sampled_from([np.uint8, np.uint16]))
def test_codes_are_counted_as_by_numpy(codes, dtype):
    column = np.array(codes).astype(dtype)

    counts = code_counts(column, 300)

    assert counts.tolist() == np.bincount(column, minlength=300).tolist()


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
@pytest.mark.parametrize("n_codes", [0, 1, 7])
def test_a_code_that_is_too_large_is_an_error(n_codes, dtype):
    with pytest.raises(ValueError, match="a code is too large"):
        code_counts(np.array([0, 7], dtype), n_codes)

"""Equal rows are found and added up as a dictionary does it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from h2pc._kernels.merging import merged_rows
from reference.slow_tables import slow_merged_rows
from strategies import datasets, examples


def merged(codes, cards, variables, weights):
    numbers = [np.array(some, np.int64) for some in (cards, variables, weights)]
    for array in (codes, *numbers):
        array.flags.writeable = False
    first, total = merged_rows(codes, *numbers)
    return first.tolist(), total.tolist()


@examples(100)
@given(st.data(), datasets(wide=True))
def test_rows_are_merged_as_by_a_dictionary(draw, data):
    variables = draw.draw(st.lists(st.sampled_from(range(data.n_variables)), unique=True))
    n = data.n_rows
    weights = draw.draw(st.lists(st.integers(1, 10**12), min_size=n, max_size=n))

    found = merged(data.codes, data.cards, variables, weights)

    assert found == slow_merged_rows(data.codes, variables, weights)


@pytest.mark.parametrize(("card", "dtype"), [(2, np.uint8), (3, np.uint8), (300, np.uint16)])
@pytest.mark.parametrize("n_variables", [7, 8, 39, 40, 63, 64, 65, 130])
def test_rows_too_long_for_a_word_are_told_apart(n_variables, card, dtype):
    rng = np.random.default_rng(0)
    codes = rng.integers(0, card, (n_variables, 40)).astype(dtype)
    codes = np.ascontiguousarray(codes[:, rng.integers(0, 40, 300)])  # most rows several times
    codes[rng.integers(n_variables), 150:] = 0  # … and many equal but for one column
    weights = rng.integers(1, 9, 300).tolist()
    variables = list(range(n_variables))

    found = merged(codes, [card] * n_variables, variables, weights)

    assert found == slow_merged_rows(codes, variables, weights)


def test_of_no_variables_all_rows_are_equal():
    assert merged(np.zeros((1, 5), np.uint8), [1], [], [1, 2, 3, 4, 5]) == ([0], [15])


def test_a_single_row_is_left_as_it_is():
    assert merged(np.array([[3], [1]], np.uint8), [4, 2], [0, 1], [7]) == ([0], [7])

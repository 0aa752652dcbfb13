"""Rare combinations become frequent ones."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from h2pc.errors import SettingError
from h2pc.multilabel.powerset_model import label_combinations
from h2pc.multilabel.pruned_combinations import pruned
from reference.slow_combination_chain import nearest_frequent

TABLES = arrays(
    np.int8, st.tuples(st.integers(1, 40), st.integers(1, 5)), elements=st.integers(0, 1)
)


@given(TABLES, st.integers(1, 8))
def test_a_rare_combination_becomes_the_nearest_frequent_one(labels, least):
    combinations, codes = label_combinations(labels)
    counts = np.bincount(codes).tolist()
    expected = nearest_frequent(combinations.tolist(), counts, min(least, max(counts)))

    found = pruned(codes, combinations, least)

    assert found.tolist() == [expected[code] for code in codes]


@given(TABLES)
def test_nothing_is_rarer_than_one_sample(labels):
    combinations, codes = label_combinations(labels)

    np.testing.assert_array_equal(pruned(codes, combinations, 1), codes)


def test_the_least_number_is_whole_and_positive():
    with pytest.raises(SettingError, match="least must be a whole number from 1 on; got 0"):
        pruned([0], [[1]], 0)

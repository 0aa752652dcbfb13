"""How many tests the power rule leaves out, counted in one go and one by one."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from h2pc import Dataset, GTest, ShrinkageTest
from h2pc.data.power import untestable, untested_shares

RULES = st.sampled_from([5.0, 1.0, 2.5, 0.3, 0.0])


def share(answers):
    return sum(answers) / len(answers) if answers else 0.0


@given(st.lists(st.integers(1, 9), min_size=1, max_size=8), st.integers(1, 3000), RULES)
def test_the_shares_are_those_of_the_tests_one_by_one(cards, n_samples, rule):
    varying = [card for card in cards if card > 1]

    def left_out(sets):
        return [rule * float(np.prod(some)) > n_samples for some in sets]

    found = untested_shares(cards, n_samples, rule)

    assert found.marginal == pytest.approx(share(left_out(combinations(varying, 2))))
    assert found.given_one == pytest.approx(share(left_out(combinations(varying, 3))))


@given(st.lists(st.integers(1, 9), min_size=2, max_size=6), st.integers(1, 300), RULES)
def test_a_variable_is_untestable_if_no_test_of_it_is_performed(cards, n_samples, rule):
    codes = [np.arange(n_samples) % card for card in cards]
    test = GTest(Dataset.from_codes(np.array(codes), cards=cards), power_rule=rule)

    found = untestable(cards, n_samples, rule)

    for v, card in enumerate(cards):
        others = [u for u in range(len(cards)) if u != v and cards[u] > 1]
        none = not any(test.performs(v, u) for u in others)
        assert (v in found) == (card > 1 and bool(others) and none)


@given(st.lists(st.integers(2, 5), min_size=3, max_size=3), st.integers(1, 300))
def test_tests_that_are_not_performed_assume_independence(cards, n_samples):
    codes = [np.arange(n_samples) % card for card in cards]
    test = GTest(Dataset.from_codes(np.array(codes), cards=cards))

    assert test.performs(0, 1, (2,)) == test.outcome(0, 1, (2,)).performed
    assert test.performs(0, 1, (2,)) or test.log_p(0, 1, (2,)) == 0.0


@given(
    st.lists(st.integers(2, 5), min_size=4, max_size=4),
    st.integers(1, 300),
    st.sampled_from([0.0, 0.3]),
    st.sampled_from([GTest, ShrinkageTest]),
)
def test_variables_whose_test_is_not_performed_are_those_of_single_tests(
    cards, n_samples, share_missing, kind
):
    rng = np.random.default_rng(n_samples)
    codes = np.array([np.arange(n_samples) % card for card in cards])
    codes[rng.random(codes.shape) < share_missing] = -1
    test = kind(Dataset.from_codes(codes, cards=cards, missing="available"))
    conditions = {3: (2, 1), 1: (), 2: (3,)}

    expected = tuple(v for v in (1, 2, 3) if not test.outcome(0, v, conditions[v]).performed)
    assert test.unperformed(0, conditions) == expected

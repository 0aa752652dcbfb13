"""Bitmaps, set bits and scattered codes count the same integers, so all bits of answers agree."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from h2pc.data import Dataset
from h2pc.independence.g_test import ChiSquareTest, GTest
from reference.slow_tables import g2, pearson, slow_outcome
from strategies import datasets, examples, questions
from unit.kernels.ways import all_ways

TESTS = {GTest: g2, ChiSquareTest: pearson}


def shaped(cards, n_rows, seed=0, skewed=()):
    """A data set whose columns are weakly linked; ``skewed`` ones have a very frequent level."""
    rng = np.random.default_rng(seed)
    hidden = rng.integers(0, 60, n_rows)
    codes = []
    for v, card in enumerate(cards):
        column = np.where(rng.random(n_rows) < 0.5, hidden, rng.integers(0, 60 * card, n_rows))
        column %= card
        if v in skewed:
            column[rng.random(n_rows) < 0.95] = card // 2
        codes.append(column)
    return Dataset.from_codes(codes, cards=cards)


@examples(60)
@given(st.data(), datasets(min_variables=2), st.sampled_from([GTest, ChiSquareTest]))
def test_all_ways_give_the_same_bits(draw, data, kind):
    target, candidates, z = draw.draw(questions(data.n_variables))
    test = kind(data, power_rule=0.0, remembered=0)
    expected = [test.outcome(target, x, z) for x in candidates]

    for way, other in all_ways(test).items():
        assert [other.outcome(target, x, z) for x in candidates] == expected, way
        log_p = other.log_p_many(target, candidates, z)
        assert log_p.tolist() == [outcome.log_p for outcome in expected], way


@examples(15)
@given(st.data(), datasets(min_variables=2, wide=True))
def test_all_ways_give_the_same_bits_for_codes_of_two_bytes(draw, data):
    target, candidates, z = draw.draw(questions(data.n_variables, max_z=2))
    test = GTest(data, power_rule=0.0, remembered=0)
    expected = [test.outcome(target, x, z) for x in candidates]

    for way, other in all_ways(test).items():
        assert [other.outcome(target, x, z) for x in candidates] == expected, way


# Few and many words and cells, skewed and even columns: each plan is the cheapest for one of them.
SHAPES = {
    "few cells, many rows": ((2, 2, 2, 2, 2), 3000, ()),
    "few cells, few rows": ((2, 3, 2, 3, 2), 70, ()),
    "many cells, even columns": ((5, 6, 5, 4, 7), 3000, ()),
    "many cells, skewed columns": ((5, 6, 5, 4, 7), 3000, (0, 1, 2, 3, 4)),
    "few cells, skewed columns": ((2, 3, 3, 2, 4), 3000, (0, 2, 4)),
    "mixed": ((2, 20, 3, 12, 4), 2000, (1, 3)),
    "a partial last word": ((2, 3, 4, 3, 2), 2049, (1,)),
}


@pytest.mark.parametrize("kind", TESTS)
@pytest.mark.parametrize("shape", SHAPES)
def test_all_ways_equal_the_textbook_on_shapes_that_ask_for_them(shape, kind):
    cards, n_rows, skewed = SHAPES[shape]
    data = shaped(cards, n_rows, skewed=skewed)
    test = kind(data, power_rule=0.0, remembered=0)
    ways = all_ways(test)

    for target, z in [(0, ()), (1, (0,)), (2, (1,)), (3, (0, 1)), (4, (2, 0)), (0, (1, 2, 3))]:
        candidates = tuple(v for v in range(5) if v != target and v not in z)
        expected = [
            slow_outcome(data, target, x, z, statistic=TESTS[kind], power_rule=0.0)
            for x in candidates
        ]
        found = [test.outcome(target, x, z) for x in candidates]
        for one, textbook in zip(found, expected, strict=True):
            assert one.statistic == pytest.approx(textbook.statistic, rel=1e-10, abs=1e-9)
            assert one.df == textbook.df
        for way, other in ways.items():
            log_p = other.log_p_many(target, candidates, z)
            assert log_p.tolist() == [outcome.log_p for outcome in found], way


@pytest.mark.parametrize("z", [(), (0,), (0, 1), (1, 2)])
def test_binary_and_wide_candidates_of_one_call_are_counted_in_ways_of_their_own(z):
    data = shaped((2, 3, 2, 3, *[2] * 20, *[40] * 20), 3000)
    test = GTest(data, power_rule=0.0, remembered=0)
    candidates = tuple(range(4, 44))
    expected = [test.outcome(3, x, z).log_p for x in candidates]

    for way, other in all_ways(test).items():
        assert other.log_p_many(3, candidates, z).tolist() == expected, way


@pytest.mark.parametrize("shape", SHAPES)
def test_all_ways_find_the_same_separators(shape):
    cards, n_rows, skewed = SHAPES[shape]
    data = shaped(cards, n_rows, seed=1, skewed=skewed)
    test = GTest(data, power_rule=0.0, remembered=0)
    ways = all_ways(test)

    for target, candidate in product(range(2), range(2, 5)):
        pool = tuple(v for v in range(5) if v not in (target, candidate))
        expected = test.first_separator(target, candidate, pool)
        for way, other in ways.items():
            assert other.first_separator(target, candidate, pool) == expected, way

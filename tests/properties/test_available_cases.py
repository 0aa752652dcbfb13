"""Where cells are missing, every test is that of the rows complete in its own variables."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from h2pc.data import Dataset
from h2pc.independence.base import CITest
from h2pc.independence.table_tests import ChiSquareTest, GTest
from reference.slow_available import available_outcome, complete_rows
from reference.slow_tables import OneByOne, g2, pearson, slow_outcome
from strategies import Question, datasets, examples, incomplete_datasets, questions

holed = incomplete_datasets(min_variables=2)
kinds = st.sampled_from([GTest, ChiSquareTest])
power_rules = st.sampled_from([5.0, 1.0, 0.0])


def outcomes(test, question: Question):
    return [test.outcome(question.target, x, question.z) for x in question.candidates]


def twins(test, question: Question):
    return [available_outcome(test, question.target, x, question.z) for x in question.candidates]


def in_other_ways(test):
    """The same answers from merged rows, weighted rows, and rows in another order."""
    everyone = tuple(range(test.data.n_variables))
    rules = {"power_rule": test.power_rule, "adjust_df": test.adjust_df, "cache_size": 0}
    yield test.focused(everyone)
    yield type(test)(test.data.compressed(everyone), test.alpha, **rules)
    yield type(test)(test.data.take(np.arange(test.data.n_rows)[::-1]), test.alpha, **rules)


@examples(300)
@given(st.data(), holed, kinds, power_rules, st.booleans())
def test_every_test_equals_that_of_its_complete_rows_in_all_bits(
    draw, data, kind, power_rule, adjust_df
):
    question = draw.draw(questions(data.n_variables))
    test = kind(data, power_rule=power_rule, adjust_df=adjust_df, cache_size=0)

    expected = twins(test, question)

    for other in (test, *in_other_ways(test)):
        assert outcomes(other, question) == expected
        many = other.log_p_many(question.target, question.candidates, question.z)
        assert many.tolist() == [outcome.log_p for outcome in expected]


@examples(60)
@given(st.data(), holed, kinds)
def test_every_test_agrees_with_the_textbook(draw, data, kind):
    target, (x, *_), z = draw.draw(questions(data.n_variables))
    rows = complete_rows(data, (target, x, *z))
    assume(rows is not None)
    textbook = slow_outcome(
        rows, 0, 1, tuple(range(2, rows.n_variables)), statistic=g2 if kind is GTest else pearson
    )

    found = kind(data).outcome(target, x, z)

    assert (found.df, found.performed) == (textbook.df, textbook.performed)
    assert found.statistic == pytest.approx(textbook.statistic, rel=1e-10, abs=1e-9)
    assert found.log_p == pytest.approx(textbook.log_p, rel=1e-8, abs=1e-8)


def steps(test: CITest, question: Question) -> list:
    target, candidates, z = question
    first, *pool = candidates
    return [
        test.inseparable(target, candidates, (*candidates, *z)),
        test.weakest_links(target, candidates, z[:1], z[1:]),
        test.first_separator(target, first, tuple(pool), base=z),
        test.prune(target, candidates),
        test.iamb_fdr(target, candidates, candidates[:1]),
    ]


@examples(150)
@given(st.data(), holed, kinds, power_rules, st.sampled_from([0.001, 0.05, 0.6]))
def test_all_steps_are_those_of_single_tests(draw, data, kind, power_rule, alpha):
    question = draw.draw(questions(data.n_variables))
    test = kind(data, alpha, power_rule=power_rule)

    assert steps(test, question) == steps(OneByOne(test), question)
    assert steps(test.focused(tuple(range(data.n_variables))), question) == steps(test, question)


@examples(60)
@given(st.data(), datasets(min_variables=2), kinds)
def test_data_without_missing_cells_are_complete(draw, data, kind):
    question = draw.draw(questions(data.n_variables))
    same = Dataset.from_codes(data.codes.astype(np.int64), cards=data.cards, missing="available")

    assert same.is_complete
    assert same.fingerprint() == data.fingerprint()
    assert outcomes(kind(same), question) == outcomes(kind(data), question)


@examples(100)
@given(st.data(), holed, kinds, power_rules)
def test_neither_the_order_of_levels_nor_of_the_two_variables_matters(draw, data, kind, power_rule):
    target, candidates, z = draw.draw(questions(data.n_variables))
    rng = np.random.default_rng(draw.draw(st.integers(0, 99)))
    codes = [
        np.append(rng.permutation(card), -1)[row]
        for row, card in zip(data.codes, data.cards, strict=True)
    ]
    relabelled = Dataset.from_codes(codes, cards=data.cards, missing="available")
    one, other = kind(data, power_rule=power_rule), kind(relabelled, power_rule=power_rule)

    for x in candidates:
        assert one.outcome(target, x, z) == other.outcome(x, target, z[::-1])


# Each way of counting is the cheapest for one of these: bitmaps, set bits, scatter, and pairs.
SHAPES = {
    "few cells, many rows": ((2, 2, 2, 2, 2, 2), 3000),
    "few cells, few rows": ((2, 3, 2, 3, 2, 4), 70),
    "many cells": ((5, 6, 5, 4, 7, 3), 3000),
    "mixed": ((2, 20, 3, 12, 4, 2), 2000),
    "two bytes": ((2, 300, 3, 256, 4, 2), 2000),
}


@pytest.mark.parametrize("kind", [GTest, ChiSquareTest])
@pytest.mark.parametrize("share", [0.02, 0.3])
@pytest.mark.parametrize("shape", SHAPES)
def test_larger_samples_agree_with_their_complete_rows(shape, share, kind):
    cards, n_rows = SHAPES[shape]
    rng = np.random.default_rng(0)
    hidden = rng.integers(0, 60, n_rows)
    codes = np.array(
        [
            np.where(rng.random(n_rows) < 0.5, hidden, rng.integers(0, 60, n_rows)) % card
            for card in cards
        ]
    )
    codes[1][rng.random(n_rows) < 0.9] = 1
    codes[:5][rng.random((5, n_rows)) < share] = -1  # the last variable is complete
    data = Dataset.from_codes(codes, cards=cards, missing="available")
    test = kind(data, power_rule=0.0, cache_size=0)

    for target, z in [(0, ()), (1, (0,)), (5, (1,)), (2, (5,)), (3, (0, 1)), (4, (2, 0, 1, 5))]:
        candidates = tuple(v for v in range(6) if v != target and v not in z)
        question = Question(target, candidates, z)
        found = outcomes(test, question)
        for outcome, twin in zip(found, twins(test, question), strict=True):
            assert outcome.df == twin.df
            assert outcome.statistic == pytest.approx(twin.statistic, rel=1e-9)
            assert outcome.log_p == pytest.approx(twin.log_p, rel=1e-9, abs=1e-9)
        for other in (test, *in_other_ways(test)):
            log_p = other.log_p_many(target, candidates, z)
            assert log_p.tolist() == [outcome.log_p for outcome in found]
        assert steps(test, question) == steps(OneByOne(test), question)

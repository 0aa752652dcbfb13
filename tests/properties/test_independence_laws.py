"""Laws of the independence tests: no order, name or way of asking changes a single bit."""

from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from h2pc.data import Dataset
from h2pc.independence.base import CITest, Outcome
from h2pc.independence.context import Context
from h2pc.independence.table_tests import ChiSquareTest, GTest, TableTest
from h2pc.runs.limits import Limits, Watch
from reference.slow_tables import OneByOne
from strategies import Question, datasets, examples, questions

several = datasets(min_variables=2)
kinds = st.sampled_from([GTest, ChiSquareTest])
power_rules = st.sampled_from([5.0, 1.0, 0.0])


def outcomes(test: TableTest, question: Question) -> list[Outcome]:
    target, candidates, z = question
    return [test.outcome(target, x, z) for x in candidates]


def separation(test: CITest, question: Question):
    target, (candidate, *pool), z = question
    return test.first_separator(target, candidate, tuple(pool), base=z)


def all_steps(test: CITest, question: Question) -> list:
    """What every step finds, and the number of tests, in plain Python to be compared."""
    target, candidates, z = question
    dsep = dict.fromkeys(candidates[::2], z[1:])
    test = test.within(test.context.fresh())
    return [
        test.log_p_many(target, candidates, z).tolist(),
        test.inseparable(target, candidates, (*candidates, *z)),
        test.weakest_links(target, candidates, z[:1], z[1:]),
        separation(test, question),
        test.prune(target, candidates),
        test.prune_given_any(target, candidates, dsep, z),
        test.iamb_fdr(target, candidates, candidates[:1]),
        test.context.n_tests,
    ]


@examples(100)
@given(st.data(), several, kinds, power_rules)
def test_the_order_of_rows_does_not_matter(draw, data, kind, power_rule):
    question = draw.draw(questions(data.n_variables))
    order = np.random.default_rng(draw.draw(st.integers(0, 99))).permutation(data.n_rows)
    shuffled = data.take(order)

    one, other = (kind(d, power_rule=power_rule) for d in (data, shuffled))

    assert outcomes(one, question) == outcomes(other, question)
    assert all_steps(one, question) == all_steps(other, question)


@examples(100)
@given(st.data(), several, kinds, power_rules, st.booleans())
def test_the_order_of_levels_does_not_matter(draw, data, kind, power_rule, adjust_df):
    question = draw.draw(questions(data.n_variables))
    rng = np.random.default_rng(draw.draw(st.integers(0, 99)))
    codes = [rng.permutation(card)[row] for row, card in zip(data.codes, data.cards, strict=True)]
    relabelled = Dataset.from_codes(codes, cards=data.cards)

    one, other = (kind(d, power_rule=power_rule, adjust_df=adjust_df) for d in (data, relabelled))

    assert outcomes(one, question) == outcomes(other, question)
    assert all_steps(one, question) == all_steps(other, question)


@examples(100)
@given(st.data(), several, kinds, power_rules)
def test_neither_the_names_nor_the_order_of_columns_matter(draw, data, kind, power_rule):
    question = draw.draw(questions(data.n_variables))
    order = draw.draw(st.permutations(range(data.n_variables)))
    names = draw.draw(st.permutations("abcdef"[: data.n_variables]))
    moved = Dataset.from_codes(
        data.codes[order], cards=data.cards[order], names=[names[v] for v in order]
    )
    number = [moved.variable(name) for name in names]  # of the variable v in the moved data
    target, candidates, z = question
    same = Question(
        number[target], tuple(number[v] for v in candidates), tuple(number[v] for v in z)
    )

    one, other = kind(data, power_rule=power_rule), kind(moved, power_rule=power_rule)

    assert outcomes(one, question) == outcomes(other, same)
    # The other steps break ties by name.
    log_p, kept, linked, found, *_ = all_steps(one, question)
    same_log_p, same_kept, same_linked, same_found, *_ = all_steps(other, same)
    assert log_p == same_log_p
    assert same_kept == tuple(number[v] for v in kept)
    assert same_linked == {number[v]: log_p for v, log_p in linked.items()}
    assert found.log_p == same_found.log_p
    assert same_found.z == (None if found.z is None else tuple(number[v] for v in found.z))


@examples(100)
@given(st.data(), several, kinds, power_rules, st.booleans())
def test_the_two_variables_and_the_conditioning_set_have_no_order(
    draw, data, kind, power_rule, adjust_df
):
    target, candidates, z = draw.draw(questions(data.n_variables))
    turned = tuple(draw.draw(st.permutations(z)))
    test = kind(data, power_rule=power_rule, adjust_df=adjust_df)

    for x in candidates:
        assert test.outcome(target, x, z) == test.outcome(x, target, turned)


@examples(60)
@given(st.data(), several, kinds, power_rules)
def test_doubling_the_sample_doubles_the_statistic(draw, data, kind, power_rule):
    x, (y, *_), z = draw.draw(questions(data.n_variables))
    doubled = data.take(np.repeat(np.arange(data.n_rows), 2))
    one = kind(data, power_rule=power_rule).outcome(x, y, z)
    assume(one.performed)

    two = kind(doubled, power_rule=power_rule).outcome(x, y, z)

    assert two.statistic == pytest.approx(2.0 * one.statistic, rel=1e-9, abs=1e-9)
    assert two.df == one.df


@examples(120)
@given(st.data(), several, kinds, power_rules, st.sampled_from([0.001, 0.05, 0.6]))
def test_all_steps_agree(draw, data, kind, power_rule, alpha):
    question = draw.draw(questions(data.n_variables))
    target, candidates, z = question
    test = kind(data, alpha, power_rule=power_rule)
    many = test.log_p_many(target, candidates, z)

    decided = [
        test.first_separator(target, x, z, min_size=len(z)).z is not None for x in candidates
    ]
    with_base = [test.first_separator(target, x, (), base=z) for x in candidates]

    assert decided == [test.independent(log_p) for log_p in many]
    assert decided == [found.z == () for found in with_base]
    assert [found.log_p for found in with_base] == many.tolist()
    assert test.log_p_given(target, candidates, z).tolist() == many.tolist()


@examples(80)
@given(st.data(), several, kinds, power_rules)
def test_caches_focus_merged_rows_wide_limits_and_python_change_nothing(
    draw, data, kind, power_rule
):
    asked = draw.draw(st.lists(questions(data.n_variables), min_size=1, max_size=3))
    rules = {"power_rule": power_rule}
    test, everyone = kind(data, 0.3, **rules), tuple(range(data.n_variables))
    wide = Limits(max_seconds=1e6, max_conditioning=99, max_subset_tests=10**9)
    others = [
        kind(data, 0.3, cache_size=0, bytes_for_rounds=0, **rules),
        kind(data, 0.3, cache_size=2, **rules),
        kind(data.compressed(everyone), 0.3, **rules),
        test.focused(everyone),
        test.within(Context(watch=Watch(wide))),
        OneByOne(test),
    ]

    for question in asked:
        expected = all_steps(test, question)
        for other in others:
            assert other.alpha == test.alpha
            assert all_steps(other, question) == expected


# Threads


@cache
def busy_tests() -> list[TableTest]:
    """Tests that many threads ask at once; some are focused, so they share arrays."""
    rng = np.random.default_rng(0)
    hidden = rng.integers(0, 12, 3_000)
    codes = [
        np.where(rng.random(3_000) < 0.4, hidden % card, rng.integers(0, card, 3_000))
        for card in (2, 3, 2, 4, 3, 2, 5, 2, 3, 4)
    ]
    data = Dataset.from_codes(codes)
    whole = GTest(data)
    return [
        whole,
        whole.focused((0, 1, 2, 3, 4)),
        whole.focused((0, 1, 2, 3, 4)).focused((0, 1, 2, 3)),
        ChiSquareTest(data, power_rule=0.0),
        GTest(data, power_rule=0.0, cache_size=4),
    ]


@cache
def busy_questions() -> list[tuple[int, Question]]:
    """Numbers of tests, and questions that a focused one can be asked, too."""
    rng = np.random.default_rng(1)
    asked = []
    for i in range(500):
        which = i % 5
        order = rng.permutation((10, 5, 4, 10, 10)[which]).tolist()
        n_z = int(rng.integers(0, 3))
        asked.append(
            (which, Question(order[0], tuple(order[1 + n_z :]), tuple(order[1 : 1 + n_z])))
        )
    return asked


def answered(numbered: tuple[int, Question]) -> list:
    which, question = numbered
    return all_steps(busy_tests()[which], question)


@cache
def answered_in_turn() -> list:
    data = busy_tests()[0].data
    plain = GTest(data, cache_size=0)
    others = (
        ChiSquareTest(data, power_rule=0.0, cache_size=0),
        GTest(data, power_rule=0.0, cache_size=0),
    )
    tests = (plain, plain, plain, *others)
    return [all_steps(tests[which], question) for which, question in busy_questions()]


@pytest.mark.parametrize("n_threads", [1, 2, 8])
def test_any_number_of_threads_get_the_same_bits(n_threads):
    expected = answered_in_turn()

    with ThreadPoolExecutor(n_threads) as pool:
        found = list(pool.map(answered, busy_questions()))

    assert found == expected


def test_threads_may_focus_a_test_that_others_are_asking():
    test = busy_tests()[0]
    expected = test.log_p_many(0, (1, 3), (2,)).tolist()

    def focused(i: int) -> list[float]:
        return test.focused((0, 1, 2, 3, 4 + i % 6)).log_p_many(0, (1, 3), (2,)).tolist()

    with ThreadPoolExecutor(8) as pool:
        assert all(found == expected for found in pool.map(focused, range(200)))

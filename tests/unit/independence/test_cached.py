"""Remembering changes no answer, asks nothing twice and forgets in time."""

import pickle
from concurrent.futures import ThreadPoolExecutor
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from h2pc.data import Dataset
from h2pc.errors import SettingError
from h2pc.independence.cached import CachedTest
from h2pc.independence.counted import CountedTest
from h2pc.independence.g_test import GTest
from reference.slow_tables import OneByOne
from strategies import datasets, examples, questions


def g_test(n_variables: int = 5) -> GTest:
    codes = np.random.default_rng(0).integers(0, 2, (n_variables, 150))
    codes[-1] = codes[0]
    return GTest(Dataset.from_codes(codes), power_rule=0.0)


def cached(size: int = 1_000) -> tuple[CachedTest, OneByOne]:
    """A cached test, and the list of what reaches the test inside."""
    inside = OneByOne(g_test())
    return CachedTest(inside, size), inside


def test_a_question_is_asked_once_whatever_the_order_of_its_variables():
    test, inside = cached()

    answers = {
        float(test.log_p(x, y, z))
        for x, y in [(0, 1), (1, 0)]
        for z in permutations((2, 3, 4))
        for _ in range(2)
    }

    assert len(answers) == 1
    assert len(inside.asked) == 1


def test_only_the_unknown_among_many_candidates_are_asked_about():
    test, inside = cached()
    test.log_p_many(0, (1, 3), (2,))
    inside.asked.clear()

    answers = test.log_p_many(0, (1, 3, 4), (2,))

    assert inside.asked == [(0, 4, (2,))]
    assert answers.tolist() == g_test().log_p_many(0, (1, 3, 4), (2,)).tolist()


def test_only_the_unknown_among_candidates_with_their_own_sets_are_asked_about():
    test, inside = cached()
    test.log_p_each(0, (1, 3), [(2,), (2, 4)])
    inside.asked.clear()

    answers = test.log_p_each(0, (3, 1, 1), [(4, 2), (), (2,)])

    assert inside.asked == [(0, 1, ())]
    assert answers.tolist() == g_test().log_p_each(0, (3, 1, 1), [(4, 2), (), (2,)]).tolist()


def test_the_same_question_twice_in_one_call_is_asked_once():
    test, inside = cached()

    first, second = test.log_p_each(0, (1, 1), [(2, 3), (3, 2)])

    assert first == second
    assert len(inside.asked) == 1


def test_all_verbs_share_what_is_known():
    test, inside = cached()
    test.first_separator(0, 4, (1, 2, 3))
    n_asked = len(inside.asked)

    test.first_separator(4, 0, (3, 2, 1))
    test.log_p_many(4, (0,), (3, 1))
    test.log_p_each(0, (4, 4), [(1,), (2, 3)])

    assert len(inside.asked) == n_asked == 8


@examples(80)
@given(st.data(), datasets(min_variables=2), st.sampled_from([1, 2, 3, 1_000]))
def test_a_cache_changes_no_answer_and_asks_nothing_that_it_knows(draw, data, size):
    asked = draw.draw(st.lists(questions(data.n_variables, max_z=2), max_size=6))
    test = GTest(data, power_rule=0.0)
    inside = OneByOne(test)
    remembering = CachedTest(inside, size)

    for target, candidates, z in asked:
        found = remembering.log_p_many(target, candidates, z)
        assert found.tolist() == test.log_p_many(target, candidates, z).tolist()
        separation = remembering.first_separator(target, candidates[0], candidates[1:], base=z)
        assert separation == test.first_separator(target, candidates[0], candidates[1:], base=z)

    if size == 1_000:
        different = {(frozenset((x, y)), frozenset(z)) for x, y, z in inside.asked}
        assert len(different) == len(inside.asked)


def test_the_oldest_answer_is_forgotten_first():
    test, inside = cached(size=2)
    for y in (1, 2, 3):
        test.log_p(0, y)
    inside.asked.clear()

    test.log_p(0, 3)
    test.log_p(0, 2)
    assert inside.asked == []

    test.log_p(0, 1)
    assert inside.asked == [(0, 1, ())]


def test_memory_is_bounded():
    test, _ = cached(size=3)

    for z in permutations((1, 2, 3), 2):
        test.log_p_many(0, tuple({1, 2, 3, 4} - set(z)), z)
        assert len(test._answers) <= 3


def test_more_candidates_than_can_be_remembered_are_answered_all_the_same():
    test, _ = cached(size=1)

    assert (
        test.log_p_many(0, (1, 2, 3, 4)).tolist() == g_test().log_p_many(0, (1, 2, 3, 4)).tolist()
    )


@pytest.mark.parametrize("size", [1, 5, 1_000])
def test_threads_share_a_cache_and_get_the_same_bits(size):
    plain = g_test(8)
    test = CachedTest(CountedTest(plain), size)
    asked = [(x, y, z) for x, y, z in permutations(range(8), 3)]

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda q: test.log_p(q[0], q[1], (q[2],)), asked * 3))

    assert found == [plain.log_p(x, y, (z,)) for x, y, z in asked] * 3
    assert len(test._answers) <= size


def test_a_copy_from_a_pickle_knows_the_answers():
    test = CachedTest(CountedTest(g_test()))
    expected = test.log_p_many(0, (1, 2, 3))

    other = pickle.loads(pickle.dumps(test))

    assert other.log_p_many(0, (1, 2, 3)).tolist() == expected.tolist()
    assert other.inner.n_tests == 3


@pytest.mark.parametrize("size", [0, -1, -1_000_000])
def test_a_cache_without_room_is_refused(size):
    with pytest.raises(SettingError, match=rf"^size must be at least 1 answer; got {size}\.$"):
        CachedTest(g_test(), size)

"""Remembering changes no score, asks for nothing twice and forgets in time."""

import pickle
from concurrent.futures import ThreadPoolExecutor
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from h2pc.data import Dataset
from h2pc.errors import SettingError
from h2pc.scores import BDeu, CachedScore, CountedScore
from reference.slow_scores import OneByOne
from strategies import datasets, examples, questions


def bdeu(n_variables: int = 5) -> BDeu:
    codes = np.random.default_rng(0).integers(0, 3, (n_variables, 150))
    return BDeu(Dataset.from_codes(codes))


def cached(size: int = 1_000) -> tuple[CachedScore, OneByOne]:
    """A cached score, and the list of what reaches the score inside."""
    inside = OneByOne(bdeu())
    return CachedScore(inside, size), inside


def test_a_family_is_asked_for_once_whatever_the_order_of_its_parents():
    score, inside = cached()

    found = {score.family(0, parents) for parents in permutations((1, 2, 3)) for _ in range(2)}

    assert found == {bdeu().family(0, (1, 2, 3))}
    assert len(inside.asked) == 1


def test_only_the_unknown_among_many_changes_are_asked_for():
    score, inside = cached()
    score.family(0, (1,))
    score.changed(0, (1, 2), (3,))
    inside.asked.clear()

    found = score.changed(0, (2, 1), (3, 2, 4))

    assert inside.asked == [(0, (2, 1, 4))]
    assert found.tolist() == bdeu().changed(0, (1, 2), (3, 2, 4)).tolist()


def test_the_same_change_twice_in_one_call_is_asked_for_once():
    score, inside = cached()

    first, second = score.changed(0, (1,), (2, 2))

    assert first == second
    assert len(inside.asked) == 1


def test_the_children_of_the_same_parents_are_told_apart():
    score, inside = cached()

    found = [score.family(child, (2,)) for child in (0, 1)]

    assert found == [bdeu().family(0, (2,)), bdeu().family(1, (2,))]
    assert len(inside.asked) == 2


@examples(40)
@given(st.data(), datasets(min_variables=2), st.sampled_from([1, 2, 3, 1_000]))
def test_a_cache_changes_no_score_and_asks_for_nothing_that_it_knows(draw, data, size):
    asked = draw.draw(st.lists(questions(data.n_variables, max_z=2), max_size=6))
    score = BDeu(data)
    inside = OneByOne(score)
    remembering = CachedScore(inside, size)

    for child, candidates, parents in asked:
        found = remembering.changed(child, parents, candidates + parents)
        assert found.tolist() == score.changed(child, parents, candidates + parents).tolist()
        assert remembering.family(child, parents) == score.family(child, parents)

    if size == 1_000:
        different = {(child, frozenset(parents)) for child, parents in inside.asked}
        assert len(different) == len(inside.asked)


def test_the_oldest_family_is_forgotten_first():
    score, inside = cached(size=2)
    for x in (1, 2, 3):
        score.family(0, (x,))
    inside.asked.clear()

    score.family(0, (3,))
    score.family(0, (2,))
    assert inside.asked == []

    score.family(0, (1,))
    assert inside.asked == [(0, (1,))]


def test_more_changes_than_can_be_remembered_are_answered_all_the_same():
    score, _ = cached(size=1)

    found = score.changed(0, (), (1, 2, 3, 4))

    assert found.tolist() == bdeu().changed(0, (), (1, 2, 3, 4)).tolist()
    assert len(score._scores) == 1


@pytest.mark.parametrize("size", [1, 5, 1_000])
def test_threads_share_a_cache_and_get_the_same_bits(size):
    plain = bdeu(8)
    score = CachedScore(plain, size)
    asked = list(permutations(range(8), 3))

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda q: score.changed(q[0], q[1:2], q[2:]).item(), asked * 3))

    assert found == [plain.family(child, parents) for child, *parents in map(tuple, asked)] * 3
    assert len(score._scores) <= size


def test_a_copy_from_a_pickle_knows_the_families():
    score = CachedScore(CountedScore(bdeu()))
    expected = score.changed(0, (), (1, 2, 3))

    other = pickle.loads(pickle.dumps(score))

    assert other.changed(0, (), (1, 2, 3)).tolist() == expected.tolist()
    assert other.inner.n_scores == 3


def test_the_total_and_the_number_of_variables_are_those_of_the_score_inside():
    score, _ = cached()
    parent_sets = [(), (0,), (0, 1), (), (2, 3)]

    assert score.total(parent_sets) == bdeu().total(parent_sets)
    assert score.n_variables == 5


@pytest.mark.parametrize("size", [0, -1, -1_000_000])
def test_a_cache_without_room_is_refused(size):
    with pytest.raises(SettingError, match=rf"^size must be at least 1 family; got {size}\.$"):
        CachedScore(bdeu(), size)

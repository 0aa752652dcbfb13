"""Counting changes no score and misses none."""

import pickle
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from h2pc.data import Dataset
from h2pc.scores import BIC, CachedScore, CountedScore
from reference.slow_scores import OneByOne
from strategies import datasets, examples, questions


def bic() -> BIC:
    rows = range(120)
    codes = [[r % 2 for r in rows], [r % 3 for r in rows], [r // 7 % 2 for r in rows]]
    return BIC(Dataset.from_codes([codes[0], codes[1], codes[2], codes[0]]))


def test_every_family_and_every_change_counts_one():
    score = CountedScore(bic())

    score.family(0)
    assert score.n_scores == 1
    score.changed(0, (1,), (1, 2, 3))
    assert score.n_scores == 4
    score.changed(0, (), ())
    assert score.n_scores == 4
    score.total([(), (0,), (), (1, 2)])
    assert score.n_scores == 8


@examples(30)
@given(st.data(), datasets(min_variables=2))
def test_counted_scores_are_the_same_and_as_many_as_a_plain_loop_asks_for(draw, data):
    child, candidates, parents = draw.draw(questions(data.n_variables))
    counted, plain = CountedScore(BIC(data)), OneByOne(BIC(data))

    found = counted.changed(child, parents, candidates + parents)

    assert found.tolist() == plain.changed(child, parents, candidates + parents).tolist()
    assert counted.family(child, parents) == plain.family(child, parents)
    assert counted.n_scores == len(plain.asked)
    assert counted.n_variables == data.n_variables


def test_around_a_cache_questions_are_counted_and_inside_of_it_work():
    inside = CountedScore(bic())
    around = CountedScore(CachedScore(inside))

    for _ in range(3):
        around.changed(0, (1,), (2, 3))

    assert around.n_scores == 6
    assert inside.n_scores == 2


def test_threads_lose_no_score():
    score = CountedScore(bic())

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: score.changed(0, (), (1, 2, 3)), range(2_000)))

    assert score.n_scores == 6_000


@pytest.mark.parametrize("n_asked", [0, 3])
@pytest.mark.parametrize("duplicate", [deepcopy, lambda score: pickle.loads(pickle.dumps(score))])
def test_a_copy_goes_on_counting_on_its_own(duplicate, n_asked):
    score = CountedScore(bic())
    score.changed(0, (), (1, 2, 3)[:n_asked])

    other = duplicate(score)
    other.changed(1, (), (0, 2))

    assert other.n_scores == n_asked + 2
    assert score.n_scores == n_asked

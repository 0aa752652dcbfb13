"""Counting changes no answer and misses no question."""

import pickle
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from h2pc.data import Dataset
from h2pc.graph import Dag
from h2pc.independence.counted import CountedTest
from h2pc.independence.g_test import GTest
from h2pc.independence.oracle import DSeparationOracle
from h2pc.local.iamb_fdr import discovery_limits
from reference.slow_tables import OneByOne
from strategies import dags, datasets, examples, questions


def g_test() -> GTest:
    rows = range(120)
    codes = [[r % 2 for r in rows], [r % 3 for r in rows], [r // 7 % 2 for r in rows]]
    return GTest(Dataset.from_codes([codes[0], codes[1], codes[2], codes[0]]))


def test_every_candidate_is_a_question():
    test = CountedTest(g_test())

    test.log_p_many(0, (1, 2, 3))
    assert test.n_tests == 3
    test.log_p_each(0, (1, 2), [(3,), ()])
    assert test.n_tests == 5
    test.log_p(0, 1, (2,))
    assert test.n_tests == 6
    test.log_p_many(0, ())
    assert test.n_tests == 6


def test_a_grid_asks_nothing_where_the_set_is_complete():
    test = CountedTest(g_test())

    test.log_p_grid(0, (1, 2), [(3,), ()], (3,))

    assert test.n_tests == 1


@examples(80)
@given(st.data(), datasets(min_variables=2), st.sampled_from([0.001, 0.05, 0.6]))
def test_every_verb_counts_what_a_plain_loop_asks(draw, data, alpha):
    target, candidates, z = draw.draw(questions(data.n_variables, max_z=2))
    test = GTest(data, alpha, power_rule=0.0)
    limits = discovery_limits(len(candidates), test.log_alpha)
    zs = [z[: i % 3] for i in range(len(candidates))]
    verbs = [
        lambda t: t.log_p_many(target, candidates, z),
        lambda t: t.log_p_each(target, candidates, zs),
        lambda t: t.log_p_grid(target, candidates[:1], zs[:1], (*candidates[1:], *z)),
        lambda t: t.log_p_without_each(target, candidates),
        lambda t: t.sift(target, candidates, base=z),
        lambda t: t.sift_given_any(target, candidates, zs, z),
        lambda t: t.change(target, tuple(sorted(candidates)), candidates[1:], limits, None),
        lambda t: t.settled(target, tuple(sorted(candidates)), candidates[1:], limits),
        lambda t: t.inseparable(target, candidates, (*candidates[1:], *z)),
        lambda t: t.weakest_links(target, candidates, z[:1], z[1:]),
    ]

    for verb in verbs:
        counted, plain = CountedTest(test), OneByOne(test)
        verb(counted)
        verb(plain)
        assert counted.n_tests == len(plain.asked)


@examples(150)
@given(st.data(), datasets(min_variables=2), st.sampled_from([0.001, 0.05, 0.6]))
def test_a_search_counts_what_a_plain_loop_asks(draw, data, alpha):
    target, (candidate, *pool), base = draw.draw(questions(data.n_variables, max_z=1))
    limits = {
        "base": base,
        "min_size": draw.draw(st.integers(0, 3)),
        "max_size": draw.draw(st.none() | st.integers(0, 6)),
    }
    test = GTest(data, alpha, power_rule=0.0)
    counted, plain = CountedTest(test), OneByOne(test)

    found = counted.first_separator(target, candidate, tuple(pool), **limits)

    assert found == plain.first_separator(target, candidate, tuple(pool), **limits)
    assert counted.n_tests == len(plain.asked)


@examples(60)
@given(dags(min_nodes=2, max_nodes=7))
def test_the_searches_of_an_oracle_are_counted_as_if_it_had_tried_every_subset(dag: Dag):
    oracle = DSeparationOracle(dag)
    counted, plain = CountedTest(oracle), OneByOne(oracle)
    target, candidate, *pool = dag.variables

    found = counted.first_separator(target, candidate, tuple(pool))

    assert found == plain.first_separator(target, candidate, tuple(pool))
    assert counted.n_tests == len(plain.asked)


def test_focused_tests_add_to_the_same_count():
    test = CountedTest(g_test())
    focused = test.focused((0, 1, 2))

    focused.log_p_many(0, (1, 2))
    test.log_p(0, 3)
    focused.focused((0, 1)).log_p(0, 1)

    assert test.n_tests == focused.n_tests == 4
    assert focused.log_p(0, 1, (2,)) == test.log_p(0, 1, (2,))


def test_threads_lose_no_question():
    test = CountedTest(g_test())

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: test.log_p_many(0, (1, 2, 3)), range(2_000)))

    assert test.n_tests == 6_000


@pytest.mark.parametrize("n_asked", [0, 3])
@pytest.mark.parametrize("duplicate", [deepcopy, lambda test: pickle.loads(pickle.dumps(test))])
def test_a_copy_goes_on_counting_on_its_own(duplicate, n_asked):
    test = CountedTest(g_test())
    test.log_p_many(0, (1, 2, 3)[:n_asked])

    other = duplicate(test)
    other.log_p_many(1, (0, 2))

    assert other.n_tests == n_asked + 2
    assert test.n_tests == n_asked


def test_the_level_is_that_of_the_test_inside():
    assert CountedTest(GTest(Dataset.from_codes([[0, 1]]), 0.2)).alpha == 0.2

"""Limits cut searches where they say, and looking at the clock changes no answer."""

import pickle
import warnings
from itertools import chain, combinations, islice
from math import comb, inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from h2pc import CountedTest, Dag, DSeparationOracle, GTest
from h2pc.errors import H2pcWarning
from h2pc.independence import bounded
from h2pc.independence.bounded import BoundedTest, WatchedTest, pieces_of_subsets
from h2pc.independence.constrained import ConstrainedTest, EdgeConstraints
from h2pc.local import hpc, mmpc
from h2pc.local.iamb_fdr import discovery_limits
from h2pc.runs.limits import LimitReachedError, Limits, Watch
from reference.slow_tables import OneByOne
from strategies import datasets, examples, questions

SQUARE = Dag.from_edges(tuple("abcd"), [(0, 1), (0, 2), (1, 3), (2, 3)])
STAR = DSeparationOracle(Dag.from_edges([f"v{i:02}" for i in range(30)], [(28, 29)]))
LONG_AGO = Watch(Limits(max_memory=1))
HOURS = Watch(Limits(max_seconds=1e6))


class InSmallPieces(WatchedTest):
    """Looks at the clock as often as it can."""

    piece = 2


@st.composite
def searches(draw, n_variables):
    """The arguments of a search for a separating set."""
    target, (candidate, *pool), base = draw(questions(n_variables, max_z=1))
    sizes = {
        "min_size": draw(st.integers(0, 3)),
        "max_size": draw(st.none() | st.integers(0, 6)),
    }
    return target, candidate, tuple(pool), {"base": base, **sizes}


@examples(60)
@given(
    st.data(),
    datasets(min_variables=3, max_variables=7),
    st.none() | st.integers(0, 4),
    st.none() | st.integers(1, 20),
)
def test_a_bounded_search_tries_the_first_subsets_and_says_where_it_was_cut(draw, data, size, most):
    target, candidate, pool, how = draw.draw(searches(data.n_variables))
    test = GTest(data, 0.6, power_rule=0.0)
    base, largest = how["base"], how["max_size"]
    sizes = range(how["min_size"], min(len(pool), inf if largest is None else largest) + 1)
    everything = [z for k in sizes for z in combinations(pool, k)]
    within = [z for z in everything if size is None or len(base + z) <= size]
    tried = within if most is None else within[:most]
    log_p = [test.log_p(target, candidate, base + z) for z in tried]
    hit = next((i for i, value in enumerate(log_p) if test.independent(value)), None)

    counted = CountedTest(test)
    limited = BoundedTest(counted, Limits(max_conditioning=size, max_subset_tests=most))
    found = limited.first_separator(target, candidate, pool, **how)

    if hit is None:
        assert found == (None, max(log_p, default=-inf))
        assert limited.n_cut == (len(tried) < len(everything))
        assert counted.n_tests == len(tried)
    else:
        assert found == (tried[hit], log_p[hit])
        assert limited.n_cut == 0
        assert counted.n_tests == hit + 1


@given(st.integers(0, 7), st.integers(0, 7), st.integers(1, 40), st.integers(1, 9))
def test_pieces_hold_the_first_subsets_in_their_order(n, size, n_subsets, most):
    pool = tuple(range(10, 10 + n))

    pieces = [
        [first + z for z in combinations(rest, size - len(first))]
        for first, rest in pieces_of_subsets(pool, size, n_subsets, most)
    ]

    assert list(chain.from_iterable(pieces)) == list(islice(combinations(pool, size), n_subsets))
    assert all(len(piece) <= most for piece in pieces)


@examples(30)
@given(st.data(), datasets(min_variables=3), st.sampled_from([0.001, 0.05, 0.6]))
@pytest.mark.parametrize(
    "wrapped", [lambda t: InSmallPieces(t, HOURS), lambda t: WatchedTest(t, HOURS)]
)
def test_looking_at_the_clock_changes_no_answer_and_no_count(wrapped, draw, data, alpha):
    target, candidates, z = draw.draw(questions(data.n_variables, max_z=2))
    search = draw.draw(searches(data.n_variables))
    test = GTest(data, alpha, power_rule=0.0)
    limits = discovery_limits(len(candidates), test.log_alpha)
    ordered = tuple(sorted(candidates))
    zs = [z[: i % 3] for i in range(len(candidates))]
    verbs = [
        lambda t: t.log_p_many(target, candidates, z).tolist(),
        lambda t: t.log_p_each(target, candidates, zs).tolist(),
        lambda t: t.log_p_grid(target, candidates[:1], zs[:1], (*candidates[1:], *z)).tolist(),
        lambda t: t.log_p_without_each(target, candidates).tolist(),
        lambda t: t.sift(target, candidates, base=z),
        lambda t: t.sift_given_any(target, candidates, zs, z),
        lambda t: t.change(target, ordered, candidates[1:], limits, None),
        lambda t: t.settled(target, ordered, candidates[1:], limits),
        lambda t: t.first_separator(*search[:3], **search[3]),
        lambda t: t.inseparable(target, candidates, (*candidates[1:], *z)),
        lambda t: t.weakest_links(target, candidates, z[:1], z[1:]),
    ]

    for verb in verbs:
        plain, watched = CountedTest(test), CountedTest(test)
        assert verb(wrapped(watched)) == verb(plain)
        assert watched.n_tests == plain.n_tests


@examples(15)
@given(datasets(min_variables=3, max_variables=7))
@pytest.mark.parametrize("learner", [hpc, mmpc])
def test_limits_that_are_wide_enough_change_nothing(learner, data):
    test = GTest(data)
    wide = BoundedTest(test, Limits(max_conditioning=9, max_subset_tests=10**6))
    universe = tuple(range(data.n_variables))

    for target in universe:
        assert learner(target, wide, universe) == learner(target, test, universe)
    assert wide.n_cut == 0


def test_a_required_pair_stays_linked_within_limits():
    ci = ConstrainedTest(DSeparationOracle(SQUARE), EdgeConstraints(required=((0, 3),)))
    limited = BoundedTest(ci, Limits(max_conditioning=1))

    assert 3 in hpc(0, limited, SQUARE.variables)


def test_what_a_bounded_search_does_not_separate_is_inseparable():
    oracle = DSeparationOracle(SQUARE)
    test = BoundedTest(oracle, Limits(max_conditioning=1))

    assert oracle.inseparable(0, (1, 3), (1, 2, 3)).members == (1,)
    assert test.inseparable(0, (1, 3), (1, 2, 3)).members == (1, 3)
    assert test.n_cut == 2


def test_a_bounded_search_leaves_links_that_larger_sets_would_separate():
    oracle = DSeparationOracle(SQUARE)
    test = BoundedTest(oracle, Limits(max_conditioning=1))

    assert not oracle.weakest_links(0, (3,), (1,), (2,)).weakest
    assert set(test.weakest_links(0, (3,), (1,), (2,)).weakest) == {3}


def test_focused_tests_count_into_the_same_number_and_copies_do_not():
    test = BoundedTest(DSeparationOracle(SQUARE), Limits(max_subset_tests=1))
    copy = pickle.loads(pickle.dumps(test))

    test.focused((0, 1, 2, 3)).first_separator(0, 3, (1, 2))

    assert (test.n_cut, copy.n_cut) == (1, 0)


@pytest.mark.parametrize(
    "verb",
    [
        lambda t: t.log_p_many(0, (1,)),
        lambda t: t.log_p_each(0, (1,), [()]),
        lambda t: t.log_p_grid(0, (1,), [()], (2,)),
        lambda t: t.log_p_without_each(0, (1, 2)),
        lambda t: t.sift(0, (1, 2)),
        lambda t: t.sift_given_any(0, (1, 2), [(), ()], (3,)),
        lambda t: t.change(0, (1, 2), (), np.zeros(2), None),
        lambda t: t.settled(0, (1, 2), (), np.zeros(2)),
        lambda t: t.first_separator(0, 3, (1, 2)),
        lambda t: t.inseparable(0, (1, 3), (1, 2, 3)),
        lambda t: t.weakest_links(0, (3,), (), (1, 2)),
    ],
)
def test_every_question_ends_at_the_limit(verb):
    with pytest.raises(LimitReachedError, match="max_memory"):
        verb(WatchedTest(DSeparationOracle(SQUARE), LONG_AGO))


def test_a_search_ends_at_the_limit_between_its_subsets():
    class Slow(OneByOne):
        def log_p_many(self, target, candidates, z=()):
            if len(self.asked) == 5000:
                watch.limits = Limits(max_memory=1)
            return super().log_p_many(target, candidates, z)

    watch = Watch()
    slow = Slow(STAR)

    with pytest.raises(LimitReachedError):
        WatchedTest(slow, watch).first_separator(28, 29, tuple(range(28)))
    assert 5000 < len(slow.asked) < 5000 + 2 * WatchedTest.piece


def test_a_search_that_takes_long_is_told_once_with_names(monkeypatch):
    monkeypatch.setattr(bounded, "_MANY_SUBSETS", 1000)
    test = WatchedTest(STAR, Watch(names=STAR.dag.names))
    pool = tuple(range(14))

    with pytest.warns(H2pcWarning, match=r"'v28' from 'v29'.*max_subset_tests or"):
        test.first_separator(28, 29, pool)
    test.first_separator(29, 28, pool)  # a second warning would be an error


def test_a_search_of_few_subsets_is_not_told():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        WatchedTest(STAR, Watch()).first_separator(28, 29, tuple(range(18)))


def test_all_subsets_of_a_large_pool_are_tried():
    counted = CountedTest(STAR)

    assert WatchedTest(counted, Watch()).first_separator(28, 29, tuple(range(16))).z is None
    assert counted.n_tests == 2**16 == sum(comb(16, size) for size in range(17))

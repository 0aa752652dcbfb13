"""Limits cut searches where they say, counts miss no test, and a run ends soon when it has to."""

import _thread
import pickle
import signal
import threading
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from itertools import combinations
from math import comb

import numpy as np
import pytest

from h2pc.algorithms.hpc import hpc
from h2pc.algorithms.mmpc import mmpc
from h2pc.data import Dataset
from h2pc.errors import H2pcWarning
from h2pc.graphs import Dag
from h2pc.independence.base import CITest
from h2pc.independence.constraints import EdgeConstraints
from h2pc.independence.context import Context
from h2pc.independence.oracle import DSeparationOracle
from h2pc.independence.table_tests import GTest
from h2pc.runs.limits import LimitReachedError, Limits, Watch
from reference.slow_local import Textbook
from reference.slow_tables import OneByOne

SQUARE = Dag.from_edges(tuple("abcd"), [(0, 1), (0, 2), (1, 3), (2, 3)])
ORACLE = DSeparationOracle(SQUARE)


def linked(n_variables: int, n_rows: int = 500, n_levels: int = 2) -> Dataset:
    """Variables that follow a hidden one, so that nothing separates any two of them."""
    rng = np.random.default_rng(0)
    hidden = rng.integers(0, n_levels, n_rows)
    noise = rng.integers(0, n_levels, (n_variables, n_rows))
    return Dataset.from_codes(np.where(rng.random((n_variables, n_rows)) < 0.6, hidden, noise))


def limited(ci: CITest, **limits) -> CITest:
    return ci.within(Context(watch=Watch(Limits(**limits))))


# Limits of searches


@pytest.mark.parametrize("most", [*range(1, 20), 31, 32, 33])
@pytest.mark.parametrize("size", [None, 0, 1, 2, 3, 5])
def test_a_limited_search_tries_the_first_subsets_and_says_where_it_was_cut(size, most):
    test = GTest(linked(8), 0.9, power_rule=0.0)
    limits = {"max_conditioning": size, "max_subset_tests": most}
    ci, textbook = limited(test, **limits), Textbook(test, limits=Limits(**limits))

    for pool, base in [((2, 3, 4, 5, 6), ()), ((5, 2, 3, 4), (6,)), ((2,), (3, 4)), ((), ())]:
        for min_size in (0, 1, 2):
            found = ci.first_separator(0, 1, pool, base=base, min_size=min_size)
            assert found == textbook.first_separator(0, 1, pool, base, min_size)
            assert ci.context.n_tests == textbook.n_tests
            assert ci.context.n_cut == textbook.n_cut
    assert ci.inseparable(0, (1, 2, 3), (1, 2, 3, 4)) == textbook.inseparable(
        0, (1, 2, 3), (1, 2, 3, 4)
    )
    assert (ci.context.n_tests, ci.context.n_cut) == (textbook.n_tests, textbook.n_cut)


def test_what_a_limited_search_does_not_separate_is_inseparable():
    ci = limited(ORACLE, max_conditioning=1)

    assert ORACLE.inseparable(0, (1, 3), (1, 2, 3)) == (1,)
    assert ci.inseparable(0, (1, 3), (1, 2, 3)) == (1, 3)
    assert ci.context.n_cut >= 1


def test_a_limited_search_leaves_links_that_larger_sets_would_separate():
    ci = limited(ORACLE, max_conditioning=1)

    assert not ORACLE.weakest_links(0, (3,), (1,), (2,))
    assert set(ci.weakest_links(0, (3,), (1,), (2,))) == {3}


def test_a_required_pair_stays_linked_within_limits():
    known = EdgeConstraints(required=((0, 3),))
    ci = ORACLE.within(Context(known, Watch(Limits(max_conditioning=1))))

    assert 3 in hpc(0, ci, SQUARE.variables)


@pytest.mark.parametrize("learner", [hpc, mmpc])
def test_a_limit_that_cuts_searches_is_counted_by_a_learner(learner):
    ci = limited(GTest(linked(7), 0.5), max_subset_tests=3)

    learner(0, ci, tuple(range(7)))

    assert ci.context.n_cut > 0


# Counts


def test_every_candidate_is_a_test():
    ci = GTest(linked(4)).within(Context())

    ci.log_p_many(0, (1, 2, 3))
    ci.log_p(0, 1, (2,))
    ci.log_p_many(0, ())

    assert ci.context.n_tests == 4


def test_all_subsets_of_a_large_pool_are_tried():
    ci = GTest(linked(14, 300), 0.9999, power_rule=0.0).within(Context())

    assert ci.first_separator(0, 1, tuple(range(2, 14))).z is None
    assert ci.context.n_tests == 2**12 == sum(comb(12, size) for size in range(13))


def test_threads_lose_no_test():
    test = GTest(linked(4))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: test.log_p_many(0, (1, 2, 3)), range(2_000)))

    assert test.context.n_tests == 6_000


def test_a_fresh_context_has_the_same_constraints_and_limits_and_nothing_counted():
    known = EdgeConstraints(forbidden=((0, 1), (1, 0)))
    ci = ORACLE.within(Context(known, Watch(Limits(max_subset_tests=1))))
    ci.first_separator(0, 3, (1, 2))

    other = ci.within(ci.context.fresh())

    assert (other.context.n_tests, other.context.n_cut) == (0, 0)
    assert other.log_p(0, 1) == 0.0
    assert other.first_separator(0, 3, (1, 2)).z is None
    assert (ci.context.n_tests, ci.context.n_cut) == (1, 1)
    assert (other.context.n_tests, other.context.n_cut) == (2, 1)


@pytest.mark.parametrize(
    "duplicate", [deepcopy, lambda context: pickle.loads(pickle.dumps(context))]
)
def test_a_copy_has_the_same_constraints_and_limits_and_counts_for_itself(duplicate):
    known = EdgeConstraints(required=((0, 3),))
    ci = ORACLE.within(Context(known, Watch(Limits(max_subset_tests=1)), many_subsets=7))
    ci.log_p_many(0, (1, 2))

    other = duplicate(ci.context)
    ci.within(other).first_separator(1, 2, (0, 3))

    assert (other.constraints, other.watch.limits, other.many_subsets) == (
        known,
        Limits(max_subset_tests=1),
        7,
    )
    assert (other.n_tests, other.n_cut) == (1, 1)
    assert (ci.context.n_tests, ci.context.n_cut) == (2, 0)


# Long searches


def test_a_search_that_takes_long_is_told_once_with_names():
    data = linked(18, 300)
    ci = GTest(data, 0.9999, power_rule=0.0)
    ci = ci.within(Context(watch=Watch(names=data.names), many_subsets=1000))
    pool = tuple(range(2, 18))

    with pytest.warns(H2pcWarning, match=r"'X00' from 'X01'.*1,000 subsets.*max_subset_tests or"):
        ci.first_separator(0, 1, pool)
    ci.first_separator(1, 0, pool)  # a second warning would be an error


def test_a_search_of_few_subsets_is_not_told():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        GTest(linked(12, 300), 0.9999).first_separator(0, 1, tuple(range(2, 12)))


# The end of a run

# Each of these takes hours.
HEAVY = GTest(linked(60, 20_000, 3), 1 - 1e-12, power_rule=0.0, cache_size=0)
UNIVERSE = tuple(range(60))


class Slow(CITest):
    """A test that is written in Python, and finds everything linked."""

    def log_p_given(self, target, candidates, z):
        time.sleep(1e-4)
        return np.full(len(candidates), -9.0)


STEPS = {
    "first_separator": lambda t: t.first_separator(0, 1, UNIVERSE[2:40]),
    "inseparable": lambda t: t.inseparable(0, UNIVERSE[1:40], UNIVERSE[1:40]),
    "weakest_links": lambda t: t.weakest_links(0, UNIVERSE[1:5], (), UNIVERSE[5:45]),
    "mmpc": lambda t: mmpc(0, t, UNIVERSE),
    "many": lambda t: [t.log_p_many(0, UNIVERSE[5:], z) for z in combinations(UNIVERSE[1:], 3)],
    "in Python": lambda t: Slow(0.5).within(t.context).first_separator(0, 1, UNIVERSE[2:30]),
}


@pytest.mark.parametrize("step", STEPS)
def test_a_time_limit_ends_a_step_within_a_fraction_of_a_second(step):
    ci = limited(HEAVY, max_seconds=0.2)
    start = time.monotonic()

    with pytest.raises(LimitReachedError, match="max_seconds"):
        STEPS[step](ci)

    assert 0.2 <= time.monotonic() - start < 0.2 + 1.5  # the machine may be busy
    assert ci.context.n_tests > 0


def test_a_memory_limit_ends_a_step():
    ci = limited(HEAVY, max_memory=1)

    with pytest.raises(LimitReachedError, match="max_memory"):
        ci.first_separator(0, 1, UNIVERSE[2:40])


def test_a_step_that_was_ended_leaves_the_test_as_it_was():
    data = linked(30, 5_000, 3)
    test = GTest(data, 1 - 1e-12, power_rule=0.0)
    expected = GTest(data, 1 - 1e-12, power_rule=0.0).log_p_many(0, (1, 2, 3), (4, 5))

    with pytest.raises(LimitReachedError):
        limited(test, max_seconds=0.05).first_separator(0, 1, tuple(range(2, 30)))

    assert test.log_p_many(0, (1, 2, 3), (4, 5)).tolist() == expected.tolist()


@pytest.mark.usefixtures("ctrl_c_is_heard")
@pytest.mark.parametrize("step", STEPS)
def test_ctrl_c_ends_a_step_soon(step):
    alarm = threading.Timer(0.2, lambda: signal.pthread_kill(threading.main_thread().ident, 2))
    start = time.monotonic()
    alarm.start()

    with pytest.raises(KeyboardInterrupt):
        STEPS[step](HEAVY.within(Context()))

    assert time.monotonic() - start < 0.2 + 1.5
    alarm.join()


@pytest.mark.usefixtures("ctrl_c_is_heard")
def test_ctrl_c_ends_a_test_whose_context_is_not_asked():
    def tested_for_ever() -> None:
        while True:
            HEAVY.log_p_given(0, UNIVERSE[20:], UNIVERSE[1:12])

    threading.Timer(0.2, _thread.interrupt_main).start()
    start = time.monotonic()

    with pytest.raises(KeyboardInterrupt):
        tested_for_ever()

    assert time.monotonic() - start < 0.2 + 1.5


def test_other_threads_run_while_a_step_runs():
    ticks = []
    ci = limited(HEAVY, max_seconds=0.5)

    def tick() -> None:
        while not ended.wait(0.01):
            ticks.append(time.monotonic())

    ended = threading.Event()
    thread = threading.Thread(target=tick)
    thread.start()
    with pytest.raises(LimitReachedError):
        ci.first_separator(0, 1, UNIVERSE[2:40])
    ended.set()
    thread.join()

    assert len(ticks) > 5


def test_a_search_by_way_of_python_ends_at_the_limit_between_its_subsets():
    class Ending(OneByOne):
        def log_p_given(self, target, candidates, z):
            if len(self.asked) == 2000:
                watch.limits = Limits(max_memory=1)
            return super().log_p_given(target, candidates, z)

    watch = Watch(Limits(max_seconds=1e6))
    ending = Ending(GTest(linked(30), 1 - 1e-12, power_rule=0.0)).within(Context(watch=watch))

    with pytest.raises(LimitReachedError):
        ending.first_separator(0, 1, tuple(range(2, 30)))
    assert len(ending.asked) > 2000

"""The parallel map: every task once, in any order; shared values stay where they arrived."""

import os
import pickle
import warnings
from threading import Barrier, current_thread
from time import sleep

import pytest
from hypothesis import given
from hypothesis import strategies as st
from joblib import parallel_config

from h2pc.errors import SettingError
from h2pc.runs.workers import Shared, are_processes, mapped, workers_of


@given(st.lists(st.tuples(st.integers(), st.integers(1, 9)), max_size=20), st.sampled_from([1, 2]))
def test_every_task_is_done_once(tasks, n_jobs):
    assert sorted(mapped(divmod, tasks, n_jobs)) == sorted(divmod(*task) for task in tasks)


def noted(shared, number):
    """Write into what the worker has, and tell how often it was written into."""
    shared.value.append(number)
    return os.getpid(), len(shared.value)


def test_a_process_keeps_what_it_was_given_once():
    shared = Shared([])
    with parallel_config(backend="loky"):
        seen = list(mapped(noted, [(shared, number) for number in range(12)], n_jobs=2))

    lengths = {pid: sorted(n for p, n in seen if p == pid) for pid, _ in seen}
    assert os.getpid() not in lengths
    assert all(found == list(range(1, len(found) + 1)) for found in lengths.values())


def test_a_few_shared_values_are_kept_and_older_ones_forgotten():
    first, *others = (Shared([number]) for number in range(9))
    arrived = pickle.loads(pickle.dumps(first))
    for other in others:
        pickle.loads(pickle.dumps(other))

    assert pickle.loads(pickle.dumps(first)).value is not arrived.value


def test_threads_are_near_and_processes_far():
    assert not are_processes()
    with workers_of("local"):
        assert are_processes()


def test_an_error_of_a_task_is_raised_as_it_is():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ZeroDivisionError):
            list(mapped(divmod, [(1, 0), (2, 1)], n_jobs=2))


def test_the_callers_thread_is_one_of_the_workers():
    both_here = Barrier(2, timeout=60)

    def named(_):
        both_here.wait()
        return current_thread().name

    assert {current_thread().name} < set(mapped(named, [(0,), (1,)], n_jobs=2))


def test_who_stops_listening_stops_the_workers():
    begun = []

    def noted_down(number):
        begun.append(number)
        sleep(0.001)

    outcomes = mapped(noted_down, [(number,) for number in range(10_000)], n_jobs=2)
    next(outcomes)
    outcomes.close()
    n_begun = len(begun)
    sleep(0.1)

    assert len(begun) <= n_begun + 1  # the one that another thread was about to begin


def test_what_is_no_cluster_is_refused():
    expected = r"cluster must be local, dask://host:port or ray://host:port; got 'somewhere'"
    with pytest.raises(SettingError, match=expected), workers_of("somewhere"):
        pass

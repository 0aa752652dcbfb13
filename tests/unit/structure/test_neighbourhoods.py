"""The parallel map: same answers in the same order, whoever does the work."""

import os
import signal
import threading

import joblib
import pytest
from hypothesis import given
from hypothesis import strategies as st

from h2pc import CountedTest, Dag, DSeparationOracle, GTest, hpc, load_network
from h2pc.runs.bars import ProgressBar
from h2pc.structure import neighbourhoods
from h2pc.structure.neighbourhoods import _batches, _heaviest_first

DAG = Dag.from_edges(tuple("abcdefgh"), [(0, 1), (2, 1), (2, 3), (4, 3), (5, 6), (3, 6)])
ORACLE = DSeparationOracle(DAG)
UNIVERSE = DAG.variables


def who_works(target, ci, universe):
    return (os.getpid(), threading.get_ident())


def test_the_sets_come_in_the_order_of_the_targets():
    learned = neighbourhoods((6, 1, 3, 1), ORACLE, UNIVERSE, hpc, n_jobs=2)

    assert list(learned.sets) == [6, 1, 3]
    assert [set(near) for near in learned.sets.values()] == [{3, 5}, {0, 2}, {2, 4, 6}]


def test_no_targets_take_no_questions():
    assert neighbourhoods((), ORACLE, UNIVERSE, hpc) == ({}, 0)


@pytest.mark.parametrize("n_jobs", [None, 1, 2, -1])
def test_the_number_of_questions_is_that_of_a_plain_loop(n_jobs):
    counted = CountedTest(GTest(load_network("asia").sample(500)))
    universe = tuple(range(8))
    one_by_one = {v: hpc(v, counted, universe) for v in universe}

    learned = neighbourhoods(universe, counted.inner, universe, hpc, n_jobs=n_jobs)

    assert learned.sets == one_by_one
    assert learned.n_tests == counted.n_tests > 0


def test_workers_are_threads_unless_the_user_wants_another_backend():
    threads = neighbourhoods(UNIVERSE, ORACLE, UNIVERSE, who_works, n_jobs=2).sets.values()
    with joblib.parallel_config(backend="loky"):
        processes = neighbourhoods(UNIVERSE, ORACLE, UNIVERSE, who_works, n_jobs=2).sets.values()

    assert {process for process, _ in threads} == {os.getpid()}
    assert threading.get_ident() not in {thread for _, thread in threads}
    assert os.getpid() not in {process for process, _ in processes}


def test_the_number_of_workers_may_come_from_the_context():
    with joblib.parallel_config(n_jobs=2, backend="threading"):
        found = neighbourhoods(UNIVERSE, ORACLE, UNIVERSE, who_works).sets.values()

    assert threading.get_ident() not in {thread for _, thread in found}


def test_a_backend_that_cannot_stream_its_results_will_do(monkeypatch):
    backend = type(joblib.parallel.get_active_backend(prefer="threads")[0])
    monkeypatch.setattr(backend, "supports_return_generator", False)
    with joblib.parallel_config(backend="threading"):
        learned = neighbourhoods(UNIVERSE, ORACLE, UNIVERSE, hpc, n_jobs=2)

    assert learned == neighbourhoods(UNIVERSE, ORACLE, UNIVERSE, hpc)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_the_error_of_a_learner_reaches_the_user(n_jobs):
    def fails(target, ci, universe):
        raise LookupError(f"no way to {target}")

    with pytest.raises(LookupError, match="no way to"):
        neighbourhoods(UNIVERSE, ORACLE, UNIVERSE, fails, n_jobs=n_jobs)


@pytest.mark.usefixtures("ctrl_c_is_heard")
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_after_ctrl_c_everything_works_as_before(n_jobs):
    started = threading.Event()

    def interrupted(target, ci, universe):
        if not started.is_set():
            started.set()
            os.kill(os.getpid(), signal.SIGINT)
        return hpc(target, ci, universe)

    with pytest.raises(KeyboardInterrupt):
        neighbourhoods(UNIVERSE, ORACLE, UNIVERSE, interrupted, n_jobs=n_jobs)

    again = neighbourhoods(UNIVERSE, ORACLE, UNIVERSE, interrupted, n_jobs=n_jobs)
    assert again == neighbourhoods(UNIVERSE, ORACLE, UNIVERSE, hpc)


def test_the_bar_hears_of_every_target():
    with ProgressBar("Neighbourhoods", shown=False) as bar:
        neighbourhoods(UNIVERSE, ORACLE, UNIVERSE, hpc, n_jobs=2, bar=bar)

    assert bar.done == len(UNIVERSE)


def test_a_plain_loop_does_where_there_is_one_worker():
    alone = neighbourhoods(UNIVERSE, ORACLE, UNIVERSE, who_works, n_jobs=1).sets.values()

    assert set(alone) == {(os.getpid(), threading.get_ident())}


def test_targets_with_many_links_come_first():
    star = Dag.from_edges(tuple("abcdefgh"), [(6, v) for v in (0, 1, 2, 3)] + [(4, 5)])

    ordered = _heaviest_first((7, 4, 6, 5), DSeparationOracle(star), star.variables)

    assert ordered == (6, 4, 5, 7)


@given(n_targets=st.integers(0, 1000), n_workers=st.integers(1, 64))
def test_batches_are_dealt_out_evenly_and_are_neither_too_many_nor_too_few(n_targets, n_workers):
    targets = tuple(range(n_targets))
    batches = _batches(targets, n_workers)

    assert sorted(sum(batches, ())) == list(targets)
    assert [batch[0] for batch in batches] == list(range(len(batches)))
    assert len(batches) == min(n_targets, 16 * n_workers)
    assert max(map(len, batches), default=0) - min(map(len, batches), default=0) <= 1

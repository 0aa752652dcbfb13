"""The parallel map: same answers in the same order, whoever does the work."""

import os
import signal
import threading

import joblib
import pytest

from h2pc import CountedTest, Dag, DSeparationOracle, GTest, hpc, load_network, mmpc
from h2pc.runs.bars import ProgressBar
from h2pc.runs.limits import Limits, Watch
from h2pc.structure import neighbourhoods
from h2pc.structure.neighbourhoods import _heaviest_first

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
    assert neighbourhoods((), ORACLE, UNIVERSE, hpc) == ({}, 0, 0)


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


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("n_known", [0, 3])
def test_a_limit_leaves_what_is_known_by_then(n_jobs, n_known):
    watch = Watch(Limits(max_seconds=1e6))
    done = []

    def until_late(target, ci, universe):
        if len(done) >= n_known:
            watch.limits = Limits(max_memory=1)
        near = hpc(target, ci, universe)
        done.append(target)
        return near

    learned = neighbourhoods(UNIVERSE, ORACLE, UNIVERSE, until_late, n_jobs=n_jobs, watch=watch)

    whole = neighbourhoods(UNIVERSE, ORACLE, UNIVERSE, hpc).sets
    assert list(learned.sets) == sorted(done)
    assert len(done) < len(UNIVERSE)
    assert learned.sets == {target: whole[target] for target in sorted(done)}


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_searches_that_were_cut_are_counted_over_all_targets(n_jobs):
    square = Dag.from_edges(tuple("abcd"), [(0, 1), (0, 2), (1, 3), (2, 3)])
    watch = Watch(Limits(max_conditioning=1))
    oracle = DSeparationOracle(square)

    learned = neighbourhoods(square.variables, oracle, square.variables, mmpc, watch=watch)

    assert learned.n_cut > 0
    assert 3 in learned.sets[0]  # it takes two variables to separate them
    again = neighbourhoods(
        square.variables, oracle, square.variables, mmpc, watch=watch, n_jobs=n_jobs
    )
    assert again == learned

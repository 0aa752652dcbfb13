"""The parallel map: same answers in the same order, whoever does the work."""

import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace

import joblib
import numpy as np
import pytest

from h2pc import Dag, DSeparationOracle, GTest, hpc, load_network, mmpc
from h2pc.algorithms.hpc import hpc_neighbourhood
from h2pc.algorithms.neighbourhoods import neighbourhoods
from h2pc.data import Dataset
from h2pc.independence.constraints import EdgeConstraints
from h2pc.independence.context import Context
from h2pc.runs.limits import Limits, Watch
from h2pc.runs.progress import ProgressBar

DAG = Dag.from_edges(tuple("abcdefgh"), [(0, 1), (2, 1), (2, 3), (4, 3), (5, 6), (3, 6)])
ORACLE = DSeparationOracle(DAG)
UNIVERSE = DAG.variables


def pc(learned):
    return {target: found.pc for target, found in learned.items()}


def who_works(target, ci, universe):
    return (os.getpid(), threading.get_ident())


def who_works_once_two_do():
    """A learner that tells its worker, after a second worker has come."""
    workers, two_are_here = set(), threading.Event()

    def learner(target, ci, universe):
        workers.add(threading.get_ident())
        if len(workers) > 1:
            two_are_here.set()
        two_are_here.wait(timeout=30)
        return who_works(target, ci, universe)

    return learner


def test_the_sets_come_in_the_order_of_the_targets():
    learned = neighbourhoods((6, 1, 3, 1), ORACLE, UNIVERSE, hpc, n_jobs=2)

    assert list(learned) == [6, 1, 3]
    assert [set(found.pc) for found in learned.values()] == [{3, 5}, {0, 2}, {2, 4, 6}]


def test_no_targets_take_no_tests():
    assert neighbourhoods((), ORACLE, UNIVERSE, hpc) == {}


@pytest.mark.parametrize("n_jobs", [None, 1, 2, -1])
def test_the_number_of_tests_is_that_of_a_plain_loop(n_jobs):
    data, universe = load_network("asia").sample(500), tuple(range(8))
    plain = GTest(data)
    one_by_one = {v: hpc(v, plain, universe) for v in universe}

    learned = neighbourhoods(universe, GTest(data), universe, hpc, n_jobs=n_jobs)

    assert pc(learned) == one_by_one
    assert sum(found.n_tests for found in learned.values()) == plain.context.n_tests > 0


def test_all_that_hpc_finds_is_kept():
    learned = neighbourhoods((6, 1), ORACLE, UNIVERSE)

    for target, found in learned.items():
        alone = hpc_neighbourhood(target, ORACLE, UNIVERSE)
        assert replace(found, n_tests=0, attempts={}) == alone
        assert set(found.attempts) == set(found.pcs)


def test_hpc_may_be_wanted_for_some_variables_only():
    learned = neighbourhoods((6, 1), ORACLE, UNIVERSE, wanted={6: (5,), 1: (3,)})

    assert pc(learned) == {6: (5,), 1: ()}


@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_constraints_of_the_test_reach_every_worker(backend):
    known = EdgeConstraints(required=((0, 7),), forbidden=((2, 3), (3, 2)))
    ci = ORACLE.within(Context(known))

    with joblib.parallel_config(backend=backend):
        learned = neighbourhoods(UNIVERSE, ci, UNIVERSE, hpc, n_jobs=2)

    assert learned == neighbourhoods(UNIVERSE, ci, UNIVERSE, hpc)
    assert 7 in learned[0].pc
    assert 3 not in learned[2].pc


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_time_limit_ends_a_heavy_target_and_leaves_the_light_ones(n_jobs):
    rng = np.random.default_rng(0)
    hidden, noise = rng.integers(0, 3, 20_000), rng.integers(0, 3, (42, 20_000))
    noise[2:] = np.where(rng.random((40, 20_000)) < 0.6, hidden, noise[2:])
    ci = GTest(Dataset.from_codes(noise), 0.01, power_rule=0.0)
    start = time.monotonic()

    learned = neighbourhoods(
        range(42), ci, range(42), mmpc, n_jobs=n_jobs, watch=Watch(Limits(max_seconds=0.5))
    )

    assert time.monotonic() - start < 0.5 + 1.5
    assert 0 in learned
    assert len(learned) < 42


def test_workers_are_threads_unless_the_user_wants_another_backend():
    meeting = who_works_once_two_do()
    threads = pc(neighbourhoods(UNIVERSE, ORACLE, UNIVERSE, meeting, n_jobs=2)).values()
    with joblib.parallel_config(backend="loky"):
        processes = pc(neighbourhoods(UNIVERSE, ORACLE, UNIVERSE, who_works, n_jobs=2)).values()

    assert {process for process, _ in threads} == {os.getpid()}
    assert len({thread for _, thread in threads}) == 2
    assert os.getpid() not in {process for process, _ in processes}


def test_the_number_of_workers_may_come_from_the_context():
    with joblib.parallel_config(n_jobs=2, backend="threading"):
        found = pc(neighbourhoods(UNIVERSE, ORACLE, UNIVERSE, who_works_once_two_do())).values()

    assert len({thread for _, thread in found}) == 2


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
    assert pc(again) == pc(neighbourhoods(UNIVERSE, ORACLE, UNIVERSE, hpc))


HEAVY = """
import sys, time
import numpy as np
from h2pc import Dataset, GTest, mmpc
from h2pc.algorithms.neighbourhoods import neighbourhoods

rng = np.random.default_rng(0)
hidden, noise = rng.integers(0, 3, 20_000), rng.integers(0, 3, (42, 20_000))
codes = np.where(rng.random((42, 20_000)) < 0.6, hidden, noise)
ci = GTest(Dataset.from_codes(codes), 0.01, power_rule=0.0)
print("begun", flush=True)
try:
    neighbourhoods(range(42), ci, range(42), mmpc, n_jobs=int(sys.argv[1]))
except KeyboardInterrupt:
    time.sleep(0.3)
    before = time.process_time()
    time.sleep(0.5)
    print("quiet" if time.process_time() - before < 0.2 else "busy", flush=True)
"""


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_after_ctrl_c_no_worker_goes_on_and_the_process_ends_well(n_jobs):
    process = subprocess.Popen(
        [sys.executable, "-c", HEAVY, str(n_jobs)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    process.stdout.readline()
    time.sleep(0.5)

    process.send_signal(signal.SIGINT)
    said, complaints = process.communicate(timeout=60)

    assert (said.strip(), complaints, process.returncode) == ("quiet", "", 0)


def test_every_target_advances_the_bar():
    with ProgressBar("Neighbourhoods", shown=False) as bar:
        neighbourhoods(UNIVERSE, ORACLE, UNIVERSE, hpc, n_jobs=2, bar=bar)

    assert bar.done == len(UNIVERSE)


def test_a_plain_loop_does_where_there_is_one_worker():
    alone = pc(neighbourhoods(UNIVERSE, ORACLE, UNIVERSE, who_works, n_jobs=1)).values()

    assert set(alone) == {(os.getpid(), threading.get_ident())}


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("n_finished", [0, 3])
def test_a_limit_leaves_what_is_finished_by_then(n_jobs, n_finished):
    watch = Watch(Limits(max_seconds=1e6))
    done = []

    def until_late(target, ci, universe):
        if len(done) >= n_finished:
            watch.limits = Limits(max_memory=1)
        near = hpc(target, ci, universe)
        done.append(target)
        return near

    learned = neighbourhoods(UNIVERSE, ORACLE, UNIVERSE, until_late, n_jobs=n_jobs, watch=watch)

    whole = pc(neighbourhoods(UNIVERSE, ORACLE, UNIVERSE, hpc))
    assert list(learned) == sorted(done)
    assert len(done) < len(UNIVERSE)
    assert pc(learned) == {target: whole[target] for target in sorted(done)}


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_searches_that_were_cut_are_counted_over_all_targets(n_jobs):
    square = Dag.from_edges(tuple("abcd"), [(0, 1), (0, 2), (1, 3), (2, 3)])
    watch = Watch(Limits(max_conditioning=1))
    oracle = DSeparationOracle(square)

    learned = neighbourhoods(square.variables, oracle, square.variables, mmpc, watch=watch)

    assert sum(found.n_cut for found in learned.values()) > 0
    assert 3 in learned[0].pc  # it takes two variables to separate them
    again = neighbourhoods(
        square.variables, oracle, square.variables, mmpc, watch=watch, n_jobs=n_jobs
    )
    assert again == learned

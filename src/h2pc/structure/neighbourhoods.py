"""The one parallel map: a local learner for many targets."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from itertools import starmap
from typing import NamedTuple

from joblib import Parallel, delayed, effective_n_jobs

from h2pc.independence.base import CITest
from h2pc.independence.counted import CountedTest
from h2pc.runs.bars import ProgressBar
from h2pc.variables import Var, Vars, without

Learner = Callable[[Var, CITest, Vars], Vars]
"""A local learner: from a target, a test and a universe to the neighbourhood of the target."""

# Handing a batch over costs a tenth of a millisecond, as much as a small target; with so many of
# them a worker that is late with its last one is late by a few per cent.
_BATCHES_PER_WORKER = 16

# Variables that tell how heavy a target is: all of them would cost some per cent of learning it.
_PROBED = 64

_Task = tuple[Vars, CITest, Vars, Learner]


class Learned(NamedTuple):
    """The neighbourhoods of some targets, and what they cost."""

    sets: dict[Var, Vars]
    """What the learner returned for every target, in the order of the targets."""
    n_tests: int
    """The number of questions asked."""


def neighbourhoods(
    targets: Iterable[Var],
    ci: CITest,
    universe: Vars,
    learner: Learner,
    *,
    n_jobs: int | None = None,
    bar: ProgressBar | None = None,
) -> Learned:
    """Neighbourhoods of many targets, several at a time; neither ``n_jobs`` nor the backend matter.

    Threads share the test. ``joblib.parallel_config`` chooses another backend, and every process
    or machine then gets a copy of the test.

    Parameters
    ----------
    targets : iterable of Var
        The variables to learn the neighbourhoods of; one that comes twice is learned once.
    ci : CITest
        The independence test that answers.
    universe : Vars
        The variables to look at.
    learner : callable
        The local learner, called as ``learner(target, ci, universe)``.
    n_jobs : int, optional
        The number of workers, as joblib counts them: by default one, -1 for all processors.
    bar : ProgressBar, optional
        What is told about every target that is done.

    Returns
    -------
    Learned
        The neighbourhoods, before any symmetry, and the number of questions asked.

    Examples
    --------
    >>> from h2pc import Dag, DSeparationOracle, hpc
    >>> oracle = DSeparationOracle(Dag.from_edges(tuple("abcd"), [(0, 1), (1, 2), (3, 2)]))
    >>> neighbourhoods((0, 2), oracle, (0, 1, 2, 3), hpc, n_jobs=2).sets
    {0: (1,), 2: (1, 3)}
    """
    targets = tuple(dict.fromkeys(targets))
    n_workers = effective_n_jobs(n_jobs)
    ordered = targets if n_workers == 1 else _heaviest_first(targets, ci, universe)
    batches = _batches(ordered, n_workers)
    sets: dict[Var, Vars] = {}
    n_tests = 0
    tasks = [(batch, ci, universe, learner) for batch in batches]
    with closing(_outcomes(tasks, n_jobs)) as outcomes:  # no worker goes on after Ctrl-C
        for batch, (found, asked) in zip(batches, outcomes, strict=True):
            sets.update(zip(batch, found, strict=True))
            n_tests += asked
            if bar is not None:
                bar.advance(len(batch))
    return Learned({target: sets[target] for target in targets}, n_tests)


def _heaviest_first(targets: Vars, ci: CITest, universe: Vars) -> Vars:
    """Targets by the number of variables, among some, that they depend on: the most first."""
    probe = universe[:: max(1, len(universe) // _PROBED)]
    links = {x: int((ci.log_p_many(x, without(probe, x)) <= ci.log_alpha).sum()) for x in targets}
    return tuple(sorted(targets, key=lambda x: -links[x]))


def _batches(targets: Vars, n_workers: int) -> list[Vars]:
    """Targets dealt out in turn: enough batches to keep all workers busy to the end."""
    n_batches = min(len(targets), n_workers * _BATCHES_PER_WORKER)
    return [targets[i::n_batches] for i in range(n_batches)]


def _outcomes(tasks: Iterable[_Task], n_jobs: int | None) -> Generator[tuple[list[Vars], int]]:
    """Return values of the tasks, in their order, each as soon as it is there."""
    if effective_n_jobs(n_jobs) == 1:
        yield from starmap(_learned_batch, tasks)
        return
    try:
        parallel = Parallel(n_jobs, prefer="threads", return_as="generator")
    except ValueError:  # some backends can only return everything at the end
        parallel = Parallel(n_jobs, prefer="threads")
    yield from parallel(delayed(_learned_batch)(*task) for task in tasks)


def _learned_batch(
    targets: Vars, ci: CITest, universe: Vars, learner: Learner
) -> tuple[list[Vars], int]:
    """Neighbourhoods of a few targets, and how many questions were asked for them."""
    # A count of its own for every batch: threads need not wait for it, processes can send it home.
    counted = CountedTest(ci)
    found = [learner(target, counted, universe) for target in targets]
    return found, counted.n_tests

"""A local learner for many targets: in parallel, resumable and within limits."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import closing, suppress
from math import ceil
from time import perf_counter
from typing import NamedTuple

from joblib import effective_n_jobs

from h2pc.algorithms.checkpoints import Checkpoint, Finished
from h2pc.algorithms.hpc import Neighbourhood
from h2pc.independence.base import CITest
from h2pc.runs.bars import ProgressBar
from h2pc.runs.limits import LimitReachedError, Watch
from h2pc.runs.workers import Shared, are_far, mapped
from h2pc.variables import Var, Vars, without

Learner = Callable[[Var, CITest, Vars], Vars | Neighbourhood]
"""A local learner: from a target, a test and a universe to the neighbourhood of the target."""

_Work = tuple[Shared[CITest], Shared[tuple[Vars, Learner]], Watch]
"""The test, the universe and the learner, and the limits of the run."""

# Of far workers: with so many, one that is late with its last one is late by a few per cent.
_BATCHES_PER_WORKER = 16

# Variables that tell how heavy a target is: all of them would cost some per cent of learning it.
# With fewer than many variables targets are so light that threads do better without it.
_PROBED, _MANY = 64, 500

# Far workers get tasks of about a second: a few light targets tell how many those are.
_SECONDS_FAR, _PILOTS = 1.0, 4

# What a kill may cost where finished targets are written down: no more than a few of them.
_LARGEST_BATCH = 8


class Learned(NamedTuple):
    """The neighbourhoods of some targets, and what they cost."""

    sets: dict[Var, Vars]
    """What the learner returned for every target, in the order of the targets.

    Targets that a limit left no time or memory for are not there.
    """
    n_tests: int
    """The number of tests."""
    n_cut: int
    """The number of searches for a separating set that were cut short by a limit."""
    found: dict[Var, Finished]
    """All that is known of every target."""


def neighbourhoods(
    targets: Iterable[Var],
    ci: CITest | Shared[CITest],
    universe: Vars,
    learner: Learner,
    *,
    n_jobs: int | None = None,
    bar: ProgressBar | None = None,
    watch: Watch | None = None,
    checkpoint: Checkpoint | None = None,
) -> Learned:
    """Neighbourhoods of many targets, several at a time; neither ``n_jobs`` nor the backend matter.

    Threads share the test. ``joblib.parallel_config`` chooses another backend, and every process
    or machine then gets a copy of the test.

    Parameters
    ----------
    targets : iterable of Var
        The variables to learn the neighbourhoods of; one that comes twice is learned once.
    ci : CITest or Shared
        The independence test; a shared one goes to a worker once for several calls.
    universe : Vars
        The variables to look at.
    learner : callable
        The local learner, called as ``learner(target, ci, universe)``.
    n_jobs : int, optional
        The number of workers, as joblib counts them: by default one, -1 for all processors.
    bar : ProgressBar, optional
        The bar that every finished target moves on.
    watch : Watch, optional
        Limits of the run and of its searches; by default there are none.
    checkpoint : Checkpoint, optional
        Where finished targets are written to, and taken from.

    Returns
    -------
    Learned
        The neighbourhoods, before any symmetry, and the number of tests.

    Examples
    --------
    >>> from h2pc import Dag, DSeparationOracle, hpc
    >>> oracle = DSeparationOracle(Dag.from_edges(tuple("abcd"), [(0, 1), (1, 2), (3, 2)]))
    >>> neighbourhoods((0, 2), oracle, (0, 1, 2, 3), hpc, n_jobs=2).sets
    {0: (1,), 2: (1, 3)}
    """
    targets = tuple(dict.fromkeys(targets))
    watch = Watch() if watch is None else watch
    known = {} if checkpoint is None else checkpoint.known
    finished = {target: known[target] for target in targets if target in known}
    waiting = tuple(target for target in targets if target not in finished)
    if bar is not None:
        bar.advance(len(finished))

    test = ci if isinstance(ci, Shared) else Shared(ci)
    work = test, Shared((universe, learner)), watch
    careful = checkpoint is not None or watch.limits.are_watched
    learned = _learned_in_turn(waiting, work, n_jobs, careful)
    try:
        with closing(learned) as batches:  # no worker goes on after Ctrl-C
            for done in batches:
                finished |= done
                if checkpoint is not None:
                    checkpoint.add(done)
                if bar is not None:
                    bar.advance(len(done))
    finally:
        if checkpoint is not None:
            checkpoint.write()
    found = {target: finished[target] for target in targets if target in finished}
    return Learned(
        {target: done.near for target, done in found.items()},
        sum(done.n_tests for done in found.values()),
        sum(done.n_cut for done in found.values()),
        found,
    )


def _learned_in_turn(
    targets: Vars, work: _Work, n_jobs: int | None, careful: bool
) -> Generator[dict[Var, Finished]]:
    """What is known of some targets, then of others, as workers come to them."""
    n_workers, universe = effective_n_jobs(n_jobs), work[1].value[0]
    n_batches = len(targets)  # to hand one over to a thread takes a few microseconds
    if n_workers > 1 and (are_far() or len(universe) >= _MANY):
        targets = _heaviest_first(targets, work[0].value, universe)
    if n_workers > 1 and are_far():
        n_batches = n_workers * _BATCHES_PER_WORKER
        if careful:
            n_batches = max(n_batches, ceil(len(targets) / _LARGEST_BATCH))
        if len(targets) > 4 * _PILOTS:
            targets, light = targets[:-_PILOTS], targets[-_PILOTS:]
            start = perf_counter()
            yield _learned_batch(light, *work)
            seconds = (perf_counter() - start) / _PILOTS
            n_batches = max(n_workers, ceil(len(targets) * seconds / _SECONDS_FAR))
    n_batches = min(n_batches, len(targets))
    # Dealt out in turn, the heavy ones first: all workers are busy to the end.
    batches = (targets[i::n_batches] for i in range(n_batches))
    tasks = [(batch, *work) for batch in batches]
    yield from mapped(_learned_batch, tasks, n_jobs, stop=work[2].stop)


def _heaviest_first(targets: Vars, ci: CITest, universe: Vars) -> Vars:
    """Targets by the number of variables, among some, that they depend on: the most first."""
    probe = universe[:: max(1, len(universe) // _PROBED)]
    links = {x: int((ci.log_p_many(x, without(probe, x)) <= ci.log_alpha).sum()) for x in targets}
    return tuple(sorted(targets, key=lambda x: -links[x]))


def _learned_batch(
    targets: Vars, test: Shared[CITest], task: Shared[tuple[Vars, Learner]], watch: Watch
) -> dict[Var, Finished]:
    """What is known of a few targets: of all, unless a limit is reached."""
    universe, learner = task.value
    context = test.value.context.watched_by(watch)
    done: dict[Var, Finished] = {}
    with suppress(LimitReachedError):
        for target in targets:
            watch.check()
            ci = test.value.within(context.fresh())  # every target has a count of its own
            near = learner(target, ci, universe)
            counts = ci.context.n_tests, ci.context.n_cut
            if isinstance(near, Neighbourhood):
                done[target] = Finished(near.pc, *counts, near)
            else:
                done[target] = Finished(near, *counts)
    return done

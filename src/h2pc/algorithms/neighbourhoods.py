"""A local learner for many targets: in parallel, resumable and within limits."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing, nullcontext, suppress
from dataclasses import replace
from itertools import starmap
from time import perf_counter
from typing import Any, NamedTuple

from joblib import effective_n_jobs

from h2pc.algorithms.checkpoints import Checkpoint
from h2pc.algorithms.hpc import Neighbourhood, hpc, hpc_neighbourhood
from h2pc.algorithms.mmpc import mmpc
from h2pc.algorithms.separating_sets import SeparatingSets
from h2pc.independence.base import CITest
from h2pc.runs.limits import LimitReachedError, Watch
from h2pc.runs.progress import ProgressBar
from h2pc.runs.workers import Shared, are_processes, mapped
from h2pc.variables import Var, Vars, without

Learner = Callable[[Var, CITest, Vars], Vars]
"""A local learner: from a target, a test and a universe to the parents and children."""

# Variables that show how long a target takes: all of them would cost some per cent of learning it.
# With fewer than many variables targets are so quick that threads do better without it.
_PROBED, _MANY = 64, 500

# Processes get batches of about a second, and smaller ones towards the end: the last worker is late
# by a part of what was left when its batch was cut. To hand a batch over takes milliseconds.
_SECONDS_PER_BATCH, _LEAST_SECONDS, _SHARES_PER_WORKER = 1.0, 0.05, 4


class _Task(NamedTuple):
    """All that a worker needs besides its targets; it is sent to a process once."""

    universe: Vars
    learner: Learner
    wanted: Mapping[Var, Vars] | None
    watch: Watch


_Work = tuple[Shared[CITest], Shared[_Task]]
"""The test, and the task."""


def neighbourhoods(
    targets: Iterable[Var],
    ci: CITest | Shared[CITest],
    universe: Vars,
    learner: Learner = hpc,
    *,
    wanted: Mapping[Var, Vars] | None = None,
    n_jobs: int | None = None,
    bar: ProgressBar | None = None,
    watch: Watch | None = None,
    checkpoint: Checkpoint | None = None,
) -> dict[Var, Neighbourhood]:
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
    wanted : mapping of Var to Vars, default=None
        For HPC: the variables that each target is tested for, as in :func:`hpc_neighbourhood`; by
        default all.
    bar : ProgressBar, default=None
        The bar that every finished target advances.
    checkpoint : Checkpoint, default=None
        Finished targets are written to it, and taken from it.
    learner, n_jobs, watch : default=hpc, None, None
        As of :func:`learned_skeleton`.

    Returns
    -------
    dict of Var to Neighbourhood
        The neighbourhoods, before any symmetry, in the order of the targets; without the targets
        that a limit left no time or memory for.

    Examples
    --------
    >>> from h2pc import Dag, DSeparationOracle
    >>> oracle = DSeparationOracle(Dag.from_edges(tuple("abcd"), [(0, 1), (1, 2), (3, 2)]))
    >>> found = neighbourhoods((0, 2), oracle, (0, 1, 2, 3), n_jobs=2)
    >>> found[0].pc, found[2].pc
    ((1,), (1, 3))
    """
    targets = tuple(dict.fromkeys(targets))
    watch = Watch() if watch is None else watch
    finished = {} if checkpoint is None else checkpoint.finished
    found = {target: finished[target] for target in targets if target in finished}
    if bar is not None:
        bar.advance(len(found))

    test = ci if isinstance(ci, Shared) else Shared(ci)
    work = test, Shared(_Task(universe, learner, wanted, watch))
    waiting = without(targets, *found)
    learning: Any = (
        nullcontext(starmap(_learned, (((target,), *work) for target in waiting)))
        if effective_n_jobs(n_jobs) == 1 and not are_processes()
        else closing(_learned_in_parallel(waiting, work, n_jobs))  # also after Ctrl-C
    )
    try:
        with learning as batches:
            for done in batches:
                found |= done
                if checkpoint is not None:
                    checkpoint.add(done)
                if bar is not None:
                    bar.advance(len(done))
    finally:
        if checkpoint is not None:
            checkpoint.write()
    return {target: found[target] for target in targets if target in found}


def _learned_in_parallel(
    targets: Vars, work: _Work, n_jobs: int | None
) -> Generator[dict[Var, Neighbourhood]]:
    """Neighbourhoods of a few targets after the other, as workers finish them."""
    test, task = work
    n_workers, universe, watch = effective_n_jobs(n_jobs), task.value.universe, task.value.watch
    if n_workers > 1 and (are_processes() or len(universe) >= _MANY):
        targets = slowest_first(targets, test.value, universe)
    if not are_processes():  # to hand a target over to a thread takes a few microseconds
        yield from mapped(_learned, [((x,), *work) for x in targets], n_jobs, stop=watch.stop)
        return
    batches = Batches(targets, n_workers, watch)
    for done, seconds, limit in mapped(_timed, ((some, *work) for some in batches), n_jobs):
        batches.seconds_per_target = seconds / max(1, len(done))
        watch.reach(limit)
        yield done


class Batches:
    """Batches of targets, each cut when a worker needs one: by what the last one took.

    The first ones are single targets, which are the slowest. Nothing is given out after a limit.
    """

    def __init__(self, targets: Vars, n_workers: int, watch: Watch) -> None:
        self._waiting, self._n_workers, self._watch = targets, n_workers, watch
        self.seconds_per_target = _SECONDS_PER_BATCH

    def __iter__(self) -> Iterator[Vars]:
        while self._waiting and self._watch.reached is None:
            share = len(self._waiting) // (_SHARES_PER_WORKER * self._n_workers)
            least, most = (
                int(seconds / max(self.seconds_per_target, 1e-6))
                for seconds in (_LEAST_SECONDS, _SECONDS_PER_BATCH)
            )
            size = max(1, least, min(share, most))
            batch, self._waiting = self._waiting[:size], self._waiting[size:]
            yield batch


def slowest_first(targets: Vars, ci: CITest, universe: Vars) -> Vars:
    """Targets by the number of variables, among some, that they depend on: the most first."""
    links = links_with_some(targets, ci, universe)
    return tuple(sorted(targets, key=lambda x: -links[x]))


def links_with_some(targets: Vars, ci: CITest, universe: Vars) -> dict[Var, int]:
    """Number of variables that each target depends on, among some: what its time grows with."""
    probe = universe[:: max(1, len(universe) // _PROBED)]
    return {x: int((ci.log_p_many(x, without(probe, x)) <= ci.log_alpha).sum()) for x in targets}


def _timed(
    targets: Vars, test: Shared[CITest], task: Shared[_Task]
) -> tuple[dict[Var, Neighbourhood], float, str | None]:
    """Neighbourhoods of a few targets, the seconds that they took, and the limit reached."""
    start = perf_counter()
    done = _learned(targets, test, task)
    return done, perf_counter() - start, task.value.watch.reached


def _learned(targets: Vars, test: Shared[CITest], task: Shared[_Task]) -> dict[Var, Neighbourhood]:
    """Neighbourhoods of a few targets: of all, unless a limit is reached."""
    universe, learner, wanted, watch = task.value
    context = test.value.context.watched_by(watch)
    done: dict[Var, Neighbourhood] = {}
    with suppress(LimitReachedError):
        for target in targets:
            watch.check()
            ci = test.value.within(context.fresh(records=True))  # every target has its own counts
            if learner is hpc:
                some = None if wanted is None else wanted[target]
                found = hpc_neighbourhood(target, ci, universe, some)
            else:
                pc = learner(target, ci, universe)
                dsep = ci.context.separators(target) if learner is mmpc else None
                found = Neighbourhood(target, pc, pcs=pc, dsep=dsep, mb=pc)
            done[target] = replace(
                found,
                dsep=None if found.dsep is None else SeparatingSets.of(found.dsep),
                n_tests=ci.context.n_tests,
                n_cut=ci.context.n_cut,
                attempts=ci.context.attempts(target),
            )
    return done

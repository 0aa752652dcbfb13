"""The parallel map of the package: threads, processes, Dask or Ray; lost workers are replaced."""

from __future__ import annotations

import logging
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from importlib import import_module
from itertools import islice
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

from joblib import Parallel, delayed, effective_n_jobs, parallel_config
from joblib.parallel import get_active_backend

from h2pc.errors import H2pcError, SettingError
from h2pc.runs.clusters import ATTEMPTS, Cluster, cluster_of, lost_workers, outcome_of
from h2pc.runs.shared import Shared as Shared

_Outcome = TypeVar("_Outcome")

_LOST_PROCESS = ("BrokenProcessPool", "TerminatedWorkerError")
_THREADS = ("SequentialBackend", "ThreadingBackend")
_SECONDS_TO_ANSWER = 5


def mapped(
    function: Callable[..., _Outcome],
    tasks: Iterable[tuple[Any, ...]],
    n_jobs: int | None,
    *,
    stop: Callable[[], None] | None = None,
) -> Generator[_Outcome]:
    """Return values of ``function(*task)``, in any order, each as soon as it is there.

    Workers are threads, unless ``joblib.parallel_config`` says otherwise; with one worker nothing
    is handed over. Tasks whose worker was killed are given to others. Where an error or Ctrl-C ends
    the map, tasks that have not begun are dropped, others end soon: on clusters by themselves, in
    threads by ``stop``, and the map waits for these. Other workers than threads draw tasks as they
    need them, so that later ones may depend on earlier outcomes.

    Examples
    --------
    >>> sorted(mapped(divmod, [(7, 2), (9, 4)], n_jobs=2))
    [(2, 1), (3, 1)]
    """
    n_workers, backend_name = effective_n_jobs(n_jobs), _backend_name()
    if n_workers == 1 and backend_name in (*_THREADS, "LokyBackend"):
        for task in tasks:
            yield function(*task)
        return
    if backend_name in _THREADS:
        yield from _mapped_in_threads(function, tasks, n_workers, stop)
        return
    backend, _ = get_active_backend(prefer="threads")
    cluster = cluster_of(backend, n_workers)
    if cluster is None:
        yield from _mapped_in_processes(function, tasks, n_jobs)
    else:
        yield from _mapped_on(cluster, function, tasks)


def _mapped_on(
    cluster: Cluster, function: Callable[..., _Outcome], tasks: Iterable[tuple[Any, ...]]
) -> Generator[_Outcome]:
    """As :func:`mapped`, on a cluster; a task is drawn only when a worker will soon be free."""
    finished: SimpleQueue[Any] = SimpleQueue()
    at_work: set[Any] = set()
    waiting = iter(tasks)

    def hand_over() -> None:
        for task in islice(waiting, max(0, cluster.most_at_work - len(at_work))):
            sent = tuple(x.sent_to(cluster) if isinstance(x, Shared) else x for x in task)
            future = cluster.submit(function, sent)
            at_work.add(future)
            future.add_done_callback(finished.put)

    try:
        hand_over()
        while at_work:
            future = finished.get()
            at_work.remove(future)
            outcome = outcome_of(future)
            hand_over()
            yield outcome
    finally:
        if at_work:
            cluster.cancel(at_work)


def _mapped_in_processes(
    function: Callable[..., _Outcome], tasks: Iterable[tuple[Any, ...]], n_jobs: int | None
) -> Generator[_Outcome]:
    """As :func:`mapped`, in processes of this machine, by joblib."""
    given: dict[int, tuple[Any, ...]] = {}
    numbered = enumerate(tasks)

    def drawn() -> Iterator[tuple[int, tuple[Any, ...]]]:
        yield from tuple(given.items())
        for number, task in numbered:
            given[number] = task
            yield number, task

    for attempt in range(ATTEMPTS):
        try:
            outcomes = Parallel(n_jobs, prefer="threads", return_as="generator_unordered")(
                delayed(_numbered)(number, function, *task) for number, task in drawn()
            )
            for number, outcome in outcomes:
                del given[number]
                yield outcome
            return
        except Exception as error:
            if type(error).__name__ not in _LOST_PROCESS:
                raise
            if attempt == ATTEMPTS - 1:
                raise lost_workers(error) from error
            warnings.warn(
                f"A worker was lost ({type(error).__name__}); others do its work.",
                RuntimeWarning,
                stacklevel=3,
            )


def _mapped_in_threads(
    function: Callable[..., _Outcome],
    tasks: Iterable[tuple[Any, ...]],
    n_workers: int,
    stop: Callable[[], None] | None,
) -> Generator[_Outcome]:
    """As :func:`mapped`, in threads, of which the caller's is one.

    joblib looks for outcomes every ten milliseconds: small networks take no longer than that. To
    start and end a pool of threads takes two, and this a quarter of one.
    """
    waiting = deque(tasks)
    outcomes: SimpleQueue[Future[_Outcome] | None] = SimpleQueue()

    def work() -> None:
        try:
            with suppress(IndexError):
                while True:
                    outcomes.put(_done(function, waiting.popleft()))
        finally:
            outcomes.put(None)  # nothing more comes from here

    n_at_work = n_workers - 1
    threads = [Thread(target=work, daemon=True) for _ in range(n_at_work)]
    for thread in threads:
        thread.start()
    try:
        while n_at_work > 0 or waiting or not outcomes.empty():
            if waiting and outcomes.empty():
                with suppress(IndexError):
                    outcomes.put(_done(function, waiting.popleft()))
                continue
            outcome = outcomes.get()
            if outcome is None:
                n_at_work -= 1
            else:
                yield outcome.result()
    except BaseException:
        waiting.clear()  # others end with the task that they have
        if stop is not None:
            stop()
            for thread in threads:
                thread.join()
        raise


def _done(function: Callable[..., _Outcome], task: tuple[Any, ...]) -> Future[_Outcome]:
    """Run a task; its error is raised where the outcome is read."""
    outcome: Future[_Outcome] = Future()
    try:
        outcome.set_result(function(*task))
    except Exception as error:
        outcome.set_exception(error)
    return outcome


def are_processes() -> bool:
    """Whether workers are other processes or machines: to hand over work takes milliseconds."""
    return _backend_name() not in _THREADS


def _numbered(number: int, function: Callable[..., _Outcome], *task: Any) -> tuple[int, _Outcome]:
    return number, function(*task)


def _backend_name() -> str:
    """Return the class of joblib's current backend."""
    backend, _ = get_active_backend(prefer="threads")
    return type(backend).__name__


@contextmanager
def workers_of(cluster: str | None) -> Iterator[None]:
    """Run all parallel work inside on a cluster.

    It is ``dask://host:port`` for the scheduler of a Dask cluster, ``ray://host:port`` for a Ray
    cluster, ``ray://`` for a Ray instance on this machine, ``local`` for processes on this machine,
    or None, where nothing changes.
    """
    if cluster is None:
        yield
    elif cluster == "local":
        with parallel_config(backend="loky"):
            yield
    elif cluster.startswith("dask://"):
        with _dask_client(cluster), parallel_config(backend="dask"):
            yield
    elif cluster.startswith("ray://"):
        with _ray_instance(cluster), parallel_config(backend="ray"):
            yield
    else:
        raise SettingError(
            f"cluster must be local, dask://host:port or ray://host:port; got {cluster!r}."
        )


@contextmanager
def _dask_client(cluster: str) -> Iterator[None]:
    distributed = _package("distributed", "dask")
    address = "tcp://" + cluster.removeprefix("dask://")
    try:
        client = distributed.Client(address, timeout=_SECONDS_TO_ANSWER)
    except (OSError, ValueError) as error:
        raise H2pcError(f"No Dask scheduler answers at {address}: {error}") from None
    logger = logging.getLogger("distributed.client")
    level = logger.level
    logger.setLevel(logging.CRITICAL)  # that the scheduler is gone is told by our own error
    try:
        with client:
            yield
    finally:
        logger.setLevel(level)


@contextmanager
def _ray_instance(cluster: str) -> Iterator[None]:
    ray = _package("ray", "ray")
    address = None if cluster == "ray://" else cluster
    try:
        ray.init(address, ignore_reinit_error=True, log_to_driver=False, configure_logging=False)
    except (ConnectionError, ValueError) as error:
        raise H2pcError(f"No Ray cluster answers at {cluster}: {error}") from None
    import_module("ray.util.joblib").register_ray()
    try:
        yield
    finally:
        ray.shutdown()


def _package(name: str, extra: str) -> Any:
    try:
        return import_module(name)
    except ModuleNotFoundError:
        raise SettingError(
            f"This cluster needs {name}, which is not installed (pip install 'h2pc[{extra}]')."
        ) from None

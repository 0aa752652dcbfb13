"""The parallel map of the package: threads, processes, Dask or Ray; lost workers are replaced."""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from importlib import import_module
from queue import SimpleQueue
from threading import Thread
from typing import Any, Generic, TypeVar
from uuid import uuid4

from joblib import Parallel, delayed, effective_n_jobs, parallel_config
from joblib.parallel import get_active_backend

from h2pc.errors import H2pcError, SettingError

_Value = TypeVar("_Value")
_Outcome = TypeVar("_Outcome")

_ATTEMPTS = 4
_LOST_WORKER = frozenset(
    {
        "ActorDiedError",
        "ActorUnavailableError",
        "BrokenProcessPool",
        "FutureCancelledError",
        "KilledWorker",
        "NodeDiedError",
        "RayActorError",
        "TerminatedWorkerError",
        "WorkerCrashedError",
    }
)
"""Errors of loky, Dask and Ray where a worker was lost with its task."""

_DASK = "DaskDistributedBackend"
_THREADS = ("SequentialBackend", "ThreadingBackend")
_MOST_RECEIVED = 4
_SECONDS_TO_ANSWER = 5
_received: dict[str, Any] = {}


class Shared(Generic[_Value]):
    """A value that is sent to many workers; a worker keeps it, with everything it has cached.

    Examples
    --------
    >>> import pickle
    >>> shared = Shared(["a", "b"])
    >>> one, other = (pickle.loads(pickle.dumps(shared)) for _ in range(2))
    >>> one.value is other.value
    True
    """

    def __init__(self, value: _Value, key: str | None = None, in_ray: Any = None) -> None:
        self.value = value
        self._key = key or uuid4().hex
        self._in_ray = in_ray
        self._sent: tuple[Any, Any] = None, None

    def sent(self, backend: Any, *, again: bool = False) -> Any:
        """Return what stands for this value in a task: the same each time, unless sent ``again``.

        Dask computes it from the scheduler's own copy, once for every worker, and again after one
        was lost; what is scattered would be lost with its worker. Ray keeps it in its store.
        Processes of this machine get it with the task: joblib maps large arrays.
        """
        if again or self._sent[0] is not backend:
            self._sent = backend, self._sent_to(backend)
        return self._sent[1]

    def _sent_to(self, backend: Any) -> Any:
        name = type(backend).__name__
        if name == _DASK:
            return backend.client.submit(_kept, self._key, self.value, pure=False)
        if name == "RayBackend":
            return Shared(self.value, self._key, import_module("ray").put(self.value))
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        if self._in_ray is not None:
            return _fetched, (self._key, self._in_ray)
        return _kept, (self._key, self.value)


def _kept(key: str, value: Any) -> Shared[Any]:
    """Return the value that was received under a key, and keep it if it is new.

    The one used longest ago is dropped first: a test serves all waves, a learner only one.
    """
    shared = _received.pop(key, None) or Shared(value)
    while len(_received) >= _MOST_RECEIVED:
        with suppress(KeyError, StopIteration):
            del _received[next(iter(_received))]
    _received[key] = shared
    return shared


def _fetched(key: str, reference: Any) -> Shared[Any]:
    """Return the value of a key; fetch it where it was not received yet."""
    known = _received.get(key)
    return _kept(key, known.value if known else import_module("ray").get(reference))


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
    the map, ``stop`` makes all tasks end soon, and the map waits for the threads.

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
    waiting = dict(enumerate(tasks))
    for attempt in range(_ATTEMPTS):
        try:
            backend, _ = get_active_backend(prefer="threads")
            shared = {x for task in waiting.values() for x in task if isinstance(x, Shared)}
            sent = {x: x.sent(backend, again=attempt > 0) for x in shared}
            parallel = _parallel(n_jobs, backend)
            for number, outcome in parallel(
                delayed(_numbered)(
                    number, function, *(sent[x] if isinstance(x, Shared) else x for x in task)
                )
                for number, task in tuple(waiting.items())
            ):
                del waiting[number]
                yield outcome
            return
        except Exception as error:
            if type(error).__name__ not in _LOST_WORKER:
                raise
            if attempt == _ATTEMPTS - 1:
                raise H2pcError(
                    f"Workers were lost {_ATTEMPTS} times in a row ({type(error).__name__}): "
                    "expected them to live as long as their tasks; they may need more memory."
                ) from error
            warnings.warn(
                f"A worker was lost ({type(error).__name__}); others do its work.",
                RuntimeWarning,
                stacklevel=2,
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


def _parallel(n_jobs: int | None, backend: Any) -> Parallel:
    """Return joblib's map, with outcomes as they come where the backend can do that."""
    options: dict[str, Any] = {"prefer": "threads"}
    if type(backend).__name__ == _DASK:
        # A worker without a task that waits for a shared value loses it, and is sent it again.
        options["pre_dispatch"] = "all"
    try:
        return Parallel(n_jobs, return_as="generator_unordered", **options)
    except ValueError:
        return Parallel(n_jobs, **options)


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
    with client:
        yield


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

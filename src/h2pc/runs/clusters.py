"""Dask, Ray, and joblib's other clusters: tasks are handed over, and outcomes come as they end."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from importlib import import_module
from time import monotonic
from typing import Any
from uuid import uuid4

from joblib import Parallel
from joblib.parallel import ParallelBackendBase

from h2pc.errors import H2pcError
from h2pc.runs.limits import TaskCancelledError, check_of_task
from h2pc.runs.shared import Packed

ATTEMPTS = 4
"""Workers that may be lost with one task, one after the other: what Dask allows by default."""

_LOST_WORKER = frozenset(
    {"ActorDiedError", "KilledWorker", "NodeDiedError", "OwnerDiedError", "WorkerCrashedError"}
)
_LOST_CLUSTER = frozenset(
    {
        "CancelledError",
        "ClosedClientError",
        "CommClosedError",
        "ConnectionError",
        "FutureCancelledError",
        "RaySystemError",
    }
)
_SECONDS_BETWEEN_COUNTS = 5.0


class Cluster(ABC):
    """What a parallel map needs of a cluster: shared values, futures, and to cancel them."""

    def __init__(self, backend: Any, n_workers: int) -> None:
        self.backend, self.n_workers = backend, n_workers

    @property
    def most_at_work(self) -> int:
        """The number of tasks to hand over before one is done."""
        return self.n_workers

    @abstractmethod
    def share(self, packed: Packed) -> Any:
        """Return what stands for a shared value in a task; it travels to every worker once."""

    @abstractmethod
    def submit(self, function: Callable[..., Any], task: tuple[Any, ...]) -> Any:
        """Hand a task over: return a future of its outcome."""

    @abstractmethod
    def cancel(self, futures: Collection[Any]) -> None:
        """Drop tasks that have not begun, and end others soon."""


class Dask(Cluster):
    """A Dask cluster. A task goes to a worker that is free; none waits behind a long one."""

    def __init__(self, backend: Any, n_workers: int) -> None:
        super().__init__(backend, n_workers)
        self._client = backend.client
        self._counted = monotonic()

    @property
    def most_at_work(self) -> int:
        """The number of threads of all workers: more may join while a map runs."""
        if monotonic() - self._counted > _SECONDS_BETWEEN_COUNTS:
            with suppress(OSError, ValueError):
                self.n_workers = sum(self._client.nthreads().values()) or self.n_workers
            self._counted = monotonic()
        return self.n_workers

    def share(self, packed: Packed) -> Any:
        """Return a future of the value, which the scheduler can compute again anywhere.

        What is scattered would be lost with its worker. Copies are made at once: Dask gives tasks
        to the workers that have what they depend on.
        """
        dask, distributed = import_module("dask"), import_module("distributed")
        with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1TB"}):
            future = self._client.submit(_same, packed, key=f"shared-{packed.key}", pure=False)
        distributed.wait(future)
        self._client.replicate([future])
        return future

    def submit(self, function: Callable[..., Any], task: tuple[Any, ...]) -> Any:
        """Hand a task over; Dask gives it to others where its worker is lost."""
        key = f"{getattr(function, '__name__', 'task').strip('_')}-{uuid4().hex}"
        return self._client.submit(_called_in_dask, function, *task, key=key, pure=False)

    def cancel(self, futures: Collection[Any]) -> None:
        """Cancel tasks; those at work see it when they look at their watch."""
        with suppress(Exception):  # the scheduler may be gone
            self._client.cancel(list(futures))


class Ray(Cluster):
    """A Ray cluster. Its processes stay from map to map, and lost ones are replaced by Ray."""

    def __init__(self, backend: Any, n_workers: int) -> None:
        super().__init__(backend, n_workers)
        self._ray = import_module("ray")
        options = {"num_cpus": 1, "max_retries": ATTEMPTS - 1, **(backend.ray_remote_args or {})}
        self._called = self._ray.remote(**options)(called)

    def share(self, packed: Packed) -> Any:
        """Return a reference to the value in Ray's store, which all workers of a machine see."""
        return self._ray.put(packed)

    def submit(self, function: Callable[..., Any], task: tuple[Any, ...]) -> Any:
        """Hand a task over to a process that is free."""
        reference = self._called.remote(function, *task)
        future = reference.future()
        future.reference = reference
        return future

    def cancel(self, futures: Collection[Any]) -> None:
        """Cancel tasks; those at work are interrupted."""
        for future in futures:
            with suppress(Exception):  # the cluster may be gone
                self._ray.cancel(future.reference)


class OtherCluster(Cluster):
    """A backend of joblib that calls back, such as Spark."""

    def __init__(self, backend: Any, n_workers: int) -> None:
        super().__init__(backend, n_workers)
        backend.configure(n_jobs=n_workers, parallel=Parallel(n_workers))
        backend.start_call()
        has_own = type(backend).apply_async is not ParallelBackendBase.apply_async
        self._begin = backend.apply_async if has_own else backend.submit

    def share(self, packed: Packed) -> Any:
        """Return a broadcast variable of Spark; other backends get the value with every task."""
        if type(self.backend).__name__ != "SparkDistributedBackend":
            return packed
        context = import_module("pyspark").SparkContext
        return context.getOrCreate().broadcast(packed)

    def submit(self, function: Callable[..., Any], task: tuple[Any, ...]) -> Any:
        """Hand a task over."""
        future: Future[Any] = Future()
        self._begin(partial(_caught, function, *task), partial(_set, future))
        return future

    def cancel(self, futures: Collection[Any]) -> None:
        """Cancel all tasks."""
        del futures
        self.backend.terminate()


def cluster_of(backend: Any, n_workers: int) -> Cluster | None:
    """Return the cluster behind a backend of joblib; None where joblib's own map does better."""
    if type(backend).__name__ == "DaskDistributedBackend":
        return Dask(backend, n_workers)
    if type(backend).__name__ == "RayBackend":
        return Ray(backend, n_workers)
    return None if backend.supports_return_generator else OtherCluster(backend, n_workers)


def outcome_of(future: Any) -> Any:
    """Return the outcome of a task, or raise its error; losses are told in a sentence."""
    try:
        return future.result()
    except Exception as error:
        name = type(error).__name__
        if name in _LOST_WORKER:
            raise lost_workers(error) from error
        if name in _LOST_CLUSTER:
            raise H2pcError(
                "The connection to the cluster was lost: expected it to last as long as the run. "
                "What a checkpoint has is kept for another run."
            ) from error
        cause = getattr(error, "cause", None)  # Ray shows the worker's traceback as the message
        if isinstance(cause, Exception):
            raise cause from None
        raise


def lost_workers(error: Exception) -> H2pcError:
    """Return the error of a task whose workers were lost again and again."""
    return H2pcError(
        f"Workers were lost {ATTEMPTS} times in a row ({type(error).__name__}): "
        "expected them to live as long as their tasks; they may need more memory."
    )


def called(function: Callable[..., Any], *task: Any) -> Any:
    """Run a task where it has arrived."""
    return function(*map(_arrived, task))


def _arrived(part: Any) -> Any:
    """Return a part of a task as it was before it was sent."""
    if type(part).__name__ == "Broadcast":
        part = part.value
    return part.opened() if isinstance(part, Packed) else part


def _called_in_dask(function: Callable[..., Any], *task: Any) -> Any:
    """Run a task; it ends soon after it was cancelled, or after the driver was killed."""
    worker = import_module("distributed").get_worker()
    key = worker.get_current_task()

    def check() -> None:
        known = worker.state.tasks.get(key)
        if known is None or known.state == "cancelled":
            raise TaskCancelledError(key)

    token = check_of_task.set(check)
    try:
        return called(function, *task)
    finally:
        check_of_task.reset(token)


def _caught(function: Callable[..., Any], *task: Any) -> tuple[bool, Any]:
    """Run a task; its error is an outcome as well, since joblib-spark loses errors."""
    try:
        return True, called(function, *task)
    except Exception as error:
        return False, error


def _set(future: Future[Any], outcome: Any) -> None:
    """Put what a backend of joblib called back with into a future."""
    match outcome:
        case (True, value):
            future.set_result(value)
        case (False, Exception() as error):
            future.set_exception(error)
        case _:
            future.set_exception(H2pcError(f"A task was lost: {getattr(outcome, 'exc', outcome)}"))


def _same(packed: Packed) -> Packed:
    return packed

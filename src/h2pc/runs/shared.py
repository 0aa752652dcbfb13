"""Values that many tasks need: packed once, sent to a worker once, and kept there."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from threading import Lock
from typing import Any, Generic, NamedTuple, TypeVar
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

_Value = TypeVar("_Value")

_MOST_RECEIVED = 4
_received: dict[str, Any] = {}
_opening = Lock()  # a worker of Dask may have several threads


class Packed(NamedTuple):
    """A pickled value as it travels: its arrays beside it, so that no backend copies them."""

    key: str
    head: bytes
    arrays: Sequence[NDArray[np.uint8]]

    @property
    def n_bytes(self) -> int:
        """The bytes that travel."""
        return len(self.head) + sum(array.nbytes for array in self.arrays)

    def opened(self) -> Shared[Any]:
        """Return the value; where it arrived before, with everything it has cached since.

        The one used longest ago is dropped first: a test serves all waves, a learner only one.
        """
        with _opening:
            shared: Shared[Any] | None = _received.pop(self.key, None)
            if shared is None:
                shared = Shared(pickle.loads(self.head, buffers=self.arrays), self.key)
            while len(_received) >= _MOST_RECEIVED:
                with suppress(KeyError, StopIteration):
                    del _received[next(iter(_received))]
            _received[self.key] = shared
            return shared


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

    def __init__(self, value: _Value, key: str | None = None) -> None:
        self.value = value
        self._key = key or uuid4().hex
        self._packed: Packed | None = None
        self._sent: tuple[Any, Any] = None, None

    @property
    def packed(self) -> Packed:
        """The value as it travels, pickled when first needed."""
        if self._packed is None:
            buffers: list[pickle.PickleBuffer] = []
            dumps = import_module("cloudpickle").dumps  # joblib needs it as well
            head = dumps(self.value, protocol=5, buffer_callback=buffers.append)
            arrays = [np.frombuffer(buffer.raw(), np.uint8) for buffer in buffers]
            self._packed = Packed(self._key, head, arrays)
        return self._packed

    def sent_to(self, cluster: Any) -> Any:
        """Return what stands for this value in the tasks of a cluster: the same each time."""
        if self._sent[0] is not cluster.backend:
            self._sent = cluster.backend, cluster.share(self.packed)
        return self._sent[1]

    def __reduce__(self) -> tuple[Any, ...]:
        return Packed.opened, (self.packed,)

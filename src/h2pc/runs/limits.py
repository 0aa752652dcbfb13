"""Limits of a run: its time, its memory and its searches, and a watch over the first two."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, replace
from time import monotonic, time
from typing import Any

from h2pc.checks import number, whole_number
from h2pc.errors import H2pcWarning, SettingError
from h2pc.io.memory import memory_in_use as memory_in_use
from h2pc.variables import Var

SHARE_OF_MEMORY = 0.9
"""The share of the limit at which a run stops: its next allocation needs room as well."""
_MEMORY_OF_FIRST_PART = 0.95
# To read the memory in use takes ten microseconds, to read the clock a twentieth of one.
_SECONDS_BETWEEN_LOOKS = 0.02

_SECONDS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_BYTES = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}


class LimitReachedError(Exception):
    """The run has to stop. Parallel maps catch it, and keep the finished part."""


class TaskCancelledError(Exception):
    """Nobody waits for the outcome of this task any more."""


check_of_task: ContextVar[Callable[[], None] | None] = ContextVar("check_of_task", default=None)
"""Raises an error where the task that this thread runs was cancelled, on clusters that tell."""


@dataclass(frozen=True)
class Limits:
    """Limits of a run; None is no limit."""

    max_seconds: float | None = None
    """The longest time of the run."""
    max_memory: int | None = None
    """The most bytes that the process may hold, all that it held before included."""
    max_conditioning: int | None = None
    """The largest conditioning set of a search for what separates two variables."""
    max_subset_tests: int | None = None
    """The most subsets that such a search tries."""

    def __post_init__(self) -> None:
        number(above=0.0, optional=True)("max_seconds", self.max_seconds)
        for name, least in (("max_memory", 1), ("max_conditioning", 0), ("max_subset_tests", 1)):
            whole_number(least, optional=True)(name, getattr(self, name))

    @property
    def are_watched(self) -> bool:
        """Whether the clock or the memory may stop the run."""
        return self.max_seconds is not None or self.max_memory is not None


class Watch:
    """A watch over the time and the memory of a run; warnings use the names of its variables.

    Copies in other processes have the time that is left, and look at their own memory.
    """

    def __init__(self, limits: Limits | None = None, names: Sequence[str] = ()) -> None:
        self.limits = Limits() if limits is None else limits
        self.names = names
        self._start = monotonic()
        self._next_look = 0.0
        self._reached: str | None = None
        self._reasons: list[str] = []
        self._has_warned = self._is_stopped = False

    @property
    def reached(self) -> str | None:
        """The limit that the run has come to, if it has; from then on the answer stays."""
        if self._reached is None and self.limits.are_watched:
            self.reach(self._looked())
        return self._reached

    def reach(self, limit: str | None) -> None:
        """Note that the run has come to a limit, if it has: here, or in another process."""
        if self._reached is None and limit is not None:
            self._reached = limit
            self._reasons.append(limit)

    @property
    def reason(self) -> str | None:
        """The limit that the run, or its first part, has come to first."""
        return self._reasons[0] if self._reasons else None

    def check(self) -> None:
        """Raise an error if the run has come to a limit, was stopped, or its task was cancelled."""
        if (check := check_of_task.get()) is not None:
            check()
        if self._is_stopped or self.reached is not None:
            raise LimitReachedError(self.reached or "stopped")

    @property
    def poll(self) -> Callable[[], bool] | None:
        """A function that says whether a search has to stop; None where nothing is watched."""
        return (lambda: self.reached is not None) if self.limits.are_watched else None

    def stop(self) -> None:
        """Stop the run in all threads that have this watch."""
        self._is_stopped = True

    def first_part(self, share: float) -> Watch:
        """Return a watch with the same beginning, a share of the time, and most of the memory."""
        limits = self.limits
        if limits.max_seconds is not None:
            limits = replace(limits, max_seconds=share * limits.max_seconds)
        if limits.max_memory is not None:
            most = max(1, int(_MEMORY_OF_FIRST_PART * limits.max_memory))
            limits = replace(limits, max_memory=most)
        watch = Watch(limits, self.names)
        watch._start, watch._reasons = self._start, self._reasons
        return watch

    def name(self, variable: Var) -> str:
        """Return what a variable is called."""
        return self.names[variable] if variable < len(self.names) else f"variable {variable}"

    def warn(self, sentence: str) -> None:
        """Warn, unless there has been a warning before."""
        if not self._has_warned:
            self._has_warned = True
            warnings.warn(sentence, H2pcWarning, stacklevel=2)

    def _looked(self) -> str | None:
        """Return the limit that the run has come to now, if it has."""
        now, limits = monotonic(), self.limits
        if limits.max_seconds is not None and now - self._start >= limits.max_seconds:
            return "max_seconds"
        if limits.max_memory is not None and now >= self._next_look:
            self._next_look = now + _SECONDS_BETWEEN_LOOKS
            if memory_in_use() > SHARE_OF_MEMORY * limits.max_memory:
                return "max_memory"
        return None

    def __getstate__(self) -> dict[str, Any]:
        began = time() - (monotonic() - self._start)  # the other clock does not travel
        return {**self.__dict__, "_start": began}

    def __setstate__(self, state: dict[str, Any]) -> None:
        passed = max(0.0, time() - state["_start"])
        self.__dict__.update(state, _start=monotonic() - passed, _next_look=0.0)


def seconds_of(text: str) -> float:
    """Return the seconds that a text means.

    Examples
    --------
    >>> seconds_of("90"), seconds_of("10m"), seconds_of("1h30m")
    (90.0, 600.0, 5400.0)
    """
    said = text.strip().lower()
    parts = re.findall(r"(\d+(?:\.\d+)?)\s*([smhd])\s*", said)
    seconds = math.inf
    if re.fullmatch(r"\d+(\.\d+)?", said):
        seconds = float(said)
    elif re.fullmatch(r"(\d+(\.\d+)?\s*[smhd]\s*)+", said):
        seconds = sum(float(number) * _SECONDS[unit] for number, unit in parts)
    if 0.0 < seconds < math.inf:
        return seconds
    raise SettingError(f"Expected a time like 90s, 10m or 1h30m; got {text!r}.")


def bytes_of(text: str) -> int:
    """Return the bytes that a text means: powers of 1000, with an i of 1024.

    Examples
    --------
    >>> bytes_of("2GB"), bytes_of("512MiB"), bytes_of("1.5g")
    (2000000000, 536870912, 1500000000)
    """
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([kmgt]?)(i?)b?", text.strip().lower())
    if match and not (match[3] and not match[2]):
        size = float(match[1]) * (1024 if match[3] else 1000) ** _BYTES[match[2]]
        if 1.0 <= size < math.inf:
            return int(size)
    raise SettingError(f"Expected an amount of memory like 2GB or 512MiB; got {text!r}.")


def in_bytes(n_bytes: float) -> str:
    """Return an amount of memory as people say it.

    Examples
    --------
    >>> in_bytes(2.5e9), in_bytes(130_000)
    ('2.5 GB', '0.13 MB')
    """
    return f"{n_bytes / 1e9:.3g} GB" if n_bytes >= 1e9 else f"{n_bytes / 1e6:.3g} MB"

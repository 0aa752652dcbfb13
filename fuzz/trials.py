"""One input after the other, each with bounded time and memory; what is not refused is a bug."""

from __future__ import annotations

import faulthandler
import hashlib
import resource
import signal
import sys
import traceback
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import perf_counter
from types import FrameType
from typing import Any

from parsers import PARSERS, is_read
from seeds import seeds_of

MEGABYTE = 1 << 20
# The limit is one of processor time, since machines are shared. Where Python cannot interrupt
# itself, the process ends after so many times as much.
_PATIENCE = 6


class TooLongError(BaseException):
    """An input took longer than it may."""


@dataclass
class Figures:
    """What came of the inputs of one kind of file."""

    kind: str
    n_inputs: int = 0
    n_read: int = 0
    n_failed: int = 0
    slowest: float = 0.0
    megabytes: float = 0.0
    bugs: dict[str, str] = field(default_factory=dict)
    """The file with the first input that showed it, for every bug."""

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as JSON can hold them."""
        return asdict(self)


class Trials:
    """Runs inputs of one kind of file, and keeps what shows a bug.

    Parameters
    ----------
    kind : str
        One of ``PARSERS``.
    folder : Path
        Where the input is written that a parser then reads.
    keep : Path
        Where inputs that show a bug are kept.
    seconds, megabytes : float
        What one input may take; the memory is that above what the process has at the start.
    """

    def __init__(
        self, kind: str, folder: Path, keep: Path, *, seconds: float, megabytes: int
    ) -> None:
        self.figures = Figures(kind)
        self._parser, self._folder, self._keep = PARSERS[kind], folder, keep
        self._seconds = seconds
        is_read(self._parser, seeds_of(kind)[0], folder)  # libraries are loaded, threads started
        self._before = _resident()
        if megabytes:
            limit = _address_space() + megabytes * MEGABYTE
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        signal.signal(signal.SIGPROF, _too_long)

    def run(self, content: bytes) -> None:
        """Try one input."""
        figures = self.figures
        figures.n_inputs += 1
        start = perf_counter()
        faulthandler.dump_traceback_later(_PATIENCE * self._seconds, exit=True)
        signal.setitimer(signal.ITIMER_PROF, self._seconds)
        try:
            figures.n_read += is_read(self._parser, content, self._folder)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            signal.setitimer(signal.ITIMER_PROF, 0)
            figures.n_failed += 1
            self._found(error, content)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            faulthandler.cancel_dump_traceback_later()
        figures.slowest = max(figures.slowest, perf_counter() - start)
        figures.megabytes = max(0.0, (_resident() - self._before) / MEGABYTE)

    def _found(self, error: BaseException, content: bytes) -> None:
        """Keep the first input of every bug; bugs differ in the error and in its place."""
        frames = [f for f in traceback.extract_tb(error.__traceback__) if "h2pc" in f.filename]
        frame = frames[-1] if frames else None
        place = f"{Path(frame.filename).name}:{frame.lineno}" if frame else "?"
        bug = f"{type(error).__name__} at {place}: {str(error)[:100]}"
        key = f"{type(error).__name__} at {place}"
        if not any(known.startswith(key) for known in self.figures.bugs):
            self.figures.bugs[bug] = str(kept(self._keep, self.figures.kind, content))


def kept(folder: Path, kind: str, content: bytes) -> Path:
    """Write an input to a file of its own, and return it."""
    folder.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256(content).hexdigest()[:12]
    path = folder / f"{kind.replace(' ', '-')}-{digest}"
    path.write_bytes(content)
    return path


def _too_long(_signal: int, _frame: FrameType | None) -> None:
    raise TooLongError("time is up")


def _resident() -> int:
    """Return the most memory that this process ever held, in bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak * (1 if sys.platform == "darwin" else 1024)


def _address_space() -> int:
    """Return the memory that this process has asked for, in bytes."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    return pages * resource.getpagesize()

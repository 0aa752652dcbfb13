"""Compiling on a fresh machine: other processes compile heavy kernels, and leave them on disk.

``python -m h2pc._kernels.compiling uint8 0 2`` compiles the first of two shares.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import parent_process
from pathlib import Path
from typing import Any

import numpy as np
from joblib import cpu_count
from numba.core.event import Event, Listener, install_listener

_MOST_HELPERS = 5


@contextmanager
def helped(dtype: Any) -> Iterator[None]:
    """If something is compiled inside, have others compile what will be needed after it.

    Returns when all of it is on disk. Where helpers fail, kernels are compiled when first called.
    """
    helpers = _Helpers(np.dtype(dtype).name)
    try:
        with install_listener("numba:compile", helpers):
            yield
        helpers.wait()
    finally:
        helpers.stop()


class _Helpers(Listener):
    """Processes that start when the first kernel is compiled."""

    def __init__(self, dtype: str) -> None:
        self._dtype = dtype
        self._processes: list[subprocess.Popen[bytes]] = []
        self._asked = False

    def on_start(self, event: Event) -> None:  # noqa: ARG002
        if not self._asked:
            self._asked = True
            if _may_start():
                self._processes.extend(_started(self._dtype))

    def on_end(self, event: Event) -> None:
        pass

    def wait(self) -> None:
        for process in self._processes:
            process.wait()

    def stop(self) -> None:
        """End those who are still at work: after Ctrl-C nobody needs them."""
        for process in self._processes:
            process.kill()
            process.wait()


def _may_start() -> bool:
    """Whether this is an interpreter of its own: not a worker, nor a program with Python inside."""
    is_python = Path(sys.executable or "").name.startswith("python")
    return is_python and parent_process() is None and cpu_count() > 1


def _started(dtype: str) -> Iterator[subprocess.Popen[bytes]]:
    n_helpers = min(cpu_count(), _MOST_HELPERS)
    nowhere = subprocess.DEVNULL
    for share in range(n_helpers):
        command = [sys.executable, "-m", __name__, dtype, str(share), str(n_helpers)]
        with suppress(OSError):
            yield subprocess.Popen(command, stdin=nowhere, stdout=nowhere, stderr=nowhere)


def heavy_kernels(dtype: Any) -> dict[Any, tuple[Any, ...]]:
    """Return kernels that take seconds to compile, and the types of their arguments.

    Dealt out in turn to two to five, none gets more than another by much.
    """
    from h2pc._kernels import families, neighbouring, rounds, sifting
    from h2pc._kernels.sample import kind_of_codes

    codes = kind_of_codes(np.dtype(dtype))
    kinds = families.to_compile(codes) | neighbouring.to_compile(codes)
    order = (
        families.family_scores,
        rounds.settled,
        neighbouring.hpc,
        sifting.sift,
        sifting.sift_given_any,
    )
    return {kernel: kinds[kernel] for kernel in order}


def main(dtype: str, share: str, n_shares: str) -> None:
    """Compile one share."""
    for kernel, kinds in list(heavy_kernels(dtype).items())[int(share) :: int(n_shares)]:
        kernel.compile(kinds)


if __name__ == "__main__":
    main(*sys.argv[1:])

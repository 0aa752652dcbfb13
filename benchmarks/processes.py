"""Measurements in a process of their own, of this version of h2pc or of another one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

MEGABYTE = 1e6


def reset_peak() -> None:
    """Forget the memory that this process took so far, where the system can."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def peak_megabytes() -> float:
    """Return the most memory that this process held since `reset_peak`, on Linux; or ever."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
        kilobytes = next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
        return 1024 * kilobytes / MEGABYTE
    except (OSError, StopIteration):
        import resource

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak * (1 if sys.platform == "darwin" else 1024) / MEGABYTE


def figures_of_process(program: str, arguments: list[str], version: str | None = None) -> Any:
    """Return what a program prints at last as JSON, in a process of its own.

    ``version`` is an interpreter with another version of h2pc, or a folder with its sources.
    """
    python, environment = sys.executable, dict(os.environ)
    if version is not None and Path(version).is_dir():
        environment["PYTHONPATH"] = version
    elif version is not None:
        python = version
    command = [python, program, *arguments]
    child = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False, env=environment)
    if child.returncode != 0:
        raise SystemExit(f"{' '.join(command)} ended with {child.returncode}")
    return json.loads(child.stdout.splitlines()[-1])

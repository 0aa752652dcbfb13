"""How much memory reading a file may take."""

from __future__ import annotations

import os
import sys

from h2pc.errors import FileFormatError

# What reading a text holds at its peak: the text, a copy of it in another form, its cells as
# strings and as numbers. Measured: 2 bytes for every byte of text and 18 to 27 for every cell.
BYTES_PER_BYTE_OF_TEXT = 3
_BYTES_PER_CELL = 28

# Libraries that are loaded after a limit was checked.
_LIBRARIES = 150 << 20


def memory_in_use() -> int:
    """Bytes that this process holds, now or at most so far; 0 where the system does not say."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        pass
    try:
        import resource
    except ImportError:  # Windows
        return 0
    largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return largest if sys.platform == "darwin" else 1024 * largest


def room(max_memory: int | None) -> int:
    """Return how many more bytes this process may hold: up to the limit, or to the machine's."""
    if max_memory is None:
        return max(0, _machine_memory() - memory_in_use())
    return max(0, max_memory - max(memory_in_use(), _LIBRARIES))


def check_text(source: str, n_bytes: int, n_rows: int, n_columns: int, free: int) -> None:
    """Refuse a text whose cells need more memory than is free."""
    needed = BYTES_PER_BYTE_OF_TEXT * n_bytes + _BYTES_PER_CELL * n_rows * n_columns
    check_fits(source, n_rows, n_columns, needed, free)


def check_fits(source: str, n_rows: int, n_columns: int, needed: int, free: int) -> None:
    """Refuse a table that needs more memory than is free."""
    if needed > free:
        raise FileFormatError(
            f"{source}: {n_rows:,} rows of {n_columns:,} columns need {needed / 1e9:.2g} GB of "
            f"memory: expected at most {free / 1e9:.2g} GB"
        )


def _machine_memory() -> int:
    """Return the memory of this machine; of a container, where its limit can be read."""
    limits = []
    try:
        limits.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, ValueError, OSError):  # Windows
        limits.append(1 << 36)
    for path in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        try:
            with open(path, "rb") as file:
                limits.append(int(file.read()))
        except (OSError, ValueError):
            continue
    return min(limits)

"""Experiments that are killed at random moments and started again; run in a process of its own."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

from h2pc.runs.cells import RESULTS, TIMINGS, CellResult, CellStore, read_cells
from h2pc.runs.grid import run_cells


def fake_run(folder):
    """Many cells that take a moment; their lines take more than one page of a file."""
    with CellStore(folder, ["number"], {}) as store:
        run_cells([(number,) for number in range(150)], _square, store)


def _square(cell):
    time.sleep(0.002)  # else the run has ended before it is killed
    return CellResult({"square": cell[0] ** 2, "padding": "x" * 5000}, {"total": time.time()})


def real_run(folder):
    """The synthetic experiment on two small networks."""
    from h2pc.experiments.synthetic_cells import run_synthetic

    run_synthetic(folder, ["asia", "child"], [50, 100, 200], 4)


RUNS = {"fake": (fake_run, ("number",)), "real": (real_run, ("network", "size", "repetition"))}


def check_that_kills_do_not_matter(kind, folder, n_kills):
    """Compare a run that is killed again and again with one that is not."""
    run, fields = RUNS[kind]
    command = [sys.executable, __file__, kind, str(folder / "killed"), str(n_kills)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    run(folder / "straight")

    killed, straight = folder / "killed", folder / "straight"
    after = [{tuple(cell) for cell in cells} for cells in json.loads(done.stdout)]
    assert (killed / RESULTS).read_bytes() == (straight / RESULTS).read_bytes()
    assert all(before <= now for before, now in pairwise(after)), "a finished cell was lost"
    assert len({len(cells) for cells in after}) > n_kills / 3, "too few kills hit a run at work"
    timed, known = (read_cells(path, fields) for path in (killed / TIMINGS, killed / RESULTS))
    assert list(timed) == list(known)


def main(kind, folder, n_kills):
    """Kill a run many times, each time after some bytes of new results; then let it end."""
    run, fields = RUNS[kind]
    results, dice = Path(folder, RESULTS), random.Random(7)
    run(Path(folder, "warm"))
    longest = max(map(len, Path(folder, "warm", RESULTS).read_bytes().splitlines()))
    finished = []
    for _ in range(int(n_kills)):
        _kill_once(run, folder, results, dice.randrange(2 * longest), dice.uniform(0.0, 0.01))
        finished.append(sorted(read_cells(results, fields)))
    run(folder)
    print(json.dumps(finished))


def _kill_once(run, folder, results, n_bytes, delay):
    """Kill a run once its results have grown by so many bytes, and a moment has passed."""
    goal = _size(results) + n_bytes
    # Forked from a process that has imports and compiled code behind it, a run begins at once.
    child = os.fork()
    if child == 0:
        run(folder)
        os._exit(0)
    while _size(results) < goal:
        if os.waitpid(child, os.WNOHANG)[0]:
            return
        time.sleep(0.0005)
    time.sleep(delay)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def _size(path):
    return path.stat().st_size if path.exists() else 0


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Learning that is killed at random moments and goes on; run in a process of its own.

Prints how many neighbourhoods were on the disk after each kill. It fails where a network that was
gone on with is not the one that was never interrupted.
"""

import os
import random
import signal
import sys
import time
from pathlib import Path

from h2pc import H2PC, load_network
from h2pc.algorithms.checkpoints import Checkpoint
from h2pc.runs.cells import RESULTS, read_cells


def main(name, n_samples, n_kills, folder):
    """Kill, look, and go on, so many times."""
    Checkpoint.seconds_between_writes = 0.0  # something is being written nearly all the time
    data = load_network(name).sample(int(n_samples), random_state=1)
    expected = H2PC().fit(data).result_
    H2PC(checkpoint=Path(folder, "straight")).fit(data)
    size = _size(Path(folder, "straight") / RESULTS)
    dice = random.Random(7)
    for number in range(int(n_kills)):
        place = Path(folder, str(number))
        for _ in range(dice.choice([1, 1, 2])):
            _killed(data, place, dice.uniform(0.0, 0.9 * size), dice.uniform(0.0, 0.003))
        lines = read_cells(place / RESULTS, Checkpoint.FIELDS).values()
        resumed = H2PC(checkpoint=place, n_jobs=dice.choice([1, 2])).fit(data).result_
        assert resumed == expected, f"{place} was gone on with, and is not the same"
        print(sum(len(line["targets"]) for line in lines))


def _killed(data, place, n_bytes, delay):
    """Begin, or go on, and be killed a moment after so many bytes of results are there."""
    # Forked from a process that has imports behind it, learning begins at once.
    child = os.fork()
    if child == 0:
        H2PC(checkpoint=place).fit(data)
        os._exit(0)
    while _size(place / RESULTS) < n_bytes:
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

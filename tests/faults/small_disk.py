"""Learning that may not write files beyond a size; run in a process of its own."""

import resource
import sys
from pathlib import Path

from h2pc import H2PC, load_network
from h2pc.algorithms.checkpoints import Checkpoint
from h2pc.errors import H2pcError


def main(folder, *sizes):
    """Learn with each size in turn, and print what was said of it."""
    Checkpoint.seconds_between_writes = 0.0
    data = load_network("insurance").sample(300, random_state=1)
    for n_bytes in sizes:
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(n_bytes), resource.RLIM_INFINITY))
        try:
            H2PC(checkpoint=Path(folder, n_bytes)).fit(data)
        except H2pcError as error:
            print(type(error).__name__, error)


if __name__ == "__main__":
    main(*sys.argv[1:])

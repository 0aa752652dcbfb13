"""A local learner whose tasks wait until a file is gone; run as a driver of its own.

It learns the skeleton of a small network on a cluster, with a checkpoint, and says how that ended.
"""

import os
import sys
import time
from pathlib import Path

from h2pc import GTest, hpc, load_network
from h2pc.algorithms.checkpoints import Checkpoint
from h2pc.algorithms.skeletons import learned_skeleton
from h2pc.errors import H2pcError
from h2pc.runs import CellStore
from h2pc.runs.workers import workers_of

ENOUGH = 5


class Waits:
    """HPC; once enough targets are learned, others wait as long as a folder has a file ``wait``."""

    def __init__(self, folder):
        self.folder = folder

    def __call__(self, target, ci, universe):
        if len(list(self.folder.glob("learned*"))) >= ENOUGH and (self.folder / "wait").exists():
            (self.folder / f"waits{os.getpid()}").touch()
            try:
                while (self.folder / "wait").exists():
                    ci.context.watch.check()  # as the engine does, every few milliseconds
                    time.sleep(0.01)
            finally:
                (self.folder / f"ended{os.getpid()}").touch()
        time.sleep(0.03)  # else a batch has many targets
        found = hpc(target, ci, universe)
        with (self.folder / f"learned{target}").open("a") as file:
            file.write(".")
        return found


def learned(folder, n_jobs=None):
    """The skeleton, from what the checkpoint in a folder has."""
    data = load_network("alarm").sample(500, random_state=1)
    with CellStore(folder / "checkpoint", Checkpoint.FIELDS, {}) as store:
        return learned_skeleton(
            GTest(data), data.names, Waits(folder), n_jobs=n_jobs, progress=False, checkpoint=store
        )


def main(cluster, folder):
    """Learn on a cluster."""
    Checkpoint.seconds_between_writes = 0.0
    try:
        with workers_of(cluster):
            learned(Path(folder), n_jobs=2)
    except H2pcError as error:
        sys.exit(f"Error: {error}")
    except KeyboardInterrupt:
        sys.exit("Interrupted.")


if __name__ == "__main__":
    from cluster.waiting_learner import main as main_by_name  # workers find the learner by its name

    main_by_name(*sys.argv[1:])

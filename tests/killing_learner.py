"""A local learner that kills the worker it runs in: a module of its own, which workers find."""

import os
import signal
import time

from h2pc import hpc


class KillsItsWorker:
    """HPC, but first it kills its process, as often as there are files in a folder to remove."""

    def __init__(self, folder, home):
        self.folder, self.home = folder, home

    def __call__(self, target, ci, universe):
        if os.getpid() != self.home:
            for file in sorted(self.folder.glob("kill*")):
                file.unlink(missing_ok=True)
                os.kill(os.getpid(), signal.SIGKILL)
            time.sleep(0.02)
        return hpc(target, ci, universe)


def killed():
    """Kill the process that runs this."""
    os.kill(os.getpid(), signal.SIGKILL)

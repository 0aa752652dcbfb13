"""Values that tell where they arrive: a module of its own, which workers find."""

import os
import time

from h2pc import hpc


class Noted:
    """HPC; every process in which it is unpickled goes into a file."""

    def __init__(self, file):
        self.file = file

    def __call__(self, target, ci, universe):
        return hpc(target, ci, universe)

    def __reduce__(self):
        return arrived, (self.file,)


def arrived(file):
    """What was noted, where it has arrived."""
    with file.open("a") as lines:
        lines.write(f"{os.getpid()}\n")
    return Noted(file)


def place_of(shared, number):
    """The process of a task, which takes a moment: no worker is done before others begin."""
    assert isinstance(shared.value, Noted)
    time.sleep(0.03)
    return number, os.getpid()


def file_of(shared):
    """The sum of an array, and the file that it lies in."""
    part = shared.value
    while part is not None and not hasattr(part, "filename"):
        part = part.obj if isinstance(part, memoryview) else part.base
    return int(shared.value.sum()), part.filename


def place_of_sleep(_):
    """The process of a task, which takes a moment: no worker is done before others begin."""
    time.sleep(0.1)
    return os.getpid()

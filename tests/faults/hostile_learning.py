"""Networks of hostile data, in a process that gets little processor time and memory."""

import json
import re
import resource
import sys
import time
import warnings
from pathlib import Path

import numpy as np

from h2pc import H2PC, MMHC, Dataset
from h2pc.runs.limits import memory_in_use


def codes_of(kind):
    """The columns of a hostile data set."""
    rng = np.random.default_rng(0)
    if kind in ("hub", "small hub"):
        n_children, n_rows = (2000, 2000) if kind == "hub" else (60, 500)
        hub = rng.integers(0, 2, n_rows)
        return np.array([hub, *(hub ^ (rng.random(n_rows) < 0.1) for _ in range(n_children))])
    bits = rng.integers(0, 2, (6, 200))
    return {
        "copies": lambda: np.repeat(rng.integers(0, 3, (5, 1000)), 4, axis=0),
        "determined": lambda: np.array([*bits, bits[0] ^ bits[1], bits[0] | bits[2], bits.sum(0)]),
        "same rows": lambda: np.repeat(rng.integers(0, 3, (20, 1)), 500, axis=1),
        "wide": lambda: rng.integers(0, 2, (300, 60)),
        "constant": lambda: bits * np.array([[0], [1], [0], [0], [0], [0]]),
        "numbered": lambda: np.array([*bits, np.arange(200)]),
    }[kind]()


def most_memory():
    """Return the most bytes that this process had; getrusage begins with those of its parent."""
    status = Path("/proc/self/status")
    if not status.exists():
        return memory_in_use()
    [kilobytes] = re.findall(r"VmHWM:\s*(\d+) kB", status.read_text())
    return 1024 * int(kilobytes)


def main(cases, seconds):
    """Learn case after case, and print what came out of each."""
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds)))
    for kind, learner, settings in json.loads(cases):
        data = Dataset.from_codes(codes_of(kind))
        start = time.process_time()
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            result = {"H2PC": H2PC, "MMHC": MMHC}[learner](**settings).fit(data).result_
        outcome = {
            "complete": result.complete,
            "n_cut": result.n_cut,
            "skeleton": result.skeleton.named_edges,
            "warnings": [str(warning.message) for warning in told],
            "seconds": time.process_time() - start,
            "bytes": most_memory(),
        }
        print(json.dumps(outcome))


if __name__ == "__main__":
    assert memory_in_use() > 0
    main(*sys.argv[1:])

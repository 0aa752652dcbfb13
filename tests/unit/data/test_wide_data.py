"""A hundred thousand variables are no trouble."""

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import time
from pathlib import Path
import numpy as np
from h2pc.data import Dataset

values = np.random.default_rng(0).integers(0, 2, (500, 100_000), dtype=np.{dtype})
start = time.process_time()
data = Dataset.from_data(values)
seconds = time.process_time() - start
assert data.cards.sum() == 200_000
[peak] = [line for line in Path("/proc/self/status").open() if line.startswith("VmHWM")]
print(seconds, int(peak.split()[1]) / 1024)
"""


# getrusage begins with the peak of the parent; only /proc knows that of the program alone.
@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs the /proc of Linux")
@pytest.mark.parametrize("dtype", ["uint8", "int64"])
def test_a_hundred_thousand_binary_variables_encode_in_seconds_and_under_a_gigabyte(dtype):
    program = PROGRAM.format(dtype=dtype)

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)

    assert done.returncode == 0, done.stderr
    seconds, megabytes = map(float, done.stdout.split())
    assert megabytes < 1000
    assert seconds < 20  # of the processor; about one where nothing else runs

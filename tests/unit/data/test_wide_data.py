"""A hundred thousand variables are no trouble."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from h2pc.data import Dataset

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


@pytest.mark.parametrize("order", ["C", "F"])
def test_twenty_thousand_continuous_variables_are_encoded_whole(order):
    values = np.random.default_rng(0).normal(size=(20, 20_000)).round(2).copy(order)
    values[3, ::7] = np.nan
    values[:, 5] = np.arange(20)

    data = Dataset.from_data(values, missing="available")

    assert data.is_continuous.sum() == 19_999
    assert data.cards[5] == 20
    assert np.array_equal(data.values, np.delete(values.T, 5, axis=0), equal_nan=True)
    assert data.n_missing.sum() == np.isnan(values).sum()

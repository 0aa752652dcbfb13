"""The kernels are plain Python, too: the same tests hold without a compiler."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[2]
SELECTION = {
    "unit/kernels/test_merging.py": "",
    "unit/kernels/test_fixed_point.py": "few_samples or room",
    "unit/kernels/test_ways_of_counting.py": "same_bits or (textbook and few and rows)",
    "unit/independence/test_chi_square_tail.py": "",
    "unit/independence/test_g_test.py": (
        "textbook or by_hand or constant_column or declared or known or single_sample or "
        "samples_for_each or one_at_a_time or base_class or without_power or merged_rows or "
        "thirty or word_can_number or focused_test_gives_the_same_bits"
    ),
    "properties/test_independence_laws.py": "order or agree or wrappers",
}


@pytest.mark.parametrize("file", SELECTION)
def test_the_tests_of_the_kernels_hold_without_jit(file):
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "H2PC_EXAMPLES": "4"}
    environment.pop("PYTEST_XDIST_WORKER", None)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]

    done = subprocess.run(
        [*command, str(TESTS / file), "-k", SELECTION[file]],
        cwd=TESTS.parent,
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
    )

    assert done.returncode == 0, done.stdout[-4000:] + done.stderr

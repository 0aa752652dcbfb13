"""The kernels are plain Python, too: the same tests hold without a compiler."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[2]
SELECTION = {
    "unit/kernels/test_growing.py": "test",
    "unit/kernels/test_merging.py": "test",
    "unit/kernels/test_ordering.py": "test",
    "unit/kernels/test_fixed_point.py": "few_samples or room",
    "unit/kernels/test_ways_of_counting.py": "same_bits or (textbook and few and rows)",
    "unit/independence/test_chi_square_tail.py": "test",
    "unit/independence/test_g_test.py": (
        "textbook or by_hand or constant_column or declared or known or single_sample or "
        "samples_for_each or one_at_a_time or base_class or without_power or merged_rows or "
        "thirty or word_can_number or focused_test_gives_the_same_bits"
    ),
    "properties/test_independence_laws.py": "order or agree or wrappers",
}


@pytest.mark.parametrize("n_examples", [2, pytest.param(10, marks=pytest.mark.slow)])
def test_the_tests_of_the_kernels_hold_without_jit(n_examples):
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "H2PC_EXAMPLES": str(n_examples)}
    environment.pop("PYTEST_XDIST_WORKER", None)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    chosen = " or ".join(f"({Path(file).name} and ({words}))" for file, words in SELECTION.items())

    done = subprocess.run(
        [*command, *(str(TESTS / file) for file in SELECTION), "-k", chosen],
        cwd=TESTS.parent,
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
    )

    assert done.returncode == 0, done.stdout[-4000:] + done.stderr

"""Whatever a file holds, it is read or refused; ``fuzz/run.py`` tries many more of them."""

import subprocess
import sys
import warnings
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mutations import inputs_of, mutators_of
from parsers import PARSERS, is_read
from seeds import seeds_of

pytestmark = pytest.mark.filterwarnings("ignore::h2pc.DataWarning")  # notes are no refusals

FUZZ = Path(__file__).parents[2] / "fuzz"

SEEDS = {kind: seeds_of(kind) for kind in PARSERS}


@pytest.mark.parametrize("kind", PARSERS)
def test_files_of_our_own_writers_are_read(tmp_path, kind):
    assert is_read(PARSERS[kind], SEEDS[kind][0], tmp_path)


@pytest.mark.parametrize("kind", PARSERS)
def test_nasty_and_damaged_files_are_read_or_refused(tmp_path, kind):
    n_inputs = len(SEEDS[kind]) + 20

    with warnings.catch_warnings(action="ignore"):  # refusals are the point here
        outcomes = [
            is_read(PARSERS[kind], content, tmp_path)
            for content in islice(inputs_of(kind, SEEDS[kind], 1), n_inputs)
        ]

    assert set(outcomes) == {True, False}


@pytest.mark.parametrize("kind", PARSERS)
@given(content=st.binary(max_size=200))
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_are_read_or_refused(tmp_path, kind, content):
    is_read(PARSERS[kind], content, tmp_path)


@pytest.mark.parametrize("kind", PARSERS)
def test_the_same_number_gives_the_same_inputs(kind):
    first, again = (list(islice(inputs_of(kind, SEEDS[kind], 7), 60)) for _ in range(2))

    assert first == again
    assert mutators_of(kind)


@pytest.mark.slow
def test_the_program_tries_inputs_of_all_kinds_and_finds_no_bug(tmp_path):
    command = [sys.executable, FUZZ / "run.py", "--inputs", "4200", "--seed", "2"]

    done = subprocess.run([*command, "--keep", tmp_path], capture_output=True, text=True)

    assert done.returncode == 0, done.stdout
    assert "4,200 inputs, 0 bugs" in done.stdout

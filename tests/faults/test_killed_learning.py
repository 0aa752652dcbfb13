"""Learning that is killed at any moment goes on to the network it would have found."""

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("fcntl")  # forks

SCRIPT = Path(__file__).with_name("killed_learning.py")


def known_after_kills(folder, *arguments):
    """How many neighbourhoods were on the disk after each kill."""
    command = [sys.executable, str(SCRIPT), *map(str, arguments), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return [int(line) for line in done.stdout.split()]


def test_a_few_kills_do_not_matter(tmp_path):
    known = known_after_kills(tmp_path, "insurance", 300, 5)

    assert len(known) == 5
    assert any(0 < n < 27 for n in known), "no kill hit a run at work"


@pytest.mark.slow
def test_many_kills_of_a_large_network_do_not_matter(tmp_path):
    known = known_after_kills(tmp_path, "andes", 1000, 50)

    assert len(known) == 50
    assert sum(0 < n < 223 for n in known) > 20, "too few kills hit a run at work"

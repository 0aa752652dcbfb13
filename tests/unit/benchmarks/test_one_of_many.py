"""One target among many variables: its planted neighbours are found, in little memory."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks import one_of_many

needs_proc = pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="needs the /proc of Linux"
)


def figures_of(*options):
    """The lines that the program prints, by source; every point has a process of its own."""
    command = [sys.executable, one_of_many.__file__, "--json", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    lines = map(json.loads, done.stdout.splitlines())
    return {figures["source"]: figures for figures in lines}


def test_all_sources_find_the_planted_neighbours_among_20_000_variables():
    figures = figures_of("--variables", "20000", "--source", *one_of_many.SOURCES)

    assert list(figures) == list(one_of_many.SOURCES)
    assert [each["missing"] for each in figures.values()] == [[]] * len(figures)
    assert [each["extra"] for each in figures.values()] == [[]] * len(figures)


@pytest.mark.slow
@needs_proc
@pytest.mark.parametrize("source", ["sparse", "H2PC"])
def test_the_planted_neighbours_are_found_among_a_million_variables_in_four_gigabytes(source):
    figures = figures_of("--variables", "1000000", "--source", source)[source]

    assert figures["missing"] == []
    assert figures["gigabytes"] < 4


@pytest.mark.slow
@needs_proc
def test_a_parquet_file_of_a_hundred_thousand_columns_takes_less_than_a_gigabyte():
    options = ("--source", "parquet", "command-line")
    figures = figures_of("--variables", "100000", *options)

    assert [each["missing"] for each in figures.values()] == [[], []]
    assert max(each["gigabytes"] for each in figures.values()) < 1

"""What the tests of all commands share: a way to run them, and a small table."""

import subprocess
import sys

import pytest
from typer.testing import CliRunner

from h2pc import load_network
from h2pc.cli.main import app
from h2pc.cli.outputs import csv_text


def csv_of(data):
    """The samples as CSV."""
    columns = [
        [states[code] for code in codes.tolist()]
        for states, codes in zip(data.states, data.codes, strict=True)
    ]
    return csv_text(data.names, zip(*columns, strict=True))


@pytest.fixture(scope="session")
def run():
    """Runs a command in this process: ``run("learn", file, "--json")``."""

    def running(*arguments, stdin=None):
        return CliRunner().invoke(app, [str(word) for word in arguments], input=stdin)

    return running


@pytest.fixture(scope="session")
def asia_file(tmp_path_factory):
    """5,000 samples of asia in a CSV file."""
    path = tmp_path_factory.mktemp("tables") / "asia.csv"
    path.write_text(csv_of(load_network("asia").sample(5000, random_state=2)))
    return path


@pytest.fixture(scope="session")
def start():
    """Starts a command in a process of its own."""

    def starting(*arguments, **settings):
        command = [sys.executable, "-m", "h2pc", *map(str, arguments)]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        return subprocess.Popen(command, **pipes | settings)

    return starting


@pytest.fixture
def refused():
    """Checks that a command said one sentence and nothing else."""

    def checking(told, code, sentence):
        assert told.exit_code == code, told.output
        assert told.stdout == ""
        assert told.stderr.startswith("Error: ")
        assert told.stderr.count("\n") == 1
        assert sentence in told.stderr

    return checking


@pytest.fixture
def shaped():
    """Checks the fields of a JSON answer, and the types of what they hold."""

    def checking(answer, **fields):
        assert list(answer) == list(fields)
        for name, kind in fields.items():
            assert isinstance(answer[name], kind), name

    return checking

"""A bar on terminals, and nothing anywhere else."""

import io
import sys

import pytest

from h2pc import Dag, DSeparationOracle
from h2pc.algorithms.skeletons import learned_skeleton
from h2pc.runs.progress import ProgressBar

DAG = Dag.from_edges(tuple("abc"), [(0, 1), (2, 1)])


class Terminal(io.StringIO):
    def isatty(self):
        return True


def a_terminal(monkeypatch) -> Terminal:
    """Called by the test itself: between a fixture and its test pytest puts its own stream back."""
    monkeypatch.setenv("TERM", "xterm")
    for variable in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(variable, raising=False)
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    return stream


def test_a_terminal_gets_a_bar(monkeypatch):
    terminal = a_terminal(monkeypatch)
    learned_skeleton(DSeparationOracle(DAG), DAG.names)

    assert "Neighbourhoods" in terminal.getvalue()


def test_a_terminal_gets_no_bar_against_its_will(monkeypatch):
    terminal = a_terminal(monkeypatch)
    learned_skeleton(DSeparationOracle(DAG), DAG.names, progress=False)

    assert terminal.getvalue() == ""


def test_a_pipe_gets_nothing(capsys):
    learned_skeleton(DSeparationOracle(DAG), DAG.names, targets=(0,))

    assert capsys.readouterr() == ("", "")


def test_the_cursor_comes_back_after_an_error(monkeypatch):
    terminal = a_terminal(monkeypatch)
    with pytest.raises(KeyboardInterrupt), ProgressBar("Work"):
        raise KeyboardInterrupt

    hide_cursor, show_cursor = "\x1b[?25l", "\x1b[?25h"
    assert terminal.getvalue().rfind(show_cursor) > terminal.getvalue().rfind(hide_cursor) >= 0


def test_the_end_moves_with_every_wave():
    with ProgressBar("Work", shown=False) as bar:
        bar.expect(2)
        bar.advance(2)
        bar.expect(3)

    assert (bar.done, bar.expected) == (2, 5)

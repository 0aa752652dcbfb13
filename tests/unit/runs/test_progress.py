"""A bar on terminals, and nothing anywhere else."""

import io
import sys

import pytest

from h2pc import GES, H2PC, Dag, DSeparationOracle, HillClimbing, TabuSearch, load_network
from h2pc.algorithms.class_search import class_search
from h2pc.algorithms.hill_climbing import hill_climbing
from h2pc.algorithms.skeletons import learned_skeleton
from h2pc.algorithms.tabu import tabu_search
from h2pc.runs.progress import ProgressBar
from h2pc.scores import BIC

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


@pytest.mark.parametrize(
    ("learner", "bars"),
    [
        (H2PC(), ["Neighbourhoods", "Pairs", "Search"]),
        (H2PC(variant="paper"), ["Neighbourhoods", "Search"]),
        (TabuSearch(), ["Search"]),
        (HillClimbing(restarts=1), ["Search"]),
        (GES(required=[("asia", "xray")]), ["Search"]),
    ],
)
def test_every_part_of_learning_has_a_bar(monkeypatch, learner, bars):
    data = load_network("asia").sample(500, random_state=2)
    terminal = a_terminal(monkeypatch)

    learner.fit(data)

    shown = terminal.getvalue()
    assert [what for what in ("Neighbourhoods", "Pairs", "Search") if what in shown] == bars
    assert learner.set_params(progress=False).fit(data).edges_ == learner.edges_
    assert terminal.getvalue() == shown


@pytest.mark.parametrize("search", [class_search, tabu_search, hill_climbing])
def test_a_search_says_how_far_it_is(monkeypatch, search):
    monkeypatch.setattr("h2pc.algorithms.search.SECONDS_BETWEEN_POLLS", 0.0)
    network = load_network("insurance")
    score = BIC(network.sample(1000, random_state=2))
    seen = []

    class Recorded(ProgressBar):
        def advance(self, n, cost=None):
            super().advance(n, cost)
            seen.append((self.done, self.expected))

    found = search(score, network.dag.skeleton(), bar=Recorded("Search", shown=False))

    assert found == search(score, network.dag.skeleton())
    assert seen == sorted(seen, key=lambda now: now[0])
    assert all(done <= expected for done, expected in seen)
    assert seen[0] == (0, len(network.dag.edges))
    assert seen[-1][0] >= len(found.edges)


def test_a_pipe_gets_nothing(capsys):
    learned_skeleton(DSeparationOracle(DAG), DAG.names, targets=(0,))
    TabuSearch().fit(load_network("asia").sample(500, random_state=2))

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

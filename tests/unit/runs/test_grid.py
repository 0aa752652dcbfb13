"""The loop over cells: whatever the workers, interruptions and kills, the same bytes."""

import io
import json
import os
import signal
import subprocess
import sys
import time

import pytest

from h2pc.errors import H2pcError
from h2pc.runs.cells import RESULTS, TIMINGS, CellResult, CellStore, read_cells
from h2pc.runs.grid import run_cells
from h2pc.runs.progress import ProgressBar
from kills import check_that_kills_do_not_matter

CELLS = [(n,) for n in range(12)]


def squared(cell):
    return CellResult({"square": cell[0] ** 2}, {"total": 0.0})


def results(folder, cells=CELLS, outcome_of=squared, **how):
    """The bytes of the results after a run."""
    with CellStore(folder, ["number"], {}) as store:
        run_cells(cells, outcome_of, store, **how)
    return (folder / RESULTS).read_bytes()


def test_the_results_are_sorted_and_complete(tmp_path):
    lines = results(tmp_path, reversed(CELLS)).splitlines()

    assert [json.loads(line) for line in lines] == [{"number": n, "square": n**2} for (n,) in CELLS]


def test_the_number_of_processes_does_not_matter(tmp_path):
    pids = tmp_path / "pids"
    pids.mkdir()

    def signed(cell):
        (pids / str(os.getpid())).touch()
        return CellResult({"square": cell[0] ** 2}, {"total": time.time()})

    two = results(tmp_path / "two", outcome_of=signed, n_jobs=2)

    assert str(os.getpid()) not in os.listdir(pids)
    assert two == results(tmp_path / "one")
    assert len(read_cells(tmp_path / "two" / TIMINGS, ["number"])) == len(CELLS)


def test_expensive_cells_come_first_and_equal_ones_in_order(tmp_path):
    seen = []

    def noted(cell):
        seen.append(cell[0])
        return squared(cell)

    results(tmp_path, [(3,), (1,), (4,), (2,), (4,)], noted, cost=lambda cell: cell[0] // 2)

    assert seen == [4, 2, 3, 1]


def test_cells_come_in_the_order_that_is_given(tmp_path):
    seen = []

    def noted(cell):
        seen.append(cell[0])
        return squared(cell)

    results(tmp_path, [(1,), (3,), (2,), (4,)], noted, cost=lambda cell: cell[0], order=parity)

    assert seen == [2, 4, 1, 3]


def parity(cell):
    return cell[0] % 2


def test_finished_cells_are_not_run_again(tmp_path):
    results(tmp_path, CELLS[:7])
    seen = []

    def noted(cell):
        seen.append(cell)
        return squared(cell)

    results(tmp_path, CELLS, noted)

    assert seen == CELLS[7:]


def test_cells_of_an_earlier_grid_stay(tmp_path):
    results(tmp_path, CELLS[:7])

    assert results(tmp_path, CELLS[5:]) == results(tmp_path / "straight", CELLS)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_cell_that_fails_is_named_and_those_before_it_are_kept(tmp_path, n_jobs):
    def fails(cell):
        if cell == (5,):
            while len(read_cells(tmp_path / RESULTS, ["number"])) < 5:
                time.sleep(0.01)
            raise LookupError("no way")
        return squared(cell)

    with pytest.raises(H2pcError, match=r"The cell \(5\) failed: LookupError: no way"):
        results(tmp_path, CELLS[:6], fails, n_jobs=n_jobs)

    assert sorted(read_cells(tmp_path / RESULTS, ["number"])) == CELLS[:5]
    assert results(tmp_path) == results(tmp_path / "straight")


@pytest.mark.usefixtures("ctrl_c_is_heard")
def test_ctrl_c_leaves_finished_cells_in_place(tmp_path):
    def interrupted(cell):
        if cell == (5,):
            os.kill(os.getpid(), signal.SIGINT)
        return squared(cell)

    with pytest.raises(KeyboardInterrupt):
        results(tmp_path, CELLS, interrupted)

    assert list(read_cells(tmp_path / RESULTS, ["number"])) == CELLS[:5]
    assert results(tmp_path) == results(tmp_path / "straight")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("n_kills", [12, pytest.param(40, marks=pytest.mark.slow)])
def test_after_many_kills_the_results_are_those_of_one_straight_run(tmp_path, n_kills):
    check_that_kills_do_not_matter("fake", tmp_path, n_kills)


WORKERS = """
import os, pathlib, sys, time
from h2pc.runs.cells import CellStore, CellResult
from h2pc.runs.grid import run_cells

def slow(cell, pids=pathlib.Path(sys.argv[1], "pids")):
    pids.mkdir(exist_ok=True)
    (pids / str(os.getpid())).touch()
    time.sleep(60)
    return CellResult({}, {})

with CellStore(sys.argv[1], ["number"], {}) as store:
    run_cells([(0,), (1,)], slow, store, n_jobs=2)
"""


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_a_killed_or_interrupted_run_leaves_no_workers_behind(tmp_path, number):
    command = [sys.executable, "-c", WORKERS, str(tmp_path)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, start_new_session=True) as run:
        pids = tmp_path / "pids"
        until = time.monotonic() + 60
        while time.monotonic() < until and not (pids.exists() and len(os.listdir(pids)) == 2):
            time.sleep(0.05)
        os.kill(run.pid, number)
        run.wait()
    workers = [int(pid) for pid in os.listdir(pids)]
    while time.monotonic() < until and any(map(alive, workers)):
        time.sleep(0.05)

    assert len(workers) == 2
    assert not any(map(alive, workers))


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_the_bar_shows_cells_and_the_time_left(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    for variable in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(variable, raising=False)
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)

    with ProgressBar("Cells") as bar:
        bar.expect(3, cost=10.0)
        bar.advance(1, cost=6.0)

    assert "1/3" in terminal.getvalue()
    assert "left" in terminal.getvalue()


def test_a_pipe_gets_no_bar(tmp_path, capsys):
    results(tmp_path)

    assert capsys.readouterr() == ("", "")

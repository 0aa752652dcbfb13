"""The store of finished cells: nothing is lost, nothing is half there, nothing is mixed up."""

import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from h2pc.errors import FileFormatError, H2pcError, SettingError
from h2pc.runs.cells import (
    RESULTS,
    SETTINGS,
    TIMINGS,
    CellResult,
    CellStore,
    read_cells,
    read_settings,
)
from strategies import examples

FIELDS = ("network", "size")
SEED_0 = {"seed": 0, "alpha": 0.05}


def outcome(cell):
    """What the fake experiment finds in a cell."""
    return CellResult({"h2pc": {"recall": len(cell[0]) / cell[1]}}, {"total": 0.1 * cell[1]})


def filled(folder, cells, settings=SEED_0):
    """The bytes of the results and of the timings after these cells were added."""
    with CellStore(folder, FIELDS, settings) as store:
        for cell in cells:
            if cell not in store:
                store.add(cell, outcome(cell))
        store.sort()
    return files(folder)


def files(folder):
    return (folder / RESULTS).read_bytes(), (folder / TIMINGS).read_bytes()


CELLS = [("asia", 50), ("asia", 100), ("alarm", 50), ("é/ü", 7)]


def test_a_new_folder_gets_settings_and_nothing_else(tmp_path):
    with CellStore(tmp_path / "some" / "where", FIELDS, SEED_0) as store:
        assert len(store) == 0

    assert [path.name for path in (tmp_path / "some" / "where").iterdir()] == [SETTINGS]
    assert read_settings(tmp_path / "some" / "where") == SEED_0


def test_a_finished_cell_is_one_line_in_each_file_at_once(tmp_path):
    with CellStore(tmp_path, FIELDS, SEED_0) as store:
        store.add(("asia", 50), outcome(("asia", 50)))

        assert (tmp_path / RESULTS).read_text() == (
            '{"network": "asia", "size": 50, "h2pc": {"recall": 0.08}}\n'
        )
        assert json.loads((tmp_path / TIMINGS).read_text())["total"] == 5.0
        assert ("asia", 50) in store
        assert ("asia", 100) not in store


@examples(15)
@given(order=st.permutations(CELLS), stops=st.sets(st.integers(0, len(CELLS))))
def test_the_order_of_the_cells_and_stops_between_them_leave_the_same_bytes(
    tmp_path_factory, order, stops
):
    folder = tmp_path_factory.mktemp("stopped")
    for stop in sorted(stops):
        filled(folder, order[:stop])

    assert filled(folder, order) == filled(tmp_path_factory.mktemp("straight"), CELLS)


def cut(path):
    """Shorten a file byte by byte until its last line is gone; yields after every byte."""
    whole = path.read_bytes()
    for end in range(len(whole) - 1, whole.rindex(b"\n", 0, -1), -1):
        path.write_bytes(whole[:end])
        yield


def test_results_that_end_anywhere_in_their_last_line_are_mended(tmp_path):
    expected = filled(tmp_path, CELLS)

    for _ in cut(tmp_path / RESULTS):
        assert filled(tmp_path, CELLS) == expected


def test_timings_that_end_anywhere_in_their_last_line_cost_no_results(tmp_path):
    results, timings = filled(tmp_path, CELLS)

    for _ in cut(tmp_path / TIMINGS):
        found, times = filled(tmp_path, CELLS)

        assert found == results
        assert times == timings[: timings.rindex(b"\n", 0, -1) + 1]


def test_the_last_line_counts_only_with_its_end(tmp_path):
    filled(tmp_path, CELLS)
    os.truncate(tmp_path / RESULTS, (tmp_path / RESULTS).stat().st_size - 1)

    assert len(read_cells(tmp_path / RESULTS, FIELDS)) == len(CELLS) - 1


def test_timings_of_a_cell_without_results_are_dropped(tmp_path):
    with CellStore(tmp_path, FIELDS, SEED_0) as store:
        store.add(("asia", 50), outcome(("asia", 50)))
    with open(tmp_path / TIMINGS, "a") as file:
        file.write('{"network": "asia", "size": 100, "total": 3.0}\n')

    with CellStore(tmp_path, FIELDS, SEED_0) as store:
        assert ("asia", 100) not in store

    assert list(read_cells(tmp_path / TIMINGS, FIELDS)) == [("asia", 50)]


def test_results_survive_the_loss_of_the_timings(tmp_path):
    results, _ = filled(tmp_path, CELLS)
    (tmp_path / TIMINGS).unlink()

    assert filled(tmp_path, CELLS) == (results, b"")


@pytest.mark.parametrize("line", ["nonsense", "[]", "3", '{"network": "asia"}', "[" * 100_000, ""])
def test_a_line_damaged_in_the_middle_is_told_by_its_number(tmp_path, line):
    filled(tmp_path, CELLS)
    first, *others = (tmp_path / RESULTS).read_text().splitlines()
    (tmp_path / RESULTS).write_text("\n".join([first, line, *others]) + "\n")

    with pytest.raises(FileFormatError, match=r"results\.jsonl, line 2: expected a JSON object"):
        CellStore(tmp_path, FIELDS, SEED_0)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"seed": 1, "alpha": 0.05}, "begun with seed = 0; got 1"),
        ({"seed": 0}, "begun with alpha = 0.05; got None"),
        ({**SEED_0, "patience": 15}, "begun with patience = None; got 15"),
    ],
)
def test_other_settings_are_refused_and_nothing_is_touched(tmp_path, settings, message):
    expected = filled(tmp_path, CELLS)

    with pytest.raises(SettingError, match=message):
        CellStore(tmp_path, FIELDS, settings)

    assert files(tmp_path) == expected
    assert filled(tmp_path, CELLS) == expected


def test_results_without_settings_are_refused(tmp_path):
    filled(tmp_path, CELLS)
    (tmp_path / SETTINGS).unlink()

    with pytest.raises(SettingError, match=r"has results\.jsonl but no settings\.json"):
        CellStore(tmp_path, FIELDS, SEED_0)


@pytest.mark.parametrize("text", ["", "[]", "{", "nonsense"])
def test_damaged_settings_are_told(tmp_path, text):
    (tmp_path / SETTINGS).write_text(text)

    with pytest.raises(FileFormatError, match=r"settings\.json, line 1: expected a JSON object"):
        CellStore(tmp_path, FIELDS, SEED_0)


def test_a_folder_is_for_one_run_at_a_time(tmp_path):
    pytest.importorskip("fcntl")
    with (
        CellStore(tmp_path, FIELDS, SEED_0),
        pytest.raises(H2pcError, match="Another run is writing"),
    ):
        CellStore(tmp_path, FIELDS, SEED_0)

    with CellStore(tmp_path, FIELDS, SEED_0) as store:
        assert len(store) == 0

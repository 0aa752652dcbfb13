"""The report says what the numbers say: verdicts, tables, and what is missing."""

import csv
import io
import json

import pytest

from h2pc import load_network
from h2pc.errors import FileFormatError, SettingError
from h2pc.experiments.published import NETWORKS, TABLE_1
from h2pc.experiments.synthetic_cells import SyntheticCell
from h2pc.experiments.synthetic_claims import claims
from h2pc.experiments.synthetic_report import report_text, write_report
from h2pc.experiments.synthetic_results import (
    RUNNING_TIME,
    SyntheticResults,
    figures,
    increase_factor,
)
from h2pc.experiments.synthetic_tables import (
    described,
    factor_numbers,
    mean_numbers,
    networks_table,
)
from h2pc.runs.cells import RESULTS, SETTINGS, TIMINGS
from made_up_synthetic import H2PC, MMHC, as_the_paper_says, changed, grid, results, write


def test_missing_cells_are_said():
    cells = [cell for cell in grid() if cell != ("link", 50_000, 3)]
    text = report_text(results(cells))

    assert "**1 of the 800 cells of the paper's grid are missing**" in text
    assert "| link | 10 | 10 | 10 | 10 | 10 | 10 | 10 | 10 | 10 | 9 |" in text


def test_a_complete_grid_is_said_to_be_complete_and_others_are_counted():
    cells = [*grid(), SyntheticCell("asia", 50, 0), SyntheticCell("child", 70, 0)]
    text = report_text(results(cells))

    assert "All 800 cells of the paper's grid are finished, and 2 others." in text


def test_the_report_names_its_pictures_and_does_without_them(tmp_path):
    found = results(grid(["child"], [50]))
    paths = write_report(found, tmp_path / "out", [tmp_path / "out" / "figure1.png"])

    text = (tmp_path / "out" / "report.md").read_text()
    assert "![Figure 1](figure1.png)" in text
    assert "No pictures were drawn." in report_text(found)
    assert sorted(paths) == sorted((tmp_path / "out").iterdir())


def test_files_say_what_was_measured(tmp_path):
    cells = grid(["child", "asia"], [50, 100], 2)
    write(tmp_path, cells)

    assert SyntheticResults.read(tmp_path) == results(cells)


def test_equal_results_give_equal_reports():
    one = results(grid(sizes=[50, 200], repetitions=2))
    two = results(reversed(grid(sizes=[50, 200], repetitions=2)))

    assert report_text(one) == report_text(two)


@pytest.mark.parametrize("name", NETWORKS)
def test_our_networks_are_those_of_table_1(name):
    assert described(load_network(name)) == TABLE_1[name]


def test_a_network_that_the_paper_does_not_have_is_described_alone():
    assert networks_table(["asia"]).rows == [("asia", "8", "8", "2/2", "2-2", "1/2/4")]


def rows(table):
    return list(csv.DictReader(io.StringIO(table.as_csv())))


def test_the_numbers_for_machines_agree_with_the_results():
    found = results(grid(["child"], [50], 2), changed(50, shd=30))
    [shd] = [row for row in rows(factor_numbers(found)) if row["indicator"] == "shd"]
    ours, theirs = rows(mean_numbers(found))

    assert (shd["mean"], shd["min"], shd["max"], shd["cells"]) == ("1.5", "1.5", "1.5", "2")
    assert (ours["algorithm"], ours["shd"], theirs["shd"]) == ("h2pc", "30", "20")


def test_cells_where_only_mmhc_is_zero_have_no_factor_and_are_counted():
    def perfect_once(cell):
        found = as_the_paper_says(cell)
        shd = 0 if cell.repetition == 0 else 20
        return found._replace(results={"h2pc": H2PC, "mmhc": {**MMHC, "shd": shd}})

    found = results(grid(["child"], [50_000], 3), perfect_once)
    [shd] = [row for row in rows(factor_numbers(found)) if row["indicator"] == "shd"]

    assert (shd["cells"], shd["undefined"], shd["mean"]) == ("2", "1", "1")
    assert "(1 cells have no factor)" in claims(found)[7].evidence


def test_increase_factors_of_equal_values_are_one():
    assert increase_factor(0, 0) == 1.0
    assert increase_factor(-90.0, -100.0) == 0.9


def test_the_figures_hold_what_the_paper_draws():
    drawn = figures(results(grid(["child", "asia"], [50, 100], 1)))
    titles = [panel.title.partition(":")[0] for panel in drawn["figure1"].panels]

    assert titles == [
        "False negative rate",
        "False positive rate",
        "Recall",
        "Precision",
        "Distance from perfect precision and recall",
        "Number of tests",
    ]
    assert drawn["figure1"].panels[0].series == {
        "HPC": {50: 0.25, 100: 0.25},
        "MMPC": {50: 0.5, 100: 0.5},
    }
    assert drawn["figure1"].panels[2].groups == {50: (1.5, 1.5), 100: (1.5, 1.5)}
    assert len(drawn["figure2"].panels) == 6


def test_cells_without_timings_have_no_running_time(tmp_path):
    write(tmp_path, grid(["child"], [50], 2))
    (tmp_path / TIMINGS).write_text("")
    found = SyntheticResults.read(tmp_path)

    assert found.factors(RUNNING_TIME, found.chosen()) == ((), 0)
    assert claims(found)[-1].verdict == "not run"
    assert "| child | ours | – |" in report_text(found)


def test_a_run_that_is_still_writing_can_be_reported_on(tmp_path):
    write(tmp_path, grid(["child"], [50], 2))
    with open(tmp_path / RESULTS, "a") as file:
        file.write('{"network": "child", "si')

    assert len(SyntheticResults.read(tmp_path).cells) == 2


def test_a_folder_without_a_finished_cell_is_refused(tmp_path):
    write(tmp_path, [])

    with pytest.raises(SettingError, match="no finished cell yet"):
        SyntheticResults.read(tmp_path)


def test_another_experiment_is_refused(tmp_path):
    (tmp_path / SETTINGS).write_text('{"experiment": "multilabel"}')

    with pytest.raises(SettingError, match="holds the experiment 'multilabel'"):
        SyntheticResults.read(tmp_path)


@pytest.mark.parametrize(
    "damage", [{"h2pc": None}, {"h2pc": {}}, {"h2pc": 3}, {"mmhc": {"shd": ""}}]
)
def test_a_line_that_is_no_result_is_told_by_its_number(tmp_path, damage):
    write(tmp_path, grid(["child"], [50], 2))
    lines = (tmp_path / RESULTS).read_text().splitlines()
    lines[1] = json.dumps({**json.loads(lines[1]), **damage})
    (tmp_path / RESULTS).write_text("\n".join(lines) + "\n")

    with pytest.raises(FileFormatError, match=r"results\.jsonl, line 2: expected the numbers"):
        SyntheticResults.read(tmp_path)

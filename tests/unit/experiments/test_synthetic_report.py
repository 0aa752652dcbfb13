"""The report says what the numbers say: verdicts, tables, and what is missing."""

import csv
import io
import json

import pytest

from h2pc import load_network
from h2pc.errors import FileFormatError, SettingError
from h2pc.experiments.published import NETWORKS, SIZES, TABLE_1, TABLE_2
from h2pc.experiments.synthetic_cells import SyntheticCell, SyntheticSetup
from h2pc.experiments.synthetic_report import claims, report_text, write_report
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
    running_time_numbers,
    running_time_table,
)
from h2pc.runs.cells import RESULTS, SETTINGS, TIMINGS, CellResult, CellStore

MMHC = {
    "precision": 0.9,
    "recall": 0.5,
    "false_positive_rate": 0.01,
    "distance": 0.5,
    "skeleton_edges": 10,
    "n_tests": 1000,
    "edges": 9,
    "shd": 20,
    "n_scores": 300,
    "bdeu_train": -1000.0,
    "bic_train": -1100.0,
    "bdeu_new": -9000.0,
    "bic_new": -9900.0,
}
H2PC = {
    **MMHC,
    "recall": 0.75,
    "distance": 0.25,
    "n_tests": 3000,
    "bdeu_train": -900.0,
    "bic_train": -990.0,
    "bdeu_new": -8100.0,
    "bic_new": -8910.0,
}


def as_the_paper_says(cell):
    """Numbers on which every claim is true."""
    ours = {**H2PC, "shd": 20 if cell.size <= 100 else 10}
    ratio = TABLE_2.get((cell.network, cell.size), (2.0, 0.0))[0] / 2
    seconds = {"h2pc": {"cpu": 3.0 * ratio}, "mmhc": {"cpu": 3.0}}
    return CellResult({"h2pc": ours, "mmhc": MMHC}, seconds)


def grid(networks=NETWORKS, sizes=SIZES, repetitions=1):
    return [
        SyntheticCell(network, size, repetition)
        for network in networks
        for size in sizes
        for repetition in range(repetitions)
    ]


def results(cells, outcome_of=as_the_paper_says):
    """The results of a made-up run."""
    found = {cell: outcome_of(cell) for cell in cells}
    return SyntheticResults(
        SyntheticSetup().settings(),
        {cell: outcome.results for cell, outcome in found.items()},
        {cell: outcome.seconds for cell, outcome in found.items()},
    )


def write(folder, cells):
    """Leave the files of a made-up run."""
    with CellStore(folder, SyntheticCell._fields, SyntheticSetup().settings()) as store:
        for cell in cells:
            store.add(cell, as_the_paper_says(cell))


def changed(size, **values):
    """The made-up run, with other values of H2PC at one size."""

    def outcome(cell):
        found = as_the_paper_says(cell)
        if cell.size == size:
            found.results["h2pc"].update(values)
        return found

    return outcome


def verdicts(found):
    return [claim.verdict for claim in claims(found)]


def test_a_run_as_in_the_paper_makes_every_claim_true():
    found = results(grid())

    assert verdicts(found) == ["true"] * 9
    assert "not exactly" not in report_text(found)


@pytest.mark.parametrize(
    ("size", "values", "number"),
    [
        (50, {"recall": 0.5}, 0),
        (5000, {"recall": 0.4}, 0),
        (50_000, {"distance": 0.31}, 1),
        (100, {"bdeu_train": -1000.0}, 2),
        (50_000, {"bic_train": -1100.5}, 3),
        (2000, {"bdeu_new": -9000.5}, 4),
        (50, {"bic_new": -9900.0}, 5),
        (50, {"shd": 17}, 6),
        (100, {"shd": 23}, 6),
        (50_000, {"shd": 13}, 7),
    ],
)
def test_one_size_is_enough_to_make_a_claim_false(size, values, number):
    found = verdicts(results(grid(), changed(size, **values)))

    assert found == ["false" if i == number else "true" for i in range(9)]


def test_one_slow_cell_makes_the_claim_on_the_running_time_false():
    def slow(cell):
        found = as_the_paper_says(cell)
        if cell[:2] == ("link", 500):
            found.seconds["h2pc"]["cpu"] = 100.0
        return found

    found = results(grid(), slow)

    assert verdicts(found) == ["true"] * 8 + ["false"]
    assert "lower in 79 of the 80 cells" in claims(found)[-1].evidence


def test_what_cannot_be_told_is_unknown():
    found = results(grid(["child"], [200, 500]))

    assert verdicts(found) == ["unknown"] * 9
    assert "at 2 of the paper's 10 sizes" in claims(found)[0].evidence
    assert "200: 0.750 against 0.500; 500" in claims(found)[0].evidence
    assert "not exactly the paper's networks: 200, 500" in claims(found)[0].evidence
    assert "50,000: not run" in claims(found)[1].evidence


def test_missing_cells_are_said():
    cells = [cell for cell in grid(repetitions=10) if cell != ("link", 50_000, 3)]
    text = report_text(results(cells))

    assert "**1 of the 800 cells of the paper's grid are missing**" in text
    assert "| link | 10 | 10 | 10 | 10 | 10 | 10 | 10 | 10 | 10 | 9 |" in text


def test_a_complete_grid_is_said_to_be_complete_and_others_are_counted():
    cells = [*grid(repetitions=10), SyntheticCell("asia", 50, 0), SyntheticCell("child", 70, 0)]
    text = report_text(results(cells))

    assert "All 800 cells of the paper's grid are finished, and 2 others." in text
    assert "not exactly the paper's networks: 50 (" in text


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
    one = results(grid(repetitions=2))
    two = results(reversed(grid(repetitions=2)))

    assert report_text(one) == report_text(two)


@pytest.mark.parametrize("name", NETWORKS)
def test_our_networks_are_those_of_table_1(name):
    assert described(load_network(name)) == TABLE_1[name]


def test_a_network_that_the_paper_does_not_have_is_described_alone():
    assert networks_table(["asia"]).rows == [("asia", "8", "8", "2/2", "2-2", "1/2/4")]


def test_table_2_has_the_papers_ratios_beside_ours():
    table = running_time_table(results(grid(["link", "asia"], [50, 70], 2)))

    assert table.rows == [
        ("link", "ours", "0.58 ±0.0", "1.00 ±0.0"),
        ("link", "paper", "1.16 ±0.0", "–"),
        ("asia", "ours", "1.00 ±0.0", "1.00 ±0.0"),
        ("all", "ours", "0.79 ±0.2", "1.00 ±0.0"),
        ("all", "paper", "0.89 ±0.1", "–"),
    ]


def rows(table):
    return list(csv.DictReader(io.StringIO(table.as_csv())))


def test_the_numbers_for_machines_agree_with_the_results():
    found = results(grid(["child"], [50], 2), changed(50, shd=30))
    [time] = [row for row in rows(running_time_numbers(found)) if row["network"] == "child"]
    [shd] = [row for row in rows(factor_numbers(found)) if row["indicator"] == "shd"]
    ours, theirs = rows(mean_numbers(found))

    assert (time["ratio"], time["paper"], time["cells"]) == ("0.47", "0.94", "2")
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
    assert "(1 cells without one)" in claims(found)[7].evidence


def test_increase_factors_of_equal_values_are_one():
    assert increase_factor(0, 0) == 1.0
    assert increase_factor(-90.0, -100.0) == 0.9


def test_the_figures_hold_what_the_paper_draws():
    drawn = figures(results(grid(["child", "asia"], [50, 100])))
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
    assert verdicts(found)[-1] == "unknown"
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

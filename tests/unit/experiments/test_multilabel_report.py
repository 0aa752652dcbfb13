"""The report says what the numbers say: verdicts, tests, tables, and what is missing."""

import csv
import io
import json
import re

import pytest

from h2pc.errors import FileFormatError, SettingError
from h2pc.experiments.multilabel_cells import MultilabelCell, MultilabelSetup
from h2pc.experiments.multilabel_claims import agreements, claims
from h2pc.experiments.multilabel_report import report_text, write_report
from h2pc.experiments.multilabel_results import (
    COMPARISONS,
    MultilabelResults,
    beyond_br,
    compared,
)
from h2pc.experiments.multilabel_tables import (
    accuracy_table,
    coverage_table,
    difference_table,
    learning_table,
    powersets_table,
    score_numbers,
    structure_numbers,
)
from h2pc.experiments.published import (
    ALGORITHMS,
    BR,
    COLUMNS,
    DATA_SETS,
    SCENARIOS,
    TABLE_4,
    TABLE_5,
    TABLE_6,
    Table5Column,
)
from h2pc.runs.cells import RESULTS, SETTINGS, TIMINGS, CellResult, CellStore
from multilabel_folder import PAPER

LABELS = {"genbase": [f"label {number}" for number in range(27)]}


def scores(accuracy):
    return {
        "subset_accuracy": accuracy,
        "hamming_loss": 1 - accuracy,
        "macro_f1": accuracy,
        "micro_f1": accuracy,
        "example_f1": accuracy,
    }


def as_the_paper_says(cell):
    """Numbers on which every claim holds."""
    data = cell.data if cell.data in DATA_SETS else "emotions"
    found = {
        "labels": list(LABELS.get(data, "ab")),
        "n_combinations": 3,
        "br": scores(TABLE_5[data, BR]),
    }
    for name in ALGORITHMS:
        n_powersets = round(TABLE_4[data, name].mean)
        found[name] = {
            "powerset_labels": [1] * (n_powersets - 1) + [2],
            "powerset_classes": [2] * (n_powersets - 1) + [4],
            "powerset_features": [5] * n_powersets,
            "label_degrees": [4, 5] if name == "h2pc" else [2, 3],
            **{one: scores(TABLE_5[data, Table5Column(one, name)]) for one in SCENARIOS},
            "edges": [["a", "b"], ["x", "b"]],
        }
    seconds = {name: {"cpu": TABLE_6[data, name].seconds / 100} for name in ALGORITHMS}
    return CellResult(found, {"br": 1.0, **seconds})


def grid(data_sets=DATA_SETS, folds=10):
    return [MultilabelCell(data, fold) for data in data_sets for fold in range(folds)]


def results(cells, outcome_of=as_the_paper_says):
    """The results of a made-up run."""
    found = {cell: outcome_of(cell) for cell in cells}
    return MultilabelResults(
        MultilabelSetup().settings(),
        {cell: outcome.results for cell, outcome in found.items()},
        {cell: outcome.seconds for cell, outcome in found.items()},
    )


def write(folder, cells):
    """Leave the files of a made-up run."""
    with CellStore(folder, MultilabelCell._fields, MultilabelSetup().settings()) as store:
        for cell in cells:
            store.add(cell, as_the_paper_says(cell))


def changed(data, column, **values):
    """The made-up run, with other values of a column on one data set, or on all."""

    def outcome(cell):
        found = as_the_paper_says(cell)
        if data in (cell.data, "all"):
            part = found.results[column.algorithm] if column.algorithm else found.results
            part[column.scenario].update(values)
        return found

    return outcome


def verdicts(found):
    return [claim.verdict for claim in claims(found)]


def test_the_tables_are_of_the_papers_data_sets():
    assert set(DATA_SETS) == set(PAPER)
    for table in (TABLE_4, TABLE_6):
        assert set(table) == {(data, name) for data in DATA_SETS for name in ALGORITHMS}
    assert len(TABLE_5) == 70


def test_a_lower_hamming_loss_counts_as_better():
    found = results(grid())
    one = compared(found, beyond_br("h2pc"))
    other = compared(found, beyond_br("h2pc"), "hamming_loss")

    assert one.counts == other.counts == (9, 1, 0)
    assert one.p_value == other.p_value


def test_a_run_as_in_the_paper_makes_every_claim_hold():
    found = results(grid())

    assert verdicts(found) == ["holds"] * 15
    assert [claim.verdict for claim in agreements(found)] == ["within noise"] * 3
    assert "these were run" not in report_text(found)


@pytest.mark.parametrize(
    ("column", "accuracy", "contradicted"),
    [
        (Table5Column("mlp", "h2pc"), 0.0, {3, 5, 8, 13}),
        (Table5Column("mlp", "mmhc"), 0.0, {4, 14}),
        (Table5Column("br_mb", "h2pc"), 0.0, {6, 9, 11}),
        (Table5Column("mlp_mb", "mmhc"), 1.0, {7, 10, 14}),
    ],
)
def test_other_accuracies_contradict_claims(column, accuracy, contradicted):
    found = verdicts(results(grid(), changed("all", column, subset_accuracy=accuracy)))

    assert {i for i, verdict in enumerate(found) if verdict == "does not hold"} == contradicted
    assert {verdict for verdict in found if verdict != "does not hold"} == {"holds"}


def test_columns_that_are_about_as_good_leave_claims_within_noise():
    def outcome(cell):
        found = as_the_paper_says(cell)
        better = DATA_SETS.index(cell.data) % 2
        mmhc = found.results["mmhc"]["mlp"]["subset_accuracy"]
        found.results["h2pc"]["mlp"]["subset_accuracy"] = mmhc + (0.02 if better else -0.02)
        return found

    def noisy(cell):
        found = outcome(cell)
        found.results["h2pc"]["mlp"]["subset_accuracy"] += 0.03 * (-1) ** cell.fold
        return found

    assert verdicts(results(grid(), outcome))[5] == "within noise"
    assert verdicts(results(grid(), noisy))[8] == "within noise"


@pytest.mark.parametrize(
    ("data", "key", "values", "number"),
    [
        ("yeast", "label_degrees", [1, 2], 0),
        ("scene", "powerset_labels", [3, 3], 1),
        ("genbase", "powerset_labels", [], 2),
    ],
)
def test_other_graphs_contradict_claims(data, key, values, number):
    def outcome(cell):
        found = as_the_paper_says(cell)
        if cell.data == data:
            found.results["h2pc"][key] = values
        return found

    found = verdicts(results(grid(), outcome))

    assert found == ["does not hold" if i == number else "holds" for i in range(15)]


def test_a_fold_that_differs_leaves_a_claim_within_noise():
    def outcome(cell):
        found = as_the_paper_says(cell)
        if cell == ("scene", 3):
            found.results["h2pc"]["powerset_labels"] = [3, 3]
        return found

    found = claims(results(grid(), outcome))[1]

    assert found.verdict == "within noise"
    assert "scene 1.1 [0.7, 1.5] (within noise)" in found.evidence


def test_what_is_not_run_has_no_verdict():
    found = results(grid(["emotions", "yeast"]))

    assert verdicts(found) == ["not run"] * 15
    assert {claim.verdict for claim in agreements(found)} == {"not run"}
    assert "these were run: emotions (10 of 10 folds), yeast (10 of 10 folds)." in (
        claims(found)[0].evidence
    )


def test_one_missing_fold_is_enough_for_no_verdict():
    found = results([cell for cell in grid() if cell != ("corel5k", 9)])

    expected = ["holds" if number in (1, 2) else "not run" for number in range(15)]
    assert verdicts(found) == expected
    assert "corel5k (9 of 10 folds)" in claims(found)[0].evidence


def test_other_data_sets_have_no_say_in_the_papers_claims():
    found = results([*grid(), MultilabelCell("coast", 0)], changed("coast", BR, subset_accuracy=1))

    assert verdicts(found) == ["holds"] * 15
    assert verdicts(results(grid(["coast"]))) == ["not run"] * 15


def test_accuracies_that_are_lower_than_the_papers_are_named():
    worse = changed("yeast", Table5Column("mlp", "h2pc"), subset_accuracy=0.24)
    as_printed, lower = (
        agreements(results(grid(), made))[-1] for made in (as_the_paper_says, worse)
    )

    assert as_printed.verdict == "within noise"
    assert "0 of 67 entries" in as_printed.evidence
    assert lower.verdict == "does not hold"
    assert "1 of 67 entries" in lower.evidence
    assert "yeast MLP H2PC 0.240 (0.271)" in lower.evidence


def test_powersets_are_compared_by_the_deviations_of_both():
    def outcome(cell):
        found = as_the_paper_says(cell)
        numbers = {"enron": 34 + cell.fold % 3, "medical": 1}
        if cell.data in numbers:
            found.results["mmhc"]["powerset_labels"] = [1] * numbers[cell.data]
        return found

    found = agreements(results(grid(), outcome))[1]

    assert found.verdict == "does not hold"
    assert re.search(r"medical -40.7 \[-4[\d.]+, -3[\d.]+\] \(does not hold\)", found.evidence)
    assert re.search(r"enron -1.9 \[-[\d.]+, [\d.]+\] \(within noise\)", found.evidence)


def test_differences_have_an_interval_in_every_data_set():
    def outcome(cell):
        found = as_the_paper_says(cell)
        found.results["h2pc"]["mlp"]["subset_accuracy"] += 0.3 * (-1) ** cell.fold
        return found

    emotions, genbase = difference_table(results(grid(["emotions", "genbase"]), outcome)).rows
    assert emotions[0] == "emotions"
    assert emotions[1].startswith("+0.064 [")
    assert emotions[2] == "**+0.044 [+0.044, +0.044]**"
    assert genbase[2] == "+0.000 [+0.000, +0.000]"


def test_missing_folds_are_said():
    cells = [cell for cell in grid() if cell != ("enron", 3)]
    found = results(cells)

    text = report_text(found)
    assert "**1 of the 100 folds of the paper's data sets are missing**" in text
    assert "| enron | 9 | 3 |" in text
    assert "| enron (9 of 10 folds) | ours | 0.134 |" in text


def test_a_complete_grid_is_said_to_be_complete_and_others_are_counted():
    found = results([*grid(), MultilabelCell("coast", 0)])

    text = report_text(found)
    assert "All 100 folds of the paper's data sets are finished, and 1 others." in text
    assert coverage_table(found).rows[-1] == ("coast", "1", "1, 2, 3, 4, 5, 6, 7, 8, 9")


def test_table_5_has_the_papers_accuracies_beside_ours():
    table = accuracy_table(results(grid(["image", "coast"], 10)))

    assert table.headings[2:] == tuple(column.title for column in COLUMNS)
    assert table.headings[2:5] == ("BR", "MLP MMHC", "MLP H2PC")
    values = ("0.342", "0.504", "0.504", "0.227", "0.252", "0.308", "0.360")
    assert table.rows[:2] == [("image", "ours", *values), ("image", "paper", *values)]
    assert [row[:2] for row in table.rows[2:]] == [("coast", "ours")]


def test_table_4_pools_the_powersets_of_all_folds():
    def outcome(cell):
        found = as_the_paper_says(cell)
        sizes = [1, 5] if cell.fold else [6]
        found.results["h2pc"].update(
            powerset_labels=sizes, powerset_classes=[9] * len(sizes), powerset_features=sizes
        )
        return found

    table = powersets_table(results(grid(["emotions"], 2), outcome), "h2pc")

    ours, paper = table.rows
    assert ours[1:4] == ("ours", "1.5 ±0.7", "1.0 ±0.0")
    assert ours[4:] == ("1 / 5 / 6", "2", "9 / 9 / 9", "3", "1 / 5 / 6")
    assert paper[1:5] == ("paper", "1.0 ±0.0", "–", "6 / 6 / 6")


def test_labels_that_share_a_child_are_not_joined_by_edges_between_labels():
    def outcome(cell):
        found = as_the_paper_says(cell)
        found.results["h2pc"]["edges"] = [["a", "x"], ["b", "x"]]
        return found

    found = results(grid(["emotions"], 1), outcome)

    assert found.joined_labels("emotions", "h2pc") == [2]
    assert found.joined_labels("emotions", "mmhc") == [1]


def test_table_6_has_seconds_and_degrees_and_does_without_timings():
    found = results(grid(["scene"], 10))
    untimed = MultilabelResults(found.settings, found.cells, {})

    assert learning_table(found).rows == [
        ("scene", "ours", "0.10", "2.5 ±0.5", "6.63", "4.5 ±0.5"),
        ("scene", "paper", "9.9", "3.1 ±1.0", "662.9", "6.6 ±1.8"),
    ]
    assert learning_table(untimed).rows[0][2::2] == ("–", "–")


def rows(table):
    return list(csv.DictReader(io.StringIO(table.as_csv())))


def test_the_numbers_for_machines_agree_with_the_results():
    found = results(grid(["yeast"], 2))
    [mlp] = [
        row
        for row in rows(score_numbers(found))
        if (row["scenario"], row["algorithm"]) == ("mlp", "h2pc")
    ]
    first, *others = rows(structure_numbers(found))

    assert (mlp["folds"], mlp["subset_accuracy"], mlp["paper"]) == ("2", "0.271", "0.271")
    assert (mlp["hamming_loss"], mlp["hamming_loss_deviation"]) == ("0.729", "0")
    assert (first["fold"], first["algorithm"], first["powersets"]) == ("0", "h2pc", "2")
    assert (first["median_powerset_classes"], first["label_degree"]) == ("3", "4.5")
    assert len(others) == 3


def test_every_test_of_the_paper_is_in_the_report():
    text = report_text(results(grid()))

    assert len(COMPARISONS) == 9
    for comparison in COMPARISONS:
        assert f"| {comparison.title} |" in text


def test_the_report_names_its_pictures_and_does_without_them(tmp_path):
    found = results(grid(["yeast", "my_own"]))
    pictures = [tmp_path / f"{name}.png" for name in found.label_graphs()]
    paths = write_report(found, tmp_path / "out", pictures)

    text = (tmp_path / "out" / "report.md").read_text()
    assert "![yeast, MMHC](labels_yeast_mmhc.png)" in text
    assert "![my_own, H2PC](labels_my_own_h2pc.png)" in text
    assert "No pictures were drawn." in report_text(found)
    assert text.index("### Figure 3: yeast\n") < text.index("### Other data sets: my_own\n")
    assert "*Figure 3, yeast, by MMHC*\n" in text
    assert sorted(paths) == sorted((tmp_path / "out").iterdir())


def test_pictures_for_print_are_linked_where_there_are_any():
    names = [
        f"labels_{data}_{one}.{kind}"
        for data in ("image", "scene")
        for one in ALGORITHMS
        for kind in ("png", "pdf")
    ]
    text = report_text(results(grid(["image", "scene"])), names)

    assert "### Figure 4: image and scene\n" in text
    assert "*Figure 4, scene, by H2PC; [for print](labels_scene_h2pc.pdf)*\n" in text
    assert text.index("(labels_image_mmhc.png)") < text.index("(labels_image_h2pc.png)")
    assert text.count("![") == 4


def test_the_graph_is_that_of_the_first_finished_fold():
    found = results([MultilabelCell("yeast", 4), MultilabelCell("yeast", 2)])
    graph = found.label_graphs()["labels_yeast_mmhc"]

    assert graph[:3] == ("yeast: MMHC, fold 2", ("a", "b"), (("a", "b"), ("x", "b")))


def test_files_say_what_was_measured(tmp_path):
    cells = grid(["yeast", "coast"], 2)
    write(tmp_path, cells)

    assert MultilabelResults.read(tmp_path) == results(cells)


def test_equal_results_give_equal_reports():
    one, two = results(grid(folds=2)), results(reversed(grid(folds=2)))

    assert report_text(one) == report_text(two)


def test_a_run_that_is_still_writing_can_be_reported_on(tmp_path):
    write(tmp_path, grid(["yeast"], 2))
    with open(tmp_path / RESULTS, "a") as file:
        file.write('{"data": "yeast", "fo')

    assert len(MultilabelResults.read(tmp_path).cells) == 2


def test_a_folder_without_a_finished_cell_is_refused(tmp_path):
    write(tmp_path, [])

    with pytest.raises(SettingError, match="no finished cell yet"):
        MultilabelResults.read(tmp_path)


def test_another_experiment_is_refused(tmp_path):
    (tmp_path / SETTINGS).write_text('{"experiment": "synthetic"}')

    with pytest.raises(SettingError, match="holds the experiment 'synthetic'"):
        MultilabelResults.read(tmp_path)


@pytest.mark.parametrize(
    "damage",
    [
        {"h2pc": None},
        {"h2pc": {}},
        {"br": {"subset_accuracy": ""}},
        {"labels": 3},
        {"labels": [3]},
        {"n_combinations": None},
    ],
)
def test_a_line_that_is_no_result_is_told_by_its_number(tmp_path, damage):
    write(tmp_path, grid(["yeast"], 2))
    lines = (tmp_path / RESULTS).read_text().splitlines()
    lines[1] = json.dumps({**json.loads(lines[1]), **damage})
    (tmp_path / RESULTS).write_text("\n".join(lines) + "\n")

    with pytest.raises(FileFormatError, match=r"results\.jsonl, line 2: expected labels"):
        MultilabelResults.read(tmp_path)


@pytest.mark.parametrize("edges", [[["a"]], [["a", 1]], [3], None])
def test_edges_that_are_none_are_told_by_their_line(tmp_path, edges):
    write(tmp_path, grid(["yeast"], 1))
    record = json.loads((tmp_path / RESULTS).read_text())
    record["mmhc"]["edges"] = edges
    (tmp_path / RESULTS).write_text(json.dumps(record) + "\n")

    with pytest.raises(FileFormatError, match=r"results\.jsonl, line 1: expected labels"):
        MultilabelResults.read(tmp_path)


def test_damaged_timings_are_told_by_their_line(tmp_path):
    write(tmp_path, grid(["yeast"], 1))
    (tmp_path / TIMINGS).write_text('{"data": "yeast", "fold": 0, "h2pc": 3}\n')

    with pytest.raises(FileFormatError, match=r"timings\.jsonl, line 1: expected the seconds"):
        MultilabelResults.read(tmp_path)

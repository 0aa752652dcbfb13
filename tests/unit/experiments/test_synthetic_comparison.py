"""Other learners beside those of the paper: on which cells, and what is said of the rest."""

import csv
import io

import pytest

from h2pc import __version__, load_network
from h2pc.errors import FileFormatError, SettingError
from h2pc.experiments.intervals import of_repetitions
from h2pc.experiments.synthetic_cells import SyntheticCell
from h2pc.experiments.synthetic_comparison import (
    comparison_figures,
    learner_numbers,
    learners_text,
    network_table,
    size_table,
)
from h2pc.experiments.synthetic_learners import LearnerSetup
from h2pc.experiments.synthetic_others import (
    PAPER_H2PC,
    LearnerResults,
    comparisons,
    read_others,
)
from h2pc.experiments.synthetic_report import report_text, write_report
from h2pc.runs.cells import RESULTS, CellResult, CellStore
from made_up_synthetic import grid, results

CELLS = grid(["child", "alarm"], [50, 100, 200], 3)
OF_PAPER = results(CELLS)
ANSWER = {
    "precision": 0.8,
    "recall": 0.9,
    "false_positive_rate": 0.01,
    "distance": 0.25,
    "edges": 25,
    "shd": 5,
    "bdeu_train": -950.0,
    "bic_train": -960.0,
    "bdeu_new": -7290.0,
    "bic_new": -8000.0,
    "n_tests": None,
    "n_scores": None,
}
NO_ANSWER = CellResult({"no_answer": "over 60 s"}, {})


def answered(cell):
    """An answer whose recall depends on the repetition."""
    return CellResult({**ANSWER, "recall": 0.7 + 0.1 * cell.repetition}, {"cpu": 2.0, "total": 3.0})


def learner(name, outcome_of=answered, cells=CELLS):
    """The results of a made-up run of another learner."""
    found = {cell: outcome_of(cell) for cell in cells}
    return LearnerResults(
        LearnerSetup(name, f"h2pc {__version__}, {name}").settings(),
        {cell: outcome.results for cell, outcome in found.items()},
        {cell: outcome.seconds for cell, outcome in found.items()},
    )


def slow_on_alarm(cell):
    """No answer on the largest samples of alarm."""
    return NO_ANSWER if cell == ("alarm", 200, 1) else answered(cell)


def rows_of(table, title):
    return {row[1]: row[2:] for row in table.rows if row[0] == title}


def test_our_learners_stand_beside_each_other_and_others_beside_h2pc():
    others = {name: learner(name) for name in ("default", "default-mmhc", "miic")}
    found = comparisons(OF_PAPER, others)

    assert found["ours"].learners == ("paper-h2pc", "default", "paper-mmhc", "default-mmhc")
    assert found["miic"].learners == ("paper-h2pc", "default", "miic")
    assert comparisons(OF_PAPER, {}) == {}
    assert list(comparisons(OF_PAPER, {"tabu": learner("tabu")})) == ["tabu"]


def test_the_means_are_those_of_the_cells():
    found = comparisons(OF_PAPER, {"default": learner("default")})["ours"]
    table = size_table(found)

    n_edges = [len(load_network(name).dag.edges) for name in ("child", "alarm")]
    assert rows_of(table, "Recall")["H2PC, default"] == ("0.800",) * 3
    assert rows_of(table, "Recall")["H2PC, paper"] == ("0.750",) * 3
    shd = sum(5 / number for number in n_edges) / 2
    assert rows_of(table, "SHD / true edges")["H2PC, default"] == (f"{shd:.3f}",) * 3
    bdeu = rows_of(table, "BDeu on new data, relative to H2PC of the paper")
    assert bdeu["H2PC, default"] == ("0.9000",) * 3
    assert bdeu["H2PC, paper"] == ("1.0000",) * 3
    assert rows_of(table, "CPU seconds")["H2PC, default"] == ("2",) * 3
    assert rows_of(table, "networks") == {"": ("2", "2", "2")}


def test_intervals_are_over_repetitions():
    found = comparisons(OF_PAPER, {"default": learner("default")})["ours"]

    expected = of_repetitions([0.7, 0.8, 0.9]).interval()
    assert found.interval("default", "recall", 100) == pytest.approx(expected)


def test_a_network_counts_at_the_sizes_that_all_have_answered_in_full():
    found = comparisons(OF_PAPER, {"default": learner("default", slow_on_alarm)})["ours"]

    assert found.networks == {50: ("child", "alarm"), 100: ("child", "alarm"), 200: ("child",)}
    assert found.segments() == [[50, 100], [200]]
    text = learners_text(OF_PAPER, {"default": learner("default", slow_on_alarm)})
    assert "Left out: alarm with 200 samples." in text
    assert "| 17 of 18 | over 60 s: 1 | 0 |" in text


def test_the_table_by_network_has_the_largest_size_with_answers():
    found = comparisons(OF_PAPER, {"default": learner("default", slow_on_alarm)})["ours"]

    places = {row[0]: row[1] for row in network_table(found).rows}
    assert places == {"child": "200", "alarm": "100"}


def test_cells_that_were_not_run_are_said():
    text = learners_text(OF_PAPER, {"tabu": learner("tabu", cells=CELLS[:6])})

    assert "| 6 of 18 | not run: 12 | 0 |" in text


def test_a_learner_that_was_run_on_less_is_compared_on_that():
    part = [cell for cell in CELLS if cell.size != 100 and cell.repetition < 2]
    found = comparisons(OF_PAPER, {"tabu": learner("tabu", cells=part)})["tabu"]

    assert found.networks == {50: ("child", "alarm"), 200: ("child", "alarm")}
    assert found.left_out == {50: (), 200: ()}
    assert rows_of(size_table(found), "repetitions") == {"": ("2", "2")}
    assert rows_of(size_table(found), "Recall")["tabu, BIC"] == ("0.750", "0.750")


def test_repetitions_that_lack_a_network_do_not_count():
    part = [cell for cell in CELLS if cell.network == "child" or cell.repetition < 2]
    found = comparisons(OF_PAPER, {"tabu": learner("tabu", cells=part)})["tabu"]

    assert {cell.repetition for cell in found.cells(50)} == {0, 1}
    assert len(found.cells(50)) == 4


def test_graphs_without_a_score_are_left_out_of_its_mean_alone():
    def unscored_once(cell):
        found = answered(cell)
        if cell == ("child", 50, 0):
            found.results["bdeu_new"] = None
        return found

    others = {"miic": learner("miic", unscored_once)}
    found = comparisons(OF_PAPER, others)["miic"]

    assert found.networks[50] == ("child", "alarm")
    assert found.mean("miic", "bdeu", found.cells(50, "child")) == pytest.approx(0.9)
    assert found.mean("miic", "bdeu", [SyntheticCell("child", 50, 0)]) is None
    assert found.mean("miic", "recall", [SyntheticCell("child", 50, 0)]) == pytest.approx(0.7)
    assert "| 18 of 18 | – | 1 |" in learners_text(OF_PAPER, others)


def test_the_figure_has_a_line_for_every_learner_and_their_intervals():
    others = {"default": learner("default", slow_on_alarm)}
    figure = comparison_figures(comparisons(OF_PAPER, others))["learners_ours"]

    recall = figure.panels[0]
    assert list(recall.series) == ["H2PC, paper", "H2PC, default", "MMHC, paper"]
    assert recall.series["H2PC, default"][100] == pytest.approx(0.8)
    low, high = recall.limits["H2PC, default"][100]
    assert low < 0.8 < high
    assert recall.segments == [[50, 100], [200]]
    assert [panel.log for panel in figure.panels] == [False] * 5 + [True]


def test_without_a_common_network_there_is_no_figure():
    others = {"tabu": learner("tabu", lambda _: NO_ANSWER)}

    assert comparison_figures(comparisons(OF_PAPER, others)) == {}
    assert "over 60 s: 18" in report_text(OF_PAPER, others=others)


def test_the_report_says_where_no_other_learner_was_run(tmp_path):
    paths = write_report(OF_PAPER, tmp_path)

    assert "No other learners were run." in report_text(OF_PAPER)
    assert "learners.csv" not in {path.name for path in paths}


def test_the_report_shows_the_pictures_that_were_drawn():
    others = {"default": learner("default")}

    assert "(learners_ours.png)" in report_text(OF_PAPER, ["learners_ours.png"], others)
    assert "(learners_ours.png)" not in report_text(OF_PAPER, [], others)


def test_the_numbers_for_machines_have_the_intervals():
    found = comparisons(OF_PAPER, {"default": learner("default")})
    table = list(csv.DictReader(io.StringIO(learner_numbers(found).as_csv())))

    [row] = [
        row
        for row in table
        if (row["learner"], row["measure"], row["size"]) == ("default", "recall", "50")
    ]
    assert (row["mean"], row["networks"], row["comparison"]) == ("0.8", "2", "ours")
    assert float(row["low"]) < 0.8 < float(row["high"])
    assert {row["learner"] for row in table} == {PAPER_H2PC, "paper-mmhc", "default"}


def leave(folder, name, settings=None, outcome_of=answered):
    """Leave the files of a made-up run of a learner."""
    setup = settings or LearnerSetup(name, f"h2pc {__version__}, {name}")
    with CellStore(folder / name, SyntheticCell._fields, setup.settings()) as store:
        for cell in CELLS:
            store.add(cell, outcome_of(cell))


def test_folders_of_learners_are_read_and_others_are_not_there(tmp_path):
    leave(tmp_path, "default", outcome_of=slow_on_alarm)
    (tmp_path / "miic").mkdir()

    assert read_others(tmp_path, OF_PAPER) == {"default": learner("default", slow_on_alarm)}


def test_learners_that_saw_other_samples_are_refused(tmp_path):
    leave(tmp_path, "default", LearnerSetup("default", "h2pc", seed=1))

    with pytest.raises(SettingError, match="default has seed = 1: expected 0"):
        read_others(tmp_path, OF_PAPER)


def test_a_line_that_is_no_answer_is_told_by_its_number(tmp_path):
    leave(tmp_path, "tabu")
    lines = (tmp_path / "tabu" / RESULTS).read_text().splitlines()
    lines[1] = lines[1].replace('"shd": 5', '"shd": null')
    (tmp_path / "tabu" / RESULTS).write_text("\n".join(lines) + "\n")

    with pytest.raises(FileFormatError, match=r"line 2: expected no_answer, or recall"):
        read_others(tmp_path, OF_PAPER)

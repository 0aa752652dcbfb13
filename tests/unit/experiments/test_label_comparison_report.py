"""Tables, aims and pictures of the comparison of multi-label methods, from made-up numbers."""

import csv
import io
import json

import pytest

from h2pc.errors import FileFormatError, SettingError
from h2pc.experiments.critical_differences import (
    all_ranks,
    critical_difference,
    critical_difference_figure,
    ranked_methods,
    ranks,
    save_critical_differences,
)
from h2pc.experiments.label_comparison_aims import (
    above_all,
    above_method,
    above_paper,
    aim_list,
    aims,
    best_by_own_measure,
    f1_objective,
    never_below,
)
from h2pc.experiments.label_comparison_cells import ComparisonCell, ComparisonSetup
from h2pc.experiments.label_comparison_report import report_text, write_report
from h2pc.experiments.label_comparison_results import ComparisonResults, compared
from h2pc.experiments.label_comparison_tables import (
    comparison_table,
    factors_table,
    measure_table,
    numbers_table,
    seconds_table,
)
from h2pc.experiments.multilabel_cells import MultilabelCell
from h2pc.experiments.published import COLUMNS, DATA_SETS, TABLE_5
from h2pc.runs.cells import RESULTS, CellResult, CellStore

ACCURACY = {"br": 0.3, "lp": 0.5, "mlp": 0.6, "mlp+mb": 0.55, "auto": 0.62, "ecc": 0.4, "rf": 0.2}


def paper_best(data):
    return max(TABLE_5[data, column] for column in COLUMNS)


def scores(accuracy, f1=None, loss=None):
    f1 = accuracy + 0.1 if f1 is None else f1
    loss = 0.3 - accuracy / 5 if loss is None else loss
    return {
        "subset_accuracy": accuracy,
        "hamming_loss": loss,
        "macro_f1": f1,
        "micro_f1": f1,
        "example_f1": f1,
    }


def record(cell):
    """A method whose values depend on its name alone; auto has three objectives."""
    value = ACCURACY[cell.method]
    found = {cell.method: scores(value)}
    if cell.method == "auto":
        found["auto:f1"] = scores(value - 0.01, f1=value + 0.15, loss=0.25)
        found["auto:hamming"] = scores(value - 0.02, f1=value + 0.05, loss=0.1)
    has_factors = cell.method not in ("ecc", "rf")
    return {
        "scores": found,
        "factor_labels": [1, 3] if has_factors else None,
        "factor_features": [2, 6] if has_factors else None,
        "choices": {"all": 1, "boundary": 1} if cell.method == "auto" else None,
    }


def made_up(data_sets=DATA_SETS, methods=tuple(ACCURACY), folds=2, change=None):
    """A made-up run; ``change(cell, record)`` may change the scores of a cell, or drop it."""
    cells, seconds = {}, {}
    for data in data_sets:
        for method in methods:
            for fold in range(folds):
                cell = ComparisonCell(data, fold, method)
                found = record(cell)
                if change is not None and change(cell, found["scores"]) == "drop":
                    continue
                cells[cell] = found
                seconds[cell] = {
                    "fit": {"wall": 3.0, "cpu": 2.0},
                    f"predict {method}": {"wall": 1.0, "cpu": 0.5},
                    f"predict {method}:f1": {"wall": 100.0, "cpu": 100.0},
                }
    graphs = {
        MultilabelCell(data, fold): {"wall": 10.0, "cpu": 8.0}
        for data in data_sets
        for fold in range(folds)
    }
    return ComparisonResults(ComparisonSetup().settings(), cells, seconds, graphs)


def changed(method, where, **values):
    """Other values of a column on some data sets."""

    def change(cell, found):
        if cell.data in where and method in found:
            found[method].update(values)

    return change


def test_tables_have_the_best_in_bold_and_a_lower_loss_is_better():
    results = made_up(["yeast", "coast"])
    accuracy, loss = (measure_table(results, one) for one in ("subset_accuracy", "hamming_loss"))

    assert accuracy.headings[:3] == ("data", "folds", "BR")
    assert accuracy.headings[6:9] == ("auto", "auto, F1", "auto, Hamming")
    assert [row[0] for row in accuracy.rows] == ["yeast", "coast"]
    assert accuracy.rows[0][1:8] == ("2", "0.300", "0.500", "0.600", "0.550", "**0.620**", "0.610")
    assert loss.rows[0][6:9] == ("0.1760", "0.2500", "**0.1000**")


def test_equal_values_are_all_bold_and_columns_with_fewer_folds_never():
    def change(cell, found):
        if (cell.method, cell.fold) == ("rf", 1):
            return "drop"
        if cell.method == "rf":
            found["rf"]["subset_accuracy"] = 0.9
        if cell.method == "mlp":
            found["mlp"]["subset_accuracy"] = 0.62
        return None

    table = measure_table(made_up(["yeast"], change=change), "subset_accuracy")
    row = dict(zip(table.headings, table.rows[0], strict=True))

    assert (row["MLP"], row["auto"]) == ("**0.620**", "**0.620**")
    assert row["multi-output forest"] == "0.900 (1)"


def test_a_method_that_was_not_run_has_no_value():
    table = measure_table(
        made_up(
            ["yeast", "scene"],
            change=lambda cell, _: "drop" if cell[::2] == ("scene", "lp") else None,
        ),
        "example_f1",
    )

    assert [row[3] for row in table.rows] == ["0.600", "–"]


def test_seconds_are_of_graph_fit_and_first_prediction():
    results = made_up(["yeast"])
    table = seconds_table(results, "cpu")
    row = dict(zip(table.headings, table.rows[0], strict=True))

    assert row["graph alone"] == "8.0"
    assert (row["BR"], row["LP"], row["chains"]) == ("2.5", "2.5", "2.5")
    assert (row["MLP"], row["auto"]) == ("10.5", "10.5")
    assert seconds_table(results, "wall").rows[0][2:5] == ("4.0", "4.0", "14.0")


def test_factors_have_numbers_sizes_and_choices():
    rows = {row[1]: row[2:] for row in factors_table(made_up(["yeast"])).rows}

    assert set(rows) == {"MLP", "MLP+MB", "auto"}
    assert rows["auto"] == ("2.0", "1 / 2 / 3", "2 / 4 / 6", "all: 1.0, boundary: 1.0")


def test_methods_are_compared_on_the_folds_that_both_have():
    def change(cell, found):
        if cell.method == "lp" and cell.fold:
            return "drop"
        if cell.method == "auto":
            found["auto"]["subset_accuracy"] = 0.9 if cell.fold else 0.4
        return None

    results = made_up(["yeast"], change=change)

    assert results.mean("yeast", "auto", "subset_accuracy") == pytest.approx(0.65)
    assert compared(results, "auto", "lp", "subset_accuracy").differences == (-0.1,)


def test_wins_and_p_values_go_by_the_objective_meant_for_a_measure():
    table = comparison_table(made_up())
    rows = {row[0]: row[1:] for row in table.rows}

    assert list(rows) == ["BR", "LP", "MLP", "MLP+MB", "chains", "multi-output forest"]
    # Ten differences of one sign: 2 / 2¹⁰.
    assert rows["MLP"] == ("10", *("10 / 0 / 0", "0.0020") * 3)
    assert compared(made_up(), "auto", "mlp", "hamming_loss").differences[0] == pytest.approx(0.004)


def test_auto_may_be_a_hundredth_below_the_better_of_two():
    at, below = (
        never_below(made_up(change=changed("auto", ["yeast"], subset_accuracy=value)))
        for value in (0.59, 0.5899)
    )

    assert at.holds
    assert at.evidence == "Holds on 10 of 10 data sets."
    assert below.holds is False
    assert "on 9 of 10 data sets (others: yeast 0.590, MLP 0.600, MLP+MB 0.550)" in below.evidence


def test_an_aim_for_all_is_not_known_before_all_data_sets_are_run():
    few = made_up(DATA_SETS[:9])
    bad = made_up(DATA_SETS[:2], change=changed("auto", ["yeast"], subset_accuracy=0.1))

    assert never_below(few).holds is None
    assert never_below(bad).holds is False


@pytest.mark.parametrize(("n_equal", "holds"), [(0, True), (2, True), (3, False)])
def test_above_means_strictly_on_eight_of_ten(n_equal, holds):
    equal = changed("auto", DATA_SETS[:n_equal], subset_accuracy=0.5)
    found = above_method(made_up(change=equal), "lp")

    assert found.holds is holds
    assert f"on {10 - n_equal} of 10" in found.evidence
    assert ("emotions 0.500 against 0.500" in found.evidence) == (n_equal > 0)


@pytest.mark.parametrize(
    ("n_run", "n_equal", "holds"), [(8, 0, True), (7, 0, None), (9, 2, None), (9, 3, False)]
)
def test_above_on_eight_of_ten_can_be_known_early(n_run, n_equal, holds):
    equal = changed("auto", DATA_SETS[:n_equal], subset_accuracy=0.1)

    assert above_method(made_up(DATA_SETS[:n_run], change=equal), "lp").holds is holds


def test_the_papers_best_column_is_a_rival():
    def change(cell, found):
        if "auto" in found:
            better = cell.data not in ("genbase", "scene")
            found["auto"]["subset_accuracy"] = paper_best(cell.data) + (0.01 if better else 0)

    found = above_paper(made_up(change=change))

    assert found.holds
    assert "on 8 of 10 (others: scene 0.733 against 0.733; genbase 0.976" in found.evidence


def test_all_rivals_at_once_are_harder_to_beat_than_each():
    high = {data: paper_best(data) + 0.01 for data in DATA_SETS}

    def change(cell, found):
        for column in found:
            found[column]["subset_accuracy"] = high[cell.data] - (column != "auto") * 0.005
        rival = {"emotions": "lp", "yeast": "ecc", "image": "rf"}.get(cell.data)
        if rival in found:
            found[rival]["subset_accuracy"] = 1.0

    results = made_up(change=change)

    assert all(above_method(results, rival).holds for rival in ("lp", "ecc", "rf"))
    assert above_paper(results).holds
    assert above_all(results).holds is False
    assert "on 7 of 10" in above_all(results).evidence


def test_the_f1_objective_is_tested_over_data_sets_and_folds():
    found = f1_objective(made_up())
    worse = f1_objective(made_up(change=changed("auto:f1", DATA_SETS[:6], example_f1=0.1)))

    assert found.holds
    assert "Higher on 10 data sets, equal on 0, lower on 0, by +0.050" in found.evidence
    assert "p = 0.0010 over the data sets; over their 20 folds" in found.evidence
    assert worse.holds is False
    assert f1_objective(made_up(DATA_SETS[:5])).holds is None
    assert f1_objective(made_up(methods=["br"])).evidence == "Not run."


def test_every_objective_is_checked_by_its_own_measure():
    best = [
        best_by_own_measure(made_up(), measure)
        for measure in ("subset_accuracy", "example_f1", "hamming_loss")
    ]
    change = changed("auto:hamming", ["yeast"], hamming_loss=0.26)
    worse = best_by_own_measure(made_up(change=change), "hamming_loss")

    assert [aim.holds for aim in best] == [True] * 3
    assert '"subset" 0.6200, "f1" 0.6100, "hamming" 0.6000' in best[0].evidence
    assert worse.holds is False
    assert "on 9 of 10 (others: yeast 0.1760, 0.2500, 0.2600); on average it is the best" in (
        worse.evidence
    )


def test_aims_are_sentences_with_verdicts():
    text = aim_list(aims(made_up(change=changed("auto", ["yeast"], subset_accuracy=0.1))))

    assert text.startswith("1. **does not hold**: The subset accuracy of auto is never below")
    assert "2. **holds**: The subset accuracy of auto is above that of LP" in text
    assert "not known yet" in aim_list(aims(made_up(DATA_SETS[:1])))


def test_other_data_sets_have_no_say_in_the_aims():
    worse = changed("auto", ["coast"], subset_accuracy=0.0)

    assert never_below(made_up((*DATA_SETS, "coast"), change=worse)).holds


def test_the_critical_difference_is_that_of_demsar():
    # Table 5(a) of Demšar (2006): q of 2, 5 and 10 classifiers.
    for n_methods, quantile in ((2, 1.960), (5, 2.728), (10, 3.164)):
        found = critical_difference(n_methods, 30)
        assert found == pytest.approx(
            quantile * (n_methods * (n_methods + 1) / 180) ** 0.5, rel=1e-3
        )


def test_ranks_are_means_over_data_sets_and_lower_losses_rank_first():
    pytest.importorskip("scikit_posthocs")
    results = made_up(change=changed("auto", DATA_SETS[:5], subset_accuracy=0.0))
    accuracy, loss = (ranks(results, one) for one in ("subset_accuracy", "hamming_loss"))

    assert accuracy.means.to_dict()["auto"] == pytest.approx((1 + 7) / 2)
    assert accuracy.means.to_dict()["MLP"] == pytest.approx((2 + 1) / 2)
    assert loss.means.to_dict()["auto, Hamming"] == 1
    assert loss.means.to_dict()["multi-output forest"] == 7
    assert loss.friedman < 1e-9
    # Ranks that differ by more than the critical difference are told apart, others are not.
    for one in loss.means.index:
        for other in loss.means.index:
            differs = abs(loss.means[one] - loss.means[other]) > loss.critical_difference
            assert (loss.p_values.loc[one, other] < 0.05) == differs


def test_methods_without_all_data_sets_are_not_ranked():
    results = made_up(change=lambda c, _: "drop" if c[::2] == ("yeast", "rf") else None)

    assert ranked_methods(results) == ("br", "lp", "mlp", "mlp+mb", "auto", "ecc")


def test_methods_that_are_all_equal_can_be_ranked():
    pytest.importorskip("scikit_posthocs")

    def change(cell, found):
        for column in found:
            found[column]["subset_accuracy"] = 0.5

    found = ranks(made_up(change=change), "subset_accuracy")

    assert found.friedman == 1.0
    assert set(found.means) == {4.0}


def test_too_little_is_not_ranked(tmp_path):
    assert ranks(made_up(["yeast"]), "subset_accuracy") is None
    assert ranks(made_up(methods=["br", "lp"]), "subset_accuracy") is None
    assert save_critical_differences(made_up(["yeast"]), tmp_path) == []


def test_the_picture_names_every_method(tmp_path):
    pytest.importorskip("scikit_posthocs")
    results = made_up()
    figure = critical_difference_figure(all_ranks(results))
    paths = save_critical_differences(results, tmp_path)

    shown = [text.get_text() for ax in figure.axes for text in ax.texts]
    assert len(figure.axes) == 3
    assert len(shown) == 3 * len(ACCURACY)
    assert "auto  1.00 " in shown
    assert " 7.00  multi-output forest" in shown
    assert [path.name for path in paths] == [
        "critical_differences.png",
        "critical_differences.svg",
    ]
    assert all(path.stat().st_size > 1000 for path in paths)


def test_the_report_has_all_tables_and_its_numbers(tmp_path):
    pytest.importorskip("scikit_posthocs")
    results = made_up(["emotions", "yeast", "coast"])
    paths = write_report(results, tmp_path)
    text = (tmp_path / "report.md").read_text()
    rows = list(csv.DictReader(io.StringIO((tmp_path / "scores.csv").read_text())))

    assert sorted(paths) == sorted(tmp_path.iterdir())
    assert "Folds, of 10: emotions 2, yeast 2, coast 2." in text
    assert "Of the paper's ten data sets, image, scene, slashdot" in text
    assert "![Critical differences](critical_differences.png)" in text
    assert "$" not in text
    assert len(rows) == 3 * 2 * 9
    [one] = [
        row
        for row in rows
        if (row["data"], row["fold"], row["column"]) == ("yeast", "1", "auto:f1")
    ]
    assert (one["method"], one["subset_accuracy"], one["hamming_loss"]) == ("auto", "0.61", "0.25")
    assert (one["factors"], one["max_labels"], one["median_features"]) == ("2", "3", "4")
    assert (one["seconds"], one["cpu_seconds"]) == ("14", "10.5")
    assert numbers_table(results).as_csv() == (tmp_path / "scores.csv").read_text()


def test_times_of_another_run_are_said_to_be_so():
    results = made_up(["yeast"], ["br", "lp"])
    cell = ComparisonCell("yeast", 0, "br")
    copied = {**results.seconds, cell: {"fit": {"wall": 5.0, "cpu": None}}}
    other = ComparisonResults(results.settings, results.cells, copied)

    assert "those of the paper's experiment, which has" in report_text(other, "")
    assert "those of the paper's experiment, which has" not in report_text(results, "")
    assert "auto was not run beside another method" in report_text(results, "")


def stored(folder, results):
    with CellStore(folder, ComparisonCell._fields, ComparisonSetup().settings()) as store:
        for cell, found in results.cells.items():
            store.add(cell, CellResult(found, results.seconds[cell]))


def test_stored_cells_are_read_as_they_were(tmp_path):
    results = made_up(["yeast"], ["auto", "ecc"])
    stored(tmp_path, results)
    found = ComparisonResults.read(tmp_path)

    assert found.cells == results.cells
    assert found.seconds == results.seconds
    assert found.graph_seconds == {}


@pytest.mark.parametrize(
    "damage", [{"scores": {}}, {"scores": {"br": {}}}, {"factor_labels": "ab"}, {"choices": 3}]
)
def test_a_line_that_is_no_result_is_named_by_its_number(tmp_path, damage):
    stored(tmp_path, made_up(["yeast"], ["br"]))
    lines = (tmp_path / RESULTS).read_text().splitlines()
    lines[1] = json.dumps({**json.loads(lines[1]), **damage})
    (tmp_path / RESULTS).write_text("\n".join(lines) + "\n")

    with pytest.raises((FileFormatError, SettingError), match=r"line 2: expected the scores"):
        ComparisonResults.read(tmp_path)

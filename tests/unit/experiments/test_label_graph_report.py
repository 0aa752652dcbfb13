"""What is compared with the paper's label graphs, what is called a cause, and the stored report."""

from pathlib import Path

import pytest

from h2pc.experiments.label_graph_cells import GraphCell
from h2pc.experiments.label_graph_report import (
    AGREEING,
    causes_report,
    counted_table,
    effect_table,
    is_cause,
    outcome_table,
    seconds_table,
    value_table,
)
from h2pc.experiments.label_graph_results import CausesResults, PaperNumber
from h2pc.experiments.label_graph_variants import BASE
from h2pc.experiments.published import TABLE_4, TABLE_6

STORED = Path(__file__).resolve().parents[3] / "docs" / "results" / "label_graph_causes"


def record(degree, powersets, **changed):
    """Sizes of a graph; what is not named equals the degree, or the number of powersets."""
    sizes = dict.fromkeys(("degree", "skeleton", "labels", "parents", "boundary"), degree)
    sizes |= {"powersets": powersets, "groups": powersets, "largest": 5}
    return sizes | {"tests": 1000, "samples": 500} | changed


def as_printed(data, algorithm, **changed):
    """Sizes that are the paper's."""
    key = data, algorithm
    return record(TABLE_6[key].degree, TABLE_4[key].mean, **changed)


def results(cells):
    return CausesResults({"experiment": "label_graph_causes"}, cells, {})


def row(table, place=0):
    return dict(zip(table.headings, table.rows[place], strict=True))


@pytest.mark.parametrize(
    ("number", "value", "agrees"),
    [
        (("emotions", "h2pc", "degree"), 4.7 * 1.15, True),
        (("emotions", "h2pc", "degree"), 4.7 * 1.16, False),
        (("emotions", "h2pc", "degree"), 4.7 * 0.84, False),
        (("slashdot", "h2pc", "powersets"), 9.5 + 1.65, True),
        (("slashdot", "h2pc", "powersets"), 9.5 - 1.7, False),
        (("yeast", "h2pc", "powersets"), 1.95, True),
        (("yeast", "h2pc", "powersets"), 1.9, False),
    ],
)
def test_a_number_agrees_within_what_folds_differ_by(number, value, agrees):
    assert PaperNumber(*number).agrees(value) == agrees


def test_an_effect_is_that_on_the_folds_that_were_run_with_the_variant():
    found = results(
        {
            GraphCell("emotions", "h2pc", BASE, 0): record(9.4, 1),
            GraphCell("emotions", "h2pc", BASE, 1): record(4.7, 1),
            GraphCell("emotions", "h2pc", "df-full", 0): record(4.7, 2),
            GraphCell("emotions", "mmhc", BASE, 0): record(2.6, 1),
        }
    ).effect("df-full", "h2pc")
    degree, powersets = (PaperNumber("emotions", "h2pc", each) for each in ("degree", "powersets"))

    assert found.numbers == (degree, powersets)
    assert (found.agree, found.before) == ((degree,), (powersets,))
    assert (found.brings, found.breaks) == ((degree,), (powersets,))
    assert (found.distance, found.distance_before) == (0.5, 0.5)


def test_sizes_are_means_over_the_folds():
    found = results({GraphCell("yeast", "mmhc", BASE, n): record(n, 2 + n) for n in range(3)})

    assert found.size("yeast", "mmhc", BASE, "degree") == 1.0
    assert found.size("yeast", "mmhc", BASE, "powersets", [2]) == 4.0
    assert found.size("yeast", "mmhc", "bic", "degree") is None
    assert found.n_folds("yeast", "mmhc", BASE) == 3


def cells_of(variant, **changed):
    """The paper's numbers on all that agree; a variant whose sizes are changed on some data."""
    cells = {}
    for data in (*AGREEING, "slashdot"):
        base = record(14.7, 9.5) if data == "slashdot" else as_printed(data, "h2pc")
        cells[GraphCell(data, "h2pc", BASE, 0)] = base
        cells[GraphCell(data, "h2pc", variant, 0)] = changed.get(data, as_printed(data, "h2pc"))
    return cells


def test_a_cause_breaks_nothing_and_was_tried_where_all_agreed():
    whole = cells_of("or")
    partial = {
        cell: each for cell, each in whole.items() if (cell.data, cell.variant) != ("image", "or")
    }
    breaking = cells_of("or", scene=record(3.3, 1.0))

    assert is_cause(results(whole).effect("or", "h2pc"))
    assert not is_cause(results(partial).effect("or", "h2pc"))
    assert not is_cause(results(breaking).effect("or", "h2pc"))


@pytest.mark.parametrize(
    ("changed", "cause", "doubtful"),
    [
        ({}, "or", "–"),
        ({"slashdot": record(14.0, 9.5)}, "**open**", "–"),
        ({"scene": record(3.3, 1.0)}, "**open**: none without harm", "or (1)"),
    ],
)
def test_a_number_that_differs_has_a_cause_or_is_open(changed, cause, doubtful):
    table = outcome_table(results(cells_of("or", **changed)), "h2pc")

    assert len(table.rows) == 1
    assert row(table) == {
        "number": "slashdot, degree",
        "paper": "4.0",
        "ours": "14.7",
        "cause": cause,
        "by chance or in part": doubtful,
    }


def test_a_variant_that_was_not_tried_everywhere_has_a_question_mark():
    cells = {cell: each for cell, each in cells_of("or").items() if cell.data != "image"}

    assert row(outcome_table(results(cells), "h2pc"))["by chance or in part"] == "or? (0)"


def test_effects_are_sorted_by_how_much_nearer_they_come():
    cells = cells_of("or") | cells_of("bic", slashdot=record(14.7, 9.5), genbase=record(9.0, 26.9))
    table = effect_table(results(cells), "h2pc")

    assert [each[0] for each in table.rows] == ["or", "bic"]
    assert table.rows[0][1:3] == ("10 of 10", "9")
    assert table.rows[0][3:] == ("0%", "27%", "slashdot degree", "–")
    assert table.rows[1][-2:] == ("–", "genbase degree")


def test_values_have_the_papers_first_and_are_bold_where_they_agree():
    table = value_table(results(cells_of("or", slashdot=record(3.9, 3.0))), "h2pc")
    by_name = {each[0]: dict(zip(table.headings, each, strict=True)) for each in table.rows}

    assert by_name["printed in the paper"]["slashdot"] == "4.0 / 9.5"
    assert by_name["ours"]["slashdot"] == "14.7 / **9.5**"
    assert by_name["or"]["slashdot"] == "**3.9** / 3.0"


def test_other_ways_to_count_have_their_own_numbers():
    cells = cells_of("or", slashdot=record(14.0, 9.5))
    cells[GraphCell("slashdot", "h2pc", BASE, 0)] = record(14.7, 6.0, labels=3.9, groups=9.0)
    counted = {each[3]: each[4:] for each in counted_table(results(cells)).rows}

    assert counted["all neighbours"] == ("4 of 5", "emotions, image, scene, genbase")
    assert counted["neighbours that are labels"][0] == "5 of 5"
    assert counted["Theorem 8"][0] == "4 of 5"
    assert counted["edges between labels alone, no common children"][0] == "5 of 5"


def test_the_papers_seconds_are_divided_by_our_tests():
    cells = {
        GraphCell("emotions", "mmhc", BASE, 0): as_printed("emotions", "mmhc", tests=15_000),
        GraphCell("yeast", "mmhc", BASE, 0): as_printed("yeast", "mmhc", samples=400),
    }

    table = seconds_table(results(cells))
    assert table.headings == ("data", "samples", "MMHC, ours")
    assert table.rows == [("yeast", "400", "9000"), ("emotions", "500", "100")]


def test_the_report_counts_variants_numbers_and_graphs():
    report = causes_report(results(cells_of("or")))

    assert "- 10 numbers of the paper, 1 other variants, 10 graphs." in report
    assert "agree with 9 of the 10." in report
    assert "| or | H2PC, MMHC | one end has to find the other, not both |" in report


def test_the_stored_report_is_what_the_stored_graphs_give():
    assert (STORED / "report.md").read_text() == causes_report(CausesResults.read(STORED))

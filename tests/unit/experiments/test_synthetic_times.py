"""Table 2 and what its ratios are made of."""

import csv
import io

from h2pc import load_network
from h2pc.experiments.synthetic_times import (
    explanation,
    fixed_cost_table,
    parts_table,
    running_time_numbers,
    running_time_table,
    seconds_table,
)
from made_up_synthetic import as_the_paper_says, grid, results, timed


def with_fixed_cost(cell):
    """Numbers of which 0.2 s is fixed cost, for both algorithms."""
    found = as_the_paper_says(cell)
    for name, work in (("h2pc", 0.9), ("mmhc", 0.3)):
        phases = {"skeleton": work - 0.1, "search": 0.1}
        found.seconds[name] = {**phases, "total": work + 0.2, "cpu": work + 0.2}
    return found


def test_table_2_has_the_papers_ratios_beside_ours():
    table = running_time_table(results(grid(["link", "asia"], [50, 70], 2)))

    assert table.rows == [
        ("link", "ours", "0.58 ±0.0", "1.00 ±0.0"),
        ("link", "without fixed cost", "0.58 ±0.0", "1.00 ±0.0"),
        ("link", "paper", "1.16 ±0.0", "–"),
        ("asia", "ours", "1.00 ±0.0", "1.00 ±0.0"),
        ("asia", "without fixed cost", "1.00 ±0.0", "1.00 ±0.0"),
        ("all", "ours", "0.79 ±0.2", "1.00 ±0.0"),
        ("all", "without fixed cost", "0.79 ±0.2", "1.00 ±0.0"),
        ("all", "paper", "0.89 ±0.1", "–"),
    ]


def test_fixed_cost_is_what_is_neither_skeleton_nor_search():
    found = results(grid(["child"], [50], 2), with_fixed_cost)

    whole, without, _, *_ = running_time_table(found).rows
    assert whole[2] == "2.20 ±0.0"
    assert without[2] == "3.00 ±0.0"
    assert fixed_cost_table(found).rows == [("child", "2e+02 / 2e+02")]
    assert seconds_table(found).rows == [("child", "1.1 / 0.5")]


def test_the_time_of_a_test_is_that_of_the_skeleton():
    found = results(grid(["child"], [50], 2), with_fixed_cost)

    tests, per_test, *_ = parts_table(found).rows
    assert tests == ("child", "number of tests", "3.00")
    assert per_test == ("child", "time of a test", f"{0.8 / 0.2 / 3:.2f}")


def test_the_numbers_for_machines_agree_with_the_results():
    text = running_time_numbers(results(grid(["child"], [50], 2))).as_csv()
    [time] = [row for row in csv.DictReader(io.StringIO(text)) if row["network"] == "child"]

    assert (time["ratio"], time["paper"], time["cells"]) == ("0.47", "0.94", "2")
    assert (time["tests"], time["mmhc_seconds"]) == ("3", "3")
    assert float(time["mmhc_fixed_seconds"]) == 0.3


def test_the_explanation_compares_the_papers_ratios_with_the_numbers_of_tests():
    def as_many_tests_as_in_table_2(cell):
        found = as_the_paper_says(cell)
        ratio = found.seconds["h2pc"]["cpu"] / 3.0 * 2
        found.results["h2pc"]["n_tests"] = 1000 * ratio
        if cell.network == "child":
            found.seconds["h2pc"] = timed(6.0 * ratio)
        return found

    text = explanation(results(grid(), as_many_tests_as_in_table_2))

    assert "the correlation of their logarithms is 1.00 over 80 cells" in text
    assert "over that of the tests 1.00" in text
    assert "2.00 in the 10 cells where our ratio is above the paper's" in text
    assert "0.50 in the 70 cells where our ratio is at or below the paper's" in text
    assert "Fixed cost is 10% of the time of MMHC with 50 samples" in text


def test_the_time_of_a_variable_is_what_is_left_without_tests():
    def on_a_line(cell):
        found = as_the_paper_says(cell)
        n_variables = len(load_network(cell.network).names)
        for name, numbers in found.results.items():
            numbers["n_tests"] = (3000 if name == "h2pc" else 1000) + cell.size
            skeleton = 20e-6 * n_variables + 1e-6 * numbers["n_tests"]
            phases = {"skeleton": skeleton, "search": 0.0}
            found.seconds[name] = {**phases, "total": skeleton, "cpu": skeleton}
        return found

    text = explanation(results(grid(["child", "link"], [50, 100, 200], 2), on_a_line))

    assert "20 µs a variable without any test (median of 6 cells)" in text


def test_a_few_cells_explain_nothing():
    assert explanation(results(grid(["child"], [50], 2))).startswith("Too few cells")

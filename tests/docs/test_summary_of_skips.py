"""The line at the end of a test run says what was skipped, and how to get it."""

from conftest import summary_of_skips

CHROMIUM = "Skipped: needs Chromium (apt install chromium)"
PLOTS = "Skipped: could not import 'matplotlib.pyplot': No module named 'matplotlib'"


def test_equal_needs_are_counted_and_the_most_frequent_comes_first():
    assert summary_of_skips([PLOTS, CHROMIUM, CHROMIUM]) == (
        "3 tests skipped: 2 need Chromium (apt install chromium), "
        "1 need matplotlib (pip install '.[all]')"
    )


def test_reasons_without_a_remedy_are_counted_together():
    assert summary_of_skips(["Skipped: no decision_function"]) == (
        "1 test skipped: 1 for other reasons (pytest -rs lists them)"
    )

"""Figures follow from files of results, by queries, and are written into pages."""

import json
import runpy
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
Figures = runpy.run_path(str(DOCS / "quote_figures.py"))["Figures"]

CELLS = (("asia", "ours", 2), ("asia", "theirs", 4), ("child", "ours", 6))
MEANS = "network,size,mean\nasia,1000,0.25\nchild,1000,\n"
PAGE = "# Shares\n\n| data | held |\n|---|---|\n| a | 3 of 4 |\n"
RULES = """
[names]
"our learner" = "ours"
"the other" = "theirs"

[views]
distances = "SELECT network, learner, json_extract(shd, '$.sum') AS shd FROM runs_results"

[figures]
mean = { query = "SELECT avg(shd) FROM distances WHERE learner = 'ours'", format = "{:.2f}" }
share = { query = "SELECT held FROM page", format = "{}" }
none = { query = "SELECT mean FROM runs_means WHERE network = 'child'", format = "{:.1f}" }
many = { query = "SELECT shd FROM distances", format = "{}" }

[tables.distances]
query = "SELECT shd FROM distances WHERE network = :network AND learner = :column"
format = "{}"
bold = "least"

[tables.means]
query = "SELECT mean FROM runs_means WHERE network = :network AND size = :samples"
format = "{:.2f}"
missing = "not run"

[tables.means.columns]
mean = {}
"""


@pytest.fixture
def docs(tmp_path):
    """Given results in three kinds of files, and how figures follow from them."""
    runs = tmp_path / "results" / "runs"
    runs.mkdir(parents=True)
    lines = [json.dumps({"network": n, "learner": w, "shd": {"sum": d}}) for n, w, d in CELLS]
    (runs / "results.jsonl").write_text("\n".join(lines) + "\n")
    (runs / "means.csv").write_text(MEANS)
    (runs.parent / "page.md").write_text(PAGE)
    (runs.parent / "figures.toml").write_text(RULES)
    (tmp_path / "figures.toml").write_text('[clock]\nvalue = "2.5 s"\n')
    return tmp_path


def test_figures_are_written_before_their_marks(docs):
    page = "9 s<!-- figure: clock -->, 0.1<!-- figure: mean --> and 1 of 4<!-- figure: share -->."

    assert Figures(docs).quoted(page) == (
        "2.5 s<!-- figure: clock -->, 4.00<!-- figure: mean --> and 3 of 4<!-- figure: share -->."
    )


def test_a_figure_changes_with_its_file(docs):
    with (docs / "results" / "runs" / "results.jsonl").open("a") as lines:
        lines.write('{"network": "alarm", "learner": "ours", "shd": {"sum": 1}}\n')

    assert Figures(docs).figure("mean") == "3.00"


def test_a_value_that_is_missing_is_a_dash(docs):
    assert Figures(docs).figure("none") == "–"


def test_a_query_with_two_answers_is_an_error(docs):
    with pytest.raises(ValueError, match="3 rows instead of one"):
        Figures(docs).figure("many")


def test_cells_of_a_table_follow_from_row_and_column(docs):
    page = """<!-- table: distances -->
| network | our learner | the other |
|---|---:|---:|
| asia | 0 | 0 |
| child | 0 | 0 |
"""

    assert Figures(docs).quoted(page).splitlines()[3:] == [
        "| asia | **2** | 4 |",
        "| child | **6** | – |",
    ]


def test_other_columns_of_a_table_stay(docs):
    page = """<!-- table: means -->

| network | samples | mean | remark |
|---|---:|---:|---|
| asia | 1,000 | 0 | small |
| child | 1,000 | 0 | larger |
"""

    assert Figures(docs).quoted(page).splitlines()[4:] == [
        "| asia | 1,000 | 0.25 | small |",
        "| child | 1,000 | not run | larger |",
    ]


def test_a_row_that_is_in_no_file_is_an_error(docs):
    page = "<!-- table: distances -->\n| network | our learner |\n|---|---|\n| sachs | 0 |\n"

    with pytest.raises(ValueError, match="nothing about the row sachs"):
        Figures(docs).quoted(page)

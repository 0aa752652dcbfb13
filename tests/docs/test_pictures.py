"""Pictures that are drawn from the code are those that the code draws today."""

import re
import runpy
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_the_picture_of_the_layers_is_that_of_the_import_rules():
    drawn = runpy.run_path(str(DOCS / "draw_layers.py"))

    assert drawn["PICTURE"].read_text(encoding="utf-8") == drawn["picture"]()


def test_the_picture_of_a_comparison_counts_what_the_page_prints():
    page = (DOCS / "tutorials" / "researcher.md").read_text(encoding="utf-8")
    picture = (DOCS / "pictures" / "alarm.svg").read_text(encoding="utf-8")
    [printed] = re.findall(r"^Edges: (.*)\.$", page, flags=re.MULTILINE)
    counts = {verdict: int(n) for n, verdict in re.findall(r"(\d+) ([a-z ]+)", printed)}

    drawn = {verdict: int(n) for verdict, n in re.findall(r"<!-- ([a-z ]+) \((\d+)\) -->", picture)}

    assert drawn["right"] == counts["right"] > 0
    assert drawn["missing"] == counts["missing"]
    assert {verdict: counts[verdict] for verdict in drawn} == drawn

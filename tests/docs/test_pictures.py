"""Pictures that are drawn from the code are those that the code draws today."""

import re
import runpy
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_the_picture_of_the_layers_is_that_of_the_import_rules():
    drawn = runpy.run_path(str(DOCS / "draw_layers.py"))

    assert drawn["PICTURE"].read_text(encoding="utf-8") == drawn["picture"]()


def test_the_picture_of_labels_shows_the_graph_of_the_tutorial():
    pytest.importorskip("matplotlib")
    pytest.importorskip("pandas")
    drawn = runpy.run_path(str(DOCS / "draw_labels.py"))

    # Versions of matplotlib write other files: names and boxes are compared.
    stored, today = drawn["PICTURE"].read_text(encoding="utf-8"), drawn["picture"]()
    texts, patches = re.compile(r"<text[^>]*>([^<]+)"), re.compile(r'id="patch_\d+"')
    assert texts.findall(stored) == texts.findall(today)
    assert len(patches.findall(stored)) == len(patches.findall(today)) > 20

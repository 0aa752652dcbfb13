"""Pictures that are drawn from the code are those that the code draws today."""

import runpy
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_the_picture_of_the_layers_is_that_of_the_import_rules():
    drawn = runpy.run_path(str(DOCS / "draw_layers.py"))

    assert drawn["PICTURE"].read_text(encoding="utf-8") == drawn["picture"]()

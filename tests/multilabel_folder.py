"""The multi-label data sets of the paper, where they are at hand."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

BESIDE = Path(__file__).resolve().parents[2] / "shared" / "data" / "multilabel"
FOLDER = Path(os.environ.get("H2PC_MULTILABEL") or BESIDE)

# Samples, features, labels and distinct label combinations, from the paper's table.
PAPER = {
    "emotions": (593, 72, 6, 27),
    "yeast": (2417, 103, 14, 198),
    "image": (2000, 135, 5, 20),
    "scene": (2407, 294, 6, 15),
    "slashdot": (3782, 1079, 22, 156),
    "genbase": (662, 1186, 27, 32),
    "medical": (978, 1449, 45, 94),
    "enron": (1702, 1001, 53, 753),
    "bibtex": (7395, 1836, 159, 2856),
    "corel5k": (5000, 499, 374, 3175),
}


def multilabel_file(name: str, suffix: str) -> Path:
    """Path of a file of a data set; skips the test where it is missing."""
    path = FOLDER / name / f"{name}{suffix}"
    if not path.exists():
        pytest.skip("needs the paper's multi-label data sets (their folder in H2PC_MULTILABEL)")
    return path

"""The answers of the authors' implementation, where they are at hand."""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path

import pandas as pd
import pytest

BESIDE = Path(__file__).resolve().parents[2] / "shared" / "reference"
REFERENCE = Path(os.environ.get("H2PC_REFERENCE", BESIDE))
FILES = (
    "alarm_2000",
    "alarm_500",
    "asia_1000",
    "child_2000",
    "child_500",
    "hailfinder_1000",
    "insurance_2000",
    "insurance_500",
)
needs_golden_files = pytest.mark.skipif(
    not REFERENCE.is_dir(), reason=f"no golden files in {REFERENCE}; set H2PC_REFERENCE"
)


@cache
def golden(file: str) -> dict:
    """Return all answers for one data set."""
    return json.loads((REFERENCE / f"{file}.json").read_text())


@cache
def frame(file: str) -> pd.DataFrame:
    """Return the data set, whose values are all strings."""
    return pd.read_csv(REFERENCE / f"{file}.csv.gz", dtype=str, keep_default_na=False)

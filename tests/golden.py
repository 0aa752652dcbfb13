"""The answers of the authors' implementation, in ``tests/golden``."""

from __future__ import annotations

import json
import lzma
from functools import cache
from pathlib import Path

import pandas as pd

FOLDER = Path(__file__).resolve().parent / "golden"
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


@cache
def golden(file: str) -> dict:
    """Return all answers for one data set."""
    return json.loads(lzma.decompress((FOLDER / f"{file}.json.xz").read_bytes()))


@cache
def frame(file: str) -> pd.DataFrame:
    """Return the data set, whose values are all strings."""
    return pd.read_csv(FOLDER / f"{file}.csv.xz", dtype=str, keep_default_na=False)

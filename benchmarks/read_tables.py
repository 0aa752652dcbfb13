"""Time and memory to read and encode a text of a million rows and 20 columns, in several forms.

Each form is read in a process of its own, by ``read_dataset`` with three levels; the time includes
importing the libraries.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import numpy as np
import polars as pl
from rich.console import Console
from rich.table import Table

QUOTED = "non_numeric"

LIMIT = 3.0
"""Seconds for a plain text."""


def frame(n_rows: int) -> pl.DataFrame:
    """Return 8 columns of whole numbers, 6 of words and 6 of fractions."""
    rng = np.random.default_rng(0)
    words = np.array(["no", "yes", "maybe", "never"])
    columns = {f"level{j}": rng.integers(0, 3 + j, n_rows) for j in range(8)}
    columns |= {f"word{j}": words[rng.integers(0, 4, n_rows)] for j in range(6)}
    columns |= {f"size{j}": rng.normal(size=n_rows).round(4) for j in range(6)}
    return pl.DataFrame(columns)


def _semicolons(table: pl.DataFrame, path: Path) -> None:
    text = table.write_csv(separator=";")
    path.write_text(text.replace(".", ","))


def _utf_16(table: pl.DataFrame, path: Path) -> None:
    path.write_text(table.write_csv(), encoding="utf-16")


FORMS: dict[str, tuple[str, Callable[[pl.DataFrame, Path], object]]] = {
    "plain": ("csv", lambda table, path: table.write_csv(path)),
    "semicolons, decimal commas": ("csv", _semicolons),
    "CRLF": ("csv", lambda table, path: table.write_csv(path, line_terminator="\r\n")),
    "words in quotes": (
        "csv",
        lambda table, path: table.write_csv(path, quote_style="non_numeric"),
    ),
    "UTF-16": ("csv", _utf_16),
    "Parquet": ("parquet", lambda table, path: table.write_parquet(path)),
}


def child(path: str) -> None:
    start = perf_counter()
    from h2pc import read_dataset

    data = read_dataset(path, levels=3)
    seconds = perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6
    print(json.dumps({"seconds": seconds, "megabytes": peak, "data": repr(data)}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--forms", nargs="+", choices=FORMS, default=list(FORMS))
    parser.add_argument("--child", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.child:
        child(chosen.child)
        return
    table = Table(title=f"Text of {chosen.rows:,} rows and 20 columns, read and encoded")
    for heading in ("form", "file MB", "seconds", "peak MB"):
        table.add_column(heading, justify="left" if heading == "form" else "right")
    slow = False
    made = frame(chosen.rows)
    with tempfile.TemporaryDirectory() as folder:
        for form in chosen.forms:
            ending, write = FORMS[form]
            path = Path(folder) / f"table.{ending}"
            write(made, path)
            command = [sys.executable, __file__, "--child", str(path)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            found = json.loads(done.stdout.splitlines()[-1])
            size = path.stat().st_size / 1e6
            table.add_row(
                form, f"{size:.0f}", f"{found['seconds']:.2f}", f"{found['megabytes']:.0f}"
            )
            slow |= form == "plain" and found["seconds"] > LIMIT
    Console().print(table)
    sys.exit(f"a plain text takes more than {LIMIT:g} s" if slow else 0)


if __name__ == "__main__":
    main()

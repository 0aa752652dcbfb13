"""Time and memory to encode wide tables: 100,000 binary variables × 500, 20,000 continuous × 200.

Each kind of input is encoded in a process of its own, whose peak memory includes Python, the
libraries and the input itself.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
from importlib.util import find_spec
from time import perf_counter
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from h2pc import Dataset

KINDS = {"numpy": "NumPy", "pandas": "pandas", "polars": "polars"}
GENES = (20_000, 200)
MEGABYTE = 1e6
LIMIT = 1000.0


def peak_megabytes() -> float:
    """Return the most memory that this process ever held."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak * (1 if sys.platform == "darwin" else 1024) / MEGABYTE


def wide_table(kind: str, n_variables: int, n_samples: int, *, continuous: bool) -> Any:
    """Return random bits or normal numbers as a table of the given kind."""
    rng = np.random.default_rng(0)
    shape = (n_samples, n_variables)
    cells = rng.normal(size=shape) if continuous else rng.integers(0, 2, shape, np.int8)
    if kind == "numpy":
        return cells
    names = [f"x{v:06d}" for v in range(n_variables)]
    if kind == "pandas":
        import pandas as pd

        return pd.DataFrame(cells, columns=names, copy=False)
    import polars as pl

    return pl.from_numpy(cells, schema=names)


def measure(kind: str, n_variables: int, n_samples: int, *, continuous: bool) -> None:
    """Encode once and print the figures as JSON: what the child process does."""
    # Imports happen before the clock starts.
    Dataset.from_data(wide_table(kind, 3, 100, continuous=continuous))
    table = wide_table(kind, n_variables, n_samples, continuous=continuous)
    before = peak_megabytes()
    start = perf_counter()
    data = Dataset.from_data(table)
    seconds = perf_counter() - start
    bitmaps = data.cards.sum() * data.n_samples / 8
    held = (data.codes.nbytes + data.values.nbytes + bitmaps) / MEGABYTE
    print(
        json.dumps({"seconds": seconds, "before": before, "peak": peak_megabytes(), "held": held})
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--variables", type=int, default=100_000)
    parser.add_argument("--samples", type=int, default=500)
    parser.add_argument("--quick", action="store_true", help="the NumPy input only")
    parser.add_argument("--continuous", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--measure", choices=KINDS, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    size = (chosen.variables, chosen.samples)
    if chosen.measure:
        measure(chosen.measure, *size, continuous=chosen.continuous)
        return

    console = Console()
    table = Table(title="Encoding wide tables")
    headings = ("input", "variables", "samples", "seconds", "peak MB", "MB before", "MB of codes")
    for heading in headings:
        table.add_column(heading, justify="right")
    worst = 0.0
    kinds = ["numpy"] if chosen.quick else list(KINDS)
    for kind, shape in [(kind, shape) for shape in (size, GENES) for kind in kinds]:
        if find_spec(kind) is None:
            console.print(f"{kind} is not installed and left out.")
            continue
        words = ["--variables", str(shape[0]), "--samples", str(shape[1])]
        words += ["--continuous"] if shape is GENES else []
        command = [sys.executable, __file__, "--measure", kind, *words]
        with console.status(KINDS[kind]):
            child = subprocess.run(command, capture_output=True, text=True, check=False)
        if child.returncode != 0:
            raise SystemExit(f"{kind} failed:\n{child.stderr}")
        figures = json.loads(child.stdout)
        worst = max(worst, figures["peak"])
        table.add_row(
            KINDS[kind] + (" f8" if shape is GENES else " i1"),
            f"{shape[0]:,}",
            f"{shape[1]:,}",
            f"{figures['seconds']:.2f}",
            *(f"{figures[key]:,.0f}" for key in ("peak", "before", "held")),
        )
    console.print(table)
    verdict = "[green]holds [/]" if worst < LIMIT else "[red]missed[/]"
    console.print(f"{verdict}  less than {LIMIT:,.0f} MB in all; most {worst:,.0f} MB")


if __name__ == "__main__":
    main()

"""Time and memory to encode a wide table: 100,000 binary variables × 500 samples.

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

KINDS = {"numpy": "NumPy int8", "pandas": "pandas int8", "polars": "polars Int8"}
MEGABYTE = 1e6
LIMIT = 1000.0


def peak_megabytes() -> float:
    """Return the most memory that this process ever held."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak * (1 if sys.platform == "darwin" else 1024) / MEGABYTE


def wide_table(kind: str, n_variables: int, n_samples: int) -> Any:
    """Return random bits as a table of the given kind."""
    bits = np.random.default_rng(0).integers(0, 2, (n_samples, n_variables), np.int8)
    if kind == "numpy":
        return bits
    names = [f"x{v:06d}" for v in range(n_variables)]
    if kind == "pandas":
        import pandas as pd

        return pd.DataFrame(bits, columns=names, copy=False)
    import polars as pl

    return pl.from_numpy(bits, schema=names)


def measure(kind: str, n_variables: int, n_samples: int) -> None:
    """Encode once and print the figures as JSON: what the child process does."""
    Dataset.from_data(wide_table(kind, 3, 100))  # imports happen before the clock starts
    table = wide_table(kind, n_variables, n_samples)
    before = peak_megabytes()
    start = perf_counter()
    data = Dataset.from_data(table)
    seconds = perf_counter() - start
    held = (data.codes.nbytes + data.cards.sum() * data.n_samples / 8) / MEGABYTE
    print(
        json.dumps({"seconds": seconds, "before": before, "peak": peak_megabytes(), "held": held})
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--variables", type=int, default=100_000)
    parser.add_argument("--samples", type=int, default=500)
    parser.add_argument("--quick", action="store_true", help="the NumPy input only")
    parser.add_argument("--measure", choices=KINDS, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    size = (chosen.variables, chosen.samples)
    if chosen.measure:
        measure(chosen.measure, *size)
        return

    console = Console()
    table = Table(title=f"Encoding {size[0]:,} binary variables × {size[1]:,} samples")
    for heading in ("input", "seconds", "peak MB", "MB before", "MB of codes"):
        table.add_column(heading, justify="right")
    worst = 0.0
    for kind in ["numpy"] if chosen.quick else KINDS:
        if find_spec(kind) is None:
            console.print(f"{kind} is not installed and left out.")
            continue
        sizes = ["--variables", str(size[0]), "--samples", str(size[1])]
        command = [sys.executable, __file__, "--measure", kind, *sizes]
        with console.status(KINDS[kind]):
            child = subprocess.run(command, capture_output=True, text=True, check=False)
        if child.returncode != 0:
            raise SystemExit(f"{kind} failed:\n{child.stderr}")
        figures = json.loads(child.stdout)
        worst = max(worst, figures["peak"])
        table.add_row(
            KINDS[kind],
            f"{figures['seconds']:.2f}",
            *(f"{figures[key]:,.0f}" for key in ("peak", "before", "held")),
        )
    console.print(table)
    verdict = "[green]holds [/]" if worst < LIMIT else "[red]missed[/]"
    console.print(f"{verdict}  less than {LIMIT:,.0f} MB in all; most {worst:,.0f} MB")


if __name__ == "__main__":
    main()

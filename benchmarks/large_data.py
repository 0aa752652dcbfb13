"""Time and memory for one neighbourhood in large data: tall in a Parquet file, wide and sparse.

``tall`` is a tree of noisy copies, 10 million rows × 50 columns, that is written to a temporary
folder in pieces. ``wide`` is 2,000 rows × 200,000 columns of random bits around a planted
neighbourhood. Each is loaded and learned from in a process of its own.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

import h2pc
from h2pc import Dataset

SIZES = {"tall": (10_000_000, 50), "wide": (2_000, 200_000)}
GIGABYTE = 1e9
LIMIT = 8.0
PIECE = 500_000  # rows written at once
WORDS = np.array(["low", "middle", "high"])
DENSITY = 0.1  # of the bits of the wide data
ALPHA = {"tall": 0.05, "wide": 1e-4}  # among 200,000 columns, 0.05 lets in 10,000 by chance


def peak_gigabytes() -> float:
    """Return the most memory that this process ever held."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak * (1 if sys.platform == "darwin" else 1024) / GIGABYTE


def parent_of(column: int) -> int:
    """Return the column of which another one is a noisy copy."""
    return (column - 1) // 2


def write_tall(path: Path, n_rows: int, n_columns: int) -> None:
    """Write the tree to a Parquet file: every other column as words, the rest as integers."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(0)
    writer = None
    for start in range(0, n_rows, PIECE):
        size = min(PIECE, n_rows - start)
        codes = rng.integers(0, 3, (n_columns, size), np.int8)
        for j in range(1, n_columns):
            kept = rng.random(size, np.float32) < 0.7
            codes[j, kept] = codes[parent_of(j), kept]
        columns = {
            f"x{j:02d}": pa.array(WORDS[own]) if j % 2 else pa.array(own.astype(np.int64))
            for j, own in enumerate(codes)
        }
        piece = pa.table(columns)
        writer = writer or pq.ParquetWriter(path, piece.schema)
        writer.write_table(piece)
    if writer is not None:
        writer.close()


def wide_matrix(n_rows: int, n_columns: int) -> Any:
    """Return random bits as a sparse matrix; column 0 has causes 1 and 2 and an effect 3."""
    from scipy.sparse import csc_array

    rng = np.random.default_rng(0)
    sizes = rng.binomial(n_rows, DENSITY, n_columns)
    rows = [np.sort(rng.choice(n_rows, size, replace=False)) for size in sizes.tolist()]
    rows[:4] = map(np.flatnonzero, _planted(rng, n_rows))
    indices = np.concatenate(rows).astype(np.int32)
    starts = np.concatenate([[0], np.cumsum([own.size for own in rows])]).astype(np.int64)
    ones = np.ones(indices.size, np.int8)
    return csc_array((ones, indices, starts), shape=(n_rows, n_columns))


def _planted(rng: np.random.Generator, n_rows: int) -> list[NDArray[np.bool_]]:
    first, second = rng.random((2, n_rows)) < 0.5
    target = rng.random(n_rows) < 0.1 + 0.4 * first + 0.4 * second
    effect = rng.random(n_rows) < 0.15 + 0.7 * target
    return [target, first, second, effect]


def measure(kind: str, n_rows: int, n_columns: int, path: str) -> None:
    """Load and learn once, and print the figures as JSON: what the child process does."""
    small = h2pc.load_network("asia").sample(200, random_state=0)
    h2pc.skeleton(small, targets=["smoke"])  # imports happen before the clock starts
    matrix = wide_matrix(n_rows, n_columns) if kind == "wide" else None
    before = peak_gigabytes()
    start = perf_counter()
    if kind == "wide":
        data, target = Dataset.from_data(matrix), "X" + "0" * len(str(n_columns - 1))
    else:
        data, target = h2pc.read_dataset(path), "x01"
    loaded, peak_loaded = perf_counter() - start, peak_gigabytes()
    start = perf_counter()
    found = h2pc.skeleton(data, targets=[target], alpha=ALPHA[kind], n_jobs=2)
    print(
        json.dumps(
            {
                "load": loaded,
                "learn": perf_counter() - start,
                "before": before,
                "peak_loaded": peak_loaded,
                "peak": peak_gigabytes(),
                "held": (data.codes.nbytes + data.cards.sum() * data.n_samples / 8) / GIGABYTE,
                "neighbours": found.neighbours(target),
                "tests": found.n_tests,
            }
        )
    )


def measured(kind: str, n_rows: int, n_columns: int) -> dict[str, Any]:
    """Return the figures of a child process."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "tall.parquet"
        if kind == "tall":
            write_tall(path, n_rows, n_columns)
        sizes = ["--rows", str(n_rows), "--columns", str(n_columns)]
        command = [sys.executable, __file__, "--measure", kind, "--file", str(path), *sizes]
        child = subprocess.run(command, capture_output=True, text=True, check=False)
    if child.returncode != 0:
        raise SystemExit(f"{kind} failed:\n{child.stderr}")
    figures: dict[str, Any] = json.loads(child.stdout)
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kind", choices=SIZES, help="only one of the two")
    parser.add_argument("--rows", type=int, help="instead of those of both kinds")
    parser.add_argument("--columns", type=int, help="instead of those of both kinds")
    parser.add_argument("--measure", choices=SIZES, help=argparse.SUPPRESS)
    parser.add_argument("--file", default="", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.measure:
        measure(chosen.measure, chosen.rows, chosen.columns, chosen.file)
        return

    console = Console()
    table = Table(title="One neighbourhood in large data")
    headings = ("data", "rows", "columns", "load s", "learn s", "GB loading", "GB in all", "held")
    for heading in (*headings, "tests", "neighbours"):
        table.add_column(heading, justify="right")
    worst = 0.0
    for kind in [chosen.kind] if chosen.kind else SIZES:
        n_rows, n_columns = chosen.rows or SIZES[kind][0], chosen.columns or SIZES[kind][1]
        with console.status(kind):
            figures = measured(kind, n_rows, n_columns)
        worst = max(worst, figures["peak"])
        table.add_row(
            *(kind, f"{n_rows:,}", f"{n_columns:,}"),
            *(f"{figures[key]:.1f}" for key in ("load", "learn")),
            *(f"{figures[key]:.2f}" for key in ("peak_loaded", "peak", "held")),
            f"{figures['tests']:,}",
            " ".join(figures["neighbours"]),
        )
    console.print(table)
    verdict = "[green]holds [/]" if worst < LIMIT else "[red]missed[/]"
    console.print(f"{verdict}  less than {LIMIT:g} GB in all; most {worst:.2f} GB")


if __name__ == "__main__":
    main()

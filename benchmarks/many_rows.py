"""Seconds and memory of H2PC with all defaults on tables of a thousand to ten million rows.

``alarm`` is sampled from the network. In ``latent`` and ``latent50``, 20 and 50 columns of 5 to 20
levels follow three hidden factors, so that all depend on each other: the slowest tables that are
known. ``target`` learns around one of 50 columns. Every point has a process of its own, and prints
a line of JSON; seconds are those after the table is in memory. ``--old`` names the interpreter of
another version, or a folder with its sources: its lines follow those of this one, and answers are
compared.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import warnings
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from processes import figures_of_process, peak_megabytes, reset_peak

MOST_ROWS = {"alarm": 10**7, "latent": 10**7, "latent50": 10**6}  # of the tables learned in whole
ROWS_OF_TARGET = 10**7
PIECE = 10**6  # rows made at once
SEED = 1
SAME = ("edges", "score", "n_tests", "n_scores", "digest")  # what versions must agree on


def latent_codes(n_rows: int, n_columns: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return codes and numbers of levels of columns that mix three normal factors, with noise."""
    rng = np.random.default_rng(SEED)
    cards = rng.integers(5, 21, n_columns)
    weights = rng.standard_normal((n_columns, 3))
    edges: list[NDArray[np.float64]] = []
    codes = np.empty((n_columns, n_rows), np.uint8)
    for start in range(0, n_rows, PIECE):
        own = codes[:, start : start + PIECE]
        factors = rng.standard_normal((3, own.shape[1]))
        for j in range(n_columns):
            values = weights[j] @ factors + 0.7 * rng.standard_normal(own.shape[1])
            if start == 0:
                edges.append(np.quantile(values, np.linspace(0, 1, cards[j] + 1)[1:-1]))
            own[j] = np.searchsorted(edges[j], values)
    return codes, cards


def tree_codes(n_rows: int, n_columns: int) -> NDArray[np.uint8]:
    """Return codes of three levels: every column is a noisy copy of one before it."""
    rng = np.random.default_rng(SEED)
    codes = rng.integers(0, 3, (n_columns, n_rows), np.uint8)
    for j in range(1, n_columns):
        for start in range(0, n_rows, PIECE):
            own, parent = (codes[i, start : start + PIECE] for i in (j, (j - 1) // 2))
            np.copyto(own, parent, where=rng.random(own.size, np.float32) < 0.7)
    return codes


def table_of(kind: str, n_rows: int) -> Any:
    """Return a table as a data set."""
    from h2pc import Dataset, load_network

    if kind == "alarm":
        return load_network("alarm").sample(n_rows, random_state=SEED)
    if kind == "target":
        return Dataset.from_codes(tree_codes(n_rows, 50), cards=[3] * 50)
    codes, cards = latent_codes(n_rows, 50 if kind == "latent50" else 20)
    return Dataset.from_codes(codes, cards=cards)


def measure(kind: str, n_rows: int, variant: str) -> dict[str, Any]:
    """Learn once, and return the figures: what a child process does."""
    import h2pc

    warnings.simplefilter("ignore")
    h2pc.H2PC().fit(h2pc.load_network("asia").sample(200, random_state=0))  # imports
    data = table_of(kind, n_rows)
    targets = [data.names[1]] if kind == "target" else None
    learner = h2pc.H2PC(variant=variant, targets=targets)
    reset_peak()
    start, start_of_process = perf_counter(), process_time()
    found = learner.fit(data).result_
    seconds = {"all": perf_counter() - start, "processor": process_time() - start_of_process}
    graph = repr((found.dag.named_edges, found.score)).encode()
    return {
        "table": kind,
        "rows": n_rows,
        "columns": data.n_variables,
        "seconds": {
            key: round(value, 3) for key, value in {**seconds, **dict(found.seconds)}.items()
        },
        "peak_mb": round(peak_megabytes(), 1),
        "index_mb": round(data.index.n_bytes / 2**20),
        "edges": len(found.dag.named_edges),
        "score": found.score,
        "n_tests": found.n_tests,
        "n_scores": found.n_scores,
        "digest": hashlib.sha256(graph).hexdigest()[:12],
    }


def points(tables: list[str], most: int) -> Iterator[tuple[str, int]]:
    """All tables and numbers of rows, small ones first."""
    for kind in tables:
        if kind == "target":
            yield kind, min(most, ROWS_OF_TARGET)
            continue
        for exponent in range(3, 8):
            if 10**exponent <= min(most, MOST_ROWS[kind]):
                yield kind, 10**exponent


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", nargs="+", default=[*MOST_ROWS, "target"])
    parser.add_argument("--rows", type=int, default=10**7, help="the most rows")
    parser.add_argument("--variant", default="accurate", choices=["accurate", "paper"])
    parser.add_argument("--old", help="interpreter or folder of sources of another version")
    parser.add_argument("--json", type=Path, metavar="FILE", help="lines are added to this file")
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    chosen = parser.parse_args(arguments)
    if chosen.measure:
        print(json.dumps(measure(chosen.measure, chosen.rows, chosen.variant)))
        return
    versions = [None, chosen.old] if chosen.old else [None]
    differ = []
    for kind, n_rows in points(chosen.tables, chosen.rows):
        child = ["--measure", kind, "--rows", str(n_rows), "--variant", chosen.variant]
        lines = [figures_of_process(__file__, child, version) for version in versions]
        for version, line in zip(("new", "old"), lines, strict=False):
            text = json.dumps({"version": version, **line})
            print(text, flush=True)
            if chosen.json:
                with chosen.json.open("a", encoding="utf-8") as file:
                    file.write(text + "\n")
        if any(line[key] != lines[0][key] for line in lines for key in SAME):
            differ.append(f"{kind} of {n_rows:,} rows")
    if differ:
        raise SystemExit(f"other answers: {', '.join(differ)}")


if __name__ == "__main__":
    main()

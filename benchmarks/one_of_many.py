"""One target among up to a million binary variables with 500 samples: time, memory, what is found.

The target has a planted neighbourhood of eight, three parents and five children; everything else is
independent noise. The sources are

    codes         an array of codes, from which HPC learns the target alone
    sparse        a sparse matrix of scipy, and h2pc.skeleton around the target
    H2PC          the same matrix, and H2PC(targets=[…])
    parquet       a file of booleans, read by h2pc.read_dataset, and h2pc.skeleton
    command-line  the same file, and h2pc neighbours FILE --targets …

The level is 0.0001: among a million variables 100 are then linked to the target by chance. At the
0.05 of the paper these are 50,000, and DE-SPS tests each given every member of PCS; --alpha 0.05
measures that. Data are made and written by a process of their own, and read and learned from in
another one: seconds are those from its start to its end, and memory is its peak.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from processes import peak_megabytes

ALPHA = 1e-4
SEED = 1
N_PARENTS, N_CHILDREN = 3, 5
P_COPY = 0.85  # how often a child is as the target is
SOURCES = ("codes", "sparse", "H2PC", "parquet", "command-line")
LIMITS = {100_000: 5.0}  # seconds
MOST_SECONDS, MOST_GIGABYTES = 60.0, 4.0
BLOCK = 10_000


def planted(n_variables: int, n_samples: int, seed: int) -> tuple[int, dict[int, NDArray[np.int8]]]:
    """Return a target, and the columns of it, of its parents and of its children.

    The target follows the majority of its parents in 95 % of the samples, so that every parent
    has a link of its own; every child copies it in 85 %.
    """
    rng = np.random.default_rng(seed)
    target, *near = rng.choice(n_variables, 1 + N_PARENTS + N_CHILDREN, replace=False).tolist()
    columns = {v: rng.integers(0, 2, n_samples, np.int8) for v in near[:N_PARENTS]}
    majority = sum(columns.values()) > N_PARENTS // 2
    columns[target] = (majority ^ (rng.random(n_samples) < 0.05)).astype(np.int8)
    for child in near[N_PARENTS:]:
        columns[child] = columns[target] ^ (rng.random(n_samples) > P_COPY)
    return target, columns


def blocks(
    n_variables: int, n_samples: int, seed: int, density: float
) -> Iterator[tuple[int, NDArray[np.int8]]]:
    """Yield some columns at a time, one per row, with the number of the first of them."""
    _, columns = planted(n_variables, n_samples, seed)
    rng = np.random.default_rng(seed + 1)
    for first in range(0, n_variables, BLOCK):
        n = min(BLOCK, n_variables - first)
        block = (rng.random((n, n_samples), np.float32) < density).view(np.int8)
        for v, column in columns.items():
            if first <= v < first + n:
                block[v - first] = column
        yield first, block


def write_codes(path: Path, shape: tuple[int, int], seed: int, density: float) -> None:
    """Write an array of codes, one variable per row."""
    codes = np.lib.format.open_memmap(path, "w+", np.int8, shape)
    for first, block in blocks(*shape, seed, density):
        codes[first : first + len(block)] = block
    codes.flush()


def write_sparse(path: Path, shape: tuple[int, int], seed: int, density: float) -> None:
    """Write a sparse matrix, samples by variables."""
    from scipy.sparse import csc_array, save_npz

    n_variables, n_samples = shape
    ends = np.zeros(n_variables + 1, np.int32)
    for first, block in blocks(*shape, seed, density):
        ends[first + 1 : first + 1 + len(block)] = block.sum(axis=1)
    np.cumsum(ends, out=ends)
    rows = np.empty(ends[-1], np.int32)
    for first, block in blocks(*shape, seed, density):
        rows[ends[first] : ends[first + len(block)]] = np.nonzero(block)[1]
    ones = np.ones(len(rows), np.int8)
    matrix = csc_array((ones, rows, ends), shape=(n_samples, n_variables))
    save_npz(path, matrix, compressed=False)


def write_parquet(path: Path, shape: tuple[int, int], seed: int, density: float) -> None:
    """Write a Parquet file of booleans."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = [
        pa.array(row) for _, block in blocks(*shape, seed, density) for row in block.view(np.bool_)
    ]
    table = pa.Table.from_arrays(columns, names=[name_of(v, shape[0]) for v in range(shape[0])])
    pq.write_table(table, path, use_dictionary=False, write_statistics=False)


WRITERS = {".npy": write_codes, ".npz": write_sparse, ".parquet": write_parquet}
ENDINGS = {"codes": ".npy", "sparse": ".npz", "H2PC": ".npz"}


def name_of(v: int, n_variables: int) -> str:
    """Return the name of a variable: that which arrays without names get."""
    return f"X{v:0{len(str(n_variables - 1))}d}"


def found_in(source: str, path: Path, target: str, alpha: float) -> tuple[float, set[str]]:
    """Return the seconds of reading the data, and the neighbours that are found."""
    start = perf_counter()
    if source == "command-line":
        return 0.0, by_command(path, target, alpha)
    import h2pc

    data: Any
    if source == "codes":
        data = h2pc.Dataset.from_codes(np.load(path))
    elif source == "parquet":
        data = h2pc.read_dataset(path)
    else:
        from scipy.sparse import load_npz

        data = load_npz(path)
    read = perf_counter() - start
    if source == "codes":
        universe = tuple(range(data.n_variables))
        pc = h2pc.hpc(data.variable(target), h2pc.GTest(data, alpha), universe)
        return read, {data.names[v] for v in pc}
    if source == "H2PC":
        learner = h2pc.H2PC(targets=[target], alpha=alpha).fit(data)
        return read, set(learner.dag_.adjacent(target))
    return read, set(h2pc.skeleton(data, targets=[target], alpha=alpha).neighbours(target))


def by_command(path: Path, target: str, alpha: float) -> set[str]:
    """Return the neighbours that the command prints."""
    from h2pc.cli.main import app

    words = ["neighbours", str(path), "--targets", target, "--alpha", str(alpha)]
    with redirect_stdout(StringIO()) as printed:
        try:
            app([*words, "--json", "--quiet"])
        except SystemExit as end:
            if end.code:
                raise
    (told,) = json.loads(printed.getvalue())["targets"]
    return {link["name"] for link in told["neighbours"]}


def measure(chosen: argparse.Namespace) -> None:
    """Read, learn, and print the figures as JSON: what the process of one point does."""
    (n_variables,), (source,), (alpha,) = chosen.variables, chosen.source, chosen.alpha
    target, columns = planted(n_variables, chosen.samples, chosen.seed)
    read, found = found_in(source, chosen.file, name_of(target, n_variables), alpha)
    near = {name_of(v, n_variables) for v in columns if v != target}
    figures = {
        "variables": n_variables,
        "samples": chosen.samples,
        "source": source,
        "alpha": alpha,
        "file": chosen.file.stat().st_size / 1e9,
        "read": read,
        "cpu": process_time(),
        "gigabytes": peak_megabytes() / 1000,
        "missing": sorted(near - found),
        "extra": sorted(found - near),
    }
    print(json.dumps(figures))


def point(chosen: argparse.Namespace, path: Path, *words: str) -> dict[str, Any]:
    """Return the figures of one point, and how long its process took."""
    options = ["--samples", str(chosen.samples), "--seed", str(chosen.seed), "--file", str(path)]
    options += ["--density", str(chosen.density)]
    start = perf_counter()
    child = subprocess.run(
        [sys.executable, __file__, *words, *options], capture_output=True, text=True, check=False
    )
    if child.returncode != 0:
        raise SystemExit(f"{' '.join(words)} failed:\n{child.stderr}")
    figures: dict[str, Any] = json.loads(child.stdout or "{}")
    return figures | {"seconds": perf_counter() - start}


def aims_of(figures: dict[str, Any]) -> dict[str, bool]:
    """Return what should hold of a point, and whether it does."""
    most = LIMITS.get(figures["variables"], MOST_SECONDS)
    seconds, peak = figures["seconds"], figures["gigabytes"]
    return {
        "the planted neighbourhood is found": not figures["missing"],
        f"{seconds:.1f} s, at most {most:g}": seconds <= most,
        f"{peak:.2f} GB, at most {MOST_GIGABYTES:g}": peak <= MOST_GIGABYTES,
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--variables", type=int, nargs="+", default=[100_000], metavar="N")
    parser.add_argument("--source", choices=SOURCES, nargs="+", default=["codes", "sparse"])
    parser.add_argument("--alpha", type=float, nargs="+", default=[ALPHA])
    parser.add_argument("--samples", type=int, default=500, metavar="N")
    parser.add_argument("--density", type=float, default=0.5, help="share of ones in the noise")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--json", action="store_true", help="print a line of JSON for each point")
    for hidden in ("--file", "--write", "--measure"):
        kind: dict[str, Any] = {"type": Path} if hidden == "--file" else {"action": "store_true"}
        parser.add_argument(hidden, help=argparse.SUPPRESS, **kind)
    chosen = parser.parse_args()
    if chosen.write:
        shape = (chosen.variables[0], chosen.samples)
        WRITERS[chosen.file.suffix](chosen.file, shape, chosen.seed, chosen.density)
        return
    if chosen.measure:
        measure(chosen)
        return

    console = Console(soft_wrap=True)
    table = Table(title=f"One of many variables, {chosen.samples} samples")
    for heading in ("variables", "source", "alpha", "GB of file", "read s", "s", "CPU s", "GB"):
        table.add_column(heading, justify="right")
    verdicts = []
    with tempfile.TemporaryDirectory() as folder, console.status("") as status:
        for n_variables in chosen.variables:
            for source in chosen.source:
                path = Path(folder, f"{n_variables}{ENDINGS.get(source, '.parquet')}")
                if not path.exists():
                    status.update(f"{path.name} is written")
                    point(chosen, path, "--write", "--variables", str(n_variables))
                for alpha in chosen.alpha:
                    status.update(f"{n_variables:,} variables, {source}, alpha = {alpha:g}")
                    words = ["--variables", str(n_variables), "--source", source]
                    words += ["--alpha", str(alpha), "--measure"]
                    figures = point(chosen, path, *words)
                    if chosen.json:
                        print(json.dumps(figures), flush=True)
                        continue
                    columns = ("file", "read", "seconds", "cpu", "gigabytes")
                    numbers = [f"{figures[column]:.2f}" for column in columns]
                    table.add_row(f"{n_variables:,}", source, f"{alpha:g}", *numbers)
                    for aim, holds in aims_of(figures).items():
                        verdict = "[green]holds [/]" if holds else "[red]missed[/]"
                        where = f"{n_variables:,} {source} {alpha:g}"
                        extra = f"; {len(figures['extra'])} others" if "planted" in aim else ""
                        verdicts.append(f"{verdict}  {where}: {aim}{extra}")
            for path in Path(folder).iterdir():
                path.unlink()
    if not chosen.json:
        console.print(table)
        console.print(*verdicts, sep="\n")


if __name__ == "__main__":
    main()

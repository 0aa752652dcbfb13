"""Read, check and learn every table inside installed packages, and print what happened.

    python benchmarks/table_survey.py sklearn statsmodels lifelines vega_datasets pydataset

Arguments are packages, or folders. Tables inside of .tar.gz and .zip files are taken as well. A
second reader, pandas, says which columns number the rows and how many columns there are: none of
the former may get an edge, and no table of several columns may be read as one.
"""

from __future__ import annotations

import argparse
import csv
import importlib.util
import io
import sys
import tarfile
import tempfile
import traceback
import warnings
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import perf_counter

import numpy as np
import pandas as pd
from rich.console import Console
from rich.table import Table

ENDINGS = (".csv", ".tsv", ".tab", ".csv.gz", ".tsv.gz", ".csv.bz2", ".csv.xz")
ARCHIVES = (".tar.gz", ".tgz", ".zip")


@dataclass
class Outcome:
    """What became of one table."""

    path: str
    result: str = ""
    """``learned``, ``refused`` or ``bug``."""
    detail: str = ""
    left_out: list[str] = field(default_factory=list)
    n_edges: int = 0
    seconds: float = 0.0
    flags: list[str] = field(default_factory=list)
    """What must not happen."""


def tables_in(folder: Path, unpacked: Path) -> Iterator[Path]:
    """Yield the table files of a folder; those of archives are written to another one."""
    for path in sorted(folder.rglob("*")):
        name = path.name.lower()
        if name.endswith(ENDINGS):
            yield path
        elif name.endswith(ARCHIVES) and path.is_file():
            yield from _unpacked(path, unpacked / f"{path.parent.name}-{path.stem}")


def _unpacked(archive: Path, folder: Path) -> Iterator[Path]:
    for number, (name, content) in enumerate(_members(archive)):
        path = folder / f"{number:04}-{Path(name).name}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        yield path


def _members(archive: Path) -> Iterator[tuple[str, bytes]]:
    if archive.suffix == ".zip":
        with zipfile.ZipFile(archive) as opened:
            for name in opened.namelist():
                if name.lower().endswith(ENDINGS):
                    yield name, opened.read(name)
        return
    with tarfile.open(archive) as opened:
        for member in opened:
            of_macos = Path(member.name).name.startswith("._")
            if member.isfile() and member.name.lower().endswith(ENDINGS) and not of_macos:
                yield member.name, opened.extractfile(member).read()


def surveyed(path: Path, max_seconds: float) -> Outcome:
    """Read, check and learn one table."""
    import h2pc
    from h2pc.errors import H2pcError

    warnings.simplefilter("ignore")
    outcome = Outcome(str(path))
    start = perf_counter()
    try:
        found = h2pc.check(path)
        repr(found)
        outcome.left_out = [c.reason for c in found.columns if c.action == "left out"]
        data = h2pc.read_dataset(path, **found.suggested)
        learner = h2pc.H2PC(progress=False, max_seconds=max_seconds).fit(data)
        outcome.result, outcome.n_edges = "learned", len(learner.edges_)
        outcome.flags = _flags(path, learner.edges_, len(found.columns))
    except H2pcError as error:
        outcome.result, outcome.detail = "refused", str(error)
    except Exception as error:
        outcome.result, outcome.detail = "bug", f"{type(error).__name__}: {error}"
        outcome.flags.append("traceback: " + traceback.format_exc().splitlines()[-2].strip())
    outcome.seconds = perf_counter() - start
    return outcome


def _flags(path: Path, edges: list[tuple[str, str]], width: int) -> list[str]:
    """Return what must not happen, by another reader of the same file."""
    try:
        frame = _by_pandas(path)
    except (ValueError, csv.Error, pd.errors.ParserError, UnicodeError):
        return []
    found = []
    ends = {name for edge in edges for name in edge}
    for j, label in enumerate(frame.columns):
        values = frame[label]
        name = f"column {j + 1}" if str(label).startswith("Unnamed: ") else str(label)
        numbers_rows = (
            values.dtype.kind == "i" and len(values) > 20 and (np.diff(values) == 1).all()
        )
        if numbers_rows and name in ends:
            found.append(f"{name} numbers the rows and has an edge")
    if width == 1 and frame.shape[1] > 1:
        found.append("read as a single column")
    return found


def _by_pandas(path: Path) -> pd.DataFrame:
    content = path.read_bytes()
    if path.suffix in (".gz", ".bz2", ".xz"):
        return pd.read_csv(path)
    first = content[:20_000].decode("latin-1").splitlines()[:20]
    counts = {sep: min((line.count(sep) for line in first if line), default=0) for sep in ",;\t|"}
    sep = max(counts, key=lambda each: counts[each])
    return pd.read_csv(io.BytesIO(content), sep=sep, encoding="latin-1")


def folder_of(name: str) -> Path:
    """Return the folder of a package, or the folder itself."""
    if Path(name).is_dir():
        return Path(name)
    found = importlib.util.find_spec(name)
    if found is None or not found.submodule_search_locations:
        sys.exit(f"{name}: neither a package that is installed nor a folder")
    return Path(next(iter(found.submodule_search_locations)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("packages", nargs="+")
    parser.add_argument("--seconds", type=float, default=3.0, help="for learning one table")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--all", action="store_true", help="list every file")
    chosen = parser.parse_args()
    console, start = Console(width=110), perf_counter()
    by_package: dict[str, list[Outcome]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as unpacked, ProcessPoolExecutor(chosen.workers) as pool:
        for name in chosen.packages:
            paths = list(tables_in(folder_of(name), Path(unpacked) / Path(name).name))
            by_package[Path(name).name] = list(
                pool.map(partial(surveyed, max_seconds=chosen.seconds), paths)
            )
    _print(console, by_package, every=chosen.all)
    every = [each for outcomes in by_package.values() for each in outcomes]
    console.print(f"{len(every):,} files in {perf_counter() - start:.0f} s")
    sys.exit(1 if any(each.flags for each in every) else 0)


def _print(console: Console, by_package: dict[str, list[Outcome]], *, every: bool) -> None:
    table = Table(title="Tables inside of packages")
    headings = (
        "package",
        "files",
        "learned",
        "refused",
        "bugs",
        "edges",
        "row numbers",
        "constants",
    )
    for heading in (*headings, "identifiers", "slowest s"):
        table.add_column(heading, justify="left" if heading == "package" else "right")
    for name, outcomes in by_package.items():
        results = Counter(each.result for each in outcomes)
        reasons = Counter(reason.partition(":")[0] for each in outcomes for reason in each.left_out)
        numbers = (
            len(outcomes),
            *(results[word] for word in ("learned", "refused", "bug")),
            sum(each.n_edges for each in outcomes),
            reasons["row numbers"],
            reasons["constant"] + reasons["empty"],
            reasons["identifier"],
        )
        slowest = max((each.seconds for each in outcomes), default=0.0)
        table.add_row(name, *(f"{number:,}" for number in numbers), f"{slowest:.1f}")
    console.print(table)
    for outcomes in by_package.values():
        for each in outcomes:
            path = "/".join(Path(each.path).parts[-2:])
            if every or each.result != "learned" or each.flags:
                words = " | ".join([each.result, *each.flags, each.detail])
                console.print(f"{path}: {words}", markup=False, highlight=False, soft_wrap=True)


if __name__ == "__main__":
    main()

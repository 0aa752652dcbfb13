"""Seconds that HPC takes for the labels of text data, among all words and the other labels.

FOLDER holds NAME/NAME.arff.gz and NAME/NAME.xml, as distributed by Mulan. Reading is not timed;
making the test is.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from statistics import fmean
from time import perf_counter
from typing import NamedTuple

import numpy as np
from rich.console import Console
from rich.table import Table

from h2pc import Dataset, GTest, discretize, load_network
from h2pc.algorithms.hpc import Neighbourhood, hpc_neighbourhood
from h2pc.algorithms.neighbourhoods import neighbourhoods
from h2pc.io.arff import read_arff
from h2pc.io.coded_table import CodedTable
from h2pc.variables import Var, Vars

ALPHA = 0.05
AIMS = {"enron": 5.0, "bibtex": 60.0}  # seconds on two threads, for all labels
COUNTED = ("enron",)  # counting is a run of its own


class Sizes(NamedTuple):
    """What an extra run, not timed, looked at."""

    n_tests: int
    pcs: float
    sps: float
    mb: float
    pc: float


class Figures(NamedTuple):
    """One line of the table."""

    name: str
    n_samples: int
    n_variables: int
    n_labels: int
    all_labels: bool
    seconds: tuple[float, float]
    sizes: Sizes | None


def dataset_of(table: CodedTable) -> Dataset:
    """Return nominal columns as they are, and numeric ones cut in two at the median."""
    columns = {name: table.values(j) for j, name in enumerate(table.names)}
    words = dict(zip(table.names, table.categories, strict=True))
    numeric = [name for name in table.names if words[name] is None]
    codes, states = {}, {}
    if numeric:
        numbers = np.column_stack([columns[name] for name in numeric])
        for name, halves in zip(numeric, discretize(numbers, levels=2).T, strict=True):
            codes[name], states[name] = halves, tuple(range(int(halves.max()) + 1))
    for name, known in words.items():
        if known is not None:
            codes[name], states[name] = columns[name].astype(np.int64), known
    return Dataset.from_codes(
        np.array([codes[name] for name in table.names]),
        names=table.names,
        states=[states[name] for name in table.names],
    )


def seconds_for(
    data: Dataset, targets: Vars, n_jobs: int
) -> tuple[float, dict[Var, Neighbourhood]]:
    """Time HPC of all targets."""
    universe = tuple(range(data.n_variables))
    start = perf_counter()
    test = GTest(data, ALPHA)
    found = neighbourhoods(targets, test, universe, n_jobs=n_jobs)
    return perf_counter() - start, found


def sizes_for(data: Dataset, targets: Vars) -> Sizes:
    """Count the tests, and average the sizes of what HPC looks at."""
    test = GTest(data, ALPHA)
    universe = tuple(range(data.n_variables))
    found = [hpc_neighbourhood(target, test, universe) for target in targets]
    sets = ([getattr(one, kind) for one in found] for kind in ("pcs", "sps", "mb", "pc"))
    return Sizes(test.context.n_tests, *(fmean(map(len, members)) for members in sets))


def measured(folder: Path, name: str, n_labels: int | None) -> Figures:
    """Measure one data set."""
    place = folder / name
    table = read_arff(place / f"{name}.arff.gz", label_xml=place / f"{name}.xml")
    data = dataset_of(table)
    labels = table.labels[:n_labels]
    targets = data.variables(labels)
    one, found = seconds_for(data, targets, 1)
    two, same = seconds_for(data, targets, 2)
    if same != found:
        raise SystemExit(f"{name}: other neighbourhoods with two threads than with one.")
    return Figures(
        name,
        data.n_samples,
        data.n_variables,
        len(labels),
        labels == table.labels,
        (one, two),
        sizes_for(data, targets) if name in COUNTED else None,
    )


def printed(lines: list[Figures]) -> Table:
    """Return the table of all data sets."""
    table = Table(title="HPC of the labels of text data: seconds", caption_justify="left")
    headings = ("data", "n", "variables", "labels", "1 thread", "2 threads", "aim", "")
    for heading in (*headings, "tests", "PCS", "SPS", "MB", "PC"):
        table.add_column(heading, justify="right")
    for line in lines:
        one, two = line.seconds
        cells = [line.name, f"{line.n_samples:,}", f"{line.n_variables:,}", str(line.n_labels)]
        cells += [f"{one:.2f}", f"{two:.2f} ({one / two:.1f}×)"]
        aim = AIMS.get(line.name)
        cells.append("" if aim is None else f"{aim:g}")
        if aim is None or not line.all_labels:
            cells.append("")
        else:
            cells.append("[green]holds[/]" if two <= aim else "[red]missed[/]")
        if line.sizes is None:
            cells += [""] * 5
        else:
            cells.append(f"{line.sizes.n_tests:,}")
            cells += [f"{size:.1f}" for size in line.sizes[1:]]
        table.add_row(*cells)
    table.caption = "PCS, SPS, MB, PC: average sizes; tests and sizes of an extra run"
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="the folder of the data sets")
    parser.add_argument("--names", nargs="+", default=list(AIMS), metavar="NAME")
    parser.add_argument("--labels", type=int, metavar="K", help="the first K labels only")
    chosen = parser.parse_args()

    console = Console()
    if console.width < 120:
        console = Console(width=120)
    small = load_network("alarm").sample(500, random_state=0)
    seconds_for(small, tuple(range(small.n_variables)), 1)  # compiles
    lines = []
    with console.status("measuring") as status:
        for name in chosen.names:
            status.update(name)
            lines.append(measured(chosen.folder, name, chosen.labels))
    console.print(printed(lines))


if __name__ == "__main__":
    main()

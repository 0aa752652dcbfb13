"""Seconds of H2PC for the local graph around the labels of the paper's ten data sets.

The paper's own seconds (Table 6) stand beside them; they are of one fold of ten, ours of all the
rows. ``--folder`` names the folder of the data sets, each in a folder of its own.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from rich.console import Console
from rich.table import Table

from h2pc import H2PC, load_network, minimal_label_powersets, read_multilabel
from h2pc.algorithms.learn_result import LearnResult
from h2pc.experiments.fold_predictions import NumberedData
from h2pc.experiments.published import DATA_SETS, TABLE_6

AIM = 60.0


def learned(name: str, folder: Path, jobs: int) -> tuple[LearnResult, tuple[str, ...]]:
    """Local graph around the labels of a data set, and the labels."""
    data = NumberedData.of(read_multilabel(folder / name))
    learner = H2PC(targets=data.targets, n_jobs=jobs, progress=False)
    return learner.fit(data.discrete()).result_, data.targets


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=os.environ.get("H2PC_MULTILABEL"))
    parser.add_argument("--data", nargs="*", default=list(DATA_SETS))
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    if options.folder is None:
        parser.error("--folder (or H2PC_MULTILABEL) must name the folder of the data sets")
    H2PC(progress=False).fit(
        load_network("asia").sample(500, random_state=0)
    )  # loads the compiled code
    console = Console()
    table = Table(title=f"H2PC around the labels, {options.jobs} threads")
    for heading in ("data", "labels", "graph", "powersets", "tests", "skeleton", "search", "paper"):
        table.add_column(heading, justify="right")
    total = 0.0
    for name in options.data:
        result, labels = learned(name, options.folder, options.jobs)
        total += sum(result.seconds.values())
        console.print(name, result.seconds)
        table.add_row(
            name,
            f"{len(labels)}",
            f"{len(result.dag.names)}",
            f"{len(minimal_label_powersets(result.dag, labels))}",
            f"{result.n_tests:,}",
            f"{result.seconds['skeleton']:.2f}",
            f"{result.seconds['search']:.2f}",
            f"{TABLE_6[name, 'h2pc'].seconds:,.0f}",
        )
    console.print(table)
    console.print(f"Total {total:.1f} s (aim {AIM:.0f} s).")


if __name__ == "__main__":
    main()

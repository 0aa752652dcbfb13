"""Do glued data sets fall apart? The benchmark of Gasse, Aussem and Elghazel (2015).

Every data set is glued column by column to a copy of itself whose rows are shuffled. The labels of
the two halves are independent, so that no factor should have labels of both. ``--folder`` names the
folder of the data sets, each in a folder of its own.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

import numpy as np

from h2pc import Dataset, LabelFactors, irreducible_label_factors, read_multilabel
from h2pc.experiments.fold_predictions import NumberedData
from h2pc.experiments.published import DATA_SETS
from h2pc.multilabel.label_factors import ASSUMPTIONS

COPY = "'"
"""The end of the names of the copy's columns."""


class Row(NamedTuple):
    """What one assumption gave for one data set."""

    data: str
    n_labels: int
    assumption: str
    n_whole: int
    """Factors of the data set alone."""
    n_factors: list[int]
    """Factors of each glued data set."""
    n_apart: int
    """Glued data sets that fell apart."""


def glued(data: Dataset, rows: np.ndarray) -> Dataset:
    """Return the data beside a copy of them with other rows."""
    return Dataset.from_codes(
        np.vstack((data.codes, data.codes[:, rows])),
        names=(*data.names, *(name + COPY for name in data.names)),
        states=data.states * 2,
    )


def falls_apart(found: LabelFactors) -> bool:
    """Whether no factor has labels of both halves."""
    return all(len({label.endswith(COPY) for label in factor}) == 1 for factor in found.factors)


def measured(name: str, options: argparse.Namespace) -> Iterator[Row]:
    """Yield a row for each assumption."""
    numbered = NumberedData.of(read_multilabel(options.folder / name))
    data, labels = numbered.discrete(), numbered.targets
    both = (*labels, *(label + COPY for label in labels))
    rng = np.random.default_rng(options.random_state)
    shuffled = [glued(data, rng.permutation(data.n_samples)) for _ in range(options.repetitions)]
    for assumption in options.assumptions:
        settings: dict[str, Any] = {"assumption": assumption, "n_jobs": options.jobs}
        settings |= {"test": options.test, "alpha": options.alpha}
        whole = irreducible_label_factors(data, labels, **settings)
        found = [irreducible_label_factors(each, both, **settings) for each in shuffled]
        n_factors, n_apart = [len(each.factors) for each in found], sum(map(falls_apart, found))
        yield Row(name, len(labels), assumption, len(whole.factors), n_factors, n_apart)


def line(row: Row) -> str:
    """Return a line of the table."""
    n = len(row.n_factors)
    cells = row.data, row.n_labels, row.assumption, f"{row.n_apart} of {n}"
    return "| " + " | ".join(map(str, (*cells, row.n_whole, f"{mean(row.n_factors):.1f}"))) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=os.environ.get("H2PC_MULTILABEL"))
    parser.add_argument("--data", nargs="*", default=list(DATA_SETS))
    parser.add_argument("--assumptions", nargs="*", default=list(ASSUMPTIONS))
    parser.add_argument("--repetitions", type=int, default=10)
    parser.add_argument("--random-state", type=int, default=0)
    parser.add_argument("--test", default="auto")
    parser.add_argument("--alpha", type=float)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path, help="file that the lines of the table are added to")
    options = parser.parse_args()
    if options.folder is None:
        parser.error("--folder (or H2PC_MULTILABEL) must name the folder of the data sets")
    options.folder = Path(options.folder)
    headings = ("data", "labels", "assumption", "fell apart", "factors alone", "factors glued")
    head = (
        "# Label factors of glued data sets\n\n| "
        + " | ".join(headings)
        + " |\n|---|---:|---|---:|---:|---:|\n"
    )
    if options.out is not None and not options.out.exists():
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(head, encoding="utf-8")
    for name in options.data:
        for row in measured(name, options):
            print(line(row), flush=True)
            if options.out is not None:
                with options.out.open("a", encoding="utf-8") as file:
                    file.write(line(row) + "\n")


if __name__ == "__main__":
    main()

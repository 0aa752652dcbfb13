"""Networks from tables with missing cells: available cases beside dropping, a level, imputation.

Cells of samples of known networks are blanked at random. H2PC learns from what is left, with every
way of treating missing values; the graph is compared with the true one. See README.md here.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from statistics import fmean
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from rich.console import Console
from rich.table import Table

from h2pc import H2PC, Dataset, load_network
from h2pc.errors import DataError
from h2pc.metrics import shd, skeleton_scores

SAMPLES = {"alarm": 5000, "insurance": 5000, "andes": 5000, "pigs": 200}
SHARES = (0.02, 0.1, 0.3)


def imputed(frame: pd.DataFrame) -> Dataset:
    """Fill every missing cell with the most frequent value of its column."""
    return Dataset.from_data(frame.fillna(frame.mode().iloc[0]))


WAYS: dict[str, Callable[[pd.DataFrame], Dataset]] = {
    "available": lambda frame: Dataset.from_data(frame, missing="available"),
    "drop": lambda frame: Dataset.from_data(frame, missing="drop"),
    "level": lambda frame: Dataset.from_data(frame, missing="level"),
    "most frequent": imputed,
}


class Figures(NamedTuple):
    """How close a learned graph is to the true one."""

    shd: float
    recall: float
    precision: float
    seconds: float


def blanked(frame: pd.DataFrame, share: float, seed: int) -> pd.DataFrame:
    """Return the table with cells missing at random."""
    return frame.mask(np.random.default_rng(seed).random(frame.shape) < share)


def learned(data: Dataset, truth: Any) -> Figures:
    """Return the figures of the network that H2PC learns."""
    start = perf_counter()
    learner = H2PC(progress=False).fit(data)
    seconds = perf_counter() - start
    scores = skeleton_scores(learner.dag_, truth.dag)
    return Figures(shd(learner.cpdag_, truth.dag), scores.recall, scores.precision, seconds)


def mean(figures: list[Figures]) -> Figures:
    """Return the means of several runs."""
    return Figures(*map(fmean, zip(*figures, strict=True)))


def figures_of(network: str, n_samples: int, n_seeds: int) -> dict[tuple[float, str], Figures]:
    """Return the mean figures of every share and way; a way that leaves no row has none."""
    truth = load_network(network)
    found: dict[tuple[float, str], list[Figures]] = {}
    for seed in range(n_seeds):
        data = truth.sample(n_samples, random_state=seed)
        found.setdefault((0.0, "complete"), []).append(learned(data, truth))
        for share in SHARES:
            frame = blanked(data.to_pandas(), share, seed)
            for way, made in WAYS.items():
                try:
                    sample = made(frame)
                except DataError:  # every row has a missing value
                    continue
                found.setdefault((share, way), []).append(learned(sample, truth))
    return {key: mean(runs) for key, runs in found.items() if len(runs) == n_seeds}


def cell(figures: Figures | None) -> str:
    """Return figures as a cell of the table."""
    if figures is None:
        return "no row is left"
    return f"{figures.shd:.1f}  {figures.recall:.2f}  {figures.precision:.2f}"


def main() -> None:
    """Learn all networks and print how close they come."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--networks", nargs="+", default=list(SAMPLES), choices=list(SAMPLES))
    parser.add_argument("--seeds", type=int, default=3)
    chosen = parser.parse_args()
    table = Table(title=f"SHD, recall and precision of the skeleton; mean of {chosen.seeds}")
    for heading in ("network", "n", "missing", *WAYS):
        table.add_column(heading, justify="right")
    for network in chosen.networks:
        found = figures_of(network, SAMPLES[network], chosen.seeds)
        n_samples = f"{SAMPLES[network]:,}"
        table.add_row(network, n_samples, "0 %", cell(found[0.0, "complete"]))
        for share in SHARES:
            cells = [cell(found.get((share, way))) for way in WAYS]
            table.add_row("", "", f"{share:.0%}", *cells, end_section=share == SHARES[-1])
    Console(width=120).print(table)


if __name__ == "__main__":
    main()

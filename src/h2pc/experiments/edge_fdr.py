"""Actual false discovery rates of edges, on samples of networks whose graphs are known.

Run ``python -m h2pc.experiments.edge_fdr --out FOLDER``; it goes on where an earlier run stopped.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path
from typing import NamedTuple

from h2pc.errors import H2pcError, H2pcWarning, SettingError
from h2pc.experiments.edge_fdr_cells import FdrCell, false_discoveries, stable_edges
from h2pc.experiments.edge_fdr_pictures import save_calibration
from h2pc.experiments.edge_fdr_report import fdr_report, stability_report
from h2pc.experiments.edge_fdr_tables import Runs
from h2pc.experiments.stored_results import ExperimentSetup, run_experiment
from h2pc.io.files import replace_file
from h2pc.networks import load_network
from h2pc.runs import CellResult
from h2pc.runs.cells import RESULTS, read_cells

SAMPLES = (100, 500, 1000, 5000)
_LIBRARY = (
    "alarm",
    "insurance",
    "hailfinder",
    "hepar2",
    "win95pts",
    "andes",
    "munin1",
    "pigs",
)
_THOUSAND = ("random-1000-2", "random-1000-3", "random-1000-4")


class Plan(NamedTuple):
    """Networks, sizes of samples, and the number of samples of each size."""

    networks: tuple[str, ...]
    n_samples: tuple[int, ...] = SAMPLES
    repetitions: int = 50


PLANS = {
    "small": (Plan(("random-20-2", "asia"), (200,), 2),),
    "whole": (
        Plan(tuple(f"random-{n}-{degree}" for n, degree in product((100, 300), (2, 3, 4)))),
        Plan(_THOUSAND, (100,)),
        Plan(_THOUSAND, (500, 1000, 5000), 20),
        Plan(_LIBRARY),
        Plan(("link",), SAMPLES, 20),
    ),
}
STABILITY_PLANS = {
    "small": (Plan(("random-20-2",), (200,), 2),),
    "whole": (
        Plan(("random-100-2", "random-100-3"), (500, 1000, 5000)),
        Plan(("random-300-2",), (1000,), 20),
        Plan(("alarm", "hepar2"), (1000,)),
    ),
}


@dataclass(frozen=True)
class FdrSetup(ExperimentSetup):
    """All that decides the results of the experiment, besides the plan."""

    experiment = "edge_fdr"
    seed: int = 0


def run_plans(
    folder: Path,
    plans: Sequence[Plan],
    measure: Callable[[FdrCell, int], CellResult],
    setup: FdrSetup,
    n_jobs: int | None = None,
) -> Runs:
    """Run the cells that the folder does not have yet; return those of the plans."""
    cells = [
        FdrCell(network, n_samples, repetition)
        for plan in plans
        for network, n_samples, repetition in product(
            plan.networks, plan.n_samples, range(plan.repetitions)
        )
    ]
    run_experiment(
        folder,
        cells,
        partial(_quiet, measure, setup.seed),
        setup,
        order=_seconds,
        n_jobs=n_jobs,
    )
    stored = read_cells(folder / RESULTS, FdrCell._fields)
    return {cell: stored[tuple(cell)] for cell in cells}


def _seconds(cell: FdrCell) -> tuple[bool, float, int]:
    """Return what sorts cells: quick ones first, about; link has large boundaries."""
    kind, *sizes = cell.network.split("-")
    n_variables = int(sizes[0]) if sizes else len(load_network(kind).names)
    return cell.network == "link", n_variables**2 * cell.n_samples**0.5, cell.repetition


def _quiet(measure: Callable[[FdrCell, int], CellResult], seed: int, cell: FdrCell) -> CellResult:
    """Return the result of a cell, without warnings of variables that few samples cannot test."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", H2pcWarning)
        return measure(cell, seed)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the experiment with the options of the command line, and write its report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--plan", choices=PLANS, default="whole", help="networks and samples")
    parser.add_argument(
        "--repetitions", type=int, help="samples of each size, instead of the plan's"
    )
    parser.add_argument("--random-state", type=int, default=0, help="seed of all samples")
    parser.add_argument("--n-jobs", type=int, help="processes")
    parser.add_argument("--out", metavar="FOLDER", required=True, help="folder of the results")
    chosen = parser.parse_args(arguments)
    if chosen.repetitions is not None and chosen.repetitions < 1:
        parser.error(f"--repetitions must be at least 1; got {chosen.repetitions}.")
    changes = {} if chosen.repetitions is None else {"repetitions": chosen.repetitions}
    folder, setup = Path(chosen.out), FdrSetup(chosen.random_state)
    try:
        plans = [plan._replace(**changes) for plan in PLANS[chosen.plan]]
        runs = run_plans(folder / "rates", plans, false_discoveries, setup, chosen.n_jobs)
        plans = [plan._replace(**changes) for plan in STABILITY_PLANS[chosen.plan]]
        stable = run_plans(folder / "stability", plans, stable_edges, setup, chosen.n_jobs)
    except (H2pcError, SettingError) as error:
        raise SystemExit(str(error)) from None
    try:
        picture = next(path.name for path in save_calibration(runs, folder))
    except ModuleNotFoundError:  # matplotlib
        picture = None
    report = fdr_report(runs, picture) + stability_report(stable)
    replace_file(folder / "report.md", report)
    print(report)


if __name__ == "__main__":
    main()

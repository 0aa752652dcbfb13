"""The quality of the skeletons of HPC and MMPC, beside other implementations of HPC.

Run it as ``python -m h2pc.experiments.skeleton_quality --network alarm --n-samples 500``.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from statistics import mean
from typing import Literal

from rich.console import Console

from h2pc import load_network, skeleton, skeleton_scores
from h2pc.experiments.markdown_tables import MarkdownTable

LearnerName = Literal["hpc", "mmpc"]
LEARNERS: tuple[LearnerName, ...] = ("hpc", "mmpc")

# Recall of other implementations on samples of their own, same test, level and power rule.
REPORTED_RECALL = {
    ("alarm", 500): {"HPC, authors (2014)": "0.78-0.80", "HPC, bnlearn 5.2.1": "0.57"},
}


_COLUMNS = ("recall", "precision", "distance", "tests", "seconds")

SkeletonRun = dict[str, float]
"""The quality of the skeleton learned from one sample, by column."""


def runs(
    network: str, learner: LearnerName, n_samples: int, repetitions: int, n_jobs: int | None = None
) -> list[SkeletonRun]:
    """Return the quality of skeletons learned from samples with the seeds 0, 1, 2, …."""
    truth = load_network(network)
    found = []
    for seed in range(repetitions):
        data = truth.sample(n_samples, random_state=seed)
        result = skeleton(data, learner, n_jobs=n_jobs, progress=False)
        scores = skeleton_scores(result.skeleton, truth.dag)
        quality = {name: getattr(scores, name) for name in ("recall", "precision", "distance")}
        found.append({**quality, "tests": result.n_tests, "seconds": result.seconds})
    return found


def quality_table(
    network: str, n_samples: int, found: Mapping[LearnerName, Sequence[SkeletonRun]]
) -> MarkdownTable:
    """Return the means over the runs of every learner, and reported values."""
    rows: list[tuple[str, ...]] = []
    for learner, done in found.items():
        means = {key: mean(run[key] for run in done) for key in _COLUMNS}
        shown = (
            f"{value:,.0f}" if key == "tests" else f"{value:.3f}" for key, value in means.items()
        )
        rows.append((learner.upper(), *shown))
    for title, recall in REPORTED_RECALL.get((network, n_samples), {}).items():
        rows.append((title, recall, "", "", "", ""))
    return MarkdownTable(("skeleton of", *_COLUMNS), rows)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table for the options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--network", default="alarm", help="a network of the library")
    parser.add_argument("--n-samples", type=int, default=500, help="size of each sample")
    parser.add_argument("--repetitions", type=int, default=10, help="number of samples")
    parser.add_argument("--n-jobs", type=int, help="number of threads")
    chosen = vars(parser.parse_args(arguments))
    found = {learner: runs(learner=learner, **chosen) for learner in LEARNERS}
    network, n_samples = chosen["network"], chosen["n_samples"]
    title = f"{network}, {n_samples} samples, mean of {chosen['repetitions']}"
    Console().print(quality_table(network, n_samples, found).as_rich(title))


if __name__ == "__main__":
    main()

"""The quality of the skeletons of HPC and MMPC, beside other implementations of HPC.

Run it as ``python -m h2pc.experiments.skeleton_quality --network alarm --n-samples 500``.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from statistics import mean
from typing import Literal, NamedTuple

from rich.console import Console
from rich.table import Table

from h2pc import SkeletonResult, SkeletonScores, load_network, skeleton, skeleton_scores

LearnerName = Literal["hpc", "mmpc"]
LEARNERS: tuple[LearnerName, ...] = ("hpc", "mmpc")


class Run(NamedTuple):
    """One sample, and what was learned from it."""

    scores: SkeletonScores
    result: SkeletonResult


class Reported(NamedTuple):
    """The recall of another implementation of HPC."""

    implementation: str
    recall: str


# Recall of the skeletons on samples of their own, same test, level and power rule.
REPORTED = {
    ("alarm", 500): (
        Reported("HPC, authors (2014)", "0.78-0.80"),
        Reported("HPC, bnlearn 5.2.1", "0.57"),
    ),
}

COLUMNS: tuple[tuple[str, Callable[[Run], float], str], ...] = (
    ("recall", lambda run: run.scores.recall, ".3f"),
    ("precision", lambda run: run.scores.precision, ".3f"),
    ("distance", lambda run: run.scores.distance, ".3f"),
    ("tests", lambda run: run.result.n_tests, ",.0f"),
    ("seconds", lambda run: run.result.seconds, ".3f"),
)


def runs(
    network: str,
    learner: LearnerName,
    n_samples: int,
    repetitions: int,
    *,
    alpha: float = 0.05,
    n_jobs: int | None = None,
) -> list[Run]:
    """Learn the skeleton of a network from samples with the seeds 0, 1, 2, ….

    The order of the columns does not matter to the result; it is not shuffled.

    Examples
    --------
    >>> [run] = runs("asia", "hpc", 1000, repetitions=1)
    >>> run.scores.recall
    0.75
    """
    truth = load_network(network)
    outcomes = []
    for seed in range(repetitions):
        data = truth.sample(n_samples, random_state=seed)
        result = skeleton(data, learner, alpha=alpha, n_jobs=n_jobs, progress=False)
        outcomes.append(Run(skeleton_scores(result.skeleton, truth.dag), result))
    return outcomes


def quality_table(network: str, n_samples: int, found: Mapping[LearnerName, list[Run]]) -> Table:
    """Return the means over the runs of every learner, and what others report."""
    repetitions = max(map(len, found.values()))
    table = Table(title=f"{network}, {n_samples} samples, mean of {repetitions}")
    table.add_column("skeleton of", no_wrap=True)
    for heading, _, _ in COLUMNS:
        table.add_column(heading, justify="right")
    for learner, outcomes in found.items():
        means = [format(mean(map(value, outcomes)), form) for _, value, form in COLUMNS]
        table.add_row(learner.upper(), *means)
    for other in REPORTED.get((network, n_samples), ()):
        table.add_row(other.implementation, other.recall)
    return table


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--network", default="alarm", help="a network of the library")
    parser.add_argument("--n-samples", type=int, default=500, help="size of each sample")
    parser.add_argument("--repetitions", type=int, default=10, help="number of samples")
    parser.add_argument("--alpha", type=float, default=0.05, help="level of the tests")
    parser.add_argument("--n-jobs", type=int, help="number of threads")
    chosen = parser.parse_args(arguments)

    found = {
        learner: runs(
            chosen.network,
            learner,
            chosen.n_samples,
            chosen.repetitions,
            alpha=chosen.alpha,
            n_jobs=chosen.n_jobs,
        )
        for learner in LEARNERS
    }
    Console().print(quality_table(chosen.network, chosen.n_samples, found))


if __name__ == "__main__":
    main()

"""Microseconds per G² test where cells are missing, beside the same tests on the complete sample.

The questions are those of tests_per_second.py; both samples take turns in the same run, in one
thread, and the best of several turns counts.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from h2pc import Dataset, GTest
from tests_per_second import (
    Question,
    Run,
    all_pairs,
    best_microseconds,
    cards_of,
    conditional_questions,
    dependent_sample,
)

COMPLETE, AVAILABLE = "complete", "available"
AIM = 1.5


def blanked(data: Dataset, share: float) -> Dataset:
    """The same sample with cells missing at random."""
    codes = data.codes.astype(np.int64)
    codes[np.random.default_rng(0).random(codes.shape) < share] = -1
    return Dataset.from_codes(codes, cards=data.cards, missing="available")


def run_of(data: Dataset, questions: list[Question], *, marginal: bool) -> Run:
    """Return the tests of one sample; those without conditions include counting all pairs."""
    ready = GTest(data, power_rule=0.0, cache_size=0)
    fresh = [data]

    def forget() -> None:
        if marginal:
            fresh[0] = _copied(data)

    def answers() -> list[Any]:
        test = GTest(fresh[0], power_rule=0.0, cache_size=0) if marginal else ready
        return [test.log_p_many(*question) for question in questions]

    return Run(questions, answers, forget)


def _copied(data: Dataset) -> Dataset:
    return Dataset(data.names, data.columns, data.codes, data.cards, data.states, None)


def measured(levels: str, n_samples: int, n_conditions: int, share: float, budget: float) -> Any:
    """Return the microseconds of both samples."""
    data = dependent_sample(cards_of(levels), n_samples, seed=n_samples)
    questions = conditional_questions(n_conditions) if n_conditions else all_pairs()
    marginal = n_conditions == 0
    contestants = {
        COMPLETE: run_of(data, questions, marginal=marginal),
        AVAILABLE: run_of(blanked(data, share), questions, marginal=marginal),
    }
    for run in contestants.values():
        run.answers()
    return best_microseconds(contestants, budget)


def main() -> None:
    """Measure all rows and print them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--share", type=float, default=0.1, help="of missing cells")
    parser.add_argument("--budget", type=float, default=0.3, help="seconds per sample and row")
    parser.add_argument("--n-samples", type=int, nargs="+", default=[1000, 5000, 50_000])
    options = parser.parse_args()
    table = Table(title=f"Microseconds per test, {options.share:.0%} of the cells missing")
    for heading in ("shape", "levels", "n", COMPLETE, AVAILABLE, "times"):
        table.add_column(heading, justify="right")
    ratios = []
    for n_conditions in (0, 1, 2, 3):
        for levels in ("2", "3", "4", "2-20"):
            for n_samples in options.n_samples:
                found = measured(levels, n_samples, n_conditions, options.share, options.budget)
                ratio = found[AVAILABLE] / found[COMPLETE]
                ratios.append(ratio)
                table.add_row(
                    f"|Z| = {n_conditions}" if n_conditions else "marginal",
                    levels,
                    f"{n_samples:,}",
                    f"{found[COMPLETE]:.3f}",
                    f"{found[AVAILABLE]:.3f}",
                    f"{ratio:.2f}",
                )
    Console().print(table)
    mean = float(np.exp(np.mean(np.log(ratios))))
    n_above = sum(ratio > AIM for ratio in ratios)
    print(f"geometric mean {mean:.2f}; {n_above} of {len(ratios)} rows above {AIM:g}")


if __name__ == "__main__":
    main()

"""What must not matter to a skeleton: orders, names of levels, workers and their backend.

The links are so strong that p-values underflow, and some columns are copies of others: many
choices are ties, up to what log p-values and the names of the variables tell apart.
"""

from __future__ import annotations

from functools import cache
from typing import Literal

import joblib
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from h2pc import Dataset, GTest, SkeletonResult, load_network, skeleton
from h2pc.variables import without
from strategies import examples

SAMPLES = {"asia": 20_000, "child": 20_000, "alarm": 20_000}
LEARNERS = ("hpc", "mmpc")
LearnerName = Literal["hpc", "mmpc"]

seeds = st.integers(0, 2**32 - 1)
every_case = pytest.mark.parametrize(
    ("network", "learner"), [(network, learner) for network in SAMPLES for learner in LEARNERS]
)


@cache
def sample(network: str, n_samples: int | None = None) -> Dataset:
    """A sample with copies of three of its columns: one as it is, two with other levels."""
    data = load_network(network).sample(n_samples or SAMPLES[network], random_state=11)
    chosen = [1, 3, 6]
    copies = data.codes[chosen]
    copies[1:] = data.cards[chosen[1:], None] - 1 - copies[1:]
    return Dataset.from_codes(
        np.concatenate((data.codes, copies)),
        cards=[*data.cards, *data.cards[chosen]],
        names=[*data.names, "a copy", data.names[3] + " copy", "z copy"],
    )


@cache
def expected(network: str, learner: LearnerName, test: Literal["g2", "chi2"]) -> SkeletonResult:
    return skeleton(sample(network), learner, test=test)


def shuffled_columns(data: Dataset, rng: np.random.Generator) -> Dataset:
    order = rng.permutation(data.n_variables)
    return Dataset.from_codes(
        data.codes[order], cards=data.cards[order], names=[data.names[v] for v in order]
    )


def shuffled_rows(data: Dataset, rng: np.random.Generator) -> Dataset:
    return data.take(rng.permutation(data.n_rows))


def shuffled_levels(data: Dataset, rng: np.random.Generator) -> Dataset:
    codes = data.codes.copy()
    for row, card in zip(codes, data.cards, strict=True):
        row[:] = rng.permutation(card)[row]
    return Dataset.from_codes(codes, cards=data.cards, names=data.names)


def shuffled_everything(data: Dataset, rng: np.random.Generator) -> Dataset:
    for shuffled in (shuffled_columns, shuffled_rows, shuffled_levels):
        data = shuffled(data, rng)
    return data


def renamed_levels(data: Dataset, rng: np.random.Generator) -> pd.DataFrame:
    """The same table with a random word for every level, so that they sort differently."""
    frame = {}
    for name, codes, card in zip(data.names, data.codes, data.cards, strict=True):
        words = np.array([f"{number:x}" for number in rng.choice(10_000, card, replace=False)])
        frame[name] = words[codes]
    return pd.DataFrame(frame)


def test_the_samples_are_what_they_claim_to_be():
    for network in SAMPLES:
        test = GTest(sample(network))
        variables = tuple(range(test.data.n_variables))
        strongest = [np.sort(test.log_p_many(v, without(variables, v)))[:2] for v in variables]

        # Two links of the same variable that tie as p-values, and are told apart by their logs.
        underflow = [log_p for log_p in strongest if np.exp(log_p).max() == 0.0]
        assert any(weak > strong for strong, weak in underflow)
        assert np.isfinite(strongest).all()


@every_case
@pytest.mark.parametrize(
    ("shuffled", "test"),
    [
        (shuffled_columns, "g2"),
        (shuffled_rows, "g2"),
        (shuffled_levels, "g2"),
        (shuffled_everything, "g2"),
        (shuffled_everything, "chi2"),
    ],
)
@given(seed=seeds)
@examples(2)
def test_orders_change_nothing(network, learner, test, shuffled, seed):
    data = shuffled(sample(network), np.random.default_rng(seed))

    assert skeleton(data, learner, test=test) == expected(network, learner, test)


@every_case
def test_names_of_levels_change_nothing(network, learner):
    frames = [renamed_levels(sample(network), np.random.default_rng(seed)) for seed in range(2)]
    one, other = (skeleton(frame, learner) for frame in frames)

    assert one == other


@every_case
@pytest.mark.parametrize("n_jobs", [2, 3])
def test_the_number_of_workers_changes_nothing(network, learner, n_jobs):
    result = skeleton(sample(network), learner, n_jobs=n_jobs)

    assert result == expected(network, learner, "g2")


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("backend", ["loky", "threading", "sequential"])
def test_the_backend_changes_nothing(learner, backend):
    data = sample("alarm", 40_000)  # large enough to reach other processes as a mapped file
    assert data.codes.nbytes > 1_000_000

    with joblib.parallel_config(backend=backend):
        result = skeleton(data, learner, n_jobs=2)

    assert result == skeleton(data, learner)


@given(seed=seeds)
@examples(5)
def test_targets_of_shuffled_data_have_the_neighbours_of_the_whole(seed):
    rng = np.random.default_rng(seed)
    whole = expected("alarm", "hpc", "g2")
    target = str(rng.choice(whole.skeleton.names))
    data = shuffled_everything(sample("alarm"), rng)

    result = skeleton(data, targets=[target], n_jobs=2)

    assert result.neighbours(target) == whole.neighbours(target)

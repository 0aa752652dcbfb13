"""Estimates of what learning takes: their parts, what they refuse, and that they change nothing."""

from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from h2pc import (
    GES,
    H2PC,
    MMHC,
    Dataset,
    estimate_cost,
    load_network,
    make_bayesian_network,
    make_linear_gaussian_network,
)
from h2pc.errors import DataError, SettingError
from h2pc.learners.cost_estimate import CostEstimate, estimate_of_long_run


@pytest.fixture(scope="module")
def alarm():
    return load_network("alarm").sample(1000, random_state=1)


def mixed_table():
    rng = np.random.default_rng(4)
    height, sex = rng.normal(size=300), rng.integers(0, 2, 300)
    weight = height + 0.5 * sex + rng.normal(size=300)
    return {"height": height, "sex": sex.astype(str), "weight": weight}


def test_the_parts_are_no_more_than_the_whole(alarm):
    estimate = estimate_cost(alarm)

    assert 0.0 < estimate.skeleton < estimate.seconds
    assert 0.0 < estimate.search < estimate.seconds
    assert estimate.skeleton + estimate.search <= estimate.seconds
    assert 0 < estimate.n_timed <= estimate.n_targets == 37


@pytest.mark.parametrize(
    "learner",
    [
        H2PC(variant="paper"),
        H2PC(symmetry="or"),
        H2PC(fdr=0.05),
        H2PC(outside_penalty=None),
        H2PC(test="permutation", alpha=0.01),
        H2PC(scoring="bic", max_parents=2, n_jobs=2),
        H2PC(targets=["HR"]),
        H2PC(targets=["HR", "BP"], symmetry="or"),
        H2PC(required=[("HR", "BP")], forbidden=[("CO", "BP")], n_jobs=-1),
        MMHC(),
        MMHC(targets=["HR"]),
        MMHC(targets=["HR"], variant="paper"),
        H2PC(max_memory=10**12, max_seconds=1e-9),
    ],
    ids=repr,
)
def test_there_is_an_estimate_for_all_parameters_of_hybrid_learners(alarm, learner):
    estimate = estimate_cost(alarm, learner)

    assert 0.0 < estimate.skeleton + estimate.search <= estimate.seconds
    assert 0 < estimate.n_timed <= 37
    assert estimate.most_bytes > 1_000_000


def holed():
    data = load_network("asia").sample(500, random_state=1)
    codes = data.codes.astype(int)
    codes[2, ::7] = -1
    return Dataset.from_codes(codes, cards=data.cards, missing="available")


@pytest.mark.parametrize(
    "data",
    [
        make_linear_gaussian_network(12, random_state=1).sample(300, random_state=1),
        mixed_table(),
        holed(),
        {"a": ["x", "y"] * 20},
        {"a": ["x", "y"] * 20, "b": [1, 2] * 20},
        {"a": ["x", "y"] * 20, "b": [1, 2, 2, 1] * 10},
    ],
    ids=["continuous", "mixed", "missing cells", "one variable", "copies", "independent"],
)
def test_there_is_an_estimate_for_all_kinds_of_data(data):
    estimate = estimate_cost(data)

    assert estimate.seconds > 0.0
    assert 0 < estimate.n_timed <= estimate.n_targets


def test_copies_are_no_targets():
    data = load_network("asia").sample(500, random_state=1)
    twice = Dataset.from_codes(np.vstack([data.codes, data.codes[:3]]))

    assert estimate_cost(twice).n_targets == data.n_variables


def test_around_a_target_fewer_neighbourhoods_are_learned_than_there_are_variables():
    data = make_bayesian_network(150, random_state=3).sample(500, random_state=3)

    around = estimate_cost(data, H2PC(targets=data.names[:2]))

    assert 2 <= around.n_timed <= around.n_targets < estimate_cost(data).n_targets == 150


def test_around_targets_as_many_targets_are_learned_as_are_announced_where_all_are_timed():
    # X → Y → Z → W: X, Y confirms it and then has a neighbourhood of its own, which Z confirms.
    rng = np.random.default_rng(2)
    chain = [rng.integers(0, 2, 2000)]
    for _ in range(3):
        chain.append(np.where(rng.random(2000) < 0.85, chain[-1], 1 - chain[-1]))
    data = Dataset.from_data(dict(zip("xyzw", chain, strict=True)))

    estimate = estimate_cost(data, H2PC(targets=["x"]))

    assert estimate.n_targets == estimate.n_timed + 1 == 4  # z confirms y as y confirmed x


def test_memory_grows_with_the_number_of_variables():
    wide = make_bayesian_network(400, random_state=1).sample(200, random_state=1)
    narrow = Dataset.from_codes(wide.codes[:20], cards=wide.cards[:20])

    first = estimate_cost(narrow)

    assert estimate_cost(wide).most_bytes > first.most_bytes


def test_what_is_learned_afterwards_is_the_same():
    network = load_network("insurance")
    untouched, data = (network.sample(1000, random_state=5) for _ in range(2))
    learner = H2PC(n_jobs=2)

    estimate_cost(data, learner)

    assert not hasattr(learner, "dag_")
    assert learner.fit(data).result_ == H2PC(n_jobs=2).fit(untouched).result_


def test_learners_without_a_skeleton_are_refused(alarm):
    with pytest.raises(SettingError, match=r"learner must be H2PC or MMHC: .* got GES"):
        estimate_cost(alarm, GES())


def test_parameters_and_names_are_checked_as_by_fit(alarm):
    with pytest.raises(SettingError, match="alpha must be a number"):
        estimate_cost(alarm, H2PC(alpha="much"))
    with pytest.raises(DataError, match="nobody"):
        estimate_cost(alarm, H2PC(targets=["nobody"]))


def test_nothing_is_timed_where_sizes_tell_that_learning_is_short(alarm):
    many = Dataset.from_codes(np.tile(alarm.codes, 400), cards=alarm.cards)

    assert estimate_of_long_run(alarm, H2PC()) is None
    assert estimate_of_long_run(alarm, H2PC(test="permutation")) is not None
    assert estimate_of_long_run(many, H2PC()) is not None
    assert estimate_of_long_run(many, GES()) is None


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.02, "0.02 s"),
        (42.4, "42 s"),
        (130.0, "2.2 minutes"),
        (1e4, "2.8 hours"),
        (1e6, "12 days"),
    ],
)
def test_an_estimate_is_a_frozen_sentence(seconds, words):
    estimate = CostEstimate(seconds, 0.5, 0.25, 2_500_000_000, n_timed=3, n_targets=30)

    assert str(estimate) == f"about {words} (skeleton 0.5 s, search 0.25 s) and 2.5 GB of memory"
    with pytest.raises(FrozenInstanceError):
        estimate.seconds = 0.0

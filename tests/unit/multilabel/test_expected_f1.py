"""Label sets that maximise expected scores, against all label sets."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from h2pc.errors import DataError
from h2pc.multilabel.expected_f1 import (
    FactorProbabilities,
    expected_f1_sets,
)
from reference.slow_expected_f1 import (
    best_sets,
    example_f1,
    gfm,
    joint_distribution,
)


def random_factor(columns, n_samples, rng, weights):
    """A factor with some of its combinations, in any order, some of them of probability 0."""
    m = len(columns)
    n = int(rng.integers(1, 2 ** min(m, 5) + 1))
    codes = rng.choice(2**m, n, replace=False)
    combinations = (codes[:, np.newaxis] >> np.arange(m)) & 1
    p = rng.choice(weights, (n_samples, n)) if weights else rng.random((n_samples, n)) ** 4
    p = p.astype(float)
    p[:, 0] += p.sum(axis=1) == 0
    return FactorProbabilities(
        np.array(columns), combinations.astype(np.int8), p / p.sum(axis=1, keepdims=True)
    )


@st.composite
def factors_of_labels(draw, most=8, max_factors=8):
    m = draw(st.integers(1, most))
    n_factors = draw(st.integers(1, min(m, max_factors)))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    # Weights of few kinds make ties.
    weights = draw(st.sampled_from([None, (0, 1), (0, 1, 2, 3)]))
    owner = np.concatenate([np.arange(n_factors), rng.integers(n_factors, size=m - n_factors)])
    order = rng.permutation(m)
    parts = [order[owner == f] for f in range(n_factors)]
    return [random_factor(part, 2, rng, weights) for part in parts], m


@settings(deadline=None, max_examples=15)
@given(factors_of_labels())
def test_expected_f1_is_the_best_of_up_to_eight_labels(drawn):
    factors, m = drawn
    sets, values = expected_f1_sets(factors, m, return_expected=True)
    joint = joint_distribution(factors, m, 0)
    best, ties = best_sets(example_f1, joint, m)

    assert values[0] == pytest.approx(best, abs=1e-11)
    assert tuple(sets[0]) in ties


@settings(deadline=None)
@given(factors_of_labels(most=5))
def test_of_equally_good_sets_one_of_fewest_labels_is_taken(drawn):
    factors, m = drawn
    joint = joint_distribution(factors, m, 0)
    _, ties = best_sets(example_f1, joint, m)

    assert expected_f1_sets(factors, m)[0].sum() == min(map(sum, ties))


def test_of_equally_good_sets_that_of_the_first_columns_is_taken():
    combinations = np.eye(3, dtype=np.int8)
    factor = FactorProbabilities(np.array([2, 0, 1]), combinations, np.full((1, 3), 1 / 3))

    sets, values = expected_f1_sets([factor], 3, return_expected=True)
    # One, two or three labels: 1/3, 2 · 2/3 · 1/3 = 4/9, 1/2.
    assert (sets.tolist(), values.tolist()) == ([[1, 1, 1]], [0.5])

    two = replace(factor, combinations=combinations[:2], probabilities=np.full((1, 2), 0.5))
    assert expected_f1_sets([two], 3).tolist() == [[1, 0, 1]]


@pytest.mark.parametrize("noise", [-1e-14, 0.0, 1e-14])
def test_of_two_labels_that_differ_by_rounding_the_first_column_is_taken(noise):
    sets = [[1, 0, 0, 0], [0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 1, 0], [0, 0, 1, 1], [1, 0, 1, 1]]
    combinations = np.array([*sets, [0, 1, 1, 1]], np.int8)
    p = np.array([[2, 2 + noise, 1, 1, 6, 1, 1]]) / 14
    factor = FactorProbabilities(np.arange(4), combinations, p)

    _, ties = best_sets(example_f1, joint_distribution([factor], 4, 0), 4)
    assert sorted(ties) == [(0, 1, 1, 1), (1, 0, 1, 1)]
    assert expected_f1_sets([factor], 4).tolist() == [[1, 0, 1, 1]]


@settings(deadline=None)
@given(factors_of_labels(), st.randoms(use_true_random=False))
def test_the_order_of_samples_factors_and_combinations_changes_nothing(drawn, random):
    factors, m = drawn
    shuffled = []
    for factor in random.sample(factors, len(factors)):
        labels = np.array(random.sample(range(len(factor.columns)), len(factor.columns)))
        n = len(factor.combinations)
        rows = np.array(random.sample(range(n), n))
        shuffled.append(
            FactorProbabilities(
                factor.columns[labels],
                factor.combinations[rows][:, labels],
                factor.probabilities[::-1, rows],
            )
        )
    found = expected_f1_sets(factors, m)
    assert found.tolist() == expected_f1_sets(shuffled, m)[::-1].tolist()


@settings(deadline=None)
@given(factors_of_labels(), st.randoms(use_true_random=False))
def test_other_positions_of_labels_keep_expected_f1(drawn, random):
    factors, m = drawn
    place = np.array(random.sample(range(m), m))
    moved = [replace(factor, columns=place[factor.columns]) for factor in factors]

    one, other = (expected_f1_sets(some, m, return_expected=True) for some in (factors, moved))
    np.testing.assert_allclose(one[1], other[1], atol=1e-12)
    assert one[0].sum(axis=1).tolist() == other[0].sum(axis=1).tolist()


@settings(deadline=None)
@given(factors_of_labels(max_factors=1))
def test_a_single_factor_is_gfm(drawn):
    (factor,), m = drawn
    sets, values = expected_f1_sets([factor], m, return_expected=True)
    combinations = np.zeros_like(factor.combinations)
    combinations[:, factor.columns] = factor.combinations
    for sample in range(2):
        found, best = gfm(combinations, factor.probabilities[sample])

        assert values[sample] == pytest.approx(best, abs=1e-12)
        assert sets[sample].tolist() == found.tolist()


def independent_labels(p):
    values = np.array([[0], [1]], np.int8)
    return [
        FactorProbabilities(np.array([j]), values, np.column_stack((1 - column, column)))
        for j, column in enumerate(p.T)
    ]


def test_independent_labels_take_the_most_probable_ones():
    p = np.random.default_rng(0).random((20, 60)) ** 5
    sets, values = expected_f1_sets(independent_labels(p), 60, return_expected=True)

    for row, labels in zip(p, sets, strict=True):
        assert row[labels == 1].min() > row[labels == 0].max()
    # The mean F1 over labels drawn from p.
    drawn = np.random.default_rng(1).random((4000, *p.shape)) < p
    both = (drawn & (sets == 1)).sum(axis=2)
    size = drawn.sum(axis=2) + sets.sum(axis=1)
    means = np.where(size == 0, 1.0, 2 * both / np.maximum(size, 1)).mean(axis=0)
    np.testing.assert_allclose(values, means, atol=0.02)


def test_many_independent_labels_in_one_factor_or_in_many_give_the_same():
    rng = np.random.default_rng(3)
    p = rng.random((6, 12)) ** 3
    combinations = ((np.arange(2**12)[:, np.newaxis] >> np.arange(12)) & 1).astype(np.int8)
    joint = np.where(combinations == 1, p[:, np.newaxis], 1 - p[:, np.newaxis]).prod(axis=2)
    whole = FactorProbabilities(np.arange(12), combinations, joint)

    one = expected_f1_sets([whole], 12, return_expected=True)
    many = expected_f1_sets(independent_labels(p), 12, return_expected=True)

    assert one[0].tolist() == many[0].tolist()
    np.testing.assert_allclose(one[1], many[1], atol=1e-12)


def test_sets_of_many_labels_are_found():
    """Dense sums of 90 labels: several blocks of sizes, and nothing to cut at first."""
    p = np.full((2, 90), 0.9)
    p[1, 40:] = 0.05
    sets, values = expected_f1_sets(independent_labels(p), 90, return_expected=True)

    assert sets.sum(axis=1).tolist() == [90, 40]
    s = np.arange(91)
    assert values[0] == pytest.approx((binom.pmf(s, 90, 0.9) * 2 * s / (s + 90)).sum(), abs=1e-12)


def test_thousands_of_factors_are_joined():
    rng = np.random.default_rng(0)
    p = np.zeros((3, 2000))
    for row in p:
        row[rng.choice(2000, 30, replace=False)] = rng.random(30)
    few = [np.flatnonzero(row) for row in p]
    sets, values = expected_f1_sets(independent_labels(p), 2000, return_expected=True)

    for sample, columns in enumerate(few):
        alone, value = expected_f1_sets(
            independent_labels(p[[sample]][:, columns]), 30, return_expected=True
        )
        assert np.flatnonzero(sets[sample]).tolist() == columns[alone[0] == 1].tolist()
        assert values[sample] == pytest.approx(value[0], abs=1e-12)


def test_batches_of_samples_change_nothing(monkeypatch):
    rng = np.random.default_rng(5)
    factors = [random_factor(range(3 * f, 3 * f + 3), 40, rng, None) for f in range(5)]
    whole = expected_f1_sets(factors, 15, return_expected=True)
    monkeypatch.setattr("h2pc.multilabel.expected_f1._BATCH_CELLS", 1)

    single = expected_f1_sets(factors, 15, return_expected=True)

    assert whole[0].tolist() == single[0].tolist()
    np.testing.assert_allclose(whole[1], single[1], atol=1e-13)


def test_labels_that_are_never_present_are_never_predicted():
    never = FactorProbabilities(np.array([0]), np.zeros((1, 1), np.int8), np.ones((2, 1)))

    sets, values = expected_f1_sets([never], 1, return_expected=True)

    assert (sets.tolist(), values.tolist()) == ([[0], [0]], [1.0, 1.0])


def test_probabilities_of_single_precision_are_normalised():
    p = np.random.default_rng(2).random((5, 4)).astype(np.float32)
    exact = independent_labels(p)
    scaled = [replace(f, probabilities=f.probabilities * 1.0000002) for f in exact]

    one, other = (expected_f1_sets(some, 4, return_expected=True) for some in (exact, scaled))

    assert one[0].tolist() == other[0].tolist()
    np.testing.assert_allclose(one[1], other[1], atol=1e-7)


def test_factors_that_do_not_fit_are_refused():
    one, other = independent_labels(np.full((2, 2), 0.5))
    with pytest.raises(DataError, match=r"columns \[0, 0\]: expected each of 0 to 1 once"):
        expected_f1_sets([one, one], 2)
    with pytest.raises(DataError, match=r"expected each of 0 to 0 once"):
        expected_f1_sets([], 1)
    shorter = replace(other, probabilities=other.probabilities[:1])
    with pytest.raises(DataError, match=r"\[1, 2\] samples: expected the same number"):
        expected_f1_sets([one, shorter], 2)
    with pytest.raises(DataError, match=r"shape \(2,\): expected \(1,\)"):
        replace(one, columns=np.arange(2))
    with pytest.raises(DataError, match=r"\(2, 3\): expected samples by 2 combinations"):
        replace(one, probabilities=np.ones((2, 3)))
    nothing = replace(other, probabilities=np.zeros((2, 2)))
    with pytest.raises(DataError, match="sum to 0 or are no numbers"):
        expected_f1_sets([one, nothing], 2)

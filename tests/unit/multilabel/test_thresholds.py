"""Thresholds of labels, against all thresholds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import f1_score

from h2pc.errors import DataError
from h2pc.multilabel.thresholds import tuned_thresholds


@st.composite
def labels_with_probabilities(draw):
    n, m = draw(st.integers(1, 12)), draw(st.integers(1, 3))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    # Few kinds of probabilities make ties.
    p = rng.integers(0, 6, (n, m)) / 5 if draw(st.booleans()) else rng.random((n, m))
    weights = rng.integers(0, 4, n).astype(float) if draw(st.booleans()) else None
    return rng.integers(0, 2, (n, m)), p, weights


def slow_threshold(y, p, weights):
    """The best of all midpoints, closest to 0.5, the higher of two."""
    if len(set(y)) < 2:
        return 0.5
    values = sorted({*p})
    middles = [(a + b) / 2 for a, b in zip([0.0, *values], values, strict=False)]
    scores = [round(f1_score(y, p >= t, sample_weight=weights), 10) for t in middles]
    best = [t for t, score in zip(middles, scores, strict=True) if score == max(scores)]
    return min(best, key=lambda t: (abs(t - 0.5), -t))


@given(labels_with_probabilities())
def test_thresholds_are_the_best_of_all(drawn):
    y, p, weights = drawn
    found = tuned_thresholds(y, p, sample_weight=weights)

    used = np.ones(len(y)) if weights is None else weights
    for j, threshold in enumerate(found):
        rows = used > 0
        expected = slow_threshold(y[rows, j], p[rows, j], used[rows])
        assert threshold == pytest.approx(expected, abs=1e-12)


@given(labels_with_probabilities())
def test_whole_weights_are_repeated_samples(drawn):
    y, p, weights = drawn
    if weights is None:
        return
    times = weights.astype(int)

    repeated = tuned_thresholds(y.repeat(times, axis=0), p.repeat(times, axis=0))

    assert tuned_thresholds(y, p, sample_weight=weights).tolist() == repeated.tolist()


@given(labels_with_probabilities())
def test_the_order_of_samples_changes_nothing(drawn):
    y, p, _ = drawn

    assert tuned_thresholds(y, p).tolist() == tuned_thresholds(y[::-1], p[::-1]).tolist()


def test_a_constant_label_has_one_half():
    y = np.array([[0, 1], [0, 1]])

    assert tuned_thresholds(y, np.array([[0.9, 0.1], [0.2, 0.3]])).tolist() == [0.5, 0.5]


def test_of_equally_good_thresholds_the_closest_to_one_half_is_taken():
    y = [[1], [0], [0], [0], [1]]
    p = [[0.875], [0.625], [0.5], [0.25], [0.125]]

    # The first alone, 2 / 3, is better than all five, 4 / 7.
    assert tuned_thresholds(y, p).tolist() == [0.75]
    # The first alone, or all four: 2 / 3 both.
    y, p = [[1], [0], [0], [1]], [[0.875], [0.75], [0.5], [0.25]]
    assert tuned_thresholds(y, p).tolist() == [0.8125]
    assert tuned_thresholds(y, np.array(p) + 0.125).tolist() == [0.1875]


@pytest.mark.parametrize("value", [0.0, 1.0, 0.3])
def test_probabilities_that_say_nothing_predict_all(value):
    y, p = np.array([[1], [0]]), np.full((2, 1), value)
    threshold = tuned_thresholds(y, p)

    assert (p >= threshold).all()
    assert threshold.tolist() == [value / 2]


def test_neighbouring_numbers_are_told_apart():
    low = np.linspace(0.1, 0.9, 50)
    high = np.nextafter(low, 1.0)
    y = np.array([[0], [1]]).repeat(50, axis=1)

    threshold = tuned_thresholds(y, np.array([low, high]))

    assert (low < threshold).all()
    assert (high >= threshold).all()


@pytest.mark.parametrize(
    ("y", "p", "weights", "words"),
    [
        ([[1, 0]], [[0.5]], None, r"shape \(1, 2\) and probabilities of \(1, 1\)"),
        ([1, 0], [0.5, 0.5], None, "expected samples by labels"),
        ([[2], [0]], [[0.5], [0.5]], None, "neither 0 nor 1"),
        ([[1], [0]], [[0.5], [np.nan]], None, "label 0 is nan in row 1: expected 0 to 1"),
        ([[1], [0]], [[1.5], [0.5]], None, "label 0 is 1.5 in row 0"),
        ([[1], [0]], [[0.5], [0.5]], [1.0], r"shape \(1,\): expected \(2,\)"),
        ([[1], [0]], [[0.5], [0.5]], [1.0, -1.0], "negative or no number"),
    ],
)
def test_bad_input_is_refused(y, p, weights, words):
    with pytest.raises(DataError, match=words):
        tuned_thresholds(y, p, sample_weight=weights)

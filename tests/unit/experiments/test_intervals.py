"""Intervals of means: their width is that of the textbook, and their verdicts are plain."""

import math
from statistics import stdev

import numpy as np
import pytest
from scipy import stats

from h2pc.experiments.claims import jointly
from h2pc.experiments.intervals import (
    Estimate,
    Interval,
    average,
    difference,
    of_folds,
    of_repetitions,
)

VALUES = [0.62, 0.71, 0.58, 0.66, 0.69, 0.6, 0.63, 0.7, 0.65, 0.61]


def test_the_interval_of_repetitions_is_that_of_the_t_test():
    found = of_repetitions(VALUES).interval()

    low, high = stats.ttest_1samp(VALUES, 0.0).confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((low, high), rel=1e-12)
    assert found.mean == pytest.approx(np.mean(VALUES))


def test_intervals_that_hold_together_are_wider():
    found = of_repetitions(VALUES).interval(n_joint=10)

    low, high = stats.ttest_1samp(VALUES, 0.0).confidence_interval(0.995)
    assert (found.low, found.high) == pytest.approx((low, high), rel=1e-12)


def test_folds_have_the_variance_of_nadeau_and_bengio():
    found = of_folds(VALUES, 10).interval()

    margin = stats.t.ppf(0.975, 9) * stdev(VALUES) * math.sqrt(1 / 10 + 1 / 9)
    assert found.high - found.mean == pytest.approx(margin, rel=1e-12)


def test_a_difference_is_that_of_welch():
    others = [0.5, 0.9, 0.4, 0.8, 0.6]
    found = difference(of_repetitions(VALUES), of_repetitions(others)).interval()

    welch = stats.ttest_ind(VALUES, others, equal_var=False).confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((welch.low, welch.high), rel=1e-12)


def test_an_average_has_the_variance_of_its_parts():
    found = average([Estimate(1.0, 0.4, 9), Estimate(3.0, 0.4, 9)])

    assert found == pytest.approx((2.0, 0.2, 18.0))


def test_one_value_has_no_interval_and_equal_values_have_a_point():
    assert of_repetitions([1.0]) is of_folds([1.0], 10) is None
    assert of_repetitions([1.0, 1.0]).interval() == (1.0, 1.0, 1.0)
    assert average([of_folds([2.0, 2.0], 10)] * 2).interval() == (2.0, 2.0, 2.0)


@pytest.mark.parametrize(
    ("interval", "below", "above"),
    [
        ((0.5, 0.4, 0.6), "holds", "does not hold"),
        ((1.5, 1.4, 1.6), "does not hold", "holds"),
        ((0.9, 0.7, 1.1), "within noise", "within noise"),
        ((1.0, 1.0, 1.0), "within noise", "within noise"),
    ],
)
def test_an_interval_is_on_one_side_of_a_bound_or_contains_it(interval, below, above):
    assert Interval(*interval).below(1.0) == below
    assert Interval(*interval).above(1.0) == above


@pytest.mark.parametrize(
    ("interval", "verdict"),
    [
        ((1.0, 0.9, 1.1), "holds"),
        ((1.0, 0.8, 1.2), "within noise"),
        ((1.1, 1.05, 1.15), "within noise"),
        ((1.3, 1.2, 1.4), "does not hold"),
        ((0.7, 0.6, 0.8), "does not hold"),
    ],
)
def test_an_interval_is_within_two_bounds_or_outside(interval, verdict):
    assert Interval(*interval).within(0.9, 1.1) == verdict


def test_a_claim_about_several_holds_if_it_does_for_each():
    assert jointly(["holds", "holds"]) == "holds"
    assert jointly(["holds", "within noise"]) == "within noise"
    assert jointly(["within noise", "does not hold", "holds"]) == "does not hold"
    assert jointly(["does not hold", "not run"]) == "not run"
    assert jointly([]) == "not run"

"""Precision, recall and F1 against their definitions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from h2pc.metrics import Agreement, SkeletonScores

counts = st.integers(0, 50)


@given(st.integers(1, 50), counts, counts)
def test_f1_is_the_harmonic_mean_of_precision_and_recall(right, wrong, missed):
    agreement = Agreement(right, wrong, missed)

    assert agreement.precision == right / (right + wrong)
    assert agreement.recall == right / (right + missed)
    assert agreement.f1 == pytest.approx(2 / (1 / agreement.precision + 1 / agreement.recall))


@given(counts, counts, counts)
def test_found_and_true_may_be_swapped(right, wrong, missed):
    one, other = Agreement(right, wrong, missed), Agreement(right, missed, wrong)

    assert (one.precision, one.recall, one.f1) == (other.recall, other.precision, other.f1)


def test_nothing_found_where_there_is_nothing_is_perfect():
    agreement = Agreement(0, 0, 0)

    assert (agreement.precision, agreement.recall, agreement.f1) == (1.0, 1.0, 1.0)


@pytest.mark.parametrize("wrong_and_missed", [(0, 3), (3, 0), (2, 2)])
def test_nothing_right_has_an_f1_of_zero(wrong_and_missed):
    assert Agreement(0, *wrong_and_missed).f1 == 0.0


def test_the_scores_of_a_skeleton_are_an_agreement_on_its_edges():
    scores = SkeletonScores(3, 1, 3, 8)

    assert (scores.true_positives, scores.true_negatives) == (3, 8)
    assert scores.f1 == Agreement(3, 1, 3).f1
    assert scores != Agreement(3, 1, 3)

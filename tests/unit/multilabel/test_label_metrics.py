"""Scores of labels against scikit-learn's, and in the corners."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.metrics import accuracy_score, f1_score, hamming_loss

from h2pc.errors import DataError
from h2pc.multilabel.label_metrics import multilabel_scores
from strategies import examples


@st.composite
def pairs_of_tables(draw):
    n_samples, n_labels = draw(st.integers(1, 12)), draw(st.integers(2, 5))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    density = draw(st.sampled_from([0.0, 0.2, 0.5, 1.0]))
    return (rng.random((2, n_samples, n_labels)) < density).astype(int)


@examples(50)
@given(pairs_of_tables())
def test_scores_are_those_of_scikit_learn(tables):
    true, predicted = tables
    scores = multilabel_scores(true, predicted)

    assert scores.subset_accuracy == pytest.approx(accuracy_score(true, predicted))
    assert scores.hamming_loss == pytest.approx(hamming_loss(true, predicted))
    for average, ours in (
        ("macro", scores.macro_f1),
        ("micro", scores.micro_f1),
        ("samples", scores.example_f1),
    ):
        theirs = f1_score(true, predicted, average=average, zero_division=1.0)
        assert ours == pytest.approx(theirs)


def test_figures_of_a_small_example():
    true = [[1, 0, 0], [1, 1, 0], [0, 0, 0], [0, 1, 0]]
    predicted = [[1, 0, 0], [0, 1, 0], [0, 0, 0], [1, 0, 0]]
    scores = multilabel_scores(true, predicted)

    assert scores.subset_accuracy == 0.5
    assert scores.hamming_loss == 3 / 12
    assert scores.macro_f1 == pytest.approx((1 / 2 + 2 / 3 + 1) / 3)
    assert scores.micro_f1 == pytest.approx(4 / 7)
    assert scores.example_f1 == pytest.approx((1 + 2 / 3 + 1 + 0) / 4)


def test_a_single_label_is_a_table_too():
    scores = multilabel_scores([[1], [0], [1], [0]], [[1], [0], [0], [0]])

    assert scores.subset_accuracy == 0.75
    assert scores.macro_f1 == scores.micro_f1 == pytest.approx(2 / 3)
    assert scores.example_f1 == 0.75


@pytest.mark.parametrize("kind", [pd.DataFrame, csr_array, np.ndarray.tolist, lambda a: a == 1])
def test_labels_may_come_in_any_kind_of_table(kind):
    true, predicted = np.array([[1, 0], [1, 1]]), np.array([[1, 0], [0, 1]])

    assert multilabel_scores(kind(true), kind(predicted)) == multilabel_scores(true, predicted)


@pytest.mark.parametrize(
    ("true", "predicted", "message"),
    [
        ([[1, 0]], [[1, 0], [0, 0]], r"predicted is of shape \(2, 2\): expected \(1, 2\)"),
        ([1, 0], [1, 0], r"true is of shape \(2,\): expected samples by labels"),
        ([[1, 0]], [[1, 2]], "predicted holds other values than 0 and 1"),
        ([[0.5, 0.5]], [[1, 0]], "true holds other values than 0 and 1"),
        (np.zeros((0, 2)), np.zeros((0, 2)), r"true is of shape \(0, 2\)"),
    ],
)
def test_what_is_no_table_of_labels_is_refused(true, predicted, message):
    with pytest.raises(DataError, match=message):
        multilabel_scores(true, predicted)

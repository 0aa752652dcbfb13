"""Several labels as one class, and back."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from h2pc.multilabel.powerset_model import PowersetModel, label_combinations

TABLES = arrays(
    np.int8, st.tuples(st.integers(1, 30), st.integers(1, 6)), elements=st.integers(0, 1)
)


class Constant:
    """A classifier whose probabilities are known."""

    def __init__(self, probabilities):
        self.probabilities = probabilities

    def predict_proba(self, X):
        return self.probabilities[: len(X)]


def marginals(combinations, probabilities):
    none, columns = np.empty(0, np.intp), np.arange(combinations.shape[1])
    model = PowersetModel(none, columns, combinations, Constant(probabilities))
    return model.predict_proba(np.zeros((len(probabilities), 1)))


@given(TABLES)
def test_labels_become_classes_and_come_back(labels):
    combinations, codes = label_combinations(labels)

    np.testing.assert_array_equal(combinations[codes], labels)


@given(TABLES)
def test_there_is_a_class_for_every_combination_in_the_data(labels):
    combinations, codes = label_combinations(labels)

    seen = sorted(set(map(tuple, labels.tolist())))
    assert list(map(tuple, combinations.tolist())) == seen
    assert sorted(set(codes.tolist())) == list(range(len(combinations)))


@given(TABLES, st.randoms(use_true_random=False))
def test_the_probability_of_a_label_is_that_of_the_combinations_that_have_it(labels, random):
    combinations, _ = label_combinations(labels)
    weights = np.array([[0.1 + random.random() for _ in combinations] for _ in range(3)])
    probabilities = weights / weights.sum(axis=1, keepdims=True)

    found = marginals(combinations, probabilities)

    for j in range(labels.shape[1]):
        with_label = combinations[:, j] == 1
        expected = probabilities[:, with_label].sum(axis=1)
        assert found[:, j] == pytest.approx(expected)


def test_the_probability_of_a_label_never_exceeds_one():
    combinations, _ = label_combinations([[1, 0, 0], [1, 0, 1], [1, 1, 0]])
    slightly_more = np.array([[0.7, 0.2, 0.1 + 1e-15]])

    assert slightly_more.sum() > 1.0
    assert marginals(combinations, slightly_more)[0, 0] == 1.0


def test_combinations_cannot_be_changed():
    combinations, _ = label_combinations([[0, 1]])

    with pytest.raises(ValueError, match="read-only"):
        combinations[0, 0] = 1


@pytest.mark.parametrize("n_labels", [1, 8, 9, 63, 64, 65, 130])
def test_combinations_of_any_number_of_labels_are_the_distinct_rows(n_labels):
    labels = (np.random.default_rng(n_labels).random((300, n_labels)) < 0.05).astype(np.int8)

    combinations, codes = label_combinations(labels)

    assert list(map(tuple, combinations.tolist())) == sorted(set(map(tuple, labels.tolist())))
    np.testing.assert_array_equal(combinations[codes], labels)

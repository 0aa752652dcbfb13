import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from h2pc.multilabel.label_classes import LabelClasses

TABLES = arrays(
    np.int8, st.tuples(st.integers(1, 30), st.integers(1, 6)), elements=st.integers(0, 1)
)


@given(TABLES)
def test_labels_become_classes_and_come_back(labels):
    classes, codes = LabelClasses.of(labels)

    np.testing.assert_array_equal(classes.labels(codes), labels)


@given(TABLES)
def test_there_is_a_class_for_every_combination_that_was_seen(labels):
    classes, codes = LabelClasses.of(labels)

    seen = sorted(set(map(tuple, labels.tolist())))
    assert list(map(tuple, classes.combinations.tolist())) == seen
    assert sorted(set(codes.tolist())) == list(range(len(classes)))


@given(TABLES, st.randoms(use_true_random=False))
def test_marginals_add_up_the_classes_that_have_the_label(labels, random):
    classes, _ = LabelClasses.of(labels)
    weights = np.array([[0.1 + random.random() for _ in range(len(classes))] for _ in range(3)])
    probabilities = weights / weights.sum(axis=1, keepdims=True)

    marginals = classes.marginals(probabilities)

    for j in range(labels.shape[1]):
        with_label = classes.combinations[:, j] == 1
        expected = probabilities[:, with_label].sum(axis=1)
        assert marginals[:, j] == pytest.approx(expected)


def test_marginals_never_exceed_one():
    classes, _ = LabelClasses.of([[1, 0, 0], [1, 0, 1], [1, 1, 0]])
    slightly_more = np.array([[0.7, 0.2, 0.1 + 1e-15]])

    assert slightly_more.sum() > 1.0
    assert classes.marginals(slightly_more)[0, 0] == 1.0


def test_combinations_cannot_be_changed():
    classes, _ = LabelClasses.of([[0, 1]])

    with pytest.raises(ValueError, match="read-only"):
        classes.combinations[0, 0] = 1

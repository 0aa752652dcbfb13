"""Products over parts of the labels, and blends with a classifier of combinations."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from h2pc.multilabel.blended_classifier import (
    BlendedClassifier,
    blended,
    factor_product,
    on_columns,
)
from h2pc.multilabel.powerset_model import PowersetModel, label_combinations
from reference.slow_blend import slow_blend, slow_product


class Known:
    """A classifier whose probabilities are the first columns of the samples."""

    def __init__(self, n_classes):
        self.n_classes = n_classes

    def predict_proba(self, X):
        return np.asarray(X)[:, : self.n_classes]


def model_of(labels, combinations, features=()):
    columns = np.array(features, np.intp), np.array(labels, np.intp)
    return PowersetModel(*columns, np.asarray(combinations, np.int8), Known(len(combinations)))


def distributions(rng, n_samples, n):
    p = rng.random((n_samples, n)) ** 3
    return p / p.sum(axis=1, keepdims=True)


@st.composite
def blends(draw):
    """Combinations, parts of their labels that may lack some of them, and probabilities."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_labels = draw(st.integers(1, 5))
    combinations, _ = label_combinations(rng.integers(0, 2, (draw(st.integers(2, 20)), n_labels)))
    shuffled, parts = rng.permutation(n_labels), []
    cuts = sorted(draw(st.sets(st.integers(1, 5))))
    for labels in np.split(shuffled, [cut for cut in cuts if cut < n_labels]):
        own, _ = label_combinations(combinations[:, np.sort(labels)])
        kept = rng.random(len(own)) < 0.7
        kept[0] = True
        parts.append(model_of(np.sort(labels), own[kept]))
    told = [distributions(rng, 3, len(part.combinations)) for part in parts]
    return parts, told, combinations, distributions(rng, 3, len(combinations))


@given(blends())
def test_the_product_is_that_of_all_parts_one_combination_after_the_other(blend):
    parts, told, combinations, _ = blend

    found = factor_product(parts, told, combinations)

    for i, row in enumerate(found):
        expected = slow_product(parts, [p[i] for p in told], combinations.tolist())
        np.testing.assert_allclose(row, expected, rtol=1e-9)


@given(blends(), st.sampled_from([0.0, 0.25, 0.5, 1.0]), st.sampled_from([0.5, 1.0, 4.0]))
def test_a_blend_is_the_weighted_geometric_mean(blend, weight, power):
    parts, told, combinations, joint = blend
    product = factor_product(parts, told, combinations)

    found = blended(joint, product, weight, power)

    for i, row in enumerate(found):
        np.testing.assert_allclose(row, slow_blend(joint[i], product[i], weight, power), rtol=1e-9)


def test_combinations_that_a_part_does_not_have_are_improbable_but_possible():
    part = model_of([0, 1], [[0, 0], [1, 1]])
    combinations = np.array([[0, 0], [0, 1], [1, 1]], np.int8)

    [found] = factor_product([part], [np.array([[0.5, 0.5]])], combinations)

    assert found[0] == pytest.approx(found[2])
    assert found[1] == pytest.approx(0.005 / (2 * 0.505 + 0.005))


def two_labels():
    combinations = np.array([[0, 0], [0, 1], [1, 1]], np.int8)
    joint = model_of([0, 1], combinations, [0, 1, 2])
    one = model_of([0], [[0], [1]], [3, 4])
    other = model_of([1], [[0], [1]], [5, 6])
    X = np.array([[0.2, 0.5, 0.3, 0.9, 0.1, 0.6, 0.4], [0.1, 0.1, 0.8, 0.5, 0.5, 0.5, 0.5]])
    return joint, (one, other), combinations, X


def test_a_weight_of_zero_is_the_joint_model_alone():
    joint, parts, combinations, X = two_labels()
    with_parts = BlendedClassifier(joint, parts, combinations, 0.0)

    alone = BlendedClassifier(joint, (), combinations)

    smooth = X[:, :3] + 0.01 / 3
    np.testing.assert_allclose(alone.predict_proba(X), smooth / 1.01, rtol=1e-12)
    np.testing.assert_array_equal(with_parts.predict_proba(X), alone.predict_proba(X))


def test_a_weight_of_one_is_the_product_alone():
    joint, parts, combinations, X = two_labels()

    alone = BlendedClassifier(None, parts, combinations, 1.0)

    with_joint = BlendedClassifier(joint, parts, combinations, 1.0)
    np.testing.assert_array_equal(with_joint.predict_proba(X), alone.predict_proba(X))
    told = [X[:, 3:5], X[:, 5:7]]
    product = factor_product(parts, told, combinations)
    np.testing.assert_allclose(alone.predict_proba(X), (product + 0.01 / 3) / 1.01, rtol=1e-12)


@pytest.mark.parametrize("weight", [0.0, 0.25, 0.5, 0.75, 1.0])
@pytest.mark.parametrize("power", [0.5, 1.0, 2.8])
def test_a_blend_predicts_its_most_probable_combination(weight, power):
    joint, parts, combinations, X = two_labels()

    blend = BlendedClassifier(joint, parts, combinations, weight, power)

    found = blend.predict_proba(X)
    np.testing.assert_allclose(found.sum(axis=1), 1.0)
    np.testing.assert_array_equal(blend.predict(X), found.argmax(axis=1))
    assert blend.classes_.tolist() == [0, 1, 2]


def test_a_power_makes_probabilities_clearer_and_keeps_their_order():
    joint, parts, combinations, X = two_labels()
    blends = [BlendedClassifier(joint, parts, combinations, 0.5, power) for power in (0.5, 1, 2)]

    dull, plain, clear = (blend.predict_proba(X) for blend in blends)

    assert (dull.max(axis=1) < plain.max(axis=1)).all()
    assert (plain.max(axis=1) < clear.max(axis=1)).all()
    for other in (dull, clear):
        np.testing.assert_array_equal(np.argsort(other, axis=1), np.argsort(plain, axis=1))


def test_of_equally_probable_combinations_the_first_is_predicted():
    combinations = np.array([[0], [1]], np.int8)
    joint = model_of([0], combinations, [0, 1])

    assert BlendedClassifier(joint, (), combinations).predict(np.array([[0.5, 0.5]])).tolist() == [
        0
    ]


def test_columns_are_found_among_others():
    model = model_of([2, 5], [[0, 0], [1, 1]], [3, 8])

    found = on_columns(model, np.array([1, 3, 8, 9]), np.array([2, 4, 5]))

    assert found.features.tolist() == [1, 2]
    assert found.labels.tolist() == [0, 2]
    assert found.combinations is model.combinations
    assert found.classifier is model.classifier

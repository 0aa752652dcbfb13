"""Probabilities of samples that a classifier was not fitted on."""

from typing import ClassVar

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.linear_model import RidgeClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from h2pc.multilabel.compact_forest import CompactForestClassifier
from h2pc.multilabel.held_out import held_out_proba, is_bagged, out_of_bag_proba
from reference.slow_blend import slow_out_of_bag

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3)).round(3)
CODES = np.digitize(X[:, 0] + 0.5 * RNG.normal(size=60), [-0.5, 0.5])


def held_out(classifier, codes=CODES, weights=None, seed=0):
    return held_out_proba(classifier, X, codes, 3, weights, seed)


@pytest.mark.parametrize("kind", [RandomForestClassifier, CompactForestClassifier])
@pytest.mark.parametrize("n_trees", [2, 12])
def test_out_of_bag_is_what_the_trees_without_a_sample_say(kind, n_trees):
    forest = kind(n_trees, random_state=1).fit(X, CODES)

    expected = slow_out_of_bag(forest, X, CODES, 3)
    np.testing.assert_allclose(held_out(forest), expected, rtol=1e-12)
    assert np.isnan(expected).any() == (n_trees == 2)


def test_out_of_bag_is_that_of_scikit_learn():
    forest = RandomForestClassifier(40, oob_score=True, random_state=0).fit(X, CODES)

    np.testing.assert_allclose(held_out(forest), forest.oob_decision_function_, rtol=1e-12)


def test_out_of_bag_of_sparse_samples_is_that_of_dense_ones():
    x = np.where(X > 0, X, 0.0)
    forest = CompactForestClassifier(8, random_state=0).fit(x, CODES)

    np.testing.assert_array_equal(
        out_of_bag_proba(forest, csr_array(x)), out_of_bag_proba(forest, x)
    )


def test_samples_may_be_missing_out_of_bag():
    holed = X.copy()
    holed[::7, 1] = np.nan
    forest = RandomForestClassifier(30, oob_score=True, random_state=0).fit(holed, CODES)

    np.testing.assert_allclose(
        out_of_bag_proba(forest, holed), forest.oob_decision_function_, rtol=1e-12
    )


def test_only_forests_of_bootstrap_samples_are_bagged():
    assert is_bagged(RandomForestClassifier())
    assert is_bagged(ExtraTreesClassifier(bootstrap=True))
    assert not is_bagged(ExtraTreesClassifier())
    assert not is_bagged(CompactForestClassifier(bootstrap=False))
    assert not is_bagged(DecisionTreeClassifier())


def test_a_copy_is_fitted_on_every_fold_and_never_sees_what_it_predicts():
    # The nearest sample is the sample itself: whoever has seen it knows its class.
    codes = RNG.permutation(np.arange(60) % 3)
    nearest = KNeighborsClassifier(1).fit(X, codes)
    assert (nearest.predict(X) == codes).all()

    found = held_out(nearest, codes)

    assert (found.argmax(axis=1) == codes).mean() < 0.6
    np.testing.assert_array_equal(found.sum(axis=1), 1.0)


class Remembers(ClassifierMixin, BaseEstimator):
    """Knows the samples that it was fitted on, and their weights."""

    seen: ClassVar = []

    def fit(self, X, y, sample_weight=None):
        self.classes_ = np.unique(y)
        Remembers.seen.append((set(X[:, 0].tolist()), sample_weight))
        return self

    def predict_proba(self, X):
        fitted_on, weights = Remembers.seen[-1]
        assert not fitted_on & set(X[:, 0].tolist())
        if weights is not None:
            assert set(weights.tolist()) == fitted_on
        return np.full((len(X), len(self.classes_)), 1.0 / len(self.classes_))


@pytest.mark.parametrize("is_weighted", [False, True])
def test_three_folds_hold_out_every_sample_once_with_the_weights_of_the_others(is_weighted):
    x = np.arange(1.0, 61.0)[:, np.newaxis]
    Remembers.seen.clear()
    weights = x[:, 0] if is_weighted else None

    held_out_proba(Remembers(), x, CODES, 3, weights, 0)

    assert [len(some) for some, _ in Remembers.seen] == [40, 40, 40]
    assert sorted(v for some, _ in Remembers.seen for v in set(x[:, 0].tolist()) - some) == sorted(
        x[:, 0].tolist()
    )


def test_without_probabilities_a_prediction_counts_for_all():
    found = held_out(RidgeClassifier())

    assert set(np.unique(found)) == {0.0, 1.0}
    np.testing.assert_array_equal(found.sum(axis=1), 1.0)
    assert (found.argmax(axis=1) == CODES).mean() > 0.5


def test_a_class_that_a_fold_never_saw_has_no_probability_there():
    codes = np.where(np.arange(60) == 7, 2, CODES > 0)

    found = held_out(DecisionTreeClassifier(random_state=0), codes)

    assert found.shape == (60, 3)
    assert found[7, 2] == 0.0
    np.testing.assert_allclose(found.sum(axis=1), 1.0)


def test_a_fold_of_one_class_predicts_it():
    codes = np.where(np.arange(60) == 7, 1, 0)

    found = held_out(RidgeClassifier(), codes)

    assert found[7].tolist() == [1.0, 0.0, 0.0]


def test_one_sample_cannot_be_held_out():
    found = held_out_proba(DecisionTreeClassifier(), X[:1], CODES[:1], 3, None, 0)

    assert np.isnan(found).all()


def test_the_seed_decides_about_the_folds():
    tree = DecisionTreeClassifier(random_state=0)

    np.testing.assert_array_equal(held_out(tree), held_out(tree))
    assert (held_out(tree) != held_out(tree, seed=1)).any()

"""Several classifiers as one: their geometric mean."""

import numpy as np
import pytest
from benchmarks.combination_chain import CombinationChain
from benchmarks.product_of_experts import ProductOfExperts
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.svm import LinearSVC

from h2pc.errors import SettingError
from h2pc.multilabel.powerset_model import label_combinations

RNG = np.random.default_rng(1)
X = RNG.normal(size=(80, 3))
COMBINATIONS, CODES = label_combinations((X[:, :2] + RNG.normal(size=(80, 2)) > 0).astype(int))


class Fixed(ClassifierMixin, BaseEstimator):
    """A classifier whose probabilities are known."""

    def __init__(self, probabilities):
        self.probabilities = probabilities

    def fit(self, X, y):
        self.classes_ = np.arange(len(self.probabilities))
        return self

    def predict_proba(self, X):
        return np.tile(self.probabilities, (len(X), 1))


def test_probabilities_are_the_geometric_mean():
    experts = [Fixed((0.5, 0.3, 0.2)), Fixed((0.1, 0.3, 0.6))]

    both = ProductOfExperts(experts, floor=1e-12).fit(X, CODES)

    roots = np.sqrt([0.05, 0.09, 0.12])
    np.testing.assert_allclose(both.predict_proba(X[:1])[0], roots / roots.sum())
    assert both.predict(X[:2]).tolist() == [2, 2]


def test_the_floor_is_shared_by_the_classes():
    one = ProductOfExperts([Fixed((1.0, 0.0))], floor=0.1).fit(X, CODES)

    np.testing.assert_allclose(one.predict_proba(X[:1])[0], [0.95, 0.05])


def test_an_expert_that_is_certain_does_not_overrule_the_other_alone():
    certain, sure = Fixed((1.0, 0.0)), Fixed((0.0001, 0.9999))

    both = ProductOfExperts([certain, sure], floor=0.1).fit(X, CODES)

    np.testing.assert_allclose(both.predict_proba(X[:1])[0], [0.5, 0.5], atol=0.01)


def test_weights_of_samples_are_passed_on():
    weights = RNG.integers(1, 4, len(X))
    again = np.repeat(np.arange(len(X)), weights)
    experts = [BernoulliNB(), CombinationChain(BernoulliNB(), COMBINATIONS)]

    weighted = ProductOfExperts(experts).fit(X, CODES, sample_weight=weights)
    repeated = ProductOfExperts(experts).fit(X[again], CODES[again])

    np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X))


def test_seeds_decide_everything():
    chain = CombinationChain(RandomForestClassifier(3), COMBINATIONS)
    experts = [RandomForestClassifier(3), chain]

    found = [
        ProductOfExperts(experts, random_state=seed).fit(X, CODES).predict_proba(X)
        for seed in (0, 0, 1)
    ]

    np.testing.assert_array_equal(found[0], found[1])
    assert (found[0] != found[2]).any()
    assert found[0].sum(axis=1) == pytest.approx(np.ones(80))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"experts": []}, "at least one classifier"),
        ({"experts": [GaussianNB(), LinearSVC()]}, "LinearSVC has no predict_proba"),
        ({"experts": [GaussianNB(), Fixed((0.5, 0.5))]}, "Fixed has 2, GaussianNB has 4"),
        ({"experts": [GaussianNB()], "floor": 0.0}, "floor must be a number above 0"),
        ({"experts": [GaussianNB()], "floor": 1.0}, "floor must be below 1"),
    ],
)
def test_bad_settings_are_refused(settings, message):
    with pytest.raises(SettingError, match=message):
        ProductOfExperts(**settings).fit(X, CODES)

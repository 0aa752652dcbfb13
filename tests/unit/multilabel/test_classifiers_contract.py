"""scikit-learn's own checks of estimators; every exclusion has its reason."""

import pytest
from sklearn.naive_bayes import BernoulliNB
from sklearn.utils.estimator_checks import parametrize_with_checks

from h2pc.multilabel.chain import ClassifierChain
from h2pc.multilabel.classifiers import (
    BinaryRelevance,
    LabelPowerset,
    MinimalLabelPowersetClassifier,
)
from h2pc.multilabel.compact_forest import CompactForestClassifier
from h2pc.multilabel.markov_boundary import MarkovBoundarySelector

WEIGHTS = "the bootstrap draws other samples; excluded for scikit-learn's own forest too"

EXCLUDED = {
    CompactForestClassifier: {
        "check_sample_weight_equivalence_on_dense_data": WEIGHTS,
        "check_sample_weight_equivalence_on_sparse_data": WEIGHTS,
    },
}
BASE = BernoulliNB()


def excluded(estimator):
    return EXCLUDED.get(type(estimator), {})


@pytest.mark.filterwarnings("ignore:No features were selected")
@parametrize_with_checks(
    [
        MinimalLabelPowersetClassifier(BASE, feature_selection="markov_boundary"),
        ClassifierChain(BASE),
        CompactForestClassifier(n_estimators=5),
        MarkovBoundarySelector(),
    ],
    expected_failed_checks=excluded,
)
def test_estimators_pass_the_checks_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.slow
@parametrize_with_checks(
    [
        BinaryRelevance(BASE),
        BinaryRelevance(BASE, feature_selection="markov_boundary"),
        # The most probable combination need not be made of the most probable labels.
        LabelPowerset(BASE, objective="hamming"),
    ],
    expected_failed_checks=excluded,
)
def test_their_relatives_pass_them_too(estimator, check):
    check(estimator)

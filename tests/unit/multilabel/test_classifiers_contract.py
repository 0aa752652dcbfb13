"""scikit-learn's own checks of estimators; every exclusion has its reason."""

import numpy as np
import pytest
from sklearn.linear_model import RidgeClassifier
from sklearn.naive_bayes import BernoulliNB
from sklearn.utils import estimator_checks
from sklearn.utils.estimator_checks import parametrize_with_checks

from h2pc.multilabel.chain import ClassifierChain
from h2pc.multilabel.classifiers import (
    BinaryRelevance,
    LabelPowerset,
    MinimalLabelPowersetClassifier,
)
from h2pc.multilabel.compact_forest import CompactForestClassifier
from h2pc.multilabel.markov_boundary import MarkovBoundarySelector

OTHER_LABELS = "its labels are not 0 and 1, and refused; with 0 and 1 it passes, see below"
TWO_COLUMNS = "it expects both probabilities of a single label; without any it passes, see below"
VECTOR = "it expects a vector of classes back, but labels are a table"
WEIGHTS = "the bootstrap draws other samples; excluded for scikit-learn's own forest too"
MODES = "the most probable combination need not be made of the most probable labels"

MULTI_LABEL = {
    "check_estimators_dtypes": OTHER_LABELS,
    "check_classifier_data_not_an_array": OTHER_LABELS,
    "check_fit2d_1feature": OTHER_LABELS,
    "check_estimator_sparse_array": TWO_COLUMNS,
    "check_estimator_sparse_matrix": TWO_COLUMNS,
    "check_classifiers_classes": VECTOR,
    "check_classifiers_train": VECTOR,
}
EXCLUDED = {
    BinaryRelevance: MULTI_LABEL,
    ClassifierChain: MULTI_LABEL,
    LabelPowerset: {**MULTI_LABEL, "check_classifier_multioutput": MODES},
    MinimalLabelPowersetClassifier: MULTI_LABEL,
    CompactForestClassifier: {
        "check_sample_weight_equivalence_on_dense_data": WEIGHTS,
        "check_sample_weight_equivalence_on_sparse_data": WEIGHTS,
    },
    MarkovBoundarySelector: {},
}
BASE = BernoulliNB()


def excluded(estimator):
    return EXCLUDED[type(estimator)]


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
        LabelPowerset(BASE),
    ],
    expected_failed_checks=excluded,
)
def test_their_relatives_pass_them_too(estimator, check):
    check(estimator)


class ZeroAndOne:
    """Makes 0 and 1 of the labels of a check."""

    def fit(self, X, Y):
        table = np.asarray(Y).reshape(-1, 1)
        return super().fit(X, (table == table.max()).astype(int))


class RelabelledRelevance(ZeroAndOne, BinaryRelevance):
    pass


class RelabelledPowersets(ZeroAndOne, MinimalLabelPowersetClassifier):
    pass


class RelabelledChain(ZeroAndOne, ClassifierChain):
    pass


@pytest.mark.parametrize("kind", [RelabelledRelevance, RelabelledPowersets, RelabelledChain])
@pytest.mark.parametrize(
    "check", [name for name, why in MULTI_LABEL.items() if why in (OTHER_LABELS, TWO_COLUMNS)]
)
def test_excluded_checks_pass_with_zero_and_one_and_no_probabilities(check, kind):
    getattr(estimator_checks, check)(kind.__name__, kind(RidgeClassifier()))

"""What multi-label classifiers refuse, and with which words."""

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC

from h2pc import H2PC, Dag
from h2pc.errors import DataError, GraphError, SettingError
from h2pc.multilabel.chain import ClassifierChain
from h2pc.multilabel.classifiers import (
    BinaryRelevance,
    LabelPowerset,
    MinimalLabelPowersetClassifier,
)
from unit.multilabel.label_samples import DAG, NEW, X, Y

POWERSETS = [
    BinaryRelevance(GaussianNB()),
    LabelPowerset(GaussianNB()),
    MinimalLabelPowersetClassifier(GaussianNB(), structure=DAG),
]
CHAIN = ClassifierChain(GaussianNB())


def of(*classifiers):
    return pytest.mark.parametrize("classifier", classifiers, ids=lambda c: type(c).__name__)


@of(*POWERSETS, CHAIN)
@pytest.mark.parametrize("value", [2, -1])
def test_labels_of_three_values_are_refused(classifier, value):
    labels = Y.astype(float)
    labels.loc[7, "bee"] = value

    with pytest.raises(DataError, match=r"label 'bee' has 3 values, such as .*: expected two"):
        classifier.fit(X, labels)


@of(*POWERSETS, CHAIN)
def test_labels_that_are_fractions_are_refused(classifier):
    with pytest.raises(ValueError, match="Unknown label type: continuous"):
        classifier.fit(X, Y + 0.5)


@of(*POWERSETS, CHAIN)
def test_no_label_at_all_is_refused(classifier):
    with pytest.raises(DataError, match="Y has no column: expected at least one"):
        classifier.fit(X, Y[[]])


@of(*POWERSETS, CHAIN)
def test_a_name_that_is_a_label_and_a_feature_is_refused(classifier):
    with pytest.raises(
        DataError, match="'rain' is a label and a feature: expected different names"
    ):
        classifier.fit(X, Y.rename(columns={"cat": "rain"}))


@of(*POWERSETS, CHAIN)
def test_labels_of_the_same_name_are_refused(classifier):
    with pytest.raises(DataError, match="column name 'cat' occurs more than once"):
        classifier.fit(X, Y.set_axis(["cat", "ant", "cat"], axis=1))


@of(*POWERSETS, CHAIN)
def test_features_of_the_same_name_are_refused(classifier):
    with pytest.raises(DataError, match="column name 'sun' occurs more than once"):
        classifier.fit(X.set_axis(["wind", "sun", "sun", "flat"], axis=1), Y)


@of(*POWERSETS, CHAIN)
def test_missing_values_are_refused(classifier):
    holed = X.copy()
    holed.loc[3, "sun"] = np.nan
    with pytest.raises(ValueError, match="Input X contains NaN"):
        classifier.fit(holed, Y)
    with pytest.raises(ValueError, match="Input X contains NaN"):
        classifier.fit(X, Y).predict(holed)
    with pytest.raises(DataError, match="label 'cat' has no value in row 3: expected one every"):
        classifier.fit(X, Y.drop(3).reindex(Y.index))
    with pytest.raises(ValueError, match="Input y contains NaN"):
        classifier.fit(X, Y.drop(3).reindex(Y.index).to_numpy())


@of(*POWERSETS, CHAIN)
def test_a_category_that_is_new_is_refused(classifier):
    def with_sky(frame, words):
        return frame.assign(sky=np.resize(words, len(frame)))

    classifier.fit(with_sky(X, ["grey", "blue"]), Y)

    assert classifier.predict(with_sky(NEW, ["blue", "grey"])).shape == (300, 3)
    with pytest.raises(
        DataError, match="'sky' holds the unseen state 'red': expected one of 'blue'"
    ):
        classifier.predict(with_sky(NEW, ["grey", "red"]))


@of(*POWERSETS, CHAIN)
def test_other_features_are_refused(classifier):
    classifier.fit(X, Y)

    with pytest.raises(ValueError, match="feature names should match"):
        classifier.predict(NEW.rename(columns={"sun": "moon"}))
    with pytest.raises(ValueError, match="feature names should match"):
        classifier.predict(NEW[["sun", "wind"]])


@of(*POWERSETS, CHAIN)
def test_what_is_not_fitted_predicts_nothing(classifier):
    with pytest.raises(NotFittedError):
        type(classifier)().predict(NEW)


@of(*POWERSETS, CHAIN)
def test_numbers_of_jobs_that_make_no_sense_are_refused(classifier):
    with pytest.raises(SettingError, match="n_jobs must be None, a number of workers, or -1"):
        type(classifier)(GaussianNB(), n_jobs=0).fit(X, Y)


@of(*POWERSETS)
@pytest.mark.parametrize(
    ("structure", "error", "message"),
    [
        (Dag(["ant", "bee"], [(), ()]), GraphError, "Unknown label 'cat'"),
        (
            Dag.from_edges(["ant", "bee", "cat", "snow"], [("snow", "ant")]),
            GraphError,
            "'snow' is next to a label in the graph, but neither a label nor a feature",
        ),
        ("h2pc", SettingError, r"structure must be a Dag, or a learner of graphs such as H2PC\(\)"),
        (H2PC, SettingError, "structure must be a Dag, or a learner"),
        (H2PC(alpha=2), SettingError, "alpha must lie between 0 and 1"),
        (H2PC(targets=["dog"]), DataError, "unknown variable 'dog'"),
    ],
)
def test_structures_that_do_not_fit_are_refused(classifier, structure, error, message):
    chosen = type(classifier)(
        GaussianNB(), structure=structure, feature_selection="markov_boundary"
    )

    with pytest.raises(error, match=message):
        chosen.fit(X, Y)


BAD = [
    (
        {"feature_selection": "boundary"},
        "feature_selection must be 'markov_boundary', 'auto' or None; got 'boundary'",
    ),
    ({"assumption": "faith"}, "assumption"),
    ({"assumption": None}, "assumption"),
    ({"objective": "accuracy"}, "objective"),
    ({"objective": ["f1"]}, "objective"),
    ({"min_combination_samples": 0}, "min_combination_samples must be a whole number from 1 on"),
    ({"min_combination_samples": 1.5}, "min_combination_samples must be a whole number from 1 on"),
    (
        {"thresholds": 0.3},
        "thresholds are for labels one by one: expected objective='hamming'; got 'subset'",
    ),
    ({"objective": "hamming", "thresholds": 1.5}, "thresholds must be 'tuned', a number from 0"),
    ({"objective": "hamming", "thresholds": -0.1}, "thresholds must be 'tuned', a number from 0"),
    ({"objective": "hamming", "thresholds": "best"}, "thresholds must be 'tuned', a number from 0"),
    ({"objective": "hamming", "thresholds": [[0.5]]}, "thresholds must be 'tuned', a number from"),
    ({"objective": "hamming", "thresholds": np.nan}, "thresholds must be 'tuned', a number from 0"),
    (
        {"objective": "hamming", "thresholds": [0.5, 0.5]},
        "thresholds must be one number or 3, one for each label; got 2",
    ),
    (
        {"objective": "f1", "base": LinearSVC()},
        "objective='f1' needs probabilities; LinearSVC has no predict_proba",
    ),
    (
        {"objective": "hamming", "base": LinearSVC()},
        "objective='hamming' needs probabilities; LinearSVC has no predict_proba",
    ),
    (
        {"assumption": "composition", "structure": H2PC()},
        "structure must be LabelFactors or None with assumption='composition'; got H2PC",
    ),
    (
        {"assumption": "intersection", "structure": DAG},
        "structure must be LabelFactors or None with assumption='intersection'; got Dag",
    ),
]


@of(*POWERSETS)
@pytest.mark.parametrize(("settings", "sentence"), BAD, ids=range(len(BAD)))
def test_settings_that_make_no_sense_are_refused(classifier, settings, sentence):
    chosen = type(classifier)(**{"base": GaussianNB(), **settings})

    with pytest.raises(SettingError, match=sentence):
        chosen.fit(X, Y)


@of(*POWERSETS, CHAIN)
@pytest.mark.parametrize(
    ("weights", "sentence"),
    [
        # Newer versions of scikit-learn have a sentence of their own.
        (np.zeros(400), "all 400 weights are zero: expected some above|at least one non-zero"),
        (np.full(400, -1.0), "Negative values"),
        (np.ones(3), r"sample_weight.shape == \(3,\), expected \(400,\)"),
        (np.full(400, np.nan), "Input sample_weight contains NaN"),
    ],
)
def test_weights_that_make_no_sense_are_refused(classifier, weights, sentence):
    with pytest.raises(ValueError, match=sentence):
        classifier.fit(X, Y, sample_weight=weights)


@of(*POWERSETS, CHAIN)
def test_a_base_that_takes_no_weights_is_named(classifier):
    chosen = type(classifier)(KNeighborsClassifier())

    with pytest.raises(SettingError, match="sample_weight came, but KNeighborsClassifier takes no"):
        chosen.fit(X, Y, sample_weight=np.ones(400))

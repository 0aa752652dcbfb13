"""What multi-label classifiers refuse, and with which words."""

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.naive_bayes import GaussianNB

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
@pytest.mark.parametrize("value", [2, -1, 0.5])
def test_labels_other_than_zero_and_one_are_refused(classifier, value):
    labels = Y.astype(float)
    labels.loc[7, "bee"] = value

    with pytest.raises(ValueError, match=r"label 'bee' is .* in row 7: expected 0 or 1|continuous"):
        classifier.fit(X, labels)


@of(*POWERSETS, CHAIN)
def test_words_are_no_labels(classifier):
    with pytest.raises(DataError, match="label 'ant' is yes in row 0: expected 0 or 1"):
        classifier.fit(X, pd.DataFrame({"ant": ["yes", "no"] * 200}))


@of(*POWERSETS, CHAIN)
def test_a_vector_of_labels_is_refused(classifier):
    with pytest.raises(DataError, match=r"Y is of shape \(400,\): expected samples by labels"):
        classifier.fit(X, Y["cat"])


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
    with pytest.raises(ValueError, match="Input y contains NaN"):
        classifier.fit(X, Y.drop(3).reindex(Y.index))


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


@of(*POWERSETS)
def test_other_ways_to_select_features_are_refused(classifier):
    with pytest.raises(SettingError, match="feature_selection must be 'markov_boundary' or None"):
        type(classifier)(feature_selection="boundary").fit(X, Y)

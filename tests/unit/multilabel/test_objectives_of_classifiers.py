"""What predictions of fitted classifiers are best at: by all sets of labels, one by one."""

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from h2pc import (
    BinaryRelevance,
    CompactForestClassifier,
    LabelPowerset,
    MinimalLabelPowersetClassifier,
)
from h2pc.errors import SettingError
from h2pc.multilabel.expected_f1 import FactorProbabilities
from h2pc.multilabel.thresholds import tuned_thresholds
from reference.slow_expected_f1 import (
    best_sets,
    example_f1,
    hamming_accuracy,
    joint_distribution,
    subset_accuracy,
)
from unit.multilabel.label_samples import DAG, NEW, X, Y, presence

SCORES = {"subset": subset_accuracy, "hamming": hamming_accuracy, "f1": example_f1}
KINDS = [BinaryRelevance, LabelPowerset, MinimalLabelPowersetClassifier]
BY_NAME = [1, 2, 0]
"""The columns of the labels in the order of their names."""


def fitted(kind=MinimalLabelPowersetClassifier, base=None, **settings):
    base = GaussianNB() if base is None else base
    return kind(base, structure=DAG, random_state=0, **settings).fit(X, Y)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("objective", SCORES)
@pytest.mark.parametrize("base", [GaussianNB(), CompactForestClassifier(5, max_depth=3)], ids=str)
def test_no_set_of_labels_has_a_better_expected_score(kind, objective, base):
    classifier = fitted(kind, base, objective=objective)
    new = NEW.iloc[::6]

    predicted = classifier.predict(new)[:, BY_NAME]
    factors = [
        FactorProbabilities(model.labels, model.combinations, joint)
        for model, joint in zip(
            classifier.models_, classifier.predict_joint_proba(new), strict=True
        )
    ]
    for row, own in enumerate(predicted.tolist()):
        joint = joint_distribution(factors, 3, row)
        _, best = best_sets(SCORES[objective], joint, 3)
        assert tuple(own) in best


def test_an_objective_may_change_after_fitting():
    classifier = fitted()
    new = NEW

    for objective in SCORES:
        found = classifier.set_params(objective=objective).predict(new)
        np.testing.assert_array_equal(found, fitted(objective=objective).predict(new))
    assert (classifier.set_params(objective="f1").predict(new).sum()) > (
        classifier.set_params(objective="subset").predict(new).sum()
    )
    with pytest.raises(SettingError, match="objective"):
        classifier.set_params(objective="accuracy").predict(new)


@pytest.mark.parametrize("objective", ["f1", "hamming"])
def test_an_objective_needs_probabilities_after_fitting_too(objective):
    classifier = fitted(base=LinearSVC()).set_params(objective=objective)

    with pytest.raises(SettingError, match=f"objective='{objective}' needs probabilities; Linear"):
        classifier.predict(NEW)


def test_probabilities_do_not_depend_on_the_objective():
    classifier = fitted()
    expected = presence(classifier, NEW)

    for objective in SCORES:
        np.testing.assert_array_equal(
            presence(classifier.set_params(objective=objective), NEW), expected
        )


def test_batches_do_not_matter(monkeypatch):
    classifier = fitted(objective="f1")
    predicted = classifier.predict(NEW)

    monkeypatch.setattr("h2pc.multilabel.powerset_classifier._BATCH_CELLS", 50)

    np.testing.assert_array_equal(classifier.predict(NEW), predicted)


@pytest.mark.parametrize("n_jobs", [2, -1])
@pytest.mark.parametrize("objective", SCORES)
def test_the_number_of_workers_does_not_matter(objective, n_jobs):
    alone, together = fitted(objective=objective), fitted(objective=objective, n_jobs=n_jobs)

    np.testing.assert_array_equal(together.predict(NEW), alone.predict(NEW))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("thresholds", [0.3, 0, 1, [0.1, 0.2, 0.9], np.array([0.5, 0.3, 0.3])])
def test_a_label_is_predicted_from_its_threshold_on(kind, thresholds):
    classifier = fitted(kind, objective="hamming", thresholds=thresholds)

    expected = presence(classifier, NEW) >= np.asarray(thresholds)
    np.testing.assert_array_equal(classifier.predict(NEW), expected)
    given = dict(zip(Y.columns, np.broadcast_to(thresholds, 3).tolist(), strict=True))
    assert classifier.thresholds_ == given


def test_without_thresholds_a_label_is_predicted_above_one_half():
    classifier = fitted(objective="hamming")

    assert classifier.thresholds_ is None
    np.testing.assert_array_equal(classifier.predict(NEW), presence(classifier, NEW) > 0.5)
    # Half of the samples of a leaf are not enough.
    half = BinaryRelevance(GaussianNB(), objective="hamming", feature_selection="markov_boundary")
    half.set_params(structure=DAG.without_edge("wind", "cat"))
    half.fit(X, Y.assign(cat=np.arange(400) % 2))
    assert (presence(half, NEW)[:, 0] == 0.5).all()
    assert (half.predict(NEW)[:, 0] == 0).all()


def test_tuned_thresholds_are_those_of_samples_out_of_bag():
    forest = CompactForestClassifier(30, max_depth=3)
    classifier = fitted(BinaryRelevance, forest, objective="hamming", thresholds="tuned")

    for j, (label, model) in enumerate(zip(("ant", "bee", "cat"), classifier.models_, strict=True)):
        own = model.classifier
        theirs = RandomForestClassifier(
            30, max_depth=3, oob_score=True, random_state=own.random_state
        )
        theirs.fit(X[sorted(X.columns)].to_numpy(), Y[label])
        assert model.labels.tolist() == [j]
        [expected] = tuned_thresholds(Y[[label]].to_numpy(), theirs.oob_decision_function_[:, 1:])
        assert classifier.thresholds_[label] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("selection", [None, "markov_boundary", "auto"])
def test_tuned_thresholds_go_with_every_choice_of_features(kind, selection):
    base = DecisionTreeClassifier(max_depth=3)
    classifier = fitted(
        kind, base, objective="hamming", thresholds="tuned", feature_selection=selection
    )

    assert sorted(classifier.thresholds_) == ["ant", "bee", "cat"]
    above = [classifier.thresholds_[label] for label in Y.columns]
    np.testing.assert_array_equal(classifier.predict(NEW), presence(classifier, NEW) >= above)


def test_thresholds_follow_their_labels_whatever_the_order_of_columns():
    settings = {"objective": "hamming", "thresholds": "tuned", "random_state": 0}
    tree = DecisionTreeClassifier(max_depth=3)
    one = BinaryRelevance(tree, **settings).fit(X, Y)
    other = BinaryRelevance(tree, **settings).fit(X[sorted(X)], Y[["bee", "cat", "ant"]])

    assert one.thresholds_ == other.thresholds_
    np.testing.assert_array_equal(one.predict(NEW)[:, [2, 0, 1]], other.predict(NEW[sorted(X)]))


def test_thresholds_are_forgotten_when_fitting_again_without_them():
    classifier = fitted(objective="hamming", thresholds=0.2)

    classifier.set_params(thresholds=None).fit(X, Y)

    assert classifier.thresholds_ is None


@pytest.mark.parametrize("kind", [LabelPowerset, MinimalLabelPowersetClassifier])
@pytest.mark.parametrize("least", [2, 20, 90, 10_000])
def test_rare_combinations_are_no_classes(kind, least):
    classifier = fitted(kind, min_combination_samples=least)

    for model, powerset in zip(classifier.models_, classifier.powersets_, strict=True):
        counts = Y[list(powerset)].value_counts()
        enough = counts[counts >= min(least, counts.max())]
        assert model.combinations.tolist() == sorted(list(own) for own in enough.index)
        assert len(model.combinations) < len(counts) or (counts >= least).all()


def test_samples_of_rare_combinations_count_for_the_nearest_frequent_one():
    x = np.array([[0.0]] * 50 + [[1.0]] * 50 + [[2.0]] * 3)
    labels = np.array([[0, 0, 0]] * 50 + [[1, 1, 0]] * 50 + [[1, 1, 1]] * 3)

    classifier = LabelPowerset(DecisionTreeClassifier(), min_combination_samples=5).fit(x, labels)

    assert classifier.combinations_[0].tolist() == [[0, 0, 0], [1, 1, 0]]
    assert classifier.predict([[2.0]]).tolist() == [[1, 1, 0]]
    all_of_them = LabelPowerset(DecisionTreeClassifier()).fit(x, labels)
    assert all_of_them.predict([[2.0]]).tolist() == [[1, 1, 1]]


def test_rare_values_of_one_label_leave_a_constant():
    labels = (np.arange(400) < 3).astype(int)[:, np.newaxis]

    classifier = BinaryRelevance(GaussianNB(), min_combination_samples=4).fit(X, labels)

    assert (classifier.predict(X) == 0).all()

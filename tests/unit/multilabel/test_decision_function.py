"""Decision functions of labels, from those of combinations."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC

from h2pc import (
    BinaryRelevance,
    ClassifierChain,
    LabelPowerset,
    MinimalLabelPowersetClassifier,
)
from unit.multilabel.label_samples import DAG, NEW, TRUE, X, Y

BASES = [RidgeClassifier(), LinearSVC(), LogisticRegression()]
BY_NAME = sorted(X.columns)
bases = pytest.mark.parametrize("base", BASES, ids=str)


@bases
def test_a_label_alone_has_the_decision_of_the_base(base):
    classifier = BinaryRelevance(base, random_state=0).fit(X, Y)

    found = classifier.decision_function(NEW)
    for j, label in enumerate(Y.columns):
        alone = base.fit(X[BY_NAME], Y[label]).decision_function(NEW[BY_NAME])
        np.testing.assert_allclose(found[:, j], alone, rtol=1e-6, atol=1e-9)
    np.testing.assert_array_equal(found > 0, classifier.predict(NEW) == 1)


@bases
def test_a_vector_of_one_label_gives_a_vector(base):
    classifier = LabelPowerset(base, random_state=0).fit(X, Y["cat"])

    alone = base.fit(X[BY_NAME], Y["cat"]).decision_function(NEW[BY_NAME])
    np.testing.assert_allclose(classifier.decision_function(NEW), alone, rtol=1e-6, atol=1e-9)


@bases
@pytest.mark.parametrize("kind", [LabelPowerset, MinimalLabelPowersetClassifier])
def test_the_decision_of_a_label_is_the_best_with_it_less_the_best_without(base, kind):
    classifier = kind(base, structure=DAG, random_state=0).fit(X, Y)

    found = classifier.decision_function(NEW)
    names = sorted(Y.columns)
    for model in classifier.models_:
        of_combinations = model.classifier.decision_function(NEW[BY_NAME].to_numpy())
        if of_combinations.ndim == 1:
            of_combinations = np.column_stack((np.zeros(300), of_combinations))
        for row in range(0, 300, 17):
            for place, j in enumerate(model.labels):
                values = [
                    max(
                        value
                        for value, own in zip(of_combinations[row], model.combinations, strict=True)
                        if own[place] == wanted
                    )
                    for wanted in (0, 1)
                ]
                expected = values[1] - values[0]
                assert found[row, list(Y.columns).index(names[j])] == pytest.approx(expected)


@bases
def test_it_decides_as_the_prediction_does(base):
    classifier = MinimalLabelPowersetClassifier(base, structure=DAG, random_state=0).fit(X, Y)

    decided, predicted = classifier.decision_function(NEW), classifier.predict(NEW)

    assert (decided[predicted == 1] >= 0).all()
    assert (decided[predicted == 0] <= 0).all()
    assert roc_auc_score(TRUE, decided) > 0.7


def test_labels_that_are_constant_are_decided():
    labels = Y.assign(always=1, never=0)

    for classifier in (LabelPowerset(RidgeClassifier()), BinaryRelevance(RidgeClassifier())):
        decided = classifier.fit(X, labels).decision_function(NEW)

        assert (decided[:, 3] > 0).all()
        assert (decided[:, 4] < 0).all()


def test_a_label_without_features_is_decided_by_its_frequency():
    dag = DAG.without_edge("wind", "cat")
    classifier = BinaryRelevance(
        RidgeClassifier(), feature_selection="markov_boundary", structure=dag
    )

    decided = classifier.fit(X, Y).decision_function(NEW)[:, 0]

    np.testing.assert_allclose(decided, Y["cat"].mean() - 0.5)


def test_a_chain_has_the_decisions_of_scikit_learn():
    from sklearn import multioutput

    chain = ClassifierChain(RidgeClassifier()).fit(X, Y.assign(zebra=1))

    by_name = ["ant", "bee", "cat"]
    theirs = multioutput.ClassifierChain(RidgeClassifier()).fit(X[BY_NAME], Y[by_name])
    expected = theirs.decision_function(NEW[BY_NAME])
    np.testing.assert_allclose(chain.decision_function(NEW)[:, [1, 2, 0]], expected)
    assert (chain.decision_function(NEW)[:, 3] > 0).all()


def test_a_base_without_decisions_has_none():
    classifier = BinaryRelevance(GaussianNB()).fit(X, Y)

    assert not hasattr(classifier, "decision_function")
    assert not hasattr(BinaryRelevance(), "decision_function")


def test_scores_of_ranks_use_it():
    classifier = BinaryRelevance(RidgeClassifier())

    assert cross_val_score(classifier, X, Y, cv=3, scoring="roc_auc").mean() > 0.7

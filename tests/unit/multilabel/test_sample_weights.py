"""Weights of the samples: whole ones are copies, and without weight a sample does not count."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from sklearn.base import BaseEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from h2pc import (
    BinaryRelevance,
    ClassifierChain,
    CompactForestClassifier,
    LabelPowerset,
    MinimalLabelPowersetClassifier,
)
from h2pc.errors import SettingError
from h2pc.multilabel.training_set import labelled
from unit.multilabel.label_samples import NEW, X, Y, presence

RNG = np.random.default_rng(5)
# The median of copies is another one than that of the samples.
WHOLE = np.where(X["rain"] > 0.8, 4, RNG.integers(0, 3, len(X)))
COPIES = np.repeat(np.arange(len(X)), WHOLE)
KINDS = [
    BinaryRelevance(GaussianNB(), feature_selection="markov_boundary"),
    LabelPowerset(GaussianNB(), feature_selection="markov_boundary"),
    MinimalLabelPowersetClassifier(GaussianNB(), feature_selection="markov_boundary"),
    MinimalLabelPowersetClassifier(GaussianNB(), assumption="composition"),
    MinimalLabelPowersetClassifier(GaussianNB(), objective="f1"),
]


@pytest.mark.parametrize("classifier", KINDS, ids=str)
def test_whole_weights_are_copies_of_samples(classifier):
    weighted = classifier.fit(X, Y, sample_weight=WHOLE)
    predicted, probable = weighted.predict(NEW), presence(weighted, NEW)
    structure = weighted.powersets_, weighted.boundaries_, weighted.dag_, weighted.label_factors_
    combinations = [each.tolist() for each in weighted.combinations_]

    copied = classifier.fit(X.iloc[COPIES], Y.iloc[COPIES])

    assert structure == (
        copied.powersets_,
        copied.boundaries_,
        copied.dag_,
        copied.label_factors_,
    )
    assert combinations == [each.tolist() for each in copied.combinations_]
    np.testing.assert_allclose(presence(copied, NEW), probable, rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(copied.predict(NEW), predicted)


def test_features_are_cut_at_the_median_of_the_copies():
    training, _ = labelled(BaseEstimator(), X, Y)
    copied, _ = labelled(BaseEstimator(), X.iloc[COPIES], Y.iloc[COPIES])
    weighted = replace(training, weights=WHOLE.astype(float))

    assert X["rain"].median() != X["rain"].iloc[COPIES].median()
    np.testing.assert_array_equal(weighted.discrete().codes, copied.discrete().codes)
    sparse = replace(weighted, X=csr_array(training.X))
    np.testing.assert_array_equal(sparse.discrete().codes, copied.discrete().codes)


def test_weights_that_are_not_whole_reach_the_base_only():
    weights = WHOLE + 0.5
    classifier = MinimalLabelPowersetClassifier(GaussianNB()).fit(X, Y, sample_weight=weights)

    plain = MinimalLabelPowersetClassifier(GaussianNB()).fit(X, Y)
    assert classifier.dag_ == plain.dag_
    assert (presence(classifier, NEW) != presence(plain, NEW)).mean() > 0.5
    by_name = sorted(X.columns)
    alone = GaussianNB().fit(X[by_name], Y["cat"], sample_weight=weights)
    np.testing.assert_allclose(
        classifier.predict_proba(NEW)[0], alone.predict_proba(NEW[by_name]), rtol=1e-9
    )


BASES = [GaussianNB(), DecisionTreeClassifier(max_depth=3), CompactForestClassifier(3)]


@pytest.mark.parametrize("base", BASES, ids=str)
@pytest.mark.parametrize(
    "kind", [BinaryRelevance, LabelPowerset, MinimalLabelPowersetClassifier, ClassifierChain]
)
def test_samples_without_weight_are_left_out(kind, base):
    kept = np.arange(len(X)) % 3 > 0
    labels = Y.assign(bee=np.where(kept, Y["bee"], 1 - Y["bee"]))

    classifier = kind(base, random_state=0).fit(X, labels, sample_weight=kept.astype(float))

    alone = kind(base, random_state=0).fit(X[kept], Y[kept], sample_weight=np.ones(kept.sum()))
    np.testing.assert_array_equal(classifier.predict_proba(NEW), alone.predict_proba(NEW))


def test_a_value_that_only_samples_without_weight_have_is_still_a_value():
    words = pd.DataFrame({"cat": np.where(np.arange(400) < 3, "yes", "no")})
    weights = (np.arange(400) >= 3).astype(float)

    classifier = BinaryRelevance(GaussianNB()).fit(X, words, sample_weight=weights)

    assert set(classifier.predict(NEW).ravel()) == {"no"}
    assert classifier.classes_[0].tolist() == ["no", "yes"]


@pytest.mark.parametrize("base", [LogisticRegression(tol=1e-9), BernoulliNB()], ids=str)
def test_weights_of_a_chain_are_copies_too(base):
    weighted = presence(ClassifierChain(base).fit(X, Y, sample_weight=WHOLE), NEW)
    copied = presence(ClassifierChain(base).fit(X.iloc[COPIES], Y.iloc[COPIES]), NEW)

    np.testing.assert_allclose(weighted, copied, rtol=1e-4)


def test_equal_weights_change_nothing():
    plain = MinimalLabelPowersetClassifier(GaussianNB()).fit(X, Y)
    weighted = MinimalLabelPowersetClassifier(GaussianNB()).fit(X, Y, sample_weight=np.ones(400))

    assert weighted.dag_ == plain.dag_
    np.testing.assert_allclose(presence(weighted, NEW), presence(plain, NEW), rtol=1e-12)


def test_tuned_thresholds_know_the_weights():
    settings = {"objective": "hamming", "thresholds": "tuned", "random_state": 0}
    base = DecisionTreeClassifier(max_depth=3)
    rare = np.where(Y["ant"] == 1, 20.0, 1.0)

    plain = BinaryRelevance(base, **settings).fit(X, Y, sample_weight=np.ones(400))
    weighted = BinaryRelevance(base, **settings).fit(X, Y, sample_weight=rare)

    assert weighted.thresholds_ != plain.thresholds_


def test_a_pipeline_takes_no_weights():
    classifier = BinaryRelevance(make_pipeline(StandardScaler(), GaussianNB()))

    with pytest.raises(SettingError, match="sample_weight came, but Pipeline takes no weights"):
        classifier.fit(X, Y, sample_weight=WHOLE)

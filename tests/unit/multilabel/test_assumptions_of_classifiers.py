"""Powersets by tests alone, or given: those of irreducible label factors."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import f1_score, make_scorer
from sklearn.model_selection import GridSearchCV, KFold, cross_val_predict, cross_val_score
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from h2pc import (
    BinaryRelevance,
    LabelPowerset,
    MinimalLabelPowersetClassifier,
    irreducible_label_factors,
    make_multilabel_network,
)
from h2pc.errors import SettingError
from h2pc.graphs import Skeleton
from unit.multilabel.label_samples import X, Y

DATA = make_multilabel_network(n_labels=4, n_features=8, random_state=3).sample(2000, 1)
FEATURES, LABELS = DATA.to_pandas()
TESTED = ["composition", "intersection"]
by_tests = pytest.mark.parametrize("assumption", TESTED)


def fitted(assumption, kind=MinimalLabelPowersetClassifier, **settings):
    return kind(BernoulliNB(), assumption=assumption, **settings).fit(FEATURES, LABELS)


@by_tests
def test_powersets_are_the_irreducible_factors(assumption):
    factors = irreducible_label_factors(DATA, assumption=assumption)

    classifier = fitted(assumption)

    assert classifier.powersets_ == factors.factors == (("Y0",), ("Y1",), ("Y2", "Y3"))
    assert classifier.boundaries_ == factors.boundaries
    assert classifier.label_factors_ == factors
    assert classifier.label_graph_ == Skeleton(["Y0", "Y1", "Y2", "Y3"], [("Y2", "Y3")])
    assert classifier.dag_ is None


@by_tests
def test_features_are_those_of_the_factors(assumption):
    factors = irreducible_label_factors(DATA, assumption=assumption)

    classifier = fitted(assumption, feature_selection="markov_boundary")

    names = sorted(FEATURES.columns)
    for model, boundary in zip(classifier.models_, factors.boundaries, strict=True):
        assert tuple(names[j] for j in model.features) == boundary


@by_tests
def test_a_label_alone_has_the_boundary_of_its_factor(assumption):
    factors = irreducible_label_factors(DATA, assumption=assumption)
    own = {
        y: near
        for some, near in zip(factors.factors, factors.boundaries, strict=True)
        for y in some
    }

    one_by_one = fitted(assumption, BinaryRelevance, feature_selection="markov_boundary")
    together = fitted(assumption, LabelPowerset, feature_selection="markov_boundary")

    assert one_by_one.boundaries_ == tuple(own[y] for y in ("Y0", "Y1", "Y2", "Y3"))
    assert together.boundaries_ == (tuple(sorted({x for near in own.values() for x in near})),)


@by_tests
@pytest.mark.parametrize("kind", [BinaryRelevance, LabelPowerset])
def test_without_selection_no_factors_are_needed(assumption, kind):
    classifier = fitted(assumption, kind)

    assert classifier.label_factors_ is None
    assert classifier.boundaries_ is None


@by_tests
def test_factors_that_are_given_are_used(assumption):
    factors = irreducible_label_factors(DATA, assumption=assumption)
    joined = replace(
        factors,
        factors=(("Y0", "Y1"), ("Y2", "Y3")),
        boundaries=(("X0",), ("X1", "X4")),
    )

    classifier = fitted(assumption, structure=joined, feature_selection="markov_boundary")

    assert classifier.powersets_ == joined.factors
    assert classifier.boundaries_ == joined.boundaries
    assert classifier.label_factors_ is joined


@by_tests
def test_factors_of_other_labels_or_by_another_assumption_are_refused(assumption):
    factors = irreducible_label_factors(DATA, assumption=assumption)
    [other] = set(TESTED) - {assumption}
    settings = {"assumption": other, "structure": factors}

    classifier = MinimalLabelPowersetClassifier(BernoulliNB(), **settings)
    with pytest.raises(SettingError, match=f"factors of these 4 labels, by {other}; got some of 4"):
        classifier.fit(FEATURES, LABELS)
    classifier.set_params(assumption=assumption)
    with pytest.raises(SettingError, match=f"of these 3 labels, by {assumption}; got some of 4"):
        classifier.fit(FEATURES, LABELS.iloc[:, :3])


def test_factors_are_no_structure_under_faithfulness():
    factors = irreducible_label_factors(DATA)

    with pytest.raises(SettingError, match="structure must be a Dag, or a learner"):
        fitted("faithfulness", structure=factors)


@by_tests
def test_fitting_again_under_faithfulness_forgets_the_factors(assumption):
    classifier = fitted(assumption)

    classifier.set_params(assumption="faithfulness").fit(FEATURES, LABELS)

    assert classifier.label_factors_ is None
    assert classifier.dag_ is not None


@by_tests
def test_neither_workers_nor_the_order_of_columns_matter(assumption):
    one = fitted(assumption)
    expected = one.predict_proba(FEATURES)

    turned = MinimalLabelPowersetClassifier(BernoulliNB(), assumption=assumption, n_jobs=2)
    turned.fit(FEATURES.iloc[:, ::-1], LABELS.iloc[:, ::-1])

    assert turned.label_factors_ == one.label_factors_
    np.testing.assert_array_equal(turned.predict_proba(FEATURES.iloc[:, ::-1])[::-1], expected)


@by_tests
def test_predictions_are_explained_without_a_graph(assumption):
    why = fitted(assumption).explain(FEATURES, 3)

    assert [part.labels for part in why.powersets] == [("Y0",), ("Y1",), ("Y2", "Y3")]
    assert {each.role for part in why.powersets for each in part.features} == {""}


def test_a_search_chooses_assumption_and_objective_in_a_pipeline():
    pipeline = make_pipeline(StandardScaler(), MinimalLabelPowersetClassifier(GaussianNB()))
    step = "minimallabelpowersetclassifier"
    choices = {
        f"{step}__assumption": ["faithfulness", "composition"],
        f"{step}__objective": ["subset", "f1"],
    }
    scorer = make_scorer(f1_score, average="samples", zero_division=1.0)

    search = GridSearchCV(pipeline, choices, cv=2, scoring=scorer).fit(X, Y)

    assert search.best_params_[f"{step}__objective"] == "f1"
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    assert search.predict(X).shape == (400, 3)


def test_ranks_are_scored_by_the_probabilities_of_presence():
    classifier = MinimalLabelPowersetClassifier(GaussianNB(), assumption="composition")

    assert cross_val_score(classifier, X, Y, cv=2, scoring="roc_auc").mean() > 0.7
    assert cross_val_score(classifier, X, Y["cat"], cv=2, scoring="roc_auc").mean() > 0.7
    told = cross_val_predict(classifier, X, Y, cv=2, method="predict_proba")
    assert [both.shape for both in told] == [(400, 2)] * 3


def test_sets_and_words_are_cross_validated():
    sets = [frozenset(Y.columns[row == 1]) for row in Y.to_numpy()]
    words = np.where(Y == 1, "yes", "no")
    classifier, folds = BinaryRelevance(GaussianNB()), KFold(3, shuffle=True, random_state=0)
    expected = cross_val_score(classifier, X, Y, cv=folds)

    assert cross_val_score(classifier, X, sets, cv=folds).tolist() == expected.tolist()
    assert cross_val_score(classifier, X, words, cv=folds).tolist() == expected.tolist()
    vector = cross_val_score(classifier, X, words[:, 0], cv=3)
    assert vector.mean() > 0.8

"""The choice of features and models by samples that were held out."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import RidgeClassifier
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from h2pc import (
    BinaryRelevance,
    CompactForestClassifier,
    Dag,
    LabelPowerset,
    MinimalLabelPowersetClassifier,
)
from h2pc.multilabel.blended_classifier import BlendedClassifier
from h2pc.multilabel.model_choice import POWERS, WEIGHTS, ModelChoice
from unit.multilabel.label_samples import DAG, NEW, X, Y, presence

TREE = DecisionTreeClassifier(max_depth=3)
BLENDS = [f"blend {weight:g}" for weight in WEIGHTS]


def auto(base=TREE, **settings):
    settings = {"structure": DAG, "random_state": 0, **settings}
    return MinimalLabelPowersetClassifier(base, feature_selection="auto", **settings)


def joined(names, features):
    """Return a graph in which all labels are one powerset with some features."""
    edges = [(x, names[0]) for x in features]
    return Dag.from_edges([*features, *names], edges + list(pairwise(names)))


def key_of(choice):
    """Return the entry of the scores that a choice stands for."""
    selection, scores = choice.feature_selection, choice.scores
    if choice.model == "parts":
        return f"{selection}, parts"
    if choice.model == "blend":
        return f"{selection}, blend {choice.weight:g}"
    candidates = [selection, f"{selection}, frequent combinations"]
    return max((key for key in candidates if key in scores), key=scores.__getitem__)


def test_a_boundary_among_hundreds_of_useless_features_is_chosen():
    rng = np.random.default_rng(0)
    x = pd.DataFrame(rng.normal(size=(200, 200)), columns=[f"x{j:03}" for j in range(200)])
    near = (x["x007"] > 0) ^ (rng.random(200) < 0.05)
    labels = pd.DataFrame({"a": near, "b": near ^ (rng.random(200) < 0.1)}).astype(int)
    classifier = auto(KNeighborsClassifier(5), structure=joined(["a", "b"], ["x007"]))

    classifier.fit(x, labels)

    [choice] = classifier.choices_
    assert choice.feature_selection == "markov_boundary"
    assert choice.scores["markov_boundary"] > choice.scores["all"] + 0.1
    assert classifier.boundaries_ == (("x007",),)
    assert [model.features.tolist() for model in classifier.models_] == [[7]] * len(
        classifier.models_
    )


def test_features_beyond_a_wrong_boundary_are_chosen():
    classifier = auto(GaussianNB(), structure=joined(["ant", "bee", "cat"], ["sun"]))

    classifier.fit(X, Y)

    [choice] = classifier.choices_
    assert choice.feature_selection in ("all", "dependent")
    assert {"rain", "wind"} <= set(classifier.boundaries_[0])


def test_labels_that_only_their_combinations_tell_are_predicted_together():
    rng = np.random.default_rng(1)
    x = pd.DataFrame({"x": rng.normal(size=400), "noise": rng.normal(size=400)})
    coin = rng.random(400) < 0.5
    labels = pd.DataFrame({"a": coin, "b": coin ^ (x["x"] > 0)}).astype(int)

    classifier = auto(GaussianNB(), structure=joined(["a", "b"], ["x"])).fit(x, labels)

    [choice] = classifier.choices_
    best = choice.feature_selection
    assert choice.model in ("combinations", "blend")
    assert choice.scores[best] > choice.scores[f"{best}, parts"] + 0.05
    assert len(classifier.models_) == 1


def test_labels_that_are_independent_are_predicted_in_parts_or_as_well():
    rng = np.random.default_rng(2)
    x = rng.normal(size=(150, 6))
    labels = (x + rng.normal(size=(150, 6)) > 0).astype(int)
    names, features = [f"Y{j}" for j in range(6)], [f"X{j}" for j in range(6)]

    classifier = auto(GaussianNB(), structure=joined(names, features)).fit(x, labels)

    [choice] = classifier.choices_
    assert choice.scores["markov_boundary, parts"] > choice.scores["markov_boundary"] + 0.02
    assert choice.model in ("parts", "blend")
    assert choice.scores[key_of(choice)] >= choice.scores["markov_boundary, parts"]


@pytest.mark.parametrize("objective", ["subset", "hamming", "f1"])
@pytest.mark.parametrize("base", [GaussianNB(), TREE, CompactForestClassifier(5)], ids=str)
def test_the_best_of_all_candidates_is_chosen(base, objective):
    classifier = auto(base, objective=objective).fit(X, Y)

    for choice in classifier.choices_:
        assert isinstance(choice, ModelChoice)
        assert choice.scores[key_of(choice)] == max(choice.scores.values())
    *inner, last = (choice.labels for choice in classifier.choices_)
    assert [*inner, last][:2] == [("ant", "bee"), ("cat",)]
    pair = classifier.choices_[0].scores
    selection = classifier.choices_[0].feature_selection
    assert {"markov_boundary", "all"} <= set(pair)
    assert {f"{selection}, {name}" for name in ["parts", *BLENDS]} <= set(pair)


def test_the_score_is_the_share_of_right_samples_out_of_bag():
    classifier = auto(RandomForestClassifier(20, max_depth=3), structure=joined(["Y0"], ["X2"]))
    x, y = X.to_numpy(), Y["cat"].to_numpy()
    [choice] = classifier.fit(x, y[:, np.newaxis]).choices_

    seed = np.random.RandomState(0).randint(np.iinfo(np.int32).max, size=1)[0]
    forest_seed = np.random.RandomState(seed).randint(np.iinfo(np.int32).max)
    theirs = RandomForestClassifier(20, max_depth=3, oob_score=True, random_state=forest_seed)
    assert choice.scores["all"] == pytest.approx(theirs.fit(x, y).oob_score_, abs=1e-12)


@pytest.mark.parametrize("objective", ["hamming", "f1"])
def test_the_score_of_other_objectives_is_that_of_labels(objective):
    forest = RandomForestClassifier(20, max_depth=3)
    classifier = auto(forest, structure=joined(["Y0"], ["X2"]), objective=objective)
    x, y = X.to_numpy(), Y["cat"].to_numpy()
    [choice] = classifier.fit(x, y[:, np.newaxis]).choices_

    seed = np.random.RandomState(0).randint(np.iinfo(np.int32).max, size=1)[0]
    forest_seed = np.random.RandomState(seed).randint(np.iinfo(np.int32).max)
    theirs = RandomForestClassifier(20, max_depth=3, oob_score=True, random_state=forest_seed)
    probable = theirs.fit(x, y).oob_decision_function_[:, 1]
    expected = {"hamming": ((probable > 0.5) == y).mean(), "f1": -((probable - y) ** 2).mean()}
    assert choice.scores["all"] == pytest.approx(expected[objective], abs=1e-12)


@pytest.mark.parametrize("base", [TREE, CompactForestClassifier(4, max_features=1)], ids=str)
@pytest.mark.parametrize("structure", [DAG, None])
def test_neither_workers_nor_the_order_of_columns_matter(base, structure):
    one = auto(base, structure=structure).fit(X, Y)
    features, labels = ["rain", "wind", "flat", "sun"], ["bee", "cat", "ant"]

    other = auto(base, structure=structure, n_jobs=2).fit(X[features], Y[labels])

    assert other.choices_ == one.choices_
    assert other.boundaries_ == one.boundaries_
    np.testing.assert_array_equal(presence(other, NEW[features]), presence(one, NEW)[:, [2, 0, 1]])


def test_samples_without_weight_do_not_count():
    kept = np.arange(len(X)) % 4 > 0
    labels = pd.DataFrame(np.where(kept[:, np.newaxis], Y, 1 - Y), columns=Y.columns)

    one = auto().fit(X, labels, sample_weight=kept.astype(float))
    other = auto().fit(X[kept], Y[kept], sample_weight=np.ones(kept.sum()))

    assert one.choices_ == other.choices_
    np.testing.assert_array_equal(presence(one, NEW), presence(other, NEW))


def test_weights_change_what_is_held_to_be_good():
    weights = np.where(X["wind"] > 0, 9.0, 1.0)

    plain, weighted = auto().fit(X, Y), auto().fit(X, Y, sample_weight=weights)

    assert plain.choices_[0].scores != weighted.choices_[0].scores


@pytest.mark.parametrize("kind", [BinaryRelevance, LabelPowerset])
def test_other_partitions_choose_features_too(kind):
    classifier = kind(GaussianNB(), feature_selection="auto", structure=DAG).fit(X, Y)

    assert {label for choice in classifier.choices_ for label in choice.labels} == set(Y)
    assert len(classifier.boundaries_) == len(classifier.powersets_)
    assert classifier.score(NEW, classifier.predict(NEW)) == 1.0


def test_a_base_without_probabilities_chooses_by_its_predictions():
    classifier = auto(RidgeClassifier()).fit(X, Y)

    assert not hasattr(classifier, "predict_proba")
    for choice in classifier.choices_:
        assert choice.model in ("combinations", "parts")
        assert choice.scores[key_of(choice)] == max(choice.scores.values())
    assert classifier.predict(NEW).shape == (300, 3)


def test_constant_labels_and_labels_without_features_are_no_problem():
    dag = Dag.from_edges(["always", *DAG.names], [*DAG.without_edge("wind", "cat").named_edges])
    classifier = auto(GaussianNB(), structure=dag).fit(X, Y.assign(always=1))

    assert (classifier.predict(NEW)[:, 3] == 1).all()
    assert all(np.isfinite(list(choice.scores.values())).all() for choice in classifier.choices_)


def test_a_single_sample_of_each_kind_is_no_problem():
    x = pd.DataFrame({"x": [0.0, 1.0, 2.0]})
    labels = pd.DataFrame({"a": [0, 1, 1], "b": [0, 0, 1]})

    classifier = auto(BernoulliNB(), structure=joined(["a", "b"], ["x"])).fit(x, labels)

    assert classifier.predict(x).shape == (3, 2)


def test_probabilities_that_are_too_clear_become_less_clear():
    # The same feature ten times: naive Bayes counts it ten times.
    rng = np.random.default_rng(3)
    x = np.repeat(rng.normal(size=(300, 1)), 10, axis=1)
    y = (x[:, :1] + 2 * rng.normal(size=(300, 1)) > 0).astype(int)
    structure = joined(["Y0"], [f"X{j}" for j in range(10)])

    classifier = auto(GaussianNB(), structure=structure).fit(x, y)

    [model] = classifier.models_
    assert isinstance(model.classifier, BlendedClassifier)
    assert model.classifier.power == min(POWERS)
    new = rng.normal(size=(50, 1)).repeat(10, axis=1)
    plain = GaussianNB().fit(x, y[:, 0]).predict_proba(new)
    assert classifier.predict_proba(new)[0].max(axis=1).mean() < plain.max(axis=1).mean()
    np.testing.assert_array_equal(
        classifier.predict_proba(new)[0].argmax(axis=1), plain.argmax(axis=1)
    )


def test_rare_combinations_are_left_out_where_that_predicts_better():
    rng = np.random.default_rng(4)
    x = rng.normal(size=(200, 2))
    clear = (x > 0).astype(int)
    noisy = (rng.random((200, 6)) < 0.08).astype(int)
    labels = np.hstack((clear, noisy))
    names = [f"Y{j}" for j in range(8)]

    classifier = auto(KNeighborsClassifier(1), structure=joined(names, ["X0", "X1"]))
    [choice] = classifier.fit(x, labels).choices_

    scores, selection = choice.scores, choice.feature_selection
    assert scores[f"{selection}, frequent combinations"] > scores[selection]
    kinds, counts = np.unique(labels, axis=0, return_counts=True)
    np.testing.assert_array_equal(classifier.combinations_[0], kinds[counts >= 3])


def test_choices_are_made_anew_when_fitting_again():
    classifier = auto(GaussianNB()).fit(X, Y)
    assert classifier.choices_

    classifier.set_params(feature_selection=None).fit(X, Y)

    assert classifier.choices_ is None
    assert not any(isinstance(m.classifier, BlendedClassifier) for m in classifier.models_)


def test_predictions_of_chosen_models_are_those_of_their_probabilities():
    classifier = auto(CompactForestClassifier(5)).fit(X, Y)

    predicted = classifier.predict(NEW)[:, [1, 2, 0]]
    for model, joint in zip(classifier.models_, classifier.predict_joint_proba(NEW), strict=True):
        np.testing.assert_allclose(joint.sum(axis=1), 1.0)
        np.testing.assert_array_equal(
            predicted[:, model.labels], model.combinations[joint.argmax(axis=1)]
        )

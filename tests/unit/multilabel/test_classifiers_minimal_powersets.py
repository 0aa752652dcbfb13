"""Labels that depend on each other are predicted together."""

import numpy as np
import pytest
from scipy.stats import wilcoxon
from sklearn.base import clone
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from h2pc import (
    H2PC,
    MMHC,
    CompactForestClassifier,
    Dag,
    TabuSearch,
    make_multilabel_network,
    multilabel_scores,
)
from h2pc.multilabel.classifiers import (
    BinaryRelevance,
    LabelPowerset,
    MinimalLabelPowersetClassifier,
)
from unit.multilabel.label_samples import DAG, NEW, TRUE, X, Y, presence

TREE = DecisionTreeClassifier(max_depth=4, max_features=2)


def fitted(**settings):
    settings = {"base": TREE, "structure": DAG, "random_state": 0, **settings}
    return MinimalLabelPowersetClassifier(**settings).fit(X, Y)


def test_powersets_and_boundaries_are_read_off_the_graph():
    classifier = fitted()

    assert classifier.powersets_ == (("ant", "bee"), ("cat",))
    assert classifier.boundaries_ == (("rain",), ("wind",))
    assert classifier.dag_ == DAG
    assert classifier.label_graph_.named_edges == (("ant", "bee"),)
    assert [c.tolist() for c in classifier.combinations_] == [[[0, 0], [0, 1], [1, 0]], [[0], [1]]]


@pytest.mark.parametrize("learner", [None, H2PC(), H2PC(alpha=0.01), MMHC()])
def test_the_graph_is_learned_where_none_is_given(learner):
    classifier = fitted(structure=learner, base=GaussianNB())

    assert classifier.powersets_ == (("ant", "bee"), ("cat",))
    assert classifier.boundaries_ == (("rain",), ("wind",))


def test_a_learner_that_has_no_targets_learns_the_whole_graph():
    classifier = fitted(structure=TabuSearch(), base=GaussianNB())

    assert sorted(classifier.dag_.names) == sorted([*X.columns, *Y.columns])
    assert ("ant", "bee") in classifier.label_graph_.named_edges


def test_a_learner_is_not_changed_and_keeps_targets_of_its_own():
    everything = [*X.columns, *Y.columns]
    around, whole = H2PC(), H2PC(targets=everything)

    near, far = fitted(structure=around).dag_, fitted(structure=whole).dag_

    assert around.targets is None
    assert sorted(far.names) == sorted(everything)
    assert set(near.names) == {"ant", "bee", "cat", "rain", "wind"}


def test_the_prediction_is_the_most_probable_combination():
    classifier = fitted()

    both, single = classifier.predict_joint_proba(NEW)
    expected = np.column_stack(
        (
            classifier.combinations_[1][single.argmax(axis=1)],
            classifier.combinations_[0][both.argmax(axis=1)],
        )
    )
    np.testing.assert_array_equal(classifier.predict(NEW), expected)
    assert classifier.predict(NEW).dtype == np.int64


def test_probabilities_of_labels_add_up_those_of_the_combinations():
    classifier = fitted()

    both, single = classifier.predict_joint_proba(NEW)
    np.testing.assert_allclose(both.sum(axis=1), 1.0)
    expected = np.column_stack((single[:, 1], both[:, 2], both[:, 1]))
    np.testing.assert_allclose(presence(classifier, NEW), expected, atol=1e-15)


def test_a_combination_that_was_never_seen_is_never_predicted():
    predicted = fitted().predict(NEW)

    assert (Y["ant"] & Y["bee"]).sum() == 0
    assert not (predicted[:, 1] & predicted[:, 2]).any()


def test_labels_that_are_alone_are_predicted_as_by_binary_relevance():
    alone = BinaryRelevance(TREE, random_state=0).fit(X, Y)

    np.testing.assert_array_equal(fitted().predict_proba(NEW)[0], alone.predict_proba(NEW)[0])


def test_labels_that_are_all_joined_are_predicted_as_by_label_powerset():
    joined = fitted(structure=DAG.with_edge("bee", "cat"))
    together = LabelPowerset(TREE, random_state=0).fit(X, Y)

    np.testing.assert_array_equal(joined.predict_proba(NEW), together.predict_proba(NEW))
    np.testing.assert_array_equal(joined.predict(NEW), together.predict(NEW))


def test_predicting_dependent_labels_together_pays():
    alone = BinaryRelevance(GaussianNB()).fit(X, Y)

    together = fitted(base=GaussianNB())

    # Neither ``ant`` nor ``bee`` is more probable than not, but that one of them is there may be.
    assert together.score(NEW, TRUE) > alone.score(NEW, TRUE) + 0.05


def test_selected_features_are_all_that_is_seen():
    classifier = fitted(feature_selection="markov_boundary")

    changed = NEW.assign(sun=-NEW["sun"], flat=0.0)
    np.testing.assert_array_equal(classifier.predict_proba(changed), classifier.predict_proba(NEW))
    assert [model.features.size for model in classifier.models_] == [1, 1]


def test_batches_do_not_matter(monkeypatch):
    classifier = fitted(feature_selection="markov_boundary")
    predicted, probable = classifier.predict(NEW), classifier.predict_proba(NEW)

    monkeypatch.setattr("h2pc.multilabel.powerset_model._BATCH_CELLS", 100)

    np.testing.assert_array_equal(classifier.predict(NEW), predicted)
    np.testing.assert_allclose(classifier.predict_proba(NEW), probable, atol=1e-15)


def test_a_powerset_without_a_boundary_is_its_most_frequent_combination():
    dag = Dag.from_edges(["ant", "bee", "cat"], [("ant", "bee")])
    classifier = fitted(structure=dag, feature_selection="markov_boundary")

    frequent = Y[["ant", "bee"]].value_counts()
    assert classifier.boundaries_ == ((), ())
    assert {tuple(row) for row in classifier.predict(NEW)[:, 1:].tolist()} == {frequent.index[0]}
    both, _ = classifier.predict_joint_proba(NEW)
    np.testing.assert_allclose(both[0], frequent.sort_index() / len(Y))


def test_constant_labels_are_powersets_of_their_own():
    classifier = MinimalLabelPowersetClassifier(TREE, random_state=0)

    classifier.fit(X, Y.assign(always=1, never=0))

    assert classifier.powersets_ == (("always",), ("ant", "bee"), ("cat",), ("never",))
    np.testing.assert_array_equal(classifier.predict(NEW)[:, 3:], np.tile([1, 0], (300, 1)))


@pytest.mark.parametrize("n_jobs", [2, 5])
def test_the_number_of_workers_does_not_matter(n_jobs):
    alone, together = fitted(structure=None), fitted(structure=None, n_jobs=n_jobs)

    assert together.dag_ == alone.dag_
    np.testing.assert_array_equal(together.predict_proba(NEW), alone.predict_proba(NEW))


def test_workers_that_powersets_leave_free_grow_trees():
    six = fitted(base=None, n_jobs=6)

    assert [model.classifier.n_jobs for model in six.models_] == [3, 3]


def test_it_works_inside_the_tools_of_scikit_learn():
    classifier = MinimalLabelPowersetClassifier(TREE, random_state=0)

    probable = cross_val_predict(classifier, X, Y, cv=3, method="predict_proba")
    ranked = cross_val_score(classifier, X, Y, cv=3, scoring="roc_auc")
    assert roc_auc_score(Y, np.column_stack([both[:, 1] for both in probable])) > 0.7
    assert ranked.mean() > 0.7

    classifier.set_params(structure=DAG)
    choices = {"feature_selection": [None, "markov_boundary"], "base__max_depth": [1, 3]}
    search = GridSearchCV(classifier, choices, cv=3).fit(X, Y)
    assert search.best_score_ > 0.5
    assert clone(search.best_estimator_).get_params()["structure"] == DAG


def test_fitting_again_forgets_what_was_before():
    classifier = fitted(feature_selection="markov_boundary")

    wind, cat = X[["wind"]].to_numpy(), Y[["cat"]].to_numpy()
    classifier.set_params(structure=Dag(["Y0"], [()])).fit(wind, cat)

    assert classifier.labels_ == ("Y0",)
    assert classifier.powersets_ == (("Y0",),)
    assert not hasattr(classifier, "feature_names_in_")


@pytest.mark.slow
def test_powersets_are_guessed_better_than_single_labels():
    gains = []
    for seed in range(12):
        truth = make_multilabel_network(random_state=seed)
        if len(truth.powersets) == len(truth.labels):
            continue
        train, new = (
            truth.sample(5000, random_state=seed),
            truth.sample(4000, random_state=1000 + seed),
        )
        features, labels = train.to_pandas()
        forest = CompactForestClassifier(n_estimators=30, random_state=0)
        together, one_by_one = (
            multilabel_scores(new.Y, model.fit(features, labels).predict(new.to_pandas()[0]))
            for model in (
                MinimalLabelPowersetClassifier(forest, structure=H2PC()),
                BinaryRelevance(forest),
            )
        )
        gains.append(together.subset_accuracy - one_by_one.subset_accuracy)

    assert len(gains) >= 6
    assert wilcoxon(gains, alternative="greater").pvalue < 0.05

"""Every label by itself."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.sparse import csc_array, csc_matrix, csr_array
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from h2pc import Dag
from h2pc.multilabel.classifiers import BinaryRelevance
from unit.multilabel.label_samples import DAG, NEW, TRUE, X, Y, presence

TREE = DecisionTreeClassifier(max_depth=4, max_features=2)


def test_every_label_has_a_classifier_of_its_own():
    classifier = BinaryRelevance(GaussianNB()).fit(X, Y)

    probabilities = presence(classifier, NEW)
    by_name = sorted(X.columns)
    for j, label in enumerate(Y.columns):
        alone = GaussianNB().fit(X[by_name], Y[label])
        np.testing.assert_array_equal(classifier.predict(NEW)[:, j], alone.predict(NEW[by_name]))
        np.testing.assert_allclose(
            probabilities[:, j], alone.predict_proba(NEW[by_name])[:, 1], rtol=1e-12
        )
    assert classifier.powersets_ == (("ant",), ("bee",), ("cat",))
    assert classifier.labels_ == ("cat", "ant", "bee")


def test_without_selection_there_is_no_graph():
    classifier = BinaryRelevance(GaussianNB(), structure=DAG).fit(X, Y)

    assert classifier.dag_ is None
    assert classifier.label_graph_ is None
    assert classifier.boundaries_ is None


def test_with_selection_a_label_is_predicted_from_its_markov_boundary_alone():
    classifier = BinaryRelevance(TREE, feature_selection="markov_boundary", structure=DAG)
    classifier.set_params(random_state=0).fit(X, Y)

    predicted = presence(classifier, NEW)
    without_wind = presence(classifier, NEW.assign(wind=-NEW["wind"]))
    without_sun = presence(classifier, NEW.assign(sun=0.0))
    assert classifier.boundaries_ == (("rain",), ("rain",), ("wind",))
    np.testing.assert_array_equal(without_sun, predicted)
    np.testing.assert_array_equal(without_wind[:, 1:], predicted[:, 1:])
    assert (without_wind[:, 0] != predicted[:, 0]).mean() > 0.5


def test_the_boundary_of_a_label_is_that_of_the_labels_it_belongs_to():
    # ``bee`` depends on ``rain`` through ``ant``, which is not seen.
    dag = Dag.from_edges(DAG.names, [("rain", "ant"), ("ant", "bee"), ("wind", "cat")])

    classifier = BinaryRelevance(TREE, feature_selection="markov_boundary", structure=dag)

    assert classifier.fit(X, Y).boundaries_ == (("rain",), ("rain",), ("wind",))


def test_the_default_base_is_a_forest_of_a_hundred_trees():
    classifier = BinaryRelevance(random_state=0).fit(X, Y)

    forest = classifier.models_[0].classifier
    theirs = RandomForestClassifier(100, random_state=forest.random_state)
    theirs.fit(X[sorted(X.columns)].to_numpy(), Y["ant"])
    new = NEW[sorted(X.columns)].to_numpy()
    np.testing.assert_array_equal(presence(classifier, NEW)[:, 1], theirs.predict_proba(new)[:, 1])
    assert classifier.score(NEW, TRUE) > 0.5


def test_seeds_decide_and_differ_between_labels():
    one, again, other = (BinaryRelevance(TREE, random_state=s).fit(X, Y) for s in (0, 0, 1))

    np.testing.assert_array_equal(one.predict_proba(NEW), again.predict_proba(NEW))
    assert (presence(one, NEW) != presence(other, NEW)).any()
    seeds = {model.classifier.random_state for model in one.models_}
    assert len(seeds) == 3


def test_seeds_reach_the_steps_of_a_pipeline():
    base = make_pipeline(StandardScaler(), TREE)
    one, again = (BinaryRelevance(base, random_state=0).fit(X, Y) for _ in range(2))

    np.testing.assert_array_equal(one.predict_proba(NEW), again.predict_proba(NEW))


@pytest.mark.parametrize("n_jobs", [2, -1])
def test_the_number_of_workers_does_not_matter(n_jobs):
    settings = {"feature_selection": "markov_boundary", "random_state": 0}
    alone = BinaryRelevance(TREE, **settings).fit(X, Y)
    together = BinaryRelevance(TREE, n_jobs=n_jobs, **settings).fit(X, Y)

    assert together.dag_ == alone.dag_
    np.testing.assert_array_equal(together.predict_proba(NEW), alone.predict_proba(NEW))


@pytest.mark.parametrize("feature_selection", [None, "markov_boundary"])
def test_the_order_of_the_columns_does_not_matter(feature_selection):
    classifier = BinaryRelevance(TREE, feature_selection=feature_selection, random_state=0)
    predicted = pd.DataFrame(presence(classifier.fit(X, Y), NEW), columns=Y.columns)

    x, y = ["rain", "wind", "flat", "sun"], ["bee", "cat", "ant"]
    turned = presence(classifier.fit(X[x], Y[y]), NEW[x])

    np.testing.assert_array_equal(turned, predicted[y])


TABLES = {
    "polars": (pl.from_pandas, pl.from_pandas),
    "arrow": (pa.Table.from_pandas, pa.Table.from_pandas),
    "booleans": (lambda x: x, lambda y: y.astype(bool)),
    "floats": (lambda x: x, lambda y: y.astype(float)),
}


@pytest.mark.parametrize("kind", TABLES)
def test_tables_of_all_kinds_give_the_same_result(kind):
    features, labels = TABLES[kind]
    predicted = BinaryRelevance(TREE, random_state=0).fit(X, Y).predict_proba(NEW)

    classifier = BinaryRelevance(TREE, random_state=0).fit(features(X), labels(Y))

    np.testing.assert_array_equal(classifier.predict_proba(features(NEW)), predicted)
    assert classifier.labels_ == ("cat", "ant", "bee")
    assert classifier.feature_names_in_.tolist() == list(X.columns)


@pytest.mark.parametrize(
    ("container", "labels"),
    [
        (csr_array, np.asarray),
        (csc_matrix, csr_array),
        (csc_array, lambda y: y.to_numpy().tolist()),
    ],
)
@pytest.mark.parametrize("feature_selection", [None, "markov_boundary"])
def test_sparse_data_give_the_same_result_as_dense_ones(container, labels, feature_selection):
    x = np.where(X.to_numpy() > 0.5, X.to_numpy(), 0.0)
    new = np.where(NEW.to_numpy() > 0.5, NEW.to_numpy(), 0.0)
    classifier = BinaryRelevance(TREE, feature_selection=feature_selection, random_state=0)
    predicted = classifier.fit(x, Y.to_numpy()).predict_proba(new)
    powersets, boundaries = classifier.powersets_, classifier.boundaries_

    classifier.fit(container(x), labels(Y))

    np.testing.assert_array_equal(classifier.predict_proba(container(new)), predicted)
    assert classifier.labels_ == ("Y0", "Y1", "Y2")
    assert (classifier.powersets_, classifier.boundaries_) == (powersets, boundaries)


@pytest.mark.parametrize("container", [csr_array, csc_matrix])
def test_sparse_data_may_have_long_indices(container):
    x = container(np.where(X.to_numpy() > 0.5, X.to_numpy(), 0.0))
    predicted = BinaryRelevance(TREE, random_state=0).fit(x, Y).predict_proba(x)

    long = x.copy()
    long.indices, long.indptr = x.indices.astype(np.int64), x.indptr.astype(np.int64)
    classifier = BinaryRelevance(TREE, random_state=0).fit(long, Y)

    np.testing.assert_array_equal(classifier.predict_proba(long), predicted)
    assert long.indices.dtype == np.int64


@pytest.mark.parametrize("dtype", [np.float32, np.int64, np.int8, bool, object])
def test_numbers_of_all_types_are_taken(dtype):
    x = (X.to_numpy() > 0).astype(dtype)
    expected = BinaryRelevance(BernoulliNB()).fit(x.astype(float), Y).predict_proba(x)

    predicted = BinaryRelevance(BernoulliNB()).fit(x, Y).predict_proba(x)

    np.testing.assert_allclose(predicted, expected, rtol=1e-6)


def test_categories_are_taken_as_numbers_of_their_levels():
    def with_sky(frame):
        sky = np.select([frame["rain"] > 0, frame["wind"] > 0], ["black", "grey"], "blue")
        return frame.assign(rain=pd.Categorical(sky))

    classifier = BinaryRelevance(TREE, feature_selection="markov_boundary", random_state=0)
    classifier.fit(with_sky(X), Y)

    assert all("rain" in boundary for boundary in classifier.boundaries_[:2])
    black = (NEW["rain"] > 0).to_numpy()
    probable = presence(classifier, with_sky(NEW))[:, 1:]
    assert probable[black].mean() > 0.3
    assert probable[~black].mean() < 0.1


def test_a_single_feature_and_a_single_label_are_enough():
    classifier = BinaryRelevance(random_state=0).fit(X[["wind"]], Y[["cat"]])

    assert classifier.predict(NEW[["wind"]]).shape == (300, 1)
    assert classifier.score(NEW[["wind"]], TRUE[["cat"]]) > 0.8


@pytest.mark.parametrize("value", [0, 1])
@pytest.mark.parametrize("feature_selection", [None, "markov_boundary"])
@pytest.mark.parametrize("base", [TREE, LogisticRegression(solver="liblinear")])
def test_a_label_that_is_constant_in_training_stays_so(value, feature_selection, base):
    classifier = BinaryRelevance(base, feature_selection=feature_selection, random_state=0)

    classifier.fit(X, Y.assign(always=value))

    assert (classifier.predict(NEW)[:, 3] == value).all()
    np.testing.assert_array_equal(classifier.predict_proba(NEW)[3], [[1 - value, value]] * 300)
    assert [values.tolist() for values in classifier.classes_] == [[0, 1]] * 4


def test_a_label_without_a_boundary_is_predicted_by_its_frequency():
    dag = DAG.without_edge("wind", "cat")
    classifier = BinaryRelevance(TREE, feature_selection="markov_boundary", structure=dag)

    classifier.fit(X, Y)

    assert classifier.boundaries_[2] == ()
    frequency = Y["cat"].mean()
    np.testing.assert_allclose(presence(classifier, NEW)[:, 0], frequency)
    assert (classifier.predict(NEW)[:, 0] == (frequency > 0.5)).all()


def test_constant_features_are_in_no_boundary():
    classifier = BinaryRelevance(TREE, feature_selection="markov_boundary").fit(X, Y)

    assert "flat" not in {name for boundary in classifier.boundaries_ for name in boundary}


def test_only_constant_features_leave_the_frequencies():
    flat = np.ones((400, 2))
    classifier = BinaryRelevance(TREE, feature_selection="markov_boundary").fit(flat, Y)

    np.testing.assert_allclose(presence(classifier, flat[:5]), np.tile(Y.mean().to_numpy(), (5, 1)))


def test_probabilities_need_a_base_that_knows_them():
    classifier = BinaryRelevance(LinearSVC(), random_state=0).fit(X, Y)

    assert classifier.predict(NEW).shape == (300, 3)
    assert not hasattr(classifier, "predict_proba")
    assert not hasattr(classifier, "predict_joint_proba")


def test_the_data_are_left_as_they_were():
    x, y = X.copy(), Y.copy()

    BinaryRelevance(TREE, feature_selection="markov_boundary").fit(x, y).predict(x)

    pd.testing.assert_frame_equal(x, X)
    pd.testing.assert_frame_equal(y, Y)

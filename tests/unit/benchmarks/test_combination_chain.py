"""The chain over combinations: exact where its base is, and as its textbook twin."""

from functools import cache

import numpy as np
import pytest
from benchmarks import combination_chain
from benchmarks.chain_links import chain_links
from benchmarks.combination_chain import CombinationChain
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import BernoulliNB
from sklearn.svm import LinearSVC

from h2pc.errors import DataError, SettingError
from h2pc.multilabel.powerset_model import label_combinations
from reference.slow_combination_chain import combination_probabilities, joint_table
from strategies import dags, examples


class Frequencies(ClassifierMixin, BaseEstimator):
    """The weighted share of each class among the training samples that are equal to the new one."""

    def fit(self, X, y, sample_weight):
        self.classes_ = np.array([0, 1])
        rows = [tuple(row) for row in np.asarray(X).tolist()]
        self.weights_ = {row: np.zeros(2) for row in rows}
        for row, label, weight in zip(rows, y, sample_weight, strict=True):
            self.weights_[row][label] += weight
        return self

    def predict_proba(self, X):
        found = np.array([self.weights_[tuple(row)] for row in np.asarray(X).tolist()])
        return found / found.sum(axis=1, keepdims=True)


RNG = np.random.default_rng(0)
X = RNG.integers(0, 3, (120, 6)).astype(float)
Y = np.column_stack(
    (X[:, 0] > 0, (X[:, 0] > 1) & (X[:, 1] > 0), RNG.random(120) < 0.2, X[:, 2] > X[:, 3])
).astype(np.int8)
COMBINATIONS, CODES = label_combinations(Y)
PARENTS = [(), (0,), (0, 1), (2,)]
NEW = RNG.integers(0, 3, (40, 6)).astype(float)


@given(dags(min_nodes=2, max_nodes=6), st.data())
def test_the_joint_distribution_is_recovered_where_all_combinations_are_seen(dag, data):
    labels = sorted(
        data.draw(st.lists(st.sampled_from(dag.names), unique=True, min_size=1, max_size=4))
    )
    rows, joint = joint_table(dag, np.random.default_rng(data.draw(st.integers(0, 99))))
    own = [dag.names.index(label) for label in labels]
    others = [v for v in range(len(dag.names)) if v not in own]
    features, (combinations, codes) = rows[:, others], label_combinations(rows[:, own])
    links = {link.label: link for link in chain_links(dag, labels, labels)}
    place = {dag.names[v]: j for j, v in enumerate(others)}
    chain = CombinationChain(
        Frequencies(),
        combinations,
        [[labels.index(u) for u in links[label].before] for label in labels],
        features=[[place[u] for u in links[label].features] for label in labels],
        floor=0.0,
    ).fit(features, codes, sample_weight=joint)

    found = chain.predict_proba(features)

    kinds, of = np.unique(features, axis=0, return_inverse=True)
    table = np.zeros((len(kinds), len(combinations)))
    table[of, codes] = joint
    expected = table / table.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(found, expected[of], rtol=1e-9)


@examples(30)
@given(st.integers(1, 5), st.integers(0, 999), st.sampled_from([1e-4, 0.01, 0.3]))
def test_probabilities_are_those_of_the_textbook(n_labels, seed, floor):
    rng = np.random.default_rng(seed)
    labels = (rng.random((30, n_labels)) < rng.random(n_labels)).astype(np.int8)
    features = rng.integers(0, 2, (30, 2))
    combinations, codes = label_combinations(labels)
    order = rng.permutation(n_labels)
    parents = [[] for _ in order]
    for i, j in enumerate(order):
        parents[j] = [u for u in order[:i].tolist() if rng.random() < 0.5]

    chain = CombinationChain(BernoulliNB(), combinations, parents, floor=floor)
    found = chain.fit(features, codes).predict_proba(features)

    for i in np.unique(features, axis=0, return_index=True)[1]:

        def probability(label, values, x=features[i]):
            estimator = chain.estimators_[label]
            if estimator is None:
                return labels[0, label]
            return estimator.predict_proba([[*x, *values]])[0, 1]

        expected = combination_probabilities(combinations, parents, cache(probability), floor)
        assert found[i] == pytest.approx(expected)
    assert found.sum(axis=1) == pytest.approx(np.ones(30))
    np.testing.assert_array_equal(chain.predict(features), found.argmax(axis=1))


def test_without_parents_labels_are_independent_but_for_the_combinations_that_are_possible():
    chain = CombinationChain(BernoulliNB(), COMBINATIONS, floor=0.0).fit(X, CODES)

    found = chain.predict_proba(NEW)

    products = np.ones(found.shape)
    for j in range(4):
        both = BernoulliNB().fit(X, Y[:, j]).predict_proba(NEW)
        products *= both[:, COMBINATIONS[:, j]]
    np.testing.assert_allclose(found, products / products.sum(axis=1, keepdims=True))


def test_a_label_given_its_parents_without_variation_makes_other_combinations_improbable():
    labels = np.array([[0, 0], [1, 1]] * 10 + [[1, 0]])
    combinations, codes = label_combinations(labels)
    weights = np.array([1.0] * 20 + [0.0])  # the last combination has no weight
    features = np.zeros((21, 1))

    chain = CombinationChain(Frequencies(), combinations, [(), (0,)], floor=0.001)
    found = chain.fit(features, codes, sample_weight=weights).predict_proba(features[:1])

    assert found[0] == pytest.approx(np.array([0.999, 0.001, 0.999]) / 1.999)


def test_constant_labels_have_no_classifier_and_change_nothing():
    wider = np.insert(COMBINATIONS, (0, 2), (1, 0), axis=1)
    parents = [(), (), (1,), (), (1, 2), (4,)]

    plain = CombinationChain(BernoulliNB(), COMBINATIONS, PARENTS).fit(X, CODES)
    chain = CombinationChain(BernoulliNB(), wider, parents).fit(X, CODES)

    assert [j for j in range(6) if chain.estimators_[j] is None] == [0, 3]
    np.testing.assert_array_equal(chain.constants_, [1, -1, -1, 0, -1, -1])
    np.testing.assert_allclose(chain.predict_proba(NEW), plain.predict_proba(NEW))


def test_a_combination_that_differs_in_a_constant_label_has_the_floor():
    chain = CombinationChain(BernoulliNB(), [[0], [1]], floor=0.01).fit(X, np.zeros(120, int))

    np.testing.assert_allclose(chain.predict_proba(NEW[:1]), [[0.99, 0.01]])


def test_without_features_and_parents_there_are_frequencies():
    codes = np.array([0, 0, 0, 1])

    chain = CombinationChain(BernoulliNB(), [[0], [1]], features=[()], floor=0.0)

    found = chain.fit(np.zeros((4, 2)), codes).predict_proba(np.ones((1, 2)))
    np.testing.assert_allclose(found, [[0.75, 0.25]])


def test_weights_of_samples_are_passed_on():
    weights = RNG.integers(0, 4, len(X))
    weights[:4] = 1
    again = np.repeat(np.arange(len(X)), weights)

    weighted = CombinationChain(BernoulliNB(), COMBINATIONS, PARENTS)
    repeated = clone(weighted)
    weighted.fit(X, CODES, sample_weight=weights)
    repeated.fit(X[again], CODES[again])

    np.testing.assert_allclose(weighted.predict_proba(NEW), repeated.predict_proba(NEW))


@pytest.mark.parametrize("settings", [{"n_jobs": 2}, {"n_jobs": -1}])
def test_the_number_of_workers_changes_nothing(settings):
    one = CombinationChain(RandomForestClassifier(5), COMBINATIONS, PARENTS, random_state=3)
    other = clone(one).set_params(**settings)

    found = [chain.fit(X, CODES).predict_proba(NEW) for chain in (one, other)]

    np.testing.assert_array_equal(*found)


def test_batches_and_the_other_samples_change_nothing(monkeypatch):
    forest = RandomForestClassifier(5)
    chain = CombinationChain(forest, COMBINATIONS, PARENTS, random_state=3).fit(X, CODES)
    whole = chain.predict_proba(NEW)

    monkeypatch.setattr(combination_chain, "_BATCH_CELLS", 1)

    np.testing.assert_array_equal(chain.predict_proba(NEW), whole)
    alone = np.vstack([chain.predict_proba(NEW[i : i + 1]) for i in range(len(NEW))])
    np.testing.assert_array_equal(alone, whole)


def test_sparse_features_are_as_dense_ones():
    forest = RandomForestClassifier(5)
    chain = CombinationChain(forest, COMBINATIONS, PARENTS, random_state=3)

    dense = chain.fit(X, CODES).predict_proba(NEW)
    sparse = chain.fit(csr_array(X), CODES).predict_proba(csr_array(NEW))

    np.testing.assert_array_equal(sparse, dense)


def test_labels_have_seeds_of_their_own():
    chain = CombinationChain(RandomForestClassifier(1), COMBINATIONS, random_state=3).fit(X, CODES)

    assert len({estimator.random_state for estimator in chain.estimators_}) == 4


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"base": LinearSVC()}, "LinearSVC has no predict_proba"),
        ({"parents": [(1,), (0,), (), ()]}, "must have no cycle; got"),
        ({"parents": [(0,), (), (), ()]}, "must have no cycle; got"),
        ({"parents": [(), ()]}, "parents must be given for 4 labels; got 2"),
        ({"parents": [(4,), (), (), ()]}, "parents of label 0 must be numbers from 0 to 3"),
        ({"features": [(0,), (-1,), (), ()]}, "features of label 1 must be numbers from 0 to 5"),
        ({"combinations": [[0, 2]]}, "rows of 0 and 1"),
        ({"combinations": [[0, 1], [0, 1]]}, "must all be different"),
        ({"floor": 0.5}, "floor must be below 0.5"),
        ({"floor": -1}, "floor must be a number"),
        ({"n_jobs": 0}, "n_jobs"),
    ],
)
def test_bad_settings_are_refused(settings, message):
    chain = CombinationChain(BernoulliNB(), COMBINATIONS, PARENTS).set_params(**settings)

    with pytest.raises(SettingError, match=message):
        chain.fit(X, CODES)


@pytest.mark.parametrize(
    ("codes", "message"),
    [
        (CODES[:-1], "expected the number of a combination for each of 120 samples"),
        (CODES.astype(float), "expected the number"),
        (CODES + len(COMBINATIONS), "expected those of"),
        (CODES - 1, "expected those of"),
    ],
)
def test_bad_codes_are_refused(codes, message):
    with pytest.raises(DataError, match=message):
        CombinationChain(BernoulliNB(), COMBINATIONS).fit(X, codes)


def test_other_features_than_in_training_are_refused():
    chain = CombinationChain(BernoulliNB(), COMBINATIONS).fit(X, CODES)

    with pytest.raises(DataError, match="X has 5 features: expected 6"):
        chain.predict_proba(NEW[:, :5])

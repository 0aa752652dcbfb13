"""A compact forest against scikit-learn's own, and in memory."""

import pickle
import subprocess
import sys

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.ensemble import RandomForestClassifier

from h2pc.errors import DataError
from h2pc.multilabel.compact_forest import CompactForestClassifier

RNG = np.random.default_rng(0)
X = RNG.random((200, 8)).round(1)
Y = np.char.add("class ", RNG.integers(0, 20, 200).astype(str))
NEW = RNG.random((100, 8)).round(1)

SETTINGS = [
    {},
    {"max_depth": 3},
    {"bootstrap": False},
    {"criterion": "entropy", "min_samples_leaf": 3},
    {"class_weight": "balanced_subsample"},
    {"max_features": None, "max_samples": 0.5},
    {"ccp_alpha": 0.01},
]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize("container", [np.asarray, csr_array])
def test_trees_and_predictions_are_those_of_scikit_learn(settings, container):
    theirs = RandomForestClassifier(5, random_state=3, **settings).fit(container(X), Y)
    ours = CompactForestClassifier(5, random_state=3, **settings).fit(container(X), Y)

    new = container(NEW)
    np.testing.assert_array_equal(ours.predict_proba(new), theirs.predict_proba(new))
    np.testing.assert_array_equal(ours.predict(new), theirs.predict(new))
    np.testing.assert_array_equal(ours.apply(new), theirs.apply(new))
    np.testing.assert_array_equal(ours.feature_importances_, theirs.feature_importances_)


def test_single_trees_predict_like_those_of_scikit_learn():
    theirs = RandomForestClassifier(3, random_state=3).fit(X, Y)
    ours = CompactForestClassifier(3, random_state=3).fit(X, Y)

    for own, other in zip(ours.estimators_, theirs.estimators_, strict=True):
        np.testing.assert_array_equal(own.predict_proba(NEW), other.predict_proba(NEW))
        np.testing.assert_array_equal(own.predict(NEW), other.predict(NEW))


def test_scores_out_of_the_bag_are_those_of_scikit_learn():
    theirs = RandomForestClassifier(60, oob_score=True, random_state=3).fit(X, Y)
    ours = CompactForestClassifier(60, oob_score=True, random_state=3).fit(X, Y)

    np.testing.assert_array_equal(ours.oob_decision_function_, theirs.oob_decision_function_)
    assert ours.oob_score_ == theirs.oob_score_


def test_missing_numbers_go_where_scikit_learn_sends_them():
    holed = np.where(RNG.random(X.shape) < 0.2, np.nan, X)
    theirs = RandomForestClassifier(5, random_state=3).fit(holed, Y)
    ours = CompactForestClassifier(5, random_state=3).fit(holed, Y)

    np.testing.assert_array_equal(ours.predict_proba(holed), theirs.predict_proba(holed))


def test_more_trees_may_follow_later():
    grown = CompactForestClassifier(2, warm_start=True, random_state=3).fit(X, Y)
    grown.set_params(n_estimators=5).fit(X, Y)

    at_once = CompactForestClassifier(5, random_state=3).fit(X, Y)
    np.testing.assert_array_equal(grown.predict_proba(NEW), at_once.predict_proba(NEW))


def test_the_number_of_workers_does_not_matter():
    alone = CompactForestClassifier(40, n_jobs=1, random_state=3).fit(X, Y)
    together = CompactForestClassifier(40, n_jobs=4, random_state=3).fit(X, Y)

    for _ in range(5):
        np.testing.assert_array_equal(together.predict_proba(NEW), alone.predict_proba(NEW))


def test_a_forest_survives_a_pickle():
    forest = CompactForestClassifier(5, random_state=3).fit(X, Y)

    again = pickle.loads(pickle.dumps(forest))

    np.testing.assert_array_equal(again.predict_proba(NEW), forest.predict_proba(NEW))


def test_memory_does_not_grow_with_the_number_of_classes():
    sizes = []
    for n_classes in (20, 500):
        classes = np.arange(1000) % n_classes
        features = np.random.default_rng(1).random((1000, 5))
        forest = CompactForestClassifier(2, random_state=0).fit(features, classes)
        sizes.append(len(pickle.dumps(forest)))

    # scikit-learn's own: 25 times.
    assert sizes[1] < 1.5 * sizes[0]


def test_several_targets_are_refused():
    with pytest.raises(DataError, match="y has 2 columns: expected one class for each sample"):
        CompactForestClassifier().fit(X, np.zeros((200, 2)))


BIBTEX_LIKE = """
import numpy as np
from scipy.sparse import csr_array
from h2pc.multilabel.compact_forest import CompactForestClassifier

rng = np.random.default_rng(0)
n, p, k = 6655, 1836, 2749
y = np.concatenate([np.arange(k), np.minimum(rng.zipf(1.4, n - k), k) - 1])
centres = rng.random((k, p)) < 0.03
X = (rng.random((n, p)) < 0.02) | (centres[y] & (rng.random((n, p)) < 0.6))
forest = CompactForestClassifier(100, n_jobs=2, random_state=0).fit(csr_array(X, dtype=float), y)
forest.predict(csr_array(X[:740], dtype=float))
[peak] = [line for line in open("/proc/self/status") if line.startswith("VmHWM")]
print(peak.split()[1])  # kilobytes; getrusage begins with the peak of the parent
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="needs the /proc of Linux")
def test_a_hundred_trees_of_2749_classes_take_less_than_two_gigabytes():
    found = subprocess.run(
        [sys.executable, "-c", BIBTEX_LIKE], capture_output=True, text=True, check=True
    )

    assert int(found.stdout) < 2_000_000

"""All labels at once."""

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

from h2pc.multilabel.classifiers import LabelPowerset
from h2pc.multilabel.compact_forest import CompactForestClassifier
from unit.multilabel.label_samples import DAG, NEW, X, Y


def test_every_combination_of_all_labels_is_one_class():
    classifier = LabelPowerset(GaussianNB()).fit(X, Y)

    by_name, features = Y[["ant", "bee", "cat"]], sorted(X.columns)
    words = by_name.astype(str).agg("".join, axis=1)
    alone = GaussianNB().fit(X[features], words)
    predicted = ["".join(map(str, row)) for row in classifier.predict(NEW)[:, [1, 2, 0]].tolist()]
    assert predicted == alone.predict(NEW[features]).tolist()
    (joint,) = classifier.predict_joint_proba(NEW)
    np.testing.assert_allclose(joint, alone.predict_proba(NEW[features]), rtol=1e-9)
    assert classifier.powersets_ == (("ant", "bee", "cat"),)


def test_the_boundary_is_that_of_all_labels():
    classifier = LabelPowerset(GaussianNB(), feature_selection="markov_boundary", structure=DAG)

    classifier.fit(X, Y)

    assert classifier.boundaries_ == (("rain", "wind"),)
    assert classifier.models_[0].classifier.n_features_in_ == 2


def test_labels_that_are_all_constant_are_one_class():
    classifier = LabelPowerset().fit(X, np.tile([1, 0], (400, 1)))

    assert (classifier.predict(NEW) == [1, 0]).all()


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_more_combinations_than_half_the_samples_are_no_reason_to_warn(n_jobs):
    numbers = np.arange(40) % 32
    labels = numbers[:, None] >> np.arange(5) & 1
    base = CompactForestClassifier(5)

    classifier = LabelPowerset(base, n_jobs=n_jobs, random_state=0).fit(numbers[:, None], labels)

    assert len(classifier.combinations_[0]) == 32
    assert classifier.score(numbers[:, None], labels) > 0.5

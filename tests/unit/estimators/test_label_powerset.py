"""All labels at once."""

import numpy as np
from sklearn.naive_bayes import GaussianNB

from h2pc.estimators.label_powerset import LabelPowerset
from unit.estimators.label_samples import DAG, NEW, X, Y


def test_every_combination_of_all_labels_is_one_class():
    classifier = LabelPowerset(GaussianNB()).fit(X, Y)

    by_name, features = Y[["ant", "bee", "cat"]], sorted(X.columns)
    words = by_name.astype(str).agg("".join, axis=1)
    alone = GaussianNB().fit(X[features], words)
    told = ["".join(map(str, row)) for row in classifier.predict(NEW)[:, [1, 2, 0]].tolist()]
    assert told == alone.predict(NEW[features]).tolist()
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

"""A chain against scikit-learn's own."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn import multioutput
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import BernoulliNB
from sklearn.tree import DecisionTreeClassifier

from h2pc.errors import SettingError
from h2pc.multilabel.chain import ClassifierChain
from unit.multilabel.label_samples import NEW, TRUE, X, Y, presence

FEATURES = sorted(X.columns)
TREE = DecisionTreeClassifier(max_depth=4, max_features=2)


@pytest.mark.parametrize("order", [None, ["bee", "cat", "ant"]])
def test_the_chain_is_that_of_scikit_learn(order):
    ours = ClassifierChain(LogisticRegression(solver="liblinear"), order=order).fit(X, Y)

    expected = ["ant", "bee", "cat"] if order is None else order
    theirs = multioutput.ClassifierChain(LogisticRegression(solver="liblinear"))
    theirs.fit(X[FEATURES].to_numpy(), Y[expected].to_numpy())
    place = [expected.index(label) for label in Y.columns]
    new = NEW[FEATURES].to_numpy()
    np.testing.assert_array_equal(ours.predict(NEW), theirs.predict(new)[:, place])
    np.testing.assert_array_equal(presence(ours, NEW), theirs.predict_proba(new)[:, place])
    assert ours.order_ == tuple(expected)


def test_a_later_label_follows_an_earlier_one():
    chain = ClassifierChain(TREE, random_state=0).fit(X, Y)

    predicted = chain.predict(NEW)
    assert not (predicted[:, 1] & predicted[:, 2]).any()
    assert chain.score(NEW, TRUE) > 0.5


def test_a_random_order_comes_from_the_seed():
    wide = np.hstack([Y.to_numpy()] * 3)
    base = BernoulliNB()
    one, again, other = (
        ClassifierChain(base, order="random", random_state=s).fit(X, wide).order_ for s in (0, 0, 1)
    )

    assert one == again
    assert one != other
    assert sorted(one) == sorted(other) == [f"Y{j}" for j in range(9)]


def test_the_number_of_workers_and_the_order_of_the_columns_do_not_matter():
    predicted = ClassifierChain(TREE, random_state=0).fit(X, Y).predict_proba(NEW)

    turned = ClassifierChain(TREE, n_jobs=2, random_state=0).fit(X[FEATURES], Y.iloc[:, ::-1])

    np.testing.assert_array_equal(turned.predict_proba(NEW[FEATURES])[::-1], predicted)


@pytest.mark.parametrize("base", [BernoulliNB(), TREE])
def test_sparse_features_give_the_same_result_as_dense_ones(base):
    x, new = (X.to_numpy() > 0.5).astype(float), (NEW.to_numpy() > 0.5).astype(float)
    predicted = ClassifierChain(base, random_state=0).fit(x, Y.to_numpy()).predict_proba(new)

    chain = ClassifierChain(base, random_state=0).fit(csr_array(x), csr_array(Y.to_numpy()))

    np.testing.assert_allclose(chain.predict_proba(csr_array(new)), predicted, rtol=1e-12)


@pytest.mark.parametrize("base", [TREE, LogisticRegression(solver="liblinear")])
def test_constant_labels_stay_as_they_are(base):
    chain = ClassifierChain(base, random_state=0).fit(X, Y.assign(always=1, never=0))

    assert chain.order_ == ("ant", "bee", "cat")
    np.testing.assert_array_equal(chain.predict(NEW)[:, 3:], np.tile([1, 0], (300, 1)))
    np.testing.assert_array_equal(presence(chain, NEW)[:, 3:], np.tile([1.0, 0.0], (300, 1)))


def test_labels_that_are_all_constant_need_no_chain():
    chain = ClassifierChain().fit(X, np.tile([1, 0], (400, 1)))

    assert chain.chain_ is None
    assert (chain.predict(NEW) == [1, 0]).all()


@pytest.mark.parametrize(
    "order",
    ["backwards", ["ant", "bee"], ["ant", "bee", "bee"], ["ant", "bee", "dog"], 3, [0, 1, 2]],
)
def test_an_order_of_other_labels_is_refused(order):
    with pytest.raises(SettingError, match="order must hold each of the 3 labels once, or be"):
        ClassifierChain(BernoulliNB(), order=order).fit(X, Y)

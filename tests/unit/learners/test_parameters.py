"""Parameters without scikit-learn: what they say and do is what scikit-learn's own say and do."""

import inspect
import pickle
import subprocess
import sys

import pytest
from sklearn.base import BaseEstimator, clone
from sklearn.pipeline import make_pipeline
from sklearn.utils import get_tags

from h2pc import GES, H2PC, MMHC, TabuSearch
from h2pc.learners.parameters import Parameters


def learner_of(base):
    """A class of estimators on top of a base."""

    class Learner(base):
        def __init__(self, alpha=0.05, *, inner=None, names=None):
            self.alpha = alpha
            self.inner = inner
            self.names = names

        def fit(self, X, y=None):
            return self

    return Learner


OURS, THEIRS = learner_of(Parameters), learner_of(BaseEstimator)


@pytest.mark.parametrize("settings", [{}, {"alpha": 0.1}, {"names": ["a"], "inner": 3}])
def test_parameters_are_told_as_scikit_learn_tells_them(settings):
    ours, theirs = OURS(**settings), THEIRS(**settings)

    assert list(ours.get_params().items()) == list(theirs.get_params().items())
    assert repr(ours) == repr(theirs)
    assert get_tags(ours) == get_tags(theirs)


def test_parameters_of_parameters_are_told_and_set():
    ours, theirs = OURS(inner=OURS()), THEIRS(inner=THEIRS())
    for learner in (ours, theirs):
        learner.set_params(inner__alpha=0.2, alpha=0.1)

    assert list(ours.get_params()) == list(theirs.get_params())
    assert list(ours.get_params(deep=False)) == list(theirs.get_params(deep=False))
    assert repr(ours) == repr(theirs)


def test_unknown_parameters_are_refused_in_the_same_words():
    said = []
    for learner in (OURS(), THEIRS()):
        with pytest.raises(ValueError, match="Invalid parameter 'beta'") as refused:
            learner.set_params(beta=1)
        said.append(str(refused.value))

    assert said[0] == said[1]


def test_scikit_learn_takes_them_for_its_own():
    learner = OURS(alpha=0.1)

    assert isinstance(learner, BaseEstimator)
    assert clone(learner).get_params() == learner.get_params()
    assert repr(make_pipeline(learner)) == repr(make_pipeline(THEIRS(alpha=0.1)))


CODE = """
import pickle, sys
from h2pc import H2PC, load_network
learner = H2PC(alpha=0.1)
learner.fit(load_network("asia").sample(500, random_state=1))
assert "sklearn" not in sys.modules
from sklearn.base import BaseEstimator, clone
from sklearn.utils import get_tags
assert get_tags(learner).input_tags.categorical
assert isinstance(learner, BaseEstimator)
assert clone(learner).get_params() == learner.get_params()
assert pickle.loads(pickle.dumps(learner)).edges_ == learner.edges_
"""


def test_a_learner_from_before_scikit_learn_was_loaded_is_one_as_well():
    subprocess.run([sys.executable, "-W", "error", "-c", CODE], check=True)


def test_pickles_keep_everything():
    assert pickle.loads(pickle.dumps(H2PC(alpha=0.1))).get_params() == H2PC(alpha=0.1).get_params()


@pytest.mark.parametrize("learner", [H2PC, MMHC, GES, TabuSearch])
def test_a_class_is_called_with_the_parameters_of_its_init(learner):
    own = list(inspect.signature(learner.__init__).parameters)

    assert list(inspect.signature(learner).parameters) == own[1:]

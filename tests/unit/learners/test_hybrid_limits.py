"""Networks within limits of time and memory: complete, or marked as incomplete."""

import warnings

import numpy as np
import pytest
from sklearn.base import clone

from h2pc import H2PC, MMHC, BDeu, HillClimbing, LearnResult, TabuSearch, load_network
from h2pc.errors import H2pcWarning, SettingError
from h2pc.runs.limits import memory_in_use

DATA = load_network("insurance").sample(500, random_state=1)
LARGE = load_network("andes").sample(2000, random_state=1)
pytestmark = pytest.mark.filterwarnings("ignore:some variables are copies")

EVERY = [H2PC, MMHC, HillClimbing, TabuSearch]


@pytest.mark.parametrize("learner", EVERY)
def test_limits_that_are_wide_enough_change_nothing(learner):
    limited = learner(max_seconds=1e6, max_memory=10**12).fit(DATA)

    assert limited.result_ == learner().fit(DATA).result_
    assert limited.result_.complete


@pytest.mark.parametrize("learner", EVERY)
def test_a_run_that_is_out_of_time_says_so(learner):
    with pytest.warns(H2pcWarning, match=r"max_seconds = 0\.01 was reached: the result is incomp"):
        result = learner(max_seconds=0.01).fit(LARGE).result_

    assert not result.complete
    assert result.settings["max_seconds"] == 0.01
    assert LearnResult.from_json(result.to_json()) == result


@pytest.mark.parametrize("learner", EVERY)
def test_a_run_that_is_out_of_memory_says_so(learner):
    ballast = []

    def hungry(data):
        ballast.append(np.ones(20_000_000))
        return BDeu(data)

    little = int((memory_in_use() + 40_000_000) / 0.9)
    with pytest.warns(H2pcWarning, match="max_memory = .* was reached"):
        result = learner(scoring=hungry, max_memory=little).fit(DATA).result_

    assert not result.complete


@pytest.mark.parametrize("learner", EVERY)
def test_a_run_that_cannot_have_the_memory_is_refused(learner):
    with pytest.raises(SettingError, match=r"max_memory must be .* or more for these data"):
        learner(max_memory=1000).fit(DATA)


@pytest.mark.parametrize("seconds", [0.1, 0.3])
def test_the_skeleton_that_is_there_by_then_is_a_part_of_the_whole(seconds):
    whole = H2PC().fit(LARGE).result_
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a fast machine is done by then
        result = H2PC(max_seconds=seconds).fit(LARGE).result_

    assert set(result.skeleton.edges) <= set(whole.skeleton.edges)


@pytest.mark.parametrize("limit", [{"max_conditioning": 1}, {"max_subset_tests": 3}])
@pytest.mark.parametrize("learner", [H2PC, MMHC])
def test_searches_that_were_cut_are_told_and_written_down(learner, limit):
    with pytest.warns(H2pcWarning, match="searches for a separating set were cut short by max_"):
        result = learner(**limit).fit(DATA).result_

    assert result.complete
    assert result.n_cut > 0
    assert result.settings.items() >= limit.items()
    with pytest.warns(H2pcWarning):
        assert learner(**limit, n_jobs=2).fit(DATA).result_ == result


def test_a_network_goes_on_from_its_checkpoint(tmp_path):
    whole = H2PC().fit(DATA).result_
    with pytest.warns(H2pcWarning, match="Another run with this checkpoint"):
        partly = H2PC(checkpoint=tmp_path, max_seconds=0.005).fit(DATA).result_

    resumed = H2PC(checkpoint=tmp_path, n_jobs=2).fit(DATA).result_

    assert partly != resumed == whole
    assert "checkpoint" not in resumed.settings


def test_the_search_does_not_decide_whose_checkpoint_it_is(tmp_path):
    H2PC(checkpoint=tmp_path).fit(DATA)

    settings = {"scoring": "bic", "outside_penalty": 8.0, "symmetry": "or"}
    other = H2PC(checkpoint=tmp_path, **settings).fit(DATA).result_

    assert other == H2PC(**settings).fit(DATA).result_


def test_another_learner_is_refused(tmp_path):
    H2PC(checkpoint=tmp_path).fit(DATA)

    with pytest.raises(SettingError, match="was begun with learner"):
        MMHC(checkpoint=tmp_path).fit(DATA)


def test_clones_keep_the_limits():
    learner = H2PC(max_seconds=3.0, max_subset_tests=7, checkpoint="somewhere")

    assert clone(learner).get_params() == learner.get_params()

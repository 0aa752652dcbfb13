"""``score``: the mean log-likelihood of held-out samples, which model selection goes by."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError as TheirNotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score

from h2pc import H2PC, MMHC, BayesianNetwork, HillClimbing, TabuSearch, load_network
from h2pc.errors import DataError, NotFittedError

ASIA = load_network("asia")
TRAIN, TEST = ASIA.sample(3000, random_state=1), ASIA.sample(3000, random_state=2)
FRAME = TRAIN.to_pandas().astype(str)
EVERY = [H2PC, MMHC, HillClimbing, TabuSearch]


@pytest.mark.parametrize("learner", EVERY)
def test_the_score_is_the_mean_log_likelihood_under_the_fitted_tables(learner):
    fitted = learner(equivalent_sample_size=3.0).fit(TRAIN)

    network = BayesianNetwork.fit(fitted.dag_, TRAIN, equivalent_sample_size=3.0)
    assert fitted.network_ == network
    assert fitted.score(TEST) == pytest.approx(network.log_likelihood(TEST).mean(), rel=1e-12)


def test_a_network_that_fits_scores_better_than_one_without_edges():
    names = TRAIN.names
    apart = [(a, b) for a in names for b in names if a != b]

    assert H2PC().fit(TRAIN).score(TEST) > H2PC(forbidden=apart).fit(TRAIN).score(TEST) + 0.1


def test_frames_arrays_and_data_sets_score_alike():
    fitted, held_out = H2PC().fit(FRAME), TEST.to_pandas().astype(str)
    expected = fitted.score(held_out)

    assert fitted.score(held_out[held_out.columns[::-1]]) == expected
    assert fitted.score(held_out.to_numpy()) == expected
    assert H2PC().fit(FRAME.to_numpy()).score(held_out.to_numpy()) == pytest.approx(expected)


@pytest.mark.parametrize("learner", EVERY)
def test_a_grid_search_chooses_by_it_and_no_score_is_nan(learner):
    grid = {"max_parents": [0, 1, 4]}

    search = GridSearchCV(learner(), grid, cv=3, error_score="raise").fit(FRAME)

    scores = search.cv_results_["mean_test_score"]
    assert np.isfinite(scores).all()
    assert search.best_params_["max_parents"] == [0, 1, 4][int(np.argmax(scores))] != 0


def test_a_grid_search_finds_a_better_alpha_than_the_worst():
    alphas = [1e-200, 0.01, 0.05]

    learner = H2PC(variant="paper")  # the other one finds edges by their score as well
    search = GridSearchCV(learner, {"alpha": alphas}, cv=3, error_score="raise").fit(FRAME)

    scores = search.cv_results_["mean_test_score"]
    assert search.best_params_["alpha"] != alphas[int(np.argmin(scores))] == 1e-200
    assert search.best_score_ > scores.min() + 0.1


def test_a_state_that_a_fold_lacks_does_not_spoil_the_score():
    rare = FRAME.assign(rare=["once", *["often"] * (len(FRAME) - 1)])

    scores = cross_val_score(H2PC(), rare, cv=5, error_score="raise")

    assert np.isfinite(scores).all()
    assert np.ptp(scores) < 1.0


def test_around_targets_the_network_is_that_of_the_variables_nearby():
    fitted = H2PC(targets=["asia"]).fit(TRAIN)

    assert fitted.network_.names == fitted.dag_.names
    assert fitted.score(TEST) > H2PC().fit(TRAIN).score(TEST)  # of fewer variables


def test_tables_are_made_when_first_used_and_anew_after_another_fit():
    fitted = H2PC().fit(TRAIN)
    assert "network_" not in vars(fitted)
    first = fitted.network_
    assert fitted.network_ is first

    assert fitted.fit(TEST).network_ != first


def test_pickles_score_the_same():
    fitted = H2PC().fit(FRAME)
    before, after = pickle.dumps(fitted), fitted.score(TEST)

    for text in (before, pickle.dumps(fitted)):
        assert pickle.loads(text).score(TEST) == after


def test_a_learner_that_is_not_fitted_says_so():
    with pytest.raises(NotFittedError, match="This H2PC is not fitted: call fit first"):
        H2PC().score(TEST)
    assert not hasattr(H2PC(), "network_")
    assert {ValueError, AttributeError} <= {*NotFittedError.__mro__} & {
        *TheirNotFittedError.__mro__
    }


def test_data_without_a_variable_of_the_network_are_refused():
    fitted = H2PC().fit(FRAME)

    with pytest.raises(DataError, match="'bronc'"):
        fitted.score(pd.DataFrame(FRAME.drop(columns="bronc")))
    with pytest.raises(DataError, match="X has 7 features, but H2PC is expecting 8 features"):
        fitted.score(FRAME.to_numpy()[:, 1:])

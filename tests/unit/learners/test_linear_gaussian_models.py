"""``network_`` and ``score`` of learners that were fitted to continuous variables."""

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import cross_val_score

from continuous_data import continuous_frame, holed, mixed_frame
from h2pc import (
    H2PC,
    Dataset,
    LinearGaussianNetwork,
    TabuSearch,
    make_linear_gaussian_network,
    network_score,
)
from h2pc.errors import DataError

FRAME = continuous_frame()
NEW = continuous_frame(200, seed=1)


def test_the_network_is_the_fit_to_the_training_data():
    learner = H2PC().fit(FRAME)

    assert learner.network_ == LinearGaussianNetwork.fit(learner.dag_, FRAME)
    assert learner.score(NEW) == learner.network_.log_likelihood(NEW).mean()


def test_arrays_are_scored_by_position():
    learner = TabuSearch().fit(FRAME[list("fbdace")].to_numpy())

    expected = TabuSearch().fit(FRAME).score(NEW)
    assert learner.score(NEW[list("fbdace")].to_numpy()) == pytest.approx(expected, rel=1e-9)
    with pytest.raises(DataError, match="X has 2 features"):
        learner.score(np.zeros((3, 2)))


def test_missing_cells_are_integrated_out():
    data = Dataset.from_data(holed(FRAME), missing="available")
    learner = H2PC().fit(data)
    short = holed(NEW, 0.2, seed=3)

    assert learner.score(short) == learner.network_.log_likelihood(short).mean()
    assert learner.score(short.to_numpy()) == learner.score(short)
    only_a = NEW.mask(np.array([[name != "a" for name in NEW]] * len(NEW)))
    only_a.iloc[0] = NEW.iloc[0]
    assert np.isfinite(learner.score(only_a))


def test_whole_numbers_of_few_kinds_are_numbers_of_a_network_that_has_them():
    ages = np.random.default_rng(0).integers(0, 90, 500)
    learner = TabuSearch().fit(pd.DataFrame({"age": ages, "size": 0.5 * ages + FRAME["b"][:500]}))

    assert np.isfinite(learner.score(pd.DataFrame({"age": [30, 40], "size": [15, 20]})))


def test_mixed_data_have_a_graph_and_no_parameters():
    learner = H2PC().fit(mixed_frame())

    assert learner.dag_.edges
    with pytest.raises(DataError, match=r"'b' is continuous and 'a' is discrete.*discretize"):
        learner.score(mixed_frame(100, seed=1))


def test_around_targets_the_variables_nearby_decide():
    frame = FRAME.assign(x=np.where(np.arange(len(FRAME)) % 2, "odd", "even"))
    learner = H2PC(targets=["a"]).fit(frame)

    assert learner.network_.names == learner.dag_.names
    assert "x" not in learner.dag_.names


def test_the_truth_scores_best_on_new_samples():
    truth = make_linear_gaussian_network(12, random_state=8)
    learner = H2PC().fit(truth.sample(5000, random_state=1))
    new = truth.sample(5000, random_state=2)

    best = truth.log_likelihood(new).mean()
    assert best - 0.05 < learner.score(new) < best + 0.01


def test_cross_validation_has_a_number_for_every_fold():
    assert np.isfinite(cross_val_score(H2PC(), FRAME, cv=4)).all()


def test_scores_of_graphs_follow_from_the_variables():
    dag = H2PC().fit(FRAME).dag_

    assert network_score(dag, FRAME) == network_score(dag, FRAME, "bic")
    assert network_score(dag, NEW, like=Dataset.from_data(FRAME)) == network_score(dag, NEW)
    with pytest.raises(DataError, match="score 'bdeu' is for discrete data"):
        network_score(dag, FRAME, "bdeu")

import pickle
import warnings

import pytest

from h2pc import GES, H2PC, MMHC, HillClimbing, TabuSearch, load_network
from h2pc.errors import H2pcWarning, NotFittedError
from h2pc.graphs import dag_to_cpdag
from h2pc.metrics import network_score
from h2pc.networks.random_gaussian import make_linear_gaussian_network

ASIA = load_network("asia")
DATA = ASIA.sample(500, random_state=2)
LEARNERS = [H2PC(), MMHC(), GES(), TabuSearch(), HillClimbing()]


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: type(learner).__name__)
def test_learners_have_alternatives_to_their_graph(learner):
    learner.fit(DATA)
    found = learner.alternatives_

    assert 1 <= len(found) <= 10
    assert found is learner.alternatives_
    for each in found:
        total = network_score(each.dag, DATA, learner.scoring_)
        if learner.result_.skeleton is None:
            assert each.score == pytest.approx(total)
        else:  # there are prices of edges
            allowed = learner._search_problem(DATA, learner._fitted_params)
            price = sum(allowed.score.price(*edge) for edge in each.dag.edges)
            paid = sum(allowed.score.price(*edge) for edge in learner.dag_.edges)
            assert each.score == pytest.approx(total - price + paid)
            assert set(each.dag.skeleton().edges) <= set(allowed.skeleton.edges)
        assert each.difference == pytest.approx(each.score - learner.score_)
        assert each.cpdag != learner.cpdag_


def test_the_weakest_edge_is_the_first_that_may_be_missing():
    learner = H2PC(variant="paper").fit(ASIA.sample(5000, random_state=2))

    assert [str(change) for change in learner.alternatives_[0].changes] == ["asia – tub missing"]
    assert learner.alternatives_[0].difference == pytest.approx(-8.2, abs=0.1)


def test_alternatives_are_those_of_the_last_fit():
    learner = H2PC().fit(DATA)
    first = learner.alternatives_

    second = learner.fit(ASIA.sample(500, random_state=3)).alternatives_

    assert second != first
    assert learner.set_params(scoring="bic").alternatives_ == second
    assert learner.find_alternatives() == second
    assert pickle.loads(pickle.dumps(learner)).find_alternatives() == second


def test_around_targets_only_the_local_graph_varies():
    learner = H2PC(targets=["lung"]).fit(DATA)

    found = learner.alternatives_

    assert found
    for each in found:
        assert each.dag.names == learner.dag_.names
        assert each.score == learner.score_ + each.difference
        assert {name for c in each.changes for name in (c.first, c.second)} <= set(each.dag.names)
        assert each.cpdag == dag_to_cpdag(each.dag)


@pytest.mark.parametrize("kind", [H2PC, TabuSearch, GES])
def test_background_knowledge_holds(kind):
    tiers = [["asia", "smoke"], ["tub", "lung", "bronc", "either"], ["xray", "dysp"]]
    tier = {name: i for i, names in enumerate(tiers) for name in names}
    learner = kind(tiers=tiers, required=[("smoke", "lung")], forbidden=[("tub", "either")])

    found = learner.fit(DATA).find_alternatives(30)

    assert found
    for each in found:
        assert ("smoke", "lung") in each.dag.named_edges
        assert ("tub", "either") not in each.dag.named_edges
        assert all(tier[u] <= tier[v] for u, v in each.dag.named_edges)


def test_continuous_data_have_alternatives():
    data = make_linear_gaussian_network(8, random_state=3).sample(60, random_state=1)

    learner = H2PC(scoring="bge", variant="paper").fit(data)

    assert learner.find_alternatives(3, max_loss=1e6)
    for each in learner.alternatives_:
        assert each.difference >= -20.0
        assert each.score == pytest.approx(network_score(each.dag, data, "bge"))


def test_a_limit_of_time_ends_the_search_with_a_warning():
    data = load_network("win95pts").sample(500, random_state=1)
    learner = TabuSearch(max_seconds=1e-3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", H2pcWarning)
        learner.fit(data)

    with pytest.warns(H2pcWarning, match="max_seconds = 0.001 was reached: some alternatives"):
        learner.find_alternatives()


def test_a_learner_that_is_not_fitted_has_none():
    with pytest.raises(NotFittedError, match="call fit first"):
        H2PC().find_alternatives()

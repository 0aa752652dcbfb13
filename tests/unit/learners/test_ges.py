"""The learner that searches among equivalence classes."""

import json

import numpy as np
import pytest
from sklearn.base import clone

from h2pc import GES, Dag, HillClimbing, edge_strengths, load_network, shd
from h2pc.errors import H2pcWarning, SettingError

CHILD = load_network("child")
DATA = CHILD.sample(3000, random_state=4)


def test_it_finds_the_class_of_the_truth():
    learner = GES().fit(DATA)

    assert shd(learner.cpdag_, CHILD.dag) <= 1
    assert learner.n_tests_ == 0
    assert learner.result_.seed is None
    assert learner.result_.settings["trials"] == "variables"


def test_it_scores_no_less_than_hill_climbing():
    for seed in range(3):
        data = load_network("insurance").sample(1000, random_state=seed)
        learner = GES().fit(data)
        assert learner.scoring_ == "qnml"
        assert learner.score_ >= HillClimbing("qnml").fit(data).score_


def test_trials_never_make_it_worse():
    data = load_network("alarm").sample(500, random_state=0)
    scores = [GES(trials=trials).fit(data).score_ for trials in (None, "variables", "pairs")]

    assert scores[0] <= scores[1]
    assert scores[0] <= scores[2]


def test_neither_rows_nor_columns_matter():
    frame = DATA.to_pandas().astype(str)
    turned = frame.iloc[::-1, np.random.default_rng(0).permutation(20)]

    assert GES().fit(frame).dag_ == GES().fit(turned).dag_


def test_constraints_are_kept():
    names = CHILD.names
    learner = GES(
        required=[("Sick", "Disease")],
        forbidden=[("LungFlow", "CO2"), ("CO2", "LungFlow")],
        tiers=[["Sick"], [name for name in names if name != "Sick"]],
    ).fit(DATA)

    assert ("Sick", "Disease") in learner.edges_
    assert not any(child == "Sick" for _, child in learner.edges_)


def test_it_starts_from_a_graph_and_stops_at_limits():
    start = Dag.from_edges(CHILD.names, CHILD.dag.named_edges)
    assert shd(GES(start=start).fit(DATA).cpdag_, CHILD.dag) <= 1
    with pytest.warns(H2pcWarning, match="max_seconds"):
        assert not GES(max_seconds=1e-9).fit(DATA).result_.complete


def test_it_is_an_estimator():
    learner = clone(GES("bic", trials=None, max_parents=2))

    assert learner.get_params()["max_parents"] == 2
    assert max(len(learner.fit(DATA).dag_.parents(v)) for v in range(20)) <= 2
    strengths = edge_strengths(DATA.take(range(300)), GES(), n_replicates=3, progress=False)
    assert strengths.edges[0].strength == 1.0


def test_unknown_trials_are_refused():
    with pytest.raises(SettingError, match="trials must be"):
        GES(trials="all").fit(DATA)


def test_the_result_can_be_written():
    document = json.loads(GES().fit(DATA).result_.to_json())

    assert document["settings"]["algorithm"] == "GES"

"""Learners of continuous and of mixed variables: whatever they can do with discrete ones."""

import joblib
import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV

from continuous_data import EDGES, continuous_frame, holed, mixed_frame
from h2pc import (
    GES,
    H2PC,
    MMHC,
    Dag,
    Dataset,
    GaussianTest,
    HillClimbing,
    LearnResult,
    MixedTest,
    TabuSearch,
    discretize,
    edge_strengths,
    network_page,
    plot_network,
    skeleton,
)
from h2pc.errors import DataError, H2pcWarning, SettingError
from h2pc.learners.edge_links import edge_links
from h2pc.learners.explanations import explained_neighbours
from h2pc.metrics import network_score, shd
from h2pc.scores.named import local_score

TRUE = Dag.from_edges(tuple("abcdef"), sorted(EDGES))
LINKED = {tuple(sorted(edge)) for edge in EDGES}
FRAMES = {"continuous": continuous_frame(), "mixed": mixed_frame()}


@pytest.fixture(params=FRAMES)
def frame(request):
    return FRAMES[request.param]


def linked(result):
    return set(result.skeleton.named_edges)


@pytest.mark.parametrize("learner", [H2PC(), MMHC(), TabuSearch(), HillClimbing(), GES()])
def test_every_learner_finds_the_network(learner, frame):
    assert shd(learner.fit(frame).cpdag_, TRUE) <= 2
    assert learner.feature_names_in_.tolist() == list("abcdef")


def test_the_test_and_the_score_follow_from_the_variables():
    chosen = {
        kind: (learner.test_, learner.scoring_)
        for kind, table in {**FRAMES, "discrete": discretize(FRAMES["continuous"])}.items()
        for learner in [H2PC().fit(table)]
    }

    assert chosen == {
        "continuous": ("gaussian", "bic"),
        "mixed": ("mixed", "bic"),
        "discrete": ("g2", "bds"),
    }


def test_results_say_which_test_and_score_were_taken(frame):
    settings = H2PC().fit(frame).result_.settings

    assert settings["test"] in ("gaussian", "mixed")
    assert settings["scoring"] == "bic"
    assert TabuSearch().fit(frame).result_.settings["scoring"] == "bic"


@pytest.mark.parametrize("learner", ["hpc", "mmpc"])
def test_the_skeleton_is_that_of_the_truth(frame, learner):
    assert linked(skeleton(frame, learner, alpha=0.001)) == LINKED


def test_around_a_target_the_same_neighbours_are_found(frame):
    assert skeleton(frame, targets=["c"]).neighbours("c") == ("b", "d", "e")
    assert H2PC(targets=["f"]).fit(frame).markov_boundaries_ == {"f": ["e"]}


def test_neither_rows_nor_columns_nor_workers_matter_to_the_last_bit(frame):
    rng = np.random.default_rng(1)
    expected = H2PC().fit(frame).result_
    turned = frame.iloc[rng.permutation(len(frame)), rng.permutation(6)]

    for learner, table in ((H2PC(), turned), (H2PC(n_jobs=2), frame)):
        found = learner.fit(table).result_
        assert found.dag == expected.dag
        assert (found.score, found.n_tests) == (expected.score, expected.n_tests)


def test_constraints_are_kept(frame):
    learner = H2PC(required=[("a", "f")], forbidden=[("c", "e")], tiers=[["f"], list("abcde")])
    with pytest.raises(SettingError, match="required"):
        learner.fit(frame)

    found = H2PC(required=[("a", "f")], forbidden=[("c", "e"), ("e", "c")]).fit(frame)
    assert ("a", "f") in found.edges_
    assert not {("c", "e"), ("e", "c")} & set(found.edges_)
    assert ("f", "e") in H2PC(tiers=[["f"], list("abcde")]).fit(frame).edges_


def test_limits_end_the_run(frame):
    wide = Dataset.from_values(np.random.default_rng(0).normal(size=(400, 50)))
    with pytest.warns(H2pcWarning, match="max_seconds"):
        assert not H2PC(max_seconds=1e-9).fit(wide).result_.complete
    with pytest.raises(SettingError, match="max_memory must be"):
        H2PC(max_memory=1000).fit(frame)
    with pytest.warns(H2pcWarning, match="max_conditioning = 0"):
        assert skeleton(frame, max_conditioning=0).n_cut > 0


def test_a_checkpoint_changes_nothing_and_belongs_to_its_data(frame, tmp_path):
    plain = skeleton(frame)

    assert skeleton(frame, checkpoint=tmp_path) == plain
    assert skeleton(frame, checkpoint=tmp_path) == plain
    with pytest.raises(SettingError, match="was begun with data = "):
        skeleton(frame.iloc[1:], checkpoint=tmp_path)
    with pytest.raises(SettingError, match="was begun with test = "):
        skeleton(discretize(frame), checkpoint=tmp_path)


def test_bootstrap_strengths_are_the_same_for_any_number_of_workers(frame, tmp_path):
    some = frame.iloc[:300]
    alone = edge_strengths(some, n_replicates=6, progress=False, checkpoint=tmp_path)
    together = edge_strengths(some, n_replicates=6, progress=False, n_jobs=2)

    assert alone.edges == together.edges
    assert alone.edges[0].strength == 1.0


def test_processes_find_the_same(frame):
    expected = skeleton(frame)
    with joblib.parallel_config(backend="loky"):
        assert skeleton(frame, n_jobs=2) == expected


def test_results_come_back_from_json(frame):
    result = H2PC().fit(frame).result_

    assert LearnResult.from_json(result.to_json()) == result


def test_pages_and_pictures_show_the_network(frame):
    learner = H2PC().fit(frame)
    data = Dataset.from_data(frame)
    ci = (GaussianTest if data.kind == "continuous" else MixedTest)(data)
    links = edge_links(learner.dag_, ci, local_score(data))
    page = network_page(learner.result_, title="Found", links=links)

    assert '"correlation":[' in page
    assert plot_network(learner.dag_) is not None


def test_links_have_correlations_between_continuous_variables_only():
    data = Dataset.from_data(FRAMES["mixed"])
    links = {
        (link.parent, link.child): link.correlation
        for link in edge_links(TRUE, MixedTest(data), local_score(data))
    }

    assert links["d", "c"] < -0.5
    assert links["a", "b"] is None
    assert links["e", "f"] is None


def test_neighbours_are_explained_with_correlations():
    data = Dataset.from_data(FRAMES["continuous"])
    (why,) = explained_neighbours(GaussianTest(data), data.names, data.variables(["c"]))
    found = {link.name: (link.correlation, link.weakest_correlation) for link in why.neighbours}

    assert set(found) == {"b", "d", "e"}
    assert found["d"][0] < 0 < found["b"][0]
    assert np.isclose(found["b"][0], np.corrcoef(FRAMES["continuous"][["b", "c"]].T)[0, 1])


def test_missing_cells_are_left_out_of_every_test(frame):
    data = Dataset.from_data(holed(frame), missing="available")

    assert not data.is_complete
    assert shd(H2PC().fit(data).cpdag_, TRUE) <= 3
    assert linked(skeleton(data)) <= LINKED | {("b", "d")}


def test_cutting_into_levels_is_one_word_away(frame):
    learner = H2PC().fit(discretize(frame, levels=3))

    assert learner.test_ == "g2"
    assert learner.network_.n_parameters > 0


def test_networks_of_continuous_variables_score_new_samples():
    learner = H2PC().fit(FRAMES["continuous"])
    new = continuous_frame(400, seed=1)

    assert np.isfinite(learner.score(new))
    assert learner.score(new) > H2PC(forbidden=_both(LINKED)).fit(FRAMES["continuous"]).score(new)
    assert learner.network_.sample(5).kind == "continuous"


def _both(pairs):
    return [edge for pair in pairs for edge in (pair, pair[::-1])]


def test_a_grid_search_compares_them():
    search = GridSearchCV(H2PC(), {"alpha": [0.01, 0.05]}, cv=3).fit(FRAMES["continuous"])

    assert np.isfinite(search.best_score_)


def test_graphs_of_either_kind_can_be_scored(frame):
    empty = Dag.from_edges(tuple("abcdef"))

    for scoring in ("auto", "bic", "aic", "loglik"):
        assert network_score(TRUE, frame, scoring) > network_score(empty, frame, scoring)


@pytest.mark.parametrize(
    "learn",
    [
        lambda frame: H2PC(test="g2").fit(frame),
        lambda frame: H2PC(test="chi2").fit(frame),
        lambda frame: H2PC(test="shrinkage").fit(frame),
        lambda frame: H2PC(scoring="bdeu").fit(frame),
        lambda frame: TabuSearch("k2").fit(frame),
    ],
)
def test_what_needs_levels_says_so(learn, frame):
    with pytest.raises((DataError, SettingError), match="continuous"):
        learn(frame)


def test_partial_correlations_need_continuous_variables_and_say_so():
    with pytest.raises(DataError, match=r"'a'.*mixed"):
        H2PC(test="gaussian").fit(FRAMES["mixed"])
    with pytest.raises((DataError, SettingError), match="bge"):
        H2PC(scoring="bge").fit(FRAMES["mixed"])
    assert shd(H2PC(scoring="bge").fit(FRAMES["continuous"]).cpdag_, TRUE) <= 2


def test_the_mixed_test_takes_any_table():
    for frame in (*FRAMES.values(), discretize(FRAMES["continuous"])):
        assert shd(H2PC(test="mixed").fit(frame).cpdag_, TRUE) <= 3

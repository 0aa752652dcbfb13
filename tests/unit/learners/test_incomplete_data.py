"""Learners of data with missing cells: every test and family has its own complete rows."""

import numpy as np
import pytest

from h2pc import (
    GES,
    H2PC,
    MMHC,
    BDeu,
    Dataset,
    GTest,
    HillClimbing,
    TabuSearch,
    edge_strengths,
    load_network,
    skeleton,
)
from h2pc.errors import DataError
from h2pc.learners.edge_links import edge_links
from h2pc.learners.explanations import explained_neighbours
from h2pc.metrics import network_score, shd, skeleton_scores

CHILD = load_network("child")


def blanked(data: Dataset, share: float, seed: int = 0) -> Dataset:
    rng = np.random.default_rng(seed)
    codes = data.codes.astype(np.int64)
    codes[rng.random(codes.shape) < share] = -1
    return Dataset.from_codes(
        codes, cards=data.cards, names=data.names, states=data.states, missing="available"
    )


@pytest.fixture(scope="module")
def holed() -> Dataset:
    return blanked(CHILD.sample(5000, random_state=1), 0.1)


def test_a_network_is_found_although_no_row_is_complete():
    data = blanked(CHILD.sample(5000, random_state=1), 0.3)
    is_complete = (data.codes < data.cards[:, None]).all(axis=0)
    assert is_complete.mean() < 0.001

    found = skeleton_scores(H2PC().fit(data).dag_, CHILD.dag)
    assert found.recall >= 0.8
    assert found.precision >= 0.9


def test_h2pc_works_out_of_the_box(holed):
    learner = H2PC().fit(holed)

    assert shd(learner.cpdag_, CHILD.dag) <= 3
    assert learner.score_ == BDeu(holed).total([learner.dag_.parents(v) for v in range(20)])
    assert learner.network_.n_parameters > 0


@pytest.mark.parametrize("learner", [H2PC(), MMHC(), TabuSearch(), HillClimbing("bic"), GES()])
def test_every_learner_takes_them(learner, holed):
    assert shd(learner.fit(holed).cpdag_, CHILD.dag) <= 15


@pytest.mark.parametrize("learner", [H2PC(), MMHC(), TabuSearch("bic")])
def test_nothing_changes_where_nothing_is_missing(learner):
    data = CHILD.sample(600, random_state=2)
    same = blanked(data, 0.0)

    one, other = learner.fit(data).result_, learner.fit(same).result_

    assert (one.dag, one.score, one.n_tests) == (other.dag, other.score, other.n_tests)


def test_neither_workers_nor_the_order_of_rows_matter(holed):
    some = holed.take(np.arange(1500))
    turned = some.take(np.arange(1500)[::-1])
    expected = H2PC().fit(some).result_

    assert H2PC(n_jobs=2).fit(some).dag_ == expected.dag
    found = H2PC().fit(turned).result_
    assert (found.dag, found.score) == (expected.dag, expected.score)


def test_local_learning_agrees_with_the_whole_skeleton(holed):
    some = holed.take(np.arange(2000))

    def near(result):
        return {pair for pair in result.skeleton.named_edges if "LungParench" in pair}

    assert near(skeleton(some, targets=["LungParench"])) == near(skeleton(some)) != set()
    assert H2PC(targets=["LungParench"]).fit(some).markov_boundaries_["LungParench"]


def test_the_bootstrap_takes_samples_with_their_missing_cells(holed):
    strengths = edge_strengths(holed.take(np.arange(500)), n_replicates=3)

    assert strengths.edges[0].strength == 1.0


def test_checkpoints_know_which_cells_are_missing(holed, tmp_path):
    some = holed.take(np.arange(300))
    first = H2PC(checkpoint=tmp_path).fit(some)

    assert H2PC(checkpoint=tmp_path).fit(some).edges_ == first.edges_


def test_links_and_explanations_are_those_of_complete_rows(holed):
    ci, score = GTest(holed), BDeu(holed)
    links = edge_links(CHILD.dag.reordered(holed.names), ci, score)
    target = holed.variable("LungParench")
    (why,) = explained_neighbours(ci, holed.names, (target,))

    assert min(link.gain for link in links if not link.given) > 0
    assert {link.name for link in why.neighbours} >= {"HypoxiaInO2", "CO2"}


def test_held_out_samples_may_be_incomplete(holed):
    learner = H2PC().fit(holed.take(np.arange(4000)))
    rest = holed.take(np.arange(4000, 4200))
    complete = CHILD.sample(200, random_state=9)

    found = learner.score(rest)

    assert np.isfinite(found)
    assert found > learner.score(complete)  # fewer cells are less improbable
    assert learner.score(rest.to_pandas()) == pytest.approx(found)


def test_the_score_of_a_graph_is_that_of_the_learner(holed):
    learner = H2PC().fit(holed)

    assert network_score(learner.dag_, holed) == pytest.approx(learner.score_)
    assert network_score(learner.dag_, holed, like=holed) == pytest.approx(learner.score_)


def test_a_table_with_missing_cells_is_still_refused_without_a_word():
    frame = CHILD.sample(50).to_pandas().astype(object)
    frame.iloc[0, 0] = None

    with pytest.raises(DataError, match="or missing='available' to use all cells that are there"):
        H2PC().fit(frame)

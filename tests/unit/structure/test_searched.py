"""Searches that a watch ends: the best graph so far, with its exact score."""

import numpy as np
import pytest

from h2pc import BDeu, load_network
from h2pc.runs.limits import Limits, Watch
from h2pc.search import hill_climbing, tabu_search
from h2pc.structure import searched
from h2pc.structure.searched import WatchedScore

DATA = load_network("insurance").sample(500, seed=1)
SCORE = BDeu(DATA)
SEARCHES = [hill_climbing, tabu_search]


class Late(Watch):
    """Comes to its limit at the n-th look."""

    def __init__(self, n_looks):
        super().__init__(Limits(max_seconds=1e6))
        self.left = n_looks

    @property
    def reached(self):
        self.left -= 1
        return "max_seconds" if self.left < 0 else None


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("n_looks", [0, 1, 10, 27, 28, 40, 60, 80])
def test_a_search_that_is_ended_has_the_score_of_its_graph(search, n_looks):
    result = searched(SCORE, DATA.names, search, watch=Late(n_looks))

    assert not result.complete
    assert result.score == SCORE.total(result.dag.parent_sets)
    empty, whole = SCORE.total([()] * len(DATA.names)), searched(SCORE, DATA.names, search)
    assert empty <= result.score <= whole.score


@pytest.mark.parametrize("search", SEARCHES)
def test_restarts_end_as_well(search):
    def with_restarts(*args, **settings):
        return search(*args, restarts=200, **settings)

    result = searched(SCORE, DATA.names, with_restarts, watch=Late(100))

    assert not result.complete
    assert result.score == SCORE.total(result.dag.parent_sets)


@pytest.mark.parametrize("search", SEARCHES)
def test_a_watch_that_is_not_reached_changes_nothing(search):
    assert searched(SCORE, DATA.names, search, watch=Late(10**9)) == searched(
        SCORE, DATA.names, search
    )


def test_answers_in_pieces_are_those_in_one():
    score = WatchedScore(SCORE, Watch(Limits(max_seconds=1e6)))
    score.piece = 4
    others = tuple(range(1, 27))

    assert np.array_equal(score.changed(0, (3, 5), others), SCORE.changed(0, (3, 5), others))
    assert not score.was_stopped
    assert score.n_variables == 27

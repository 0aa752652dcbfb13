"""Searches that a watch ends: the best graph so far, with its exact score."""

import time

import pytest

from h2pc import BDeu, load_network
from h2pc.algorithms.hill_climbing import hill_climbing
from h2pc.algorithms.score_search import searched
from h2pc.algorithms.tabu import tabu_search
from h2pc.runs.limits import Limits, Watch

DATA = load_network("insurance").sample(500, random_state=1)
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
def test_a_search_that_is_ended_at_once_has_the_score_of_its_graph(search):
    result = searched(SCORE, DATA.names, search, watch=Late(0))

    assert not result.complete
    assert result.score == SCORE.total(result.dag.parent_sets)
    empty, whole = SCORE.total([()] * len(DATA.names)), searched(SCORE, DATA.names, search)
    assert empty <= result.score <= whole.score


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("n_looks", [1, 5])
def test_restarts_end_as_well(search, n_looks):
    def with_restarts(*args, **settings):
        return search(*args, restarts=10**6, **settings)

    result = searched(SCORE, DATA.names, with_restarts, watch=Late(n_looks))

    assert not result.complete
    assert result.score == SCORE.total(result.dag.parent_sets)
    assert result.score >= searched(SCORE, DATA.names, search).score


@pytest.mark.parametrize("search", SEARCHES)
def test_a_time_limit_ends_a_search_within_a_fraction_of_a_second(search):
    def with_restarts(*args, **settings):
        return search(*args, restarts=10**6, **settings)

    start = time.monotonic()

    result = searched(SCORE, DATA.names, with_restarts, watch=Watch(Limits(max_seconds=0.2)))

    assert not result.complete
    assert time.monotonic() - start < 0.2 + 1.5  # the machine may be busy


@pytest.mark.parametrize("search", SEARCHES)
def test_a_watch_that_is_not_reached_changes_nothing(search):
    assert searched(SCORE, DATA.names, search, watch=Late(10**9)) == searched(
        SCORE, DATA.names, search
    )

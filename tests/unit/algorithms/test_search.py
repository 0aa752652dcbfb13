"""What the engine is given and returns: seeds, spaces, polls, scores that are written in Python."""

import signal
import threading
import time
from random import Random

import numpy as np
import pytest

from h2pc import _engine, load_network
from h2pc.algorithms.hill_climbing import hill_climbing
from h2pc.algorithms.search import seed_digits
from h2pc.algorithms.tabu import tabu_search
from h2pc.data import Dataset
from h2pc.runs.limits import Limits, Watch
from h2pc.scores import BDeu, LocalScore
from h2pc.scores.table_score import engine_score
from unit.algorithms.landscapes import CountedScore, RandomScore, ScriptedScore

SEARCHES = [tabu_search, hill_climbing]
RUGGED = RandomScore(6, 40, seed=3)


def bdeu(n_variables: int = 5) -> BDeu:
    codes = np.random.default_rng(0).integers(0, 3, (n_variables, 150))
    return BDeu(Dataset.from_codes(codes))


@pytest.mark.parametrize("seed", [0, 1, -1, 2**32 - 1, 2**32, 2**100 + 7, -(2**40)])
def test_random_moves_are_drawn_as_python_draws_them(seed):
    flat = ScriptedScore(6, {}, otherwise=0.0)
    trail = hill_climbing(flat, restarts=1, perturbations=1, random_state=seed).trail

    dice = Random(seed)
    pairs = [(u, v) for u in range(6) for v in range(6) if u != v]
    dice.choice(["add"])
    assert [(move.parent, move.child) for move in trail] == [dice.choice(pairs)]


def test_the_digits_of_a_seed_are_whole_numbers():
    with pytest.raises(TypeError):
        seed_digits(1.5)


@pytest.mark.parametrize("search", SEARCHES)
def test_the_number_of_scores_is_that_of_the_calls(search):
    counted = CountedScore(RUGGED)

    assert search(counted).n_scores == counted.n_scores > 30


@pytest.mark.parametrize("search", SEARCHES)
def test_a_poll_stops_a_search_at_once(search):
    found = search(RUGGED, poll=lambda: True)

    assert not found.complete
    assert found.trail == ()
    assert found.score == RUGGED.total(found.parent_sets)


@pytest.mark.parametrize("search", SEARCHES)
def test_a_poll_that_never_stops_changes_nothing(search):
    assert search(RUGGED, poll=lambda: False) == search(RUGGED)


@pytest.mark.usefixtures("ctrl_c_is_heard")
@pytest.mark.parametrize("search", SEARCHES)
def test_ctrl_c_ends_a_search(search):
    timer = threading.Timer(0.1, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        search(bdeu(), restarts=10**9)
    timer.join()


@pytest.mark.parametrize("search", SEARCHES)
def test_an_error_of_a_poll_or_a_score_comes_back(search):
    class Failing(RandomScore):
        def changed(self, child, parents, others):
            if parents:
                raise RuntimeError("no score")
            return super().changed(child, parents, others)

    def fail():
        raise RuntimeError("no poll")

    with pytest.raises(RuntimeError, match="no poll"):
        search(RUGGED, poll=fail)
    with pytest.raises(RuntimeError, match="no score"):
        search(Failing(6, 40, seed=3))


def test_a_score_without_a_value_for_every_change_is_refused():
    class Short(RandomScore):
        def changed(self, child, parents, others):
            return super().changed(child, parents, others)[1:]

    with pytest.raises(ValueError, match="one value for every change"):
        tabu_search(Short(4, 10, seed=0))


def test_a_method_that_is_overridden_in_python_is_called():
    class Upside(BDeu):
        def family(self, child, parents=()):
            return -super().family(child, parents)

        changed = LocalScore.changed

    codes = np.random.default_rng(0).integers(0, 3, (4, 150))
    score = Upside(Dataset.from_codes(codes))

    assert isinstance(engine_score(score), _engine.CallbackScore)
    assert isinstance(engine_score(bdeu()), _engine.TableScore)
    found = hill_climbing(score, max_parents=1)
    assert found.score == score.total(found.parent_sets)


def test_searches_of_several_threads_find_the_same():
    score = bdeu(7)
    expected, found = tabu_search(score, restarts=5), []
    threads = [
        threading.Thread(target=lambda: found.append(tabu_search(score, restarts=5)))
        for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert found == [expected] * 6


@pytest.mark.parametrize(
    ("space", "error"),
    [
        (([(1,), (0, 3), ()], [()] * 3, [()] * 3), IndexError),
        (([(1,), (-1,), ()], [()] * 3, [()] * 3), IndexError),
        (([(0,), (), ()], [()] * 3, [()] * 3), ValueError),
        (([(), (), ()], [()] * 2, [()] * 3), ValueError),
    ],
)
def test_a_space_that_makes_no_sense_is_refused(space, error):
    with pytest.raises(error):
        _engine.SearchSpace(*space, 3)


def test_a_start_with_a_cycle_and_a_score_of_other_variables_are_refused():
    settings = {"restarts": 0, "perturbations": 0, "seed": [], "poll": None, "poll_seconds": 1.0}
    cycle = _engine.SearchSpace([()] * 3, [()] * 3, [(1,), (2,), (0,)], 3)
    few = _engine.SearchSpace([()] * 2, [()] * 2, [()] * 2, 2)

    with pytest.raises(ValueError, match="cycle"):
        _engine.hill_climbing(engine_score(bdeu(3)), cycle, **settings)
    with pytest.raises(ValueError, match="same variables"):
        _engine.hill_climbing(engine_score(bdeu(3)), few, **settings)


DATA = load_network("insurance").sample(500, random_state=1)
SCORE = BDeu(DATA)


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
    result = search(SCORE, poll=Late(0).poll)

    assert not result.complete
    assert result.score == SCORE.total(result.parent_sets)
    empty, whole = SCORE.total([()] * len(DATA.names)), search(SCORE)
    assert empty <= result.score <= whole.score


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("n_looks", [1, 5])
def test_restarts_end_as_well(search, n_looks):
    result = search(SCORE, restarts=10**6, poll=Late(n_looks).poll)

    assert not result.complete
    assert result.score == SCORE.total(result.parent_sets)
    assert result.score >= SCORE.total([()] * len(DATA.names))


@pytest.mark.parametrize("search", SEARCHES)
def test_restarts_that_end_late_are_no_worse_than_none(search):
    late = Late(100)  # looks are 20 ms apart: the first climb has ended long before, on any machine

    result = search(SCORE, restarts=10**6, poll=late.poll)

    assert not result.complete
    assert result.score >= search(SCORE).score


@pytest.mark.parametrize("search", SEARCHES)
def test_a_time_limit_ends_a_search_within_a_fraction_of_a_second(search):
    start = time.monotonic()

    result = search(SCORE, restarts=10**6, poll=Watch(Limits(max_seconds=0.2)).poll)

    assert not result.complete
    assert time.monotonic() - start < 0.2 + 1.5  # the machine may be busy


@pytest.mark.parametrize("search", SEARCHES)
def test_a_watch_that_is_not_reached_changes_nothing(search):
    assert search(SCORE, poll=Late(10**9).poll) == search(SCORE)

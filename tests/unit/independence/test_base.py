"""A test that is written in Python is one method; the engine does the rest, and checks it."""

import math
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from h2pc.algorithms.hpc import hpc
from h2pc.algorithms.iamb import iamb, iamb_fdr
from h2pc.algorithms.mmpc import mmpc
from h2pc.errors import SettingError
from h2pc.graphs import Dag
from h2pc.independence.base import CITest, Separation
from h2pc.independence.context import Context
from h2pc.independence.oracle import DSeparationOracle

CHAIN = Dag.from_edges(["a", "b", "c", "d", "e"], [(0, 1), (1, 2), (2, 3), (3, 4)])


class Returning(CITest):
    """A test that returns what it is told to."""

    def __init__(self, answer) -> None:
        super().__init__()
        self.answer = answer

    def log_p_given(self, target, candidates, z):
        return self.answer(candidates)


class Failing(CITest):
    """A test that fails once the conditioning set is as large as ``size``."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.size = size

    def log_p_given(self, target, candidates, z):
        if len(z) >= self.size:
            raise ZeroDivisionError("no such test")
        return np.full(len(candidates), -9.0)


class Twin(CITest):
    """An oracle without its shortcut."""

    def __init__(self, dag: Dag) -> None:
        super().__init__()
        self.oracle = DSeparationOracle(dag)

    def log_p_given(self, target, candidates, z):
        return self.oracle.log_p_given(target, candidates, z)


@pytest.mark.parametrize("learner", [hpc, mmpc, iamb_fdr, iamb])
def test_one_method_is_enough_for_every_learner(learner):
    oracle = DSeparationOracle(CHAIN)

    for target in CHAIN.variables:
        found = learner(target, Twin(CHAIN), CHAIN.variables)
        assert found == learner(target, oracle, CHAIN.variables)


@pytest.mark.parametrize(
    "answer",
    [
        lambda xs: [-9.0] * len(xs),
        lambda xs: tuple([-9] * len(xs)),
        lambda xs: np.full(len(xs), -9, np.int64),
        lambda xs: np.full(len(xs), -9.0, np.float32),
    ],
)
def test_any_sequence_of_numbers_is_an_answer(answer):
    assert Returning(answer).log_p_many(0, (1, 2)).tolist() == [-9.0, -9.0]


STEPS = [
    lambda t: t.log_p_many(0, (1, 2)),
    lambda t: t.prune(0, (1, 2)),
    lambda t: t.prune_given_any(0, (1, 2), {}, (3,)),
    lambda t: t.iamb_fdr(0, (1, 2)),
    lambda t: t.first_separator(0, 1, (2, 3), min_size=1),
    lambda t: t.inseparable(0, (1, 2), (1, 2)),
    lambda t: t.weakest_links(0, (1, 2), (), (3,)),
]


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda xs: [0.0] * (len(xs) + 1), "log_p_given must return a number for each of"),
        (lambda xs: [0.0] * (len(xs) - 1), "log_p_given must return a number for each of"),
        (lambda xs: [], "log_p_given must return a number for each of"),
        (lambda xs: [math.nan] * len(xs), "it returned nan"),
    ],
)
def test_a_wrong_number_of_answers_and_no_number_are_errors(answer, message, step):
    with pytest.raises(ValueError, match=message):
        step(Returning(answer))


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("answer", [lambda xs: None, lambda xs: "no", lambda xs: [None] * len(xs)])
def test_what_are_no_numbers_is_an_error(answer, step):
    with pytest.raises((TypeError, ValueError, RuntimeError)):
        step(Returning(answer))


@pytest.mark.parametrize("step", STEPS)
def test_an_error_of_the_test_is_that_of_the_step(step):
    with pytest.raises(ZeroDivisionError, match="no such test"):
        step(Failing(0))
    assert Failing(3).log_p_many(0, (1,)).tolist() == [-9.0]  # and the next step goes on


@pytest.mark.parametrize("step", STEPS[1:])
def test_an_error_in_the_middle_of_a_step_is_that_of_the_step(step):
    with pytest.raises(ZeroDivisionError, match="no such test"):
        step(Failing(1))


def test_negative_numbers_of_variables_are_errors():
    for question in [(-1, (1,), ()), (0, (-1,), ()), (0, (1,), (-1,))]:
        with pytest.raises(IndexError):
            Returning(lambda xs: [0.0] * len(xs)).log_p_many(*question)


def test_a_shortcut_saves_searches_and_counts_what_they_would_have_tried():
    quick, plain = DSeparationOracle(CHAIN), Twin(CHAIN)

    for target, candidate, pool in [(0, 1, (2, 3, 4)), (0, 3, (1, 2, 4)), (4, 0, (1,))]:
        found = quick.first_separator(target, candidate, pool)
        assert found == plain.first_separator(target, candidate, pool)
    assert quick.context.n_tests == plain.context.n_tests


def test_the_same_test_in_another_context_shares_everything_else():
    oracle = DSeparationOracle(CHAIN, 0.2)

    other = oracle.within(Context())
    other.log_p_many(0, (1, 2))

    assert (other.dag, other.alpha) == (oracle.dag, 0.2)
    assert (oracle.context.n_tests, other.context.n_tests) == (0, 2)


def test_threads_may_share_a_test_that_is_written_in_python():
    twin = Twin(CHAIN)
    expected = [hpc(target, Twin(CHAIN), CHAIN.variables) for target in CHAIN.variables]

    with ThreadPoolExecutor(4) as pool:
        for _ in range(20):
            found = pool.map(lambda target: hpc(target, twin, CHAIN.variables), CHAIN.variables)
            assert list(found) == expected


def test_a_pickled_test_finds_the_same():
    other = pickle.loads(pickle.dumps(Twin(CHAIN)))

    assert other.first_separator(0, 2, (1, 3)) == Separation((1,), 0.0)


@pytest.mark.parametrize("alpha", [0.0, 1.0, -0.1, math.nan])
def test_a_level_outside_zero_to_one_is_refused(alpha):
    with pytest.raises(SettingError, match="alpha must lie between 0 and 1"):
        DSeparationOracle(CHAIN, alpha)

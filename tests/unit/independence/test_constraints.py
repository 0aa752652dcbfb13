import math
import pickle

import numpy as np
import pytest

from h2pc.algorithms.hpc import hpc
from h2pc.algorithms.iamb import iamb_fdr
from h2pc.algorithms.mmpc import mmpc
from h2pc.errors import SettingError
from h2pc.graphs import Dag
from h2pc.independence.base import Separation
from h2pc.independence.constraints import EdgeConstraints
from h2pc.independence.context import Context
from h2pc.independence.oracle import DSeparationOracle

CHAIN = Dag.from_edges(["a", "b", "c", "d"], [(0, 1), (1, 2), (2, 3)])
ORACLE = DSeparationOracle(CHAIN)
BOTH_WAYS = ((0, 1), (1, 0))


def constrained(**constraints) -> DSeparationOracle:
    return ORACLE.within(Context(EdgeConstraints(**constraints)))


@pytest.mark.parametrize("learner", [hpc, mmpc])
def test_a_required_edge_is_found_from_both_ends(learner):
    ci = constrained(required=((0, 3),))

    assert set(learner(0, ci, CHAIN.variables)) == {1, 3}
    assert set(learner(3, ci, CHAIN.variables)) == {0, 2}


@pytest.mark.parametrize("learner", [hpc, mmpc, iamb_fdr])
def test_a_forbidden_pair_is_found_from_neither_end(learner):
    ci = constrained(forbidden=BOTH_WAYS)

    assert 1 not in learner(0, ci, CHAIN.variables)
    assert 0 not in learner(1, ci, CHAIN.variables)


def test_an_edge_that_is_forbidden_one_way_may_be_there_the_other_way():
    assert hpc(0, constrained(forbidden=((0, 1),)), CHAIN.variables) == (1,)


def test_tiers_and_a_forbidden_direction_together_separate_a_pair():
    ci = constrained(forbidden=((0, 1),), tiers=((0,), (1,)))

    assert ci.log_p(0, 1) == 0.0


@pytest.mark.parametrize(("target", "candidates"), [(0, (1, 2, 3)), (3, (1, 2, 0)), (1, (2, 3))])
def test_many_tests_are_as_one_at_a_time(target, candidates):
    ci = constrained(required=((0, 3),), forbidden=BOTH_WAYS)

    many = ci.log_p_many(target, candidates)

    assert many.tolist() == [ci.log_p(target, x) for x in candidates]
    assert many.tolist() == [ci.log_p(x, target) for x in candidates]


def test_open_pairs_are_tested():
    ci = constrained(required=((0, 3),))

    assert np.array_equal(ci.log_p_many(1, (0, 2, 3)), ORACLE.log_p_many(1, (0, 2, 3)))
    assert ci.first_separator(0, 2, (1, 3)) == ORACLE.first_separator(0, 2, (1, 3))


def test_what_is_given_is_tested_whatever_the_context():
    ci = constrained(required=((0, 3),), forbidden=BOTH_WAYS)

    assert ci.log_p_given(0, (1, 3), ()).tolist() == [-math.inf, -math.inf]
    assert ci.log_p_given(0, (3,), (2,)).tolist() == [0.0]


def test_a_required_member_stays_and_a_forbidden_one_goes():
    ci = constrained(required=((0, 3),), forbidden=BOTH_WAYS)

    for start in [(), (1,), (2, 3), (3, 1)]:
        assert set(ci.iamb_fdr(0, (1, 2, 3), start)) == {2, 3}


def test_pruning_keeps_the_required_and_drops_the_forbidden():
    ci = constrained(required=((0, 3),), forbidden=BOTH_WAYS)

    assert ci.prune(0, (1, 2, 3)) == ((2, 3), {})
    assert ci.prune_given_any(0, (1, 3), {}, (2,)) == (3,)


def test_the_first_separator_of_a_forbidden_pair_has_the_smallest_size():
    ci = constrained(forbidden=BOTH_WAYS)

    assert ci.first_separator(0, 1, (2, 3)) == Separation((), 0.0)
    assert ci.first_separator(0, 1, (2, 3), min_size=1) == Separation((2,), 0.0)
    assert ci.first_separator(0, 1, (), min_size=1) == Separation(None, -math.inf)


def test_a_required_pair_has_no_separator():
    ci = constrained(required=((0, 3),))

    assert ci.first_separator(0, 3, (1, 2)) == Separation(None, -math.inf)
    assert ci.inseparable(0, (1, 2, 3), (1, 2, 3)) == (1, 3)
    assert ci.inseparable(1, (0, 3), (0, 2, 3)) == ORACLE.inseparable(1, (0, 3), (0, 2, 3))
    assert ci.weakest_links(0, (3,), (1,), (2,)) == {3: -math.inf}
    assert ci.weakest_links(1, (0, 3), (), (2,)) == ORACLE.weakest_links(1, (0, 3), (), (2,))


def test_pairs_that_are_decided_count_as_if_they_were_tested():
    ci = constrained(required=((0, 3),), forbidden=BOTH_WAYS)

    ci.log_p_many(0, (1, 2, 3))
    ci.first_separator(0, 3, (1, 2))

    assert ci.context.n_tests == 3 + 4


def test_focused_and_pickled_tests_keep_the_constraints():
    ci = constrained(required=((0, 3),))

    assert ci.focused((0, 3)).log_p(3, 0, (1,)) == -math.inf
    assert pickle.loads(pickle.dumps(ci)).log_p(3, 0, (1,)) == -math.inf


@pytest.mark.parametrize(
    ("constraints", "message"),
    [
        ({"required": ((1, 1),)}, "two different variables"),
        ({"required": ((0, 1),), "forbidden": ((0, 1),)}, "required, but forbidden"),
        ({"required": ((1, 0),), "tiers": ((0,), (1,))}, "required, but forbidden"),
        ({"required": ((0, 1), (1, 2), (2, 0))}, "make a cycle"),
        ({"tiers": ((0, 1), (1,))}, "one tier only"),
    ],
)
def test_constraints_that_contradict_each_other_are_refused(constraints, message):
    with pytest.raises(SettingError, match=message):
        EdgeConstraints(**constraints)

import math
import pickle

import numpy as np
import pytest

from h2pc import Dataset, GTest
from h2pc.errors import SettingError
from h2pc.graph import Dag
from h2pc.independence.base import Separation
from h2pc.independence.constrained import ConstrainedTest, EdgeConstraints
from h2pc.independence.oracle import DSeparationOracle
from h2pc.local import hpc, iamb_fdr, mmpc
from h2pc.local.iamb_fdr import discovery_limits

CHAIN = Dag.from_edges(["a", "b", "c", "d"], [(0, 1), (1, 2), (2, 3)])
BOTH_WAYS = ((0, 1), (1, 0))


def constrained(**constraints) -> ConstrainedTest:
    return ConstrainedTest(DSeparationOracle(CHAIN), EdgeConstraints(**constraints))


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


def test_a_bolder_test_has_the_same_constraints_if_there_is_one():
    data = Dataset.from_codes([[0, 0, 1, 1] * 5] * 3)
    ci = ConstrainedTest(GTest(data), EdgeConstraints(forbidden=BOTH_WAYS))

    bolder = ci.with_power_rule(1.0)

    assert bolder.log_p(0, 1) == 0.0
    assert bolder.ci.power_rule == 1.0
    assert constrained().with_power_rule(1.0) is None


def test_an_edge_that_is_forbidden_one_way_may_be_there_the_other_way():
    assert hpc(0, constrained(forbidden=((0, 1),)), CHAIN.variables) == (1,)


def test_tiers_and_a_forbidden_direction_together_separate_a_pair():
    ci = constrained(forbidden=((0, 1),), tiers=((0,), (1,)))

    assert ci.log_p(0, 1) == 0.0


def test_inside_a_closed_tier_all_pairs_are_separated():
    ci = constrained(tiers=((0, 1), (2, 3)), within_tiers=False)

    assert ci.log_p_many(0, (1, 2, 3)).tolist() == [0.0, -math.inf, -math.inf]
    assert hpc(2, ci, CHAIN.variables) == (1,)


@pytest.mark.parametrize(("target", "candidates"), [(0, (1, 2, 3)), (3, (1, 2, 0)), (1, (2, 3))])
def test_the_verbs_agree_with_one_another(target, candidates):
    ci = constrained(required=((0, 3),), forbidden=BOTH_WAYS)
    zs = [tuple({0, 1, 2, 3} - {target, x})[:1] for x in candidates]

    each = ci.log_p_each(target, candidates, zs)
    singly = [ci.log_p(target, x, z) for x, z in zip(candidates, zs, strict=True)]

    assert each.tolist() == singly


def test_open_questions_are_answered_by_the_test_itself():
    ci, oracle = constrained(required=((0, 3),)), DSeparationOracle(CHAIN)

    assert np.array_equal(ci.log_p_many(1, (0, 2, 3)), oracle.log_p_many(1, (0, 2, 3)))
    assert ci.first_separator(0, 2, (1, 3)) == oracle.first_separator(0, 2, (1, 3))
    assert ci.log_p_grid(0, (2,), [()], (1,)).tolist() == [[0.0]]


def test_the_grid_has_the_decided_columns_filled_in():
    ci = constrained(required=((0, 3),), forbidden=BOTH_WAYS)

    assert ci.log_p_grid(0, (1, 3), [(), ()], (2,)).tolist() == [[0.0, -math.inf]]
    assert ci.log_p_grid(0, (2, 3), [(), (1,)], (1,)).tolist() == [[0.0, -math.inf]]


def test_a_required_member_stays_and_a_forbidden_one_goes():
    ci = constrained(required=((0, 3),), forbidden=BOTH_WAYS)
    limits = discovery_limits(3, ci.log_alpha)

    assert ci.change(0, (1, 2, 3), (2, 3), limits, None) is None
    assert ci.change(0, (1, 2, 3), (3, 1), limits, None) == 1
    assert ci.change(0, (1, 2, 3), (2,), limits, None) == 3
    assert ci.settled(0, (1, 2, 3), (1,), limits).members == (2, 3)


def test_sifting_keeps_the_required_and_drops_the_forbidden():
    ci = constrained(required=((0, 3),), forbidden=BOTH_WAYS)

    assert ci.sift_given_any(0, (1, 3), [(), ()], (2,)).members == (3,)
    assert ci.sift(0, (1, 2, 3)).kept == (2, 3)


def test_the_first_separator_of_a_forbidden_pair_has_the_smallest_size():
    ci = constrained(forbidden=BOTH_WAYS)

    assert ci.first_separator(0, 1, (2, 3)) == Separation((), 0.0)
    assert ci.first_separator(0, 1, (2, 3), min_size=1) == Separation((2,), 0.0)
    assert ci.first_separator(0, 1, (), min_size=1) == Separation(None, -math.inf)


def test_a_required_pair_has_no_separator():
    ci = constrained(required=((0, 3),))

    assert ci.first_separator(0, 3, (1, 2)) == Separation(None, -math.inf)
    assert ci.inseparable(0, (1, 2, 3), (1, 2, 3)).members == (1, 3)
    assert ci.inseparable(1, (0, 3), (0, 2, 3)) == ci.ci.inseparable(1, (0, 3), (0, 2, 3))
    assert ci.weakest_links(0, (3,), (1,), (2,)).weakest == {3: -math.inf}
    assert ci.weakest_links(1, (0, 3), (), (2,)) == ci.ci.weakest_links(1, (0, 3), (), (2,))


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

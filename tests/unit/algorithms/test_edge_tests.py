"""P-values of edges: the largest among the tests that tried to separate, and their adjustment."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control

from h2pc import Dag, DSeparationOracle, GTest, hpc, load_network, make_bayesian_network
from h2pc import mmpc as mmpc_learner
from h2pc.algorithms.edge_tests import (
    EdgeFamily,
    FalseDiscoveryControl,
    PairTest,
    attempts_of,
    pair_test,
)
from h2pc.algorithms.neighbourhoods import neighbourhoods
from h2pc.algorithms.skeletons import Symmetry, learned_skeleton
from h2pc.experiments.synthetic_cells import shuffled_columns
from h2pc.independence.attempts import Attempts
from h2pc.independence.constraints import EdgeConstraints
from h2pc.independence.context import Context
from reference.slow_local import Textbook
from strategies import dags, examples

CHILD = load_network("child").sample(500, random_state=3)
BOTH = pytest.mark.parametrize("learner", [hpc, mmpc_learner])


class Noting(Textbook):
    """A textbook learner that notes all tests of every pair."""

    def __init__(self, ci):
        super().__init__(ci)
        self.tests = {}

    def log_p(self, x, y, z=()):
        z = tuple(z)
        log_p = super().log_p(x, y, z)
        self.tests.setdefault(frozenset((x, y)), {})[frozenset(z)] = log_p
        return log_p


@BOTH
def test_the_p_value_of_an_edge_is_that_of_a_test_which_the_textbook_learner_does(learner):
    ci = GTest(CHILD)
    found = learned_skeleton(ci, CHILD.names, learner)
    slow = Noting(ci)
    for target in range(CHILD.n_variables):
        getattr(slow, learner.__name__)(target, range(CHILD.n_variables))

    assert found.skeleton.edges
    for pair, test in found.edge_tests.by_pair.items():
        done = slow.tests[frozenset(pair)]
        assert done[frozenset(test.given)] == test.log_p
        # Tests given at most one variable are all of those that DE-PCS does, from either end.
        assert test.log_p >= done[frozenset()]


def test_no_subset_of_what_mmpc_finds_has_a_larger_p_value_than_the_edge():
    ci = GTest(CHILD)
    found = learned_skeleton(ci, CHILD.names, mmpc_learner)

    for (x, y), test in found.edge_tests.by_pair.items():
        for u, v in ((x, y), (y, x)):
            boundary = [w for w in found.found[u].pc if w != v]
            for size in range(len(boundary) + 1):
                for z in combinations(boundary, size):
                    if ci.performs(u, v, z):
                        assert ci.log_p(u, v, z) <= test.log_p


@BOTH
def test_edges_that_nothing_separates_have_p_values_up_to_alpha(learner):
    ci = GTest(CHILD)
    found = learned_skeleton(ci, CHILD.names, learner)

    for (x, y), test in found.edge_tests.by_pair.items():
        ends = [attempts_of(found.found[u], v) for u, v in ((x, y), (y, x))]
        if not any(end.separators for end in ends):
            assert test.log_p == max(end.log_p for end in ends) <= ci.log_alpha


@examples(40)
@given(dags(max_nodes=7))
def test_under_the_oracle_every_edge_is_certain(dag):
    found = learned_skeleton(DSeparationOracle(dag), dag.names)

    assert set(found.p_values().values()) <= {0.0}
    assert (
        learned_skeleton(
            DSeparationOracle(dag), dag.names, control=FalseDiscoveryControl(0.01)
        ).skeleton
        == found.skeleton
        == dag.skeleton()
    )


@given(
    st.lists(st.floats(1e-12, 1.0), min_size=1, max_size=20),
    st.integers(0, 30),
    st.sampled_from(["by", "bh"]),
)
def test_q_values_are_those_of_scipy_where_other_pairs_have_p_of_one(values, n_others, method):
    tests = tuple(PairTest(0, i, math.log(p), ()) for i, p in enumerate(values, 1))

    log_q = EdgeFamily(tests, len(values) + n_others).log_q(method)

    expected = false_discovery_control([*values, *[1.0] * n_others], method=method)
    np.testing.assert_allclose(
        [math.exp(log_q[0, i]) for i in range(1, len(values) + 1)], expected[: len(values)], 1e-9
    )


def test_the_number_of_pairs_may_be_large():
    family = EdgeFamily((PairTest(0, 1, -60.0, ()),), 50_000_000)

    harmonic = math.log(5e7) + 0.5772156649015329
    assert family.log_q("by")[0, 1] == pytest.approx(-60.0 + math.log(5e7) + math.log(harmonic))


def test_tests_that_the_power_rule_leaves_out_are_untested_and_not_certain():
    few = CHILD.take(range(60))
    ci = GTest(few)
    x, y, *z = range(6)
    assert not ci.performs(x, y, tuple(z))

    only = pair_test(ci, x, y, [Attempts(separators=(tuple(z),))])
    beside = pair_test(ci, x, y, [Attempts(-3.0, (2,), (tuple(z),))])

    assert only == PairTest(x, y, None, tuple(z))
    assert beside == PairTest(x, y, -3.0, (2,))


def test_sets_that_separate_from_one_end_count():
    ci = GTest(CHILD)

    found = pair_test(ci, 0, 1, [Attempts(-3.0, (2,)), Attempts(-5.0, (), ((4,),))])

    assert found == PairTest(0, 1, max(-3.0, ci.log_p(0, 1, (4,))), found.given)
    assert found.given == ((4,) if ci.log_p(0, 1, (4,)) > -3.0 else (2,))


@pytest.mark.parametrize("symmetry", list(Symmetry))
def test_control_keeps_just_the_edges_with_small_q_values(symmetry):
    data = make_bayesian_network(40, average_degree=3, random_state=1).sample(400, random_state=2)
    every = learned_skeleton(GTest(data), data.names, symmetry=symmetry)

    for method, level in (("by", 0.01), ("bh", 0.2)):
        control = FalseDiscoveryControl(level, method)
        kept = learned_skeleton(GTest(data), data.names, symmetry=symmetry, control=control)

        expected = {pair for pair, q in every.q_values(method).items() if q <= level}
        assert set(kept.skeleton.named_edges) == expected
        assert kept.edge_tests == every.edge_tests
        assert 0 < len(expected) < len(every.skeleton.edges)


def test_targets_are_a_family_of_their_own():
    names = CHILD.names
    whole = learned_skeleton(GTest(CHILD), names)
    target = max(range(len(names)), key=whole.skeleton.degree)

    near = learned_skeleton(GTest(CHILD), names, targets=(target,), depth=1)
    first, second = near.edge_tests.families

    assert first.n_pairs == len(names) - 1
    assert {frozenset((t.x, t.y)) for t in first.tests} == {
        frozenset((target, y)) for y in whole.skeleton.adjacent(target)
    }
    learned = len(near.found)
    every = math.comb(learned, 2) + learned * (len(names) - learned)
    assert second.n_pairs == every - first.n_pairs
    assert all(target not in (t.x, t.y) for t in second.tests)
    # The p-values are those of the whole network.
    for pair, test in near.edge_tests.by_pair.items():
        assert test == whole.edge_tests.by_pair[pair]


def test_pairs_that_constraints_decide_are_no_candidates():
    dag = Dag.from_edges(tuple("abcd"), [(0, 1), (1, 2)])
    known = EdgeConstraints(required=((0, 3),), forbidden=((1, 2), (2, 1)))
    ci = DSeparationOracle(dag).within(Context(known))

    found = learned_skeleton(ci, dag.names, control=FalseDiscoveryControl(0.05))

    (family,) = found.edge_tests.families
    assert family.n_pairs == 4
    assert found.p_values()["a", "d"] is None
    assert found.skeleton.has_edge("a", "d")


@BOTH
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_neither_columns_nor_rows_nor_workers_change_a_p_value(learner, n_jobs):
    rng = np.random.default_rng(5)
    rows = rng.permutation(CHILD.n_samples)
    other = shuffled_columns(CHILD.take(rows.tolist()), rng)

    one = learned_skeleton(GTest(CHILD), CHILD.names, learner)
    two = learned_skeleton(GTest(other), other.names, learner, n_jobs=n_jobs)

    assert one.p_values() == two.p_values()
    assert one.edge_tests == two.edge_tests


def test_a_context_that_does_not_record_has_no_attempts():
    ci = GTest(CHILD)
    quiet, recording = (ci.within(ci.context.fresh(records=r)) for r in (False, True))

    for test in (quiet, recording):
        hpc(0, test, tuple(range(CHILD.n_variables)))

    assert quiet.context.attempts(0) == {}
    assert recording.context.attempts(0)
    assert recording.context.n_tests == quiet.context.n_tests
    assert recording.context.fresh(records=True).attempts(0) == {}


@BOTH
def test_recording_changes_no_neighbourhood(learner):
    universe = tuple(range(CHILD.n_variables))
    learned = neighbourhoods(universe, GTest(CHILD), universe, learner)

    for target in universe:
        assert learned[target].pc == learner(target, GTest(CHILD), universe)

"""The false discovery rate of the edges, the tests of pairs, and the table of edges."""

import math
import pickle

import pytest

from h2pc import H2PC, MMHC, GTest, HillClimbing, load_network, make_bayesian_network
from h2pc.errors import DataError, SettingError


@pytest.fixture(scope="module")
def alarm():
    return load_network("alarm").sample(500, random_state=3)


@pytest.mark.parametrize("learner", [H2PC, MMHC])
@pytest.mark.parametrize("method", ["by", "bh"])
def test_just_the_edges_with_small_q_values_are_kept(alarm, learner, method):
    free = learner(fdr_method=method).fit(alarm)
    controlled = learner(fdr=0.01, fdr_method=method).fit(alarm)

    small = {pair for pair, q in free.edge_q_values_.items() if q is not None and q <= 0.01}
    skeleton = controlled.result_.skeleton
    assert {tuple(sorted(edge)) for edge in skeleton.named_edges} == small
    assert 0 < len(small) < len(free.edge_q_values_)
    assert controlled.edge_q_values_ == free.edge_q_values_
    joined = {frozenset(edge) for edge in skeleton.named_edges}
    assert {frozenset(edge) for edge in controlled.dag_.named_edges} <= joined


def test_prices_of_edges_outside_the_skeleton_are_refused(alarm):
    with pytest.raises(SettingError, match="one_sided_penalty is the price of edges outside"):
        H2PC(fdr=0.05, one_sided_penalty=2.0).fit(alarm)


@pytest.mark.parametrize("fdr", [0.0, 1.5, "much"])
def test_a_rate_is_a_number_above_zero_and_at_most_one(alarm, fdr):
    with pytest.raises(SettingError, match="fdr must be a number"):
        H2PC(fdr=fdr).fit(alarm)


def test_few_edges_are_false_where_the_rate_is_controlled():
    shares, uncontrolled = [], []
    for seed in range(20):
        truth = make_bayesian_network(40, average_degree=3, random_state=seed)
        data = truth.sample(200, random_state=seed)
        real = {frozenset(edge) for edge in truth.dag.named_edges}
        q_values = H2PC().fit(data).edge_q_values_
        claimed = [frozenset(pair) for pair, q in q_values.items() if q is not None and q <= 0.1]
        shares.append(len(set(claimed) - real) / max(1, len(claimed)))
        uncontrolled.append(len({*map(frozenset, q_values)} - real) / max(1, len(q_values)))

    assert sum(shares) / 20 <= 0.1
    assert sum(shares) < sum(uncontrolled)


def test_the_p_value_of_every_pair_is_that_of_its_test(alarm):
    learner = H2PC().fit(alarm)
    tests, ci = learner.pair_tests_, GTest(alarm)
    separated = learner.result_.skeleton_result.separating_sets()

    edges = {(pair.first, pair.second) for pair in tests.edges()}
    assert len(edges) > 10
    for pair in tests:
        x, y, *z = alarm.variables((pair.first, pair.second, *pair.given))
        if pair.tested:
            assert pair.log10_p * math.log(10) == pytest.approx(ci.log_p(x, y, tuple(z)), rel=1e-9)
        else:
            assert not ci.performs(x, y, tuple(z))
        if (pair.first, pair.second) not in edges:
            assert pair.q_value == 1.0
            if pair.tested and (pair.first, pair.second) in separated:
                assert pair.p_value > 0.05


def test_the_order_of_two_names_does_not_matter_and_unknown_ones_are_refused(alarm):
    tests = H2PC().fit(alarm).pair_tests_

    assert tests["CVP", "LVEDVOLUME"] == tests["LVEDVOLUME", "CVP"]
    with pytest.raises(DataError, match="no variable 'nobody'"):
        tests["CVP", "nobody"]
    with pytest.raises(DataError, match="two variables"):
        tests["CVP", "CVP"]


def test_the_table_of_edges_has_the_most_certain_first(alarm):
    learner = pickle.loads(pickle.dumps(H2PC().fit(alarm)))
    table = learner.edge_table_

    frame = table.to_pandas()
    assert {*zip(frame["parent"], frame["child"], strict=True)} == {*learner.dag_.named_edges}
    assert frame["q_value"].dropna().is_monotonic_increasing
    assert {link.identifiable for link in table} == {True, False}


def test_the_table_of_a_learner_without_a_skeleton_has_no_p_values_of_edges(alarm):
    table = HillClimbing().fit(alarm).edge_table_

    assert len(table) > 0
    assert all(link.log10_q is None and link.weakest_log10_p is None for link in table)

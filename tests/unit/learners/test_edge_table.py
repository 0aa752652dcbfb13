"""The edges of a learned graph in order, with the evidence for each."""

import math
import pickle

import pytest

from continuous_data import continuous_frame, mixed_frame
from h2pc import (
    GES,
    H2PC,
    MMHC,
    Cpdag,
    EdgeStrengths,
    HillClimbing,
    TabuSearch,
    load_network,
)
from h2pc.errors import NotFittedError
from h2pc.learners.edge_links import EdgeLink
from h2pc.learners.edge_table import COLUMNS, EdgeTable, power_of_ten
from h2pc.learners.identifiable_directions import identifiable_directions
from reference.slow_scores import slow_bdeu, slow_bds, slow_bic

ASIA = load_network("asia").sample(1000, random_state=1)
ALARM = load_network("alarm").sample(500, random_state=1)
HYBRID = [H2PC, MMHC]
BY_SCORE = [HillClimbing, TabuSearch, GES]
TWINS = {"bds": slow_bds, "bdeu": slow_bdeu, "bic": slow_bic}
KNOWN = {"required": [("asia", "xray")], "forbidden": [("bronc", "smoke")]}


def ends_of(table):
    return [(link.parent, link.child) for link in table]


def none_last(value):
    return math.inf if value is None else value


@pytest.mark.parametrize("learner", [*HYBRID, *BY_SCORE])
def test_a_table_has_the_edges_of_the_graph_the_most_certain_first(learner):
    fitted = learner().fit(ALARM)
    table = fitted.edge_table_

    assert sorted(ends_of(table)) == sorted(fitted.edges_)
    assert len(table) == len(fitted.edges_)
    keys = [
        (none_last(e.log10_q), none_last(e.weakest_log10_p), -e.gain, e.parent, e.child)
        for e in table
    ]
    assert keys == sorted(keys)


@pytest.mark.parametrize("learner", HYBRID)
def test_p_values_and_q_values_are_those_of_the_skeleton(learner):
    fitted = learner().fit(ALARM)

    for link in fitted.edge_table_:
        pair = fitted.pair_tests_[link.parent, link.child]
        assert link.weakest_log10_p == pair.log10_p
        assert link.weakest_given == pair.given
        assert link.log10_q == pair.log10_q


def test_an_edge_outside_the_skeleton_has_the_test_that_separated_its_ends_and_q_of_one():
    fitted = H2PC().fit(ALARM)
    inside = {frozenset(edge) for edge in fitted.skeleton_edges_}
    outside = [e for e in fitted.edge_table_ if {e.parent, e.child} not in inside]

    assert outside
    for link in outside:
        assert link.log10_q == 0.0
        assert link.weakest_log10_p is None or link.weakest_log10_p > math.log10(0.05)


@pytest.mark.parametrize("learner", BY_SCORE)
def test_without_a_skeleton_there_are_no_p_values_of_edges_and_no_q_values(learner):
    table = learner().fit(ASIA).edge_table_

    assert len(table) > 0
    for link in table:
        assert (link.weakest_log10_p, link.weakest_given, link.log10_q) == (None, (), None)
    gains = [link.gain for link in table]
    assert gains == sorted(gains, reverse=True)


@pytest.mark.parametrize("learner", [*HYBRID, *BY_SCORE])
@pytest.mark.parametrize("scoring", TWINS)
def test_the_gain_is_what_the_textbook_score_loses_without_the_edge(learner, scoring):
    fitted = learner(scoring=scoring).fit(ASIA)
    dag, score = fitted.dag_, TWINS[scoring]

    for link in fitted.edge_table_:
        child, parent = dag.variable(link.child), dag.variable(link.parent)
        parents = dag.parents(child)
        others = tuple(v for v in parents if v != parent)
        expected = score(ASIA, child, parents) - score(ASIA, child, others)
        assert link.gain == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("learner", [*HYBRID, *BY_SCORE])
def test_without_constraints_the_class_decides_what_is_identifiable(learner):
    fitted = learner().fit(ALARM)
    directed = set(fitted.cpdag_.named_directed)

    assert 0 < len(directed) < len(fitted.edges_)
    for link in fitted.edge_table_:
        assert link.identifiable == ((link.parent, link.child) in directed)


@pytest.mark.parametrize("learner", [*HYBRID, *BY_SCORE])
def test_constraints_decide_as_well(learner):
    fitted = learner(**KNOWN).fit(ASIA)
    by_class = set(fitted.cpdag_.named_directed)
    directed = set(identifiable_directions(fitted.result_).named_directed)

    assert by_class < directed
    found = {(e.parent, e.child) for e in fitted.edge_table_ if e.identifiable}
    assert found == directed
    assert {("asia", "xray"), ("smoke", "bronc")} <= found


@pytest.mark.parametrize("learner", HYBRID)
def test_required_edges_have_no_p_value_and_come_last(learner):
    fitted = learner(**KNOWN).fit(ASIA)
    *_, last = fitted.edge_table_

    assert (last.parent, last.child) == ("asia", "xray")
    assert (last.weakest_log10_p, last.weakest_given, last.log10_q) == (None, (), None)


def test_rows_have_the_columns_and_powers_of_ten():
    table = H2PC().fit(ASIA).edge_table_

    for link, row in zip(table, table.rows(), strict=True):
        cells = dict(zip(COLUMNS, row, strict=True))
        assert (cells["parent"], cells["child"]) == (link.parent, link.child)
        assert cells["p_value"] == pytest.approx(10.0**link.weakest_log10_p)
        assert cells["q_value"] == pytest.approx(10.0**link.log10_q)
        assert cells["log10_p_value"] == link.weakest_log10_p
        assert cells["weakest_given"] == link.weakest_given
        assert cells["log10_p_given_parents"] == link.log10_p
        assert cells["identifiable"] is link.identifiable
        assert (cells["strength"], cells["direction"]) == (None, None)


def test_powers_of_ten_may_underflow_and_may_be_missing():
    assert power_of_ten(None) is None
    assert power_of_ten(-math.inf) == power_of_ten(-400.0) == 0.0
    assert power_of_ten(0.0) == 1.0


def test_text_has_names_with_semicolons_and_small_letters():
    link = EdgeLink("a", "b", 2.5, None, ("c",), identifiable=True, weakest_given=("c", "d"))

    headings, (row,) = EdgeTable((link,)).as_text()

    cells = dict(zip(headings, row, strict=True))
    assert headings == COLUMNS
    assert (cells["identifiable"], cells["weakest_given"]) == ("true", "c; d")
    assert cells["p_value"] is None


@pytest.mark.parametrize("learner", [H2PC, GES])
def test_a_data_frame_has_a_row_for_every_edge(learner):
    table = learner().fit(ASIA).edge_table_
    frame = table.to_pandas()

    assert list(frame.columns) == list(COLUMNS)
    assert list(zip(frame["parent"], frame["child"], strict=True)) == ends_of(table)
    assert frame["gain"].tolist() == [link.gain for link in table]


def test_a_table_of_no_edges_has_the_columns():
    assert list(EdgeTable(()).to_pandas().columns) == list(COLUMNS)


def test_strengths_are_joined_in_both_directions():
    names = ("a", "b", "c", "d")
    graphs = [Cpdag(names, [("b", "a"), ("c", "d")])] * 3 + [Cpdag(names, [("a", "b")])]
    strengths = EdgeStrengths.of(names, graphs)
    links = [EdgeLink(u, v, 1.0, None, ()) for u, v in (("a", "b"), ("c", "d"), ("b", "c"))]

    table = EdgeTable(tuple(links)).with_strengths(strengths)

    assert [(e.parent, e.child, e.strength, e.direction) for e in table] == [
        ("a", "b", 1.0, 0.25),
        ("c", "d", 0.75, 1.0),
        ("b", "c", 0.0, None),  # no graph joins them
    ]
    turned = EdgeTable((EdgeLink("b", "a", 1.0, None, ()),)).with_strengths(strengths)
    assert (turned.links[0].strength, turned.links[0].direction) == (1.0, 0.75)


def test_strengths_change_nothing_else_and_may_be_replaced():
    table = H2PC().fit(ASIA).edge_table_
    strong = EdgeStrengths.of(ASIA.names, [Cpdag(ASIA.names, ends_of(table))])
    weak = EdgeStrengths.of(ASIA.names, [Cpdag(ASIA.names)])

    joined = table.with_strengths(strong)

    assert ends_of(joined) == ends_of(table)
    assert all(link.strength == link.direction == 1.0 for link in joined)
    assert all(link.strength is None for link in table)
    assert {(e.strength, e.direction) for e in joined.with_strengths(weak)} == {(0.0, None)}


@pytest.mark.parametrize("learner", HYBRID)
def test_around_targets_the_table_has_the_edges_nearby(learner):
    whole, near = learner().fit(ALARM), learner(targets=["HR"]).fit(ALARM)

    assert sorted(ends_of(near.edge_table_)) == sorted(near.edges_)
    assert 0 < len(near.edges_) < len(whole.edges_)
    for link in near.edge_table_:
        if "HR" in (link.parent, link.child) and link.log10_q < 0:
            pair = whole.pair_tests_[link.parent, link.child]
            assert (link.weakest_log10_p, link.weakest_given) == (pair.log10_p, pair.given)


@pytest.mark.parametrize("frame", [continuous_frame(), mixed_frame()], ids=["numbers", "mixed"])
@pytest.mark.parametrize("learner", [H2PC, TabuSearch])
def test_continuous_variables_have_correlations(learner, frame):
    fitted = learner().fit(frame)
    numbers = set(frame.select_dtypes("number").columns)

    assert len(fitted.edge_table_) >= 5
    for link in fitted.edge_table_:
        assert (link.correlation is not None) == (numbers >= {link.parent, link.child})
        assert link.gain > 0


def test_a_table_is_of_the_last_fit():
    learner = H2PC()
    first = learner.fit(ALARM).edge_table_
    second = learner.fit(ASIA).edge_table_

    assert ends_of(first) != ends_of(second)
    assert sorted(ends_of(second)) == sorted(learner.edges_)
    assert learner.pair_tests_["bronc", "smoke"].joined


@pytest.mark.parametrize("learner", [*HYBRID, *BY_SCORE])
def test_a_table_can_be_made_after_pickling(learner):
    fitted = learner().fit(ASIA)
    before = pickle.loads(pickle.dumps(fitted)).edge_table_

    assert before == fitted.edge_table_
    assert pickle.loads(pickle.dumps(fitted)).edge_table_ == before  # now with what it had made


@pytest.mark.parametrize("learner", [*HYBRID, *BY_SCORE])
def test_a_learner_that_is_not_fitted_has_no_table(learner):
    with pytest.raises(NotFittedError, match="call fit first"):
        _ = learner().edge_table_

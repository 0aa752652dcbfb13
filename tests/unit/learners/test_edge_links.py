"""What speaks for the edges of a graph."""

import math

import pytest

from h2pc import BIC, BDeu, GTest, load_network
from h2pc.graphs import Dag
from h2pc.learners.edge_links import edge_links


@pytest.fixture(scope="module")
def asia():
    return load_network("asia")


@pytest.fixture(scope="module")
def data(asia):
    return asia.sample(2000, random_state=5)


@pytest.mark.parametrize("score", [BDeu, BIC])
def test_the_gain_is_what_the_score_loses_without_the_edge(asia, data, score):
    local, dag = score(data), asia.dag
    total = local.total(dag.parent_sets)

    for link in edge_links(dag, GTest(data), local):
        less = dag.without_edge(link.parent, link.child)
        assert link.gain == total - local.total(less.parent_sets)


def test_the_p_value_is_that_given_the_other_parents(asia, data):
    ci, dag = GTest(data), asia.dag

    for link in edge_links(dag, ci, BDeu(data)):
        parent, child, *others = map(dag.variable, (link.parent, link.child, *link.given))
        assert sorted([parent, *others]) == list(dag.parents(child))
        log_p = ci.log_p(child, parent, tuple(others))
        assert link.log10_p == pytest.approx(log_p / math.log(10), abs=1e-12)


def test_links_are_sorted_by_the_names_of_their_ends(asia, data):
    links = edge_links(asia.dag, GTest(data), BDeu(data))

    ends = [(link.parent, link.child) for link in links]
    assert ends == sorted(asia.dag.named_edges)


def test_a_graph_without_edges_has_no_links(data):
    assert edge_links(Dag.from_edges(data.names), GTest(data), BDeu(data)) == ()

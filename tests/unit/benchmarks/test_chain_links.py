"""What labels depend on in a chain: against d-separation, and by eye."""

import pytest
from benchmarks.chain_links import ChainLink, chain_links
from hypothesis import given
from hypothesis import strategies as st

from h2pc.errors import GraphError
from h2pc.graphs import Dag
from strategies import dags


@given(dags(max_nodes=7), st.data())
def test_every_link_is_the_boundary_by_d_separation(dag, data):
    labels = data.draw(st.lists(st.sampled_from(dag.names), unique=True))
    powerset = data.draw(st.lists(st.sampled_from(labels), unique=True)) if labels else []
    features = [name for name in dag.names if name not in labels]

    links = chain_links(dag, powerset, labels)

    assert sorted(link.label for link in links) == sorted(powerset)
    before = []
    for link in links:
        universe = {*features, *before}
        expected = {
            u for u in universe if not dag.d_separated(link.label, u, sorted(universe - {u}))
        }
        assert {*link.before, *link.features} == expected
        assert expected.intersection(before) == set(link.before)
        before.append(link.label)


@given(dags(max_nodes=7), st.data())
def test_parents_come_first_and_the_order_of_names_changes_nothing(dag, data):
    labels = data.draw(st.lists(st.sampled_from(dag.names), unique=True))
    other = Dag.from_edges(data.draw(st.permutations(dag.names)), dag.named_edges)

    links = chain_links(dag, labels, labels)

    assert chain_links(other, labels[::-1], labels) == links
    place = {link.label: i for i, link in enumerate(links)}
    for u, v in dag.named_edges:
        if u in place and v in place:
            assert place[u] < place[v]


def test_without_children_among_the_features_the_boundary_is_the_parents():
    dag = Dag.from_edges(tuple("abcx"), [("a", "c"), ("b", "c"), ("x", "b")])

    assert chain_links(dag, "abc", "abc") == (
        ChainLink("a", (), ()),
        ChainLink("b", (), ("x",)),
        ChainLink("c", ("a", "b"), ()),
    )


def test_a_label_that_is_summed_over_joins_those_before():
    # a → c → x ← b: b comes after a and before c, which is not given.
    dag = Dag.from_edges(tuple("abcx"), [("a", "c"), ("c", "x"), ("b", "x")])

    assert [link.before for link in chain_links(dag, "abc", "abc")] == [(), ("a",), ("a", "b")]


def test_unknown_labels_and_features_are_refused():
    dag = Dag.from_edges(("a", "x"), [("x", "a")])

    with pytest.raises(GraphError, match="Unknown label 'z'"):
        chain_links(dag, ["a"], ["a", "z"])
    with pytest.raises(GraphError, match="'x' is none"):
        chain_links(dag, ["x"], ["a"])

"""Classes restricted by known edges, against the graphs that they stand for."""

import random
import time
from itertools import chain, combinations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from h2pc.errors import GraphError
from h2pc.graphs import Dag, dag_to_cpdag, dag_to_mpdag
from reference.slow_graphs import all_dags, cpdag_of, members_of_class
from strategies import dags, examples, random_dag


def by_enumeration(dag, known):
    """The edges on which all equivalent graphs with the known edges agree."""
    return cpdag_of([member for member in members_of_class(dag) if set(known) <= set(member.edges)])


@pytest.mark.parametrize("n_nodes", [1, 2, 3])
def test_all_small_graphs_with_all_known_edges_are_as_oriented_as_their_members(n_nodes):
    for dag in all_dags(n_nodes):
        sizes = range(len(dag.edges) + 1)
        for known in chain.from_iterable(combinations(dag.edges, size) for size in sizes):
            assert dag_to_mpdag(dag, known) == by_enumeration(dag, known)


@examples(150)
@given(dags(min_nodes=4, max_nodes=6), st.data())
def test_an_edge_is_directed_where_all_members_with_the_known_edges_agree(dag, data):
    assume(0 < len(dag.edges) <= 10)
    known = data.draw(st.lists(st.sampled_from(dag.edges), unique=True))

    assert dag_to_mpdag(dag, known) == by_enumeration(dag, known)


@given(dags())
def test_without_known_edges_it_is_the_completed_graph(dag):
    assert dag_to_mpdag(dag) == dag_to_cpdag(dag)
    assert dag_to_mpdag(dag, dag.edges).undirected == ()


def test_the_rule_that_only_known_edges_need_directs_an_edge():
    edges = [("a", "b"), ("x", "b"), ("a", "x"), ("a", "y"), ("y", "x")]
    dag = Dag.from_edges(tuple("abxy"), edges)
    found = dag_to_mpdag(dag, [("y", "x")])

    assert found.named_directed == (("a", "b"), ("x", "b"), ("y", "x"))


def test_known_edges_are_those_of_the_graph():
    chain_ = Dag.from_edges(("a", "b", "c"), [("a", "b"), ("b", "c")])

    with pytest.raises(GraphError, match="'b' → 'a' is none"):
        dag_to_mpdag(chain_, [("b", "a")])


def test_a_thousand_variables_take_well_under_a_second():
    dag = random_dag(random.Random(3), n_nodes=1000, n_edges=2000)
    names = dag.names
    path = Dag.from_edges(names, zip(names[1:], names, strict=False))

    start = time.perf_counter()
    dag_to_mpdag(dag, dag.edges[::7])
    assert dag_to_mpdag(path, [(names[-1], names[-2])]).undirected == ()
    assert time.perf_counter() - start < 0.5

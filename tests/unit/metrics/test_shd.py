"""Distances of small graphs against counting by hand."""

import pytest

from h2pc import Cpdag, Dag, Skeleton
from h2pc.errors import GraphError
from h2pc.metrics import dag_shd, shd

NAMES = tuple("abcd")
TRUE = Cpdag(NAMES, [("a", "c"), ("b", "c")], [("c", "d")])


@pytest.mark.parametrize(
    ("directed", "undirected", "distance"),
    [
        ([("a", "c"), ("b", "c")], [("c", "d")], 0),
        ([("a", "c"), ("b", "c")], [], 1),  # missing
        ([("a", "c"), ("b", "c"), ("a", "b")], [("c", "d")], 1),  # extra
        ([("c", "a"), ("b", "c")], [("c", "d")], 1),  # reversed
        ([("b", "c")], [("a", "c"), ("c", "d")], 1),  # undirected
        ([("a", "c"), ("b", "c"), ("d", "c")], [], 1),  # directed
        ([("c", "a"), ("c", "d")], [("a", "b")], 4),
        ([], [], 3),
    ],
)
def test_each_wrong_edge_counts_one(directed, undirected, distance):
    assert shd(Cpdag(NAMES, directed, undirected), TRUE) == distance


def test_equivalent_graphs_are_at_no_distance_though_their_edges_differ():
    chain = Dag.from_edges(NAMES, [("a", "b"), ("b", "c"), ("c", "d")])
    fork = Dag.from_edges(NAMES, [("b", "a"), ("b", "c"), ("c", "d")])

    assert shd(chain, fork) == 0
    assert dag_shd(chain, fork) == 1


def test_one_turned_edge_can_change_the_marks_of_many():
    chain = Dag.from_edges(NAMES, [("a", "b"), ("b", "c"), ("c", "d")])
    collider = Dag.from_edges(NAMES, [("a", "b"), ("c", "b"), ("c", "d")])

    assert dag_shd(collider, chain) == 1
    assert shd(collider, chain) == 2


def test_a_graph_with_directions_that_data_cannot_tell_is_taken_as_it_is():
    told = Cpdag(NAMES, [("a", "b")])
    dag = Dag.from_edges(NAMES, [("a", "b")])

    assert shd(told, dag) == 1
    assert shd(dag, told) == 1


def test_other_names_are_an_error():
    with pytest.raises(GraphError, match="same names; they differ in 'd', 'e'"):
        shd(Dag.from_edges(NAMES), Dag.from_edges(tuple("abce")))
    with pytest.raises(GraphError, match="same names"):
        dag_shd(Dag.from_edges(NAMES), Dag.from_edges(NAMES[:2]))


def test_a_skeleton_has_no_marks_to_compare():
    dag, skeleton = Dag.from_edges(NAMES), Skeleton(NAMES)

    for pair in ((skeleton, dag), (dag, skeleton)):
        with pytest.raises(GraphError, match="A Dag or a Cpdag was expected; got a Skeleton"):
            shd(*pair)


def test_the_distance_of_dags_is_not_one_of_classes():
    with pytest.raises(GraphError, match="dag_shd compares two Dags; got a Cpdag"):
        dag_shd(TRUE, Dag.from_edges(NAMES))

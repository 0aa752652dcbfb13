import copy
import pickle
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from h2pc.errors import GraphError
from h2pc.graphs import Dag, Skeleton, greedy_dag

# a → c ← b, c → d, b → e
NAMES = ("a", "b", "c", "d", "e")
EDGES = (("a", "c"), ("b", "c"), ("c", "d"), ("b", "e"))


@pytest.fixture
def dag() -> Dag:
    return Dag.from_edges(NAMES, EDGES)


def test_a_graph_knows_the_family_of_every_variable(dag):
    a, b, c, d, e = dag.variables

    assert dag.parents(c) == (a, b)
    assert dag.children(b) == (c, e)
    assert dag.adjacent(c) == (a, b, d)
    assert dag.spouses(a) == (b,)
    assert dag.ancestors(d) == (a, b, c)
    assert dag.descendants(b) == (c, d, e)
    assert dag.markov_boundary(a) == (b, c)
    assert dag.markov_boundary(c) == (a, b, d)


def test_an_adjacent_parent_of_a_child_is_no_spouse():
    dag = Dag.from_edges(["a", "b", "c"], [("a", "b"), ("a", "c"), ("b", "c")])

    assert dag.spouses(0) == ()
    assert dag.markov_boundary(0) == (1, 2)


def test_parents_edges_by_name_and_edges_by_number_make_the_same_graph(dag):
    by_number = Dag.from_edges(NAMES, [(0, 2), (1, 2), (2, 3), (1, 4)])
    by_parents = Dag(NAMES, [(), (), (1, 0), ("c",), [1, 1]])

    assert dag == by_number == by_parents
    assert hash(dag) == hash(by_number) == hash(by_parents)


def test_edges_are_sorted_whatever_order_they_came_in(dag):
    shuffled = Dag.from_edges(NAMES, reversed(EDGES))

    assert shuffled.edges == dag.edges == ((0, 2), (1, 2), (1, 4), (2, 3))
    assert dag.named_edges == (("a", "c"), ("b", "c"), ("b", "e"), ("c", "d"))


def test_numpy_integers_become_plain_ones():
    dag = Dag.from_edges(["a", "b"], np.array([[1, 0]]))

    assert dag.parents(0) == (1,)
    assert type(dag.parents(0)[0]) is int


def test_the_topological_order_breaks_ties_by_number():
    dag = Dag.from_edges(["a", "b", "c", "d"], [("d", "a")])

    assert dag.topological_order == (1, 2, 3, 0)


def test_a_graph_without_variables_or_without_edges_is_a_graph():
    assert Dag((), ()).topological_order == ()
    assert Dag.from_edges(["a"]).markov_boundary(0) == ()


def test_the_moral_graph_marries_parents(dag):
    assert dag.skeleton() == Skeleton(NAMES, EDGES)
    assert dag.moral_graph() == Skeleton(NAMES, (*EDGES, ("a", "b")))


def test_one_change_makes_a_new_graph_and_leaves_the_old_one(dag):
    before = dag.edges

    assert dag.with_edge("a", "d").has_edge(0, 3)
    assert not dag.without_edge(0, 2).has_edge(0, 2)
    assert dag.reversed_edge("b", "e").parents(1) == (4,)
    assert dag.edges == before


def test_what_is_not_there_cannot_be_taken_away(dag):
    with pytest.raises(GraphError, match="no edge 'c' → 'a'"):
        dag.without_edge("c", "a")


def test_a_change_that_closes_a_cycle_is_refused(dag):
    with pytest.raises(GraphError, match="'b' → 'c' → 'd' → 'b'"):
        dag.with_edge("d", "b")


def test_a_subgraph_keeps_the_edges_between_its_variables(dag):
    part = dag.subgraph((3, 2, 1))

    assert part == Dag.from_edges(["d", "c", "b"], [("b", "c"), ("c", "d")])


def test_a_reordered_graph_has_the_same_named_edges(dag):
    reordered = dag.reordered(["e", "d", "c", "b", "a"])

    assert reordered != dag
    assert set(reordered.named_edges) == set(dag.named_edges)
    assert reordered.reordered(NAMES) == dag


def test_reordering_needs_the_same_names(dag):
    with pytest.raises(GraphError, match="differ in 'x'"):
        dag.reordered((*NAMES, "x"))


def test_names_lead_to_variables_and_strange_ones_to_an_error(dag):
    assert dag.variable("d") == 3
    assert dag.parents("c") == ("a", "b")
    assert dag.markov_boundary("a") == ("b", "c")
    assert dag.has_edge("a", "c")
    assert not dag.has_edge("c", 0)
    assert dag.subgraph(["d", "c", "b"]) == dag.subgraph((3, 2, 1))
    with pytest.raises(GraphError, match=r"'z'.*the names are 'a', 'b'"):
        dag.variable("z")


def test_the_error_prints_one_cycle_and_nothing_that_is_off_it():
    edges = [("in", "a"), ("a", "b"), ("b", "c"), ("c", "a"), ("c", "out"), ("out", "far")]

    with pytest.raises(GraphError, match=r"cycle: 'a' → 'b' → 'c' → 'a'\."):
        Dag.from_edges(["far", "in", "out", "a", "b", "c"], edges)


@pytest.mark.parametrize(
    ("names", "edges", "message"),
    [
        (["a", "b", "a"], [], "'a' comes twice"),
        (["a", 3], [], "got 3 of type int"),
        ("ab", [], "got the string 'ab'"),
        (["a"], [("a", "a")], "Self-loop: 'a'"),
        (["a", "b"], [("a", "x")], "Unknown variable 'x'"),
        (["a", "b"], [(0, 2)], "Unknown variable 2"),
        (["a", "b"], [(0, -1)], "Unknown variable -1"),
        (["a", "b"], [(0, 1.0)], "got 1.0"),
        (["a", "b"], ["ab"], "got 'ab'"),
        (["a", "b"], [("a", "b", "a")], "pair of variables"),
    ],
)
def test_what_is_no_graph_is_refused_by_name(names, edges, message):
    with pytest.raises(GraphError, match=message):
        Dag.from_edges(names, edges)


def test_every_variable_needs_a_parent_set():
    with pytest.raises(GraphError, match="2 variables need as many parent sets; got 1"):
        Dag(["a", "b"], [()])


def test_many_names_are_not_all_listed():
    with pytest.raises(GraphError, match=r"… \(50 in all\)"):
        Dag.from_edges([f"v{i}" for i in range(50)], [("v1", "w")])


def test_a_greedy_graph_leaves_out_what_would_close_a_cycle():
    found = greedy_dag(["a", "b", "c"], [(0, 1), (1, 2), (2, 0), (0, 2), (1, 0)])

    assert found.edges == ((0, 1), (0, 2), (1, 2))


def test_a_graph_cannot_be_edited(dag):
    with pytest.raises(FrozenInstanceError):
        dag.names = ("x",)


def test_a_graph_survives_copies_and_its_own_repr(dag):
    assert pickle.loads(pickle.dumps(dag)) == copy.deepcopy(dag) == dag
    assert eval(repr(dag)) == dag

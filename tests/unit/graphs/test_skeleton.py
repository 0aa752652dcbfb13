import pytest

from h2pc.errors import GraphError
from h2pc.graphs import Skeleton

NAMES = ("a", "b", "c", "d", "e")


@pytest.fixture
def skeleton() -> Skeleton:
    return Skeleton(NAMES, [("b", "a"), ("b", "c"), (4, 3)])


def test_an_edge_has_no_direction(skeleton):
    assert skeleton == Skeleton(NAMES, [(3, 4), (2, 1), (0, 1), (1, 0)])
    assert skeleton.edges == ((0, 1), (1, 2), (3, 4))
    assert skeleton.named_edges == (("a", "b"), ("b", "c"), ("d", "e"))
    assert skeleton.has_edge(1, 0)
    assert skeleton.has_edge(0, 1)
    assert not skeleton.has_edge(0, 2)


def test_neighbours_are_sorted_and_counted(skeleton):
    assert skeleton.adjacent(1) == (0, 2)
    assert [skeleton.degree(v) for v in skeleton.variables] == [1, 2, 1, 1, 1]


def test_components_come_in_the_order_of_their_first_variable(skeleton):
    assert skeleton.connected_components() == ((0, 1, 2), (3, 4))
    assert Skeleton(["a", "b"]).connected_components() == ((0,), (1,))
    assert Skeleton([]).connected_components() == ()


def test_union_and_intersection_go_by_name(skeleton):
    other = Skeleton(NAMES[::-1], [("c", "b"), ("a", "e")])

    assert (skeleton | other).named_edges == (("a", "b"), ("a", "e"), ("b", "c"), ("d", "e"))
    assert (skeleton & other).named_edges == (("b", "c"),)
    assert skeleton.union(other) == skeleton | other
    assert skeleton.intersection(other) == skeleton & other


def test_graphs_on_other_names_do_not_mix(skeleton):
    with pytest.raises(GraphError, match="differ in 'd', 'e'"):
        skeleton | Skeleton(["a", "b", "c"])


def test_a_reordered_skeleton_has_the_same_named_edges(skeleton):
    reordered = skeleton.reordered(NAMES[::-1])

    assert {frozenset(edge) for edge in reordered.named_edges} == {
        frozenset(edge) for edge in skeleton.named_edges
    }
    assert reordered.reordered(NAMES) == skeleton


def test_a_subgraph_keeps_the_edges_between_its_variables(skeleton):
    assert skeleton.subgraph((2, 1, 3)) == Skeleton(["c", "b", "d"], [("b", "c")])


def test_names_lead_to_variables(skeleton):
    assert skeleton.variable("c") == 2
    assert skeleton.adjacent("b") == ("a", "c")
    assert skeleton.degree("b") == 2
    assert skeleton.has_edge("b", "a")
    assert skeleton.subgraph(["c", "b", "d"]) == skeleton.subgraph((2, 1, 3))


def test_a_loop_is_refused():
    with pytest.raises(GraphError, match="Self-loop: 'a'"):
        Skeleton(["a"], [("a", "a")])


def test_a_skeleton_survives_its_own_repr(skeleton):
    assert eval(repr(skeleton)) == skeleton
    assert hash(eval(repr(skeleton))) == hash(skeleton)

"""Powersets and boundaries of small graphs that one can check by eye."""

import pytest

from h2pc.errors import GraphError
from h2pc.graphs import Dag, Skeleton
from h2pc.multilabel.powersets import (
    LabelLink,
    label_graph,
    label_links,
    minimal_label_powersets,
    powerset_boundary,
)


def dag(*edges: str, alone: str = "") -> Dag:
    """A graph of edges like ``"a>x"``; single letters, capitals are labels."""
    pairs = [tuple(edge.split(">")) for edge in edges]
    return Dag.from_edges(sorted({*alone, *(end for pair in pairs for end in pair)}), pairs)


def powersets(graph: Dag) -> list[str]:
    return [
        "".join(one) for one in minimal_label_powersets(graph, filter(str.isupper, graph.names))
    ]


@pytest.mark.parametrize(
    ("edges", "found"),
    [
        (["A>B"], ["AB"]),
        (["A>x", "B>x"], ["AB"]),
        (["A>x", "B>x", "B>y", "C>y"], ["ABC"]),
        (["A>x", "B>x", "C>x"], ["ABC"]),
        (["A>C", "B>C"], ["ABC"]),
        (["x>A", "x>B"], ["A", "B"]),
        (["A>x", "x>B"], ["A", "B"]),
        (["A>x", "y>x", "y>B"], ["A", "B"]),
        (["A>x", "y>x", "B>y"], ["A", "B"]),
        (["A>x", "x>z", "B>y", "y>z"], ["A", "B"]),
        (["A>C", "B>D"], ["AC", "BD"]),
        (["B>x", "C>x", "A>y"], ["A", "BC"]),
    ],
)
def test_labels_are_joined_by_edges_and_by_common_children(edges, found):
    assert powersets(dag(*edges)) == found


def test_a_child_of_a_common_child_joins_nobody_anew():
    # All features are given: a descendant of the collider adds nothing.
    assert powersets(dag("A>x", "x>z", "B>z")) == ["A", "B"]


def test_labels_without_edges_are_alone():
    graph = dag("A>x", alone="BC")

    assert powersets(graph) == ["A", "B", "C"]
    assert powerset_boundary(graph, ["B"], ["A", "B", "C"]) == ()


def test_no_labels_no_powersets():
    graph = dag("x>y")

    assert minimal_label_powersets(graph, []) == ()
    assert label_graph(graph, []) == Skeleton([])
    assert powerset_boundary(graph, [], []) == ()


def test_links_say_why_two_labels_belong_together():
    graph = dag("A>B", "A>x", "B>x", "A>w", "B>w", "C>x", "u>C")

    assert label_links(graph, ["C", "B", "A"]) == (
        LabelLink(("A", "B"), adjacent=True, through=("w", "x")),
        LabelLink(("A", "C"), adjacent=False, through=("x",)),
        LabelLink(("B", "C"), adjacent=False, through=("x",)),
    )


def test_the_label_graph_has_the_links_as_edges():
    graph = dag("A>B", "B>x", "C>x", alone="D")

    assert label_graph(graph, ["D", "C", "B", "A"]) == Skeleton(
        ["A", "B", "C", "D"], [("A", "B"), ("B", "C")]
    )


@pytest.mark.parametrize(
    ("powerset", "boundary"),
    [
        (["A", "B"], ("p", "s", "t", "x")),
        (["C"], ("y",)),
        (["A", "B", "C"], ("p", "s", "t", "x", "y")),
    ],
)
def test_the_boundary_holds_parents_children_and_spouses_among_the_features(powerset, boundary):
    # t is the other parent of the label B; q and z are too far away.
    graph = dag("A>B", "t>B", "p>A", "q>p", "A>x", "s>x", "x>z", "C>y")

    assert powerset_boundary(graph, powerset, ["A", "B", "C"]) == boundary


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (["A", "Z"], "Unknown label 'Z'; expected one of the graph's 3 variables."),
        (["A", 1], "Unknown label 1; expected one of the graph's 3 variables."),
        (["A", "B", "A"], "Labels must be distinct; 'A' comes twice."),
        ("AB", "Labels come as a sequence of names; got the string 'AB'."),
    ],
)
@pytest.mark.parametrize("read_off", [minimal_label_powersets, label_graph, label_links])
def test_labels_that_the_graph_does_not_know_are_refused(read_off, labels, message):
    with pytest.raises(GraphError) as caught:
        read_off(dag("A>x", "B>x"), labels)

    assert str(caught.value) == message


def test_a_powerset_of_other_things_than_labels_is_refused():
    graph = dag("A>x", "B>x")

    with pytest.raises(GraphError, match="made of labels; 'x' is none"):
        powerset_boundary(graph, ["A", "x"], ["A", "B"])
    with pytest.raises(GraphError, match="Unknown label 'Z'"):
        powerset_boundary(graph, ["Z"], ["A", "B"])

"""Distances to the truth in the authors' implementation come out the same, and so do the classes.

The equivalence classes that it lists also keep the colliders whose parents are adjacent, which data
cannot tell from other graphs; its distances do not. With this habit put in, all classes are equal.
"""

from itertools import combinations

import pytest

from golden import FILES, golden
from h2pc.graphs import Cpdag, Dag, dag_to_cpdag
from h2pc.metrics import dag_shd, edge_scores, shd
from reference.slow_metrics import oriented_by_meek

N_RANDOM = 5
N_EQUAL = 50  # of 64
GRAPHS = ("true", "h2pc", "mmhc", *(f"random {i}" for i in range(N_RANDOM)))


def answers(file: str, graph: str) -> dict:
    """What is known of one graph."""
    kind, _, number = graph.partition(" ")
    return golden(file)[kind][int(number)] if number else golden(file)[kind]


def names(file: str) -> list[str]:
    return sorted(golden(file)["hpc"])


def true_dag(file: str) -> Dag:
    return Dag.from_edges(names(file), golden(file)["true_arcs"])


def dag(file: str, graph: str) -> Dag:
    return Dag.from_edges(names(file), answers(file, graph)["arcs"])


def listed_class(file: str, graph: str) -> Cpdag:
    """The class as it is listed: an undirected edge is there in both directions."""
    arcs = [tuple(arc) for arc in answers(file, graph)["cpdag_arcs"]]
    both = [(u, v) for u, v in arcs if (v, u) in arcs]
    return Cpdag(names(file), [arc for arc in arcs if arc not in both], both)


def with_all_colliders(dag: Dag) -> Cpdag:
    """The graph with all colliders, whether their parents are adjacent or not, and what follows."""
    into_colliders = [(u, v) for u, v in dag.edges if len(dag.parents(v)) > 1]
    others = [edge for edge in dag.edges if edge not in into_colliders]
    return oriented_by_meek(Cpdag(dag.names, into_colliders, others))


def has_shielded_colliders(dag: Dag) -> bool:
    skeleton = dag.skeleton()
    return any(
        skeleton.has_edge(*pair) for above in dag.parent_sets for pair in combinations(above, 2)
    )


def test_there_are_five_random_graphs_of_each_data_set():
    assert [len(golden(file)["random"]) for file in FILES] == [N_RANDOM] * 8


@pytest.mark.parametrize("graph", GRAPHS)
@pytest.mark.parametrize("file", FILES)
def test_the_distance_to_the_truth_is_equal(file, graph):
    learned, true, expected = dag(file, graph), true_dag(file), answers(file, graph)["shd_to_true"]

    assert shd(learned, true) == expected
    assert shd(dag_to_cpdag(learned), true) == expected
    assert edge_scores(learned, true).shd == expected


@pytest.mark.parametrize("graph", GRAPHS)
@pytest.mark.parametrize("file", FILES)
def test_the_class_is_equal_once_all_colliders_are_kept(file, graph):
    assert with_all_colliders(dag(file, graph)) == listed_class(file, graph)


def test_the_class_itself_is_equal_for_most_graphs_and_never_directs_more():
    pairs = [(dag(f, g), listed_class(f, g)) for f in FILES for g in GRAPHS]

    assert sum(dag_to_cpdag(graph) == listed for graph, listed in pairs) == N_EQUAL
    for graph, listed in pairs:
        assert set(dag_to_cpdag(graph).directed) <= set(listed.directed)
        if dag_to_cpdag(graph) != listed:
            assert has_shielded_colliders(graph)
            assert not listed.is_completed()


@pytest.mark.parametrize("file", FILES)
def test_the_distance_between_the_graphs_themselves_is_another_one(file):
    true = true_dag(file)
    distances = [(dag_shd(dag(file, graph), true), shd(dag(file, graph), true)) for graph in GRAPHS]

    assert distances[0] == (0, 0)
    assert any(itself != of_classes for itself, of_classes in distances)

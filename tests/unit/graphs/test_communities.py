"""Communities: complete, not too large, with few edges between them, and the same each time."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from h2pc import load_network
from h2pc.graphs.communities import communities
from strategies import dags, examples, random_dag


def modularity(edges, classes):
    """Edges inside classes, less those that a random graph with these degrees would have."""
    m = len(edges)
    of = {v: i for i, some in enumerate(classes) for v in some}
    degree = [0] * len(of)
    for u, v in edges:
        degree[u] += 1
        degree[v] += 1
    inside = sum(of[u] == of[v] for u, v in edges) / m
    return inside - sum((sum(degree[v] for v in some) / (2 * m)) ** 2 for some in classes)


@examples(50)
@given(dags(max_nodes=12), st.integers(1, 6))
def test_every_variable_is_in_one_class_of_at_most_so_many(dag, most):
    found = communities(len(dag.names), dag.edges, most)

    assert sorted(v for some in found for v in some) == list(dag.variables)
    assert max(map(len, found), default=0) <= most
    assert [len(some) for some in found] == sorted(map(len, found), reverse=True)


def test_two_cliques_with_one_edge_between_them_are_two_classes():
    cliques = [range(5), range(5, 10)]
    edges = [(u, v) for some in cliques for u in some for v in some if u < v]

    assert communities(10, [*edges, (4, 5)], 10) == ((0, 1, 2, 3, 4), (5, 6, 7, 8, 9))


def test_single_variables_stay_single():
    assert communities(4, [(1, 2)], 4) == ((1, 2), (0,), (3,))


def test_the_order_of_edges_and_of_their_ends_does_not_matter():
    dag = load_network("win95pts").dag
    edges = [edge[::-1] for edge in dag.edges]
    random.Random(3).shuffle(edges)

    assert communities(len(dag.names), edges, 15) == communities(len(dag.names), dag.edges, 15)


@pytest.mark.parametrize("seed", range(5))
def test_merging_two_classes_raises_the_modularity_no_more(seed):
    dag = random_dag(random.Random(seed), 30, 45)
    found = communities(30, dag.edges, 30)
    reached = modularity(dag.edges, found)

    assert reached > 0.3
    for i in range(len(found)):
        for j in range(i):
            rest = [some for k, some in enumerate(found) if k not in (i, j)]
            assert modularity(dag.edges, [*rest, found[i] + found[j]]) <= reached + 1e-12

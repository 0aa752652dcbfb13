import random
from itertools import combinations, pairwise

import networkx as nx
import numpy as np
import pytest

from h2pc.errors import GraphError
from h2pc.graphs import Dag
from strategies import names_of, random_dag


@pytest.mark.parametrize(
    "edges", [[("a", "b"), ("b", "c")], [("c", "b"), ("b", "a")], [("b", "a"), ("b", "c")]]
)
def test_chains_and_forks_are_blocked_in_the_middle(edges):
    dag = Dag.from_edges(["a", "b", "c"], edges)

    assert not dag.d_separated(0, 2)
    assert dag.d_separated(0, 2, [1])


def test_a_collider_opens_when_it_or_a_descendant_is_known():
    dag = Dag.from_edges(["a", "b", "c", "d"], [("a", "c"), ("b", "c"), ("c", "d")])

    assert dag.d_separated(0, 1)
    assert not dag.d_separated(0, 1, [2])
    assert not dag.d_separated(0, 1, [3])


def test_all_that_is_connected_comes_at_once_without_start_and_given():
    chain = Dag.from_edges(names_of(5), [(0, 1), (1, 2), (2, 3), (3, 4)])

    assert chain.d_connected(2) == (0, 1, 3, 4)
    assert chain.d_connected(2, (3,)) == (0, 1)
    assert chain.d_connected(2, {1, 3}) == ()


def test_it_agrees_with_networkx_on_larger_graphs():
    rng = random.Random(20)
    for _ in range(60):
        dag = random_dag(rng, n_nodes=20, n_edges=rng.randint(10, 40))
        graph = dag.to_networkx()
        x, y, *rest = rng.sample(dag.variables, 12)
        z = rest[: rng.randint(0, 10)]

        theirs = nx.is_d_separator(graph, dag.names[x], dag.names[y], {dag.names[v] for v in z})

        assert dag.d_separated(x, y, z) == theirs


def test_variables_beyond_the_64th_may_be_numpy_integers():
    names = names_of(100)
    chain = Dag.from_edges(names, pairwise(names))

    x, y, z = np.int64(90), np.int64(70), np.array([80])

    assert chain.d_separated(x, y, z)
    assert chain.d_connected(x, z) == tuple(v for v in range(81, 100) if v != 90)


def test_every_pair_of_adjacent_variables_is_inseparable():
    dag = random_dag(random.Random(3), n_nodes=7, n_edges=10)

    for u, v in dag.edges:
        rest = [w for w in dag.variables if w not in (u, v)]
        for size in range(len(rest) + 1):
            assert not any(dag.d_separated(u, v, z) for z in combinations(rest, size))


@pytest.mark.parametrize(("x", "y", "z"), [(0, 0, ()), (0, 1, (1,)), (0, 1, (0,))])
def test_a_question_is_about_disjoint_sets(x, y, z):
    dag = Dag.from_edges(["a", "b"], [("a", "b")])

    with pytest.raises(GraphError, match="must"):
        dag.d_separated(x, y, z)


@pytest.mark.parametrize(("x", "y", "z"), [(0, 2, ()), (2, 0, ()), (0, 1, (-1,)), ("x", 1, ())])
def test_a_question_is_about_known_variables(x, y, z):
    dag = Dag.from_edges(["a", "b"], [("a", "b")])

    with pytest.raises(GraphError):
        dag.d_separated(x, y, z)


def test_variables_may_be_given_by_name():
    dag = Dag.from_edges(["treat", "offtrt", "cens"], [("treat", "offtrt"), ("offtrt", "cens")])

    assert not dag.d_separated("treat", "cens")
    assert dag.d_separated("treat", "cens", ["offtrt"])
    assert dag.d_separated("treat", 2, [1])
    assert dag.d_connected("treat", ["offtrt"]) == ()
    with pytest.raises(GraphError, match=r"Unknown variable 'tret'; did you mean 'treat'\?"):
        dag.d_separated("tret", "cens")
    with pytest.raises(GraphError, match="disjoint; got x='treat', y='cens', z=\\['treat'\\]"):
        dag.d_separated("treat", "cens", ["treat"])

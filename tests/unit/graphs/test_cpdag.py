import random
import time
from itertools import combinations

import pytest

from h2pc.errors import GraphError
from h2pc.graphs import (
    Cpdag,
    Dag,
    Skeleton,
    consistent_extension,
    dag_to_cpdag,
    equivalent,
)
from reference.slow_graphs import all_dags, cpdag_of, members_of_class
from strategies import random_dag

# a → c ← b, c → d, d – e is no completed graph: c → d → e is compelled.
NAMES = ("a", "b", "c", "d", "e")


def d_separations(dag: Dag) -> tuple:
    """Every (x, y, z) that the graph separates: what equivalent graphs have in common."""
    return tuple(
        (x, y, z)
        for x, y in combinations(dag.variables, 2)
        for size in range(len(dag.names) - 1)
        for z in combinations([v for v in dag.variables if v not in (x, y)], size)
        if dag.d_separated(x, y, z)
    )


def test_a_partially_directed_graph_knows_its_families():
    pdag = Cpdag(NAMES, [("a", "c"), ("b", "c"), ("c", "d")], [("e", "d")])

    assert pdag.parents(2) == (0, 1)
    assert pdag.children(2) == (3,)
    assert pdag.neighbours(3) == (4,)
    assert pdag.adjacent(3) == (2, 4)
    assert pdag.named_directed == (("a", "c"), ("b", "c"), ("c", "d"))
    assert pdag.named_undirected == (("d", "e"),)
    assert pdag.variable("d") == 3
    assert pdag.has_edge("a", "c")
    assert not pdag.has_edge("c", "a")
    assert pdag.has_edge(3, 4)
    assert pdag.has_edge("e", "d")
    assert pdag.skeleton() == Skeleton(NAMES, [(0, 2), (1, 2), (2, 3), (3, 4)])
    assert eval(repr(pdag)) == pdag


@pytest.mark.parametrize(
    ("directed", "undirected"), [([(0, 1), (1, 0)], []), ([(0, 1)], [(0, 1)]), ([(1, 0)], [(0, 1)])]
)
def test_two_variables_are_joined_in_one_way_only(directed, undirected):
    with pytest.raises(GraphError, match=r"'a' and 'b'|'b' and 'a'"):
        Cpdag(["a", "b"], directed, undirected)


@pytest.mark.parametrize("n_nodes", [1, 2, 3, 4])
def test_the_class_of_every_small_graph_is_that_of_its_d_separations(n_nodes):
    classes = {}
    for dag in all_dags(n_nodes):
        classes.setdefault(d_separations(dag), []).append(dag)

    for members in classes.values():
        expected = cpdag_of(members)
        assert all(dag_to_cpdag(dag) == expected for dag in members)
        assert consistent_extension(expected) in members

    assert len(classes) == {1: 1, 2: 2, 3: 11, 4: 185}[n_nodes]  # Gillispie and Perlman (2002)


def test_the_class_of_a_larger_graph_is_that_of_its_v_structures():
    rng = random.Random(6)
    for _ in range(60):
        dag = random_dag(rng, n_nodes=rng.choice((5, 6)), n_edges=rng.randint(3, 8))
        if len(dag.edges) <= 9:
            members = members_of_class(dag)

            assert dag_to_cpdag(dag) == cpdag_of(members)
            assert consistent_extension(dag_to_cpdag(dag)) in members


def test_a_complete_graph_has_no_compelled_edge():
    complete = Dag.from_edges(NAMES, combinations(NAMES, 2))

    assert dag_to_cpdag(complete).directed == ()


def test_equivalence_does_not_depend_on_the_order_of_names():
    chain = Dag.from_edges(["a", "b", "c"], [("a", "b"), ("b", "c")])
    fork = Dag.from_edges(["c", "a", "b"], [("b", "a"), ("b", "c")])
    collider = Dag.from_edges(["c", "a", "b"], [("a", "b"), ("c", "b")])

    assert equivalent(chain, fork)
    assert not equivalent(chain, collider)


def test_the_extension_adds_no_v_structure():
    pdag = Cpdag(NAMES, [("a", "c"), ("b", "c"), ("c", "d")], [("e", "d")])

    dag = consistent_extension(pdag)

    assert dag.named_edges == (("a", "c"), ("b", "c"), ("c", "d"), ("d", "e"))


@pytest.mark.parametrize(
    ("directed", "undirected"),
    [
        ([("a", "b"), ("b", "c"), ("c", "a")], []),
        ([], [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")]),
        ([("a", "b"), ("c", "d")], [("b", "d")]),
    ],
    ids=["directed cycle", "square without a chord", "two ends that cannot both be colliders"],
)
def test_a_graph_without_extension_is_refused(directed, undirected):
    pdag = Cpdag(NAMES, directed, undirected)

    with pytest.raises(GraphError, match="no consistent extension"):
        consistent_extension(pdag)
    assert not pdag.is_completed()


def test_names_decide_the_extension_whatever_their_order():
    rng = random.Random(9)
    for _ in range(20):
        cpdag = dag_to_cpdag(random_dag(rng, n_nodes=8, n_edges=8))
        names = rng.sample(cpdag.names, 8)

        extension = consistent_extension(cpdag.reordered(names))

        assert extension.reordered(cpdag.names) == consistent_extension(cpdag)


def test_only_completed_graphs_say_so():
    assert Cpdag(["a", "b", "c"], [("a", "b"), ("c", "b")]).is_completed()
    assert not Cpdag(["a", "b"], [("a", "b")]).is_completed()
    assert not Cpdag(["a", "b", "c"], [("a", "b")], [("b", "c")]).is_completed()


def test_a_thousand_variables_take_well_under_a_second():
    dag = random_dag(random.Random(1), n_nodes=1000, n_edges=2000)

    start = time.perf_counter()
    member = consistent_extension(dag_to_cpdag(dag))
    seconds = time.perf_counter() - start

    assert equivalent(dag, member)
    assert seconds < 0.5

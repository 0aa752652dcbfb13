"""Graphs of many variables take memory for their edges, not for all pairs."""

import random
import tracemalloc

import pytest

from h2pc.algorithms.learn_result import LearnResult
from h2pc.graphs import Dag, Skeleton, consistent_extension, dag_to_cpdag, dag_to_mpdag, greedy_dag
from h2pc.metrics import shd

N_VARIABLES = 20_000


@pytest.fixture(scope="module")
def edges():
    rng = random.Random(0)
    order = rng.sample(range(N_VARIABLES), N_VARIABLES)
    places = (rng.randrange(N_VARIABLES - 50) for _ in range(30_000))
    return sorted({(order[i], order[i + rng.randint(1, 49)]) for i in places})


@pytest.mark.slow
def test_everything_about_a_sparse_graph_fits_into_little_memory(edges):
    names = [f"X{v:05d}" for v in range(N_VARIABLES)]
    tracemalloc.start()
    try:
        dag = Dag.from_edges(names, edges)
        cpdag, skeleton = dag_to_cpdag(dag), dag.skeleton()
        boundaries = [dag.markov_boundary(name) for name in names]
        extension = consistent_extension(cpdag)
        n_away = shd(dag, extension)
        components = skeleton.connected_components()
        descendants = [len(dag.descendants(v)) for v in range(0, N_VARIABLES, 500)]
        separated = [dag.d_separated(v, v + 1, (v + 2,)) for v in range(0, N_VARIABLES, 500)]
        closed = dag_to_mpdag(dag, edges[:10])
        result = LearnResult(dag, skeleton, 0.0)
        again = LearnResult.from_json(result.to_json())
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert peak < 100e6  # bitsets of all variables would be 50 MB for parents alone
    assert sum(map(len, boundaries)) == 2 * len(dag.moral_graph().edges)
    assert n_away == 0
    assert sorted(v for component in components for v in component) == list(range(N_VARIABLES))
    assert max(descendants) > 0
    assert {True, False} >= set(separated)
    assert closed.skeleton() == skeleton
    assert again == result


def test_a_greedy_graph_of_edges_without_a_cycle_has_all_of_them(edges):
    names = [f"X{v:05d}" for v in range(N_VARIABLES)]
    shuffled = random.Random(1).sample(edges[:5000], 5000)

    assert greedy_dag(names, shuffled).edges == tuple(edges[:5000])


def test_a_million_variables_and_a_few_edges_are_a_graph():
    names = tuple(f"X{v:06d}" for v in range(1_000_000))

    skeleton = Skeleton(names, [(3, 999_999), (3, 7)])
    dag = Dag.from_edges(names, [("X999999", "X000003"), ("X000007", "X000003")])

    assert skeleton.adjacent("X000003") == ("X000007", "X999999")
    assert dag.skeleton() == skeleton
    assert dag.markov_boundary("X000007") == ("X000003", "X999999")
    assert dag.topological_order[:5] == (0, 1, 2, 4, 5)
    assert dag.topological_order[-1] == 3
    assert len(skeleton.connected_components()) == 999_998

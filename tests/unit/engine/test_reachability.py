"""The closure of a graph that changes, kept by the engine for its searches."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from h2pc._engine import Reachability
from h2pc.graphs import Dag
from reference.slow_graphs import is_dag
from strategies import dags


def reachability(n_variables: int, edges) -> Reachability:
    graph = Reachability(n_variables)
    for u, v in edges:
        graph.add_edge(u, v)
    return graph


@pytest.fixture
def diamond() -> Reachability:
    """0 → 1 → 3 and 0 → 2 → 3."""
    return reachability(4, [(0, 1), (0, 2), (1, 3), (2, 3)])


def test_a_second_path_survives_the_loss_of_the_first(diamond):
    diamond.remove_edge(1, 3)
    assert diamond.has_path(0, 3)

    diamond.remove_edge(2, 3)
    assert not diamond.has_path(0, 3)


def test_a_detour_leads_the_same_way_as_an_edge(diamond):
    assert not diamond.has_detour(0, 1)

    diamond.add_edge(0, 3)

    assert diamond.has_detour(0, 3)


def test_an_edge_that_is_added_twice_is_there_once(diamond):
    diamond.add_edge(0, 1)
    diamond.remove_edge(0, 1)

    assert not diamond.has_edge(0, 1)


@pytest.mark.parametrize(("u", "v"), [(4, 0), (0, 4), (-1, 0), (0, -1)])
def test_a_number_that_is_no_variable_is_refused(diamond, u, v):
    for verb in (diamond.has_edge, diamond.has_path, diamond.add_edge, diamond.remove_edge):
        with pytest.raises(IndexError, match="out of range"):
            verb(u, v)


def test_graphs_of_more_variables_than_a_word_has_bits():
    graph = reachability(150, [(v, v + 1) for v in range(149)])

    assert graph.has_path(0, 149)
    graph.remove_edge(70, 71)
    assert graph.has_path(71, 149)
    assert graph.has_path(0, 70)
    assert not graph.has_path(70, 71)
    assert graph.detours().sum() == 70 * 69 // 2 + 78 * 77 // 2


@settings(max_examples=60)
@given(dags(max_nodes=7), st.data())
def test_the_closure_is_the_same_kept_as_computed_anew(dag, data):
    kept, edges = reachability(len(dag.names), dag.edges), set(dag.edges)
    first, copy = kept.detours().copy(), kept.copy()
    pair = st.tuples(st.sampled_from(dag.variables), st.sampled_from(dag.variables))
    for u, v in data.draw(st.lists(pair, max_size=12)):
        closes_a_cycle = u == v or kept.has_path(v, u)
        assert closes_a_cycle == (not is_dag(dag.names, {*edges, (u, v)}))
        if (u, v) in edges:
            turned = {*edges, (v, u)} - {(u, v)}
            assert kept.has_detour(u, v) == (not is_dag(dag.names, turned))
            kept.remove_edge(u, v)
            edges.remove((u, v))
        elif not closes_a_cycle:
            kept.add_edge(u, v)
            edges.add((u, v))
        now = Dag.from_edges(dag.names, edges)
        for w in dag.variables:
            beyond = {x for c in now.children(w) for x in now.descendants(c)}
            assert tuple(x for x in dag.variables if kept.has_path(w, x)) == now.descendants(w)
            assert tuple(x for x in dag.variables if kept.has_edge(w, x)) == now.children(w)
            assert {*kept.detours()[w].nonzero()[0].tolist()} == beyond
    assert np.array_equal(copy.detours(), first)  # a copy does not follow

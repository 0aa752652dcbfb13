"""Paths in a graph that changes, as the engine finds them for its searches."""

from itertools import pairwise, product

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


def detours(graph: Reachability) -> set:
    """All pairs that two or more edges in a row join."""
    return {pair for pair in product(range(graph.n_variables), repeat=2) if graph.has_detour(*pair)}


@pytest.mark.parametrize("step", [1, -1])
def test_a_long_chain_is_cut(step):
    chain = range(150)[::step]
    graph = reachability(150, pairwise(chain))

    assert graph.has_path(chain[0], chain[149])
    graph.remove_edge(chain[70], chain[71])
    assert graph.has_path(chain[71], chain[149])
    assert graph.has_path(chain[0], chain[70])
    assert not graph.has_path(chain[70], chain[71])
    assert len(detours(graph)) == 70 * 69 // 2 + 78 * 77 // 2


def test_a_graph_of_a_million_variables_needs_no_room_for_their_pairs():
    n = 1_000_000
    graph = reachability(n, [(n - 1, 0), (0, n // 2)])

    assert graph.has_detour(n - 1, n // 2)
    assert not graph.has_path(n // 2, n - 1)


@settings(max_examples=60)
@given(dags(max_nodes=7), st.data())
def test_paths_are_the_same_kept_as_found_anew(dag, data):
    kept, edges = reachability(len(dag.names), dag.edges), set(dag.edges)
    first, copy = detours(kept), kept.copy()
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
            assert {x for x in dag.variables if kept.has_detour(w, x)} == beyond
    assert detours(copy) == first  # a copy does not follow

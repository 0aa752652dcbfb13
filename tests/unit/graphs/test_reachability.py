import pytest

from h2pc.errors import GraphError
from h2pc.graphs import Dag
from h2pc.graphs.reachability import Reachability


@pytest.fixture
def diamond() -> Reachability:
    """0 → 1 → 3 and 0 → 2 → 3."""
    return Reachability.of(Dag.from_edges(["a", "b", "c", "d"], [(0, 1), (0, 2), (1, 3), (2, 3)]))


def test_an_edge_against_a_path_closes_a_cycle(diamond):
    assert diamond.creates_cycle(3, 0)
    assert diamond.creates_cycle(1, 1)
    assert not diamond.creates_cycle(0, 3)
    assert not diamond.creates_cycle(1, 2)


def test_a_second_path_survives_the_loss_of_the_first(diamond):
    diamond.remove_edge(1, 3)
    assert diamond.has_path(0, 3)

    diamond.remove_edge(2, 3)
    assert not diamond.has_path(0, 3)
    assert not diamond.creates_cycle(3, 0)


def test_reversing_an_edge_closes_a_cycle_where_a_detour_leads_the_same_way(diamond):
    assert not diamond.reversal_creates_cycle(0, 1)

    diamond.add_edge(0, 3)

    assert diamond.reversal_creates_cycle(0, 3)


def test_an_edge_that_is_added_twice_is_there_once(diamond):
    diamond.add_edge(0, 1)
    diamond.remove_edge(0, 1)

    assert not diamond.has_edge(0, 1)


def test_a_change_that_cannot_be_is_refused_and_changes_nothing(diamond):
    with pytest.raises(GraphError, match="3 → 0 would close a cycle"):
        diamond.add_edge(3, 0)
    with pytest.raises(GraphError, match="no edge 1 → 2"):
        diamond.remove_edge(1, 2)

    assert not diamond.has_edge(3, 0)
    assert diamond.has_path(0, 3)


@pytest.mark.parametrize(("u", "v"), [(4, 0), (0, 4), (-1, 0), (0, -1)])
def test_a_number_that_is_no_variable_is_refused(diamond, u, v):
    for verb in (diamond.has_edge, diamond.has_path, diamond.add_edge, diamond.remove_edge):
        with pytest.raises(IndexError, match="out of range"):
            verb(u, v)


def test_graphs_of_more_variables_than_a_word_has_bits():
    graph = Reachability(150)
    for v in range(149):
        graph.add_edge(v, v + 1)

    assert graph.has_path(0, 149)
    assert graph.creates_cycle(149, 0)
    graph.remove_edge(70, 71)
    assert graph.has_path(71, 149)
    assert graph.has_path(0, 70)
    assert not graph.has_path(70, 71)
    assert graph.detours.sum() == 70 * 69 // 2 + 78 * 77 // 2

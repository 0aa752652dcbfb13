"""How sure edges are, from graphs that were counted by hand."""

import numpy as np
import pytest

from h2pc.errors import SettingError
from h2pc.graphs import Cpdag, Dag, dag_to_cpdag
from h2pc.learners.edge_strengths import EdgeStrengths

NAMES = ("a", "b", "c", "d")


def strengths_of(*graphs: Cpdag) -> EdgeStrengths:
    return EdgeStrengths.of(NAMES, graphs)


def test_strength_counts_both_directions_and_direction_one_of_them():
    forward, backward = Cpdag(NAMES, [("a", "b")]), Cpdag(NAMES, [("b", "a")])

    (edge,) = strengths_of(forward, forward, backward, Cpdag(NAMES)).edges

    assert (edge.parent, edge.child) == ("a", "b")
    assert edge.strength == 3 / 4
    assert edge.direction == 2 / 3


def test_an_open_edge_counts_half_for_each_direction():
    (edge,) = strengths_of(Cpdag(NAMES, [], [("a", "b")]), Cpdag(NAMES, [("b", "a")])).edges

    assert (edge.parent, edge.child) == ("b", "a")
    assert edge.strength == 1.0
    assert edge.direction == 3 / 4


def test_edges_come_from_the_strongest_to_the_weakest_and_ties_by_name():
    both = Cpdag(NAMES, [], [("c", "d"), ("a", "b"), ("b", "c")])
    one = Cpdag(NAMES, [("c", "d")])

    edges = strengths_of(both, one).edges

    assert [(edge.parent, edge.child) for edge in edges] == [("c", "d"), ("a", "b"), ("b", "c")]


def test_the_average_of_equal_graphs_is_that_graph():
    dag = Dag.from_edges(NAMES, [("a", "c"), ("b", "c"), ("c", "d")])

    strengths = strengths_of(*[dag_to_cpdag(dag)] * 7)

    assert strengths.averaged() == dag
    assert all(edge.strength == 1.0 for edge in strengths.edges)


def test_the_weakest_edge_of_a_cycle_is_left_out():
    strong = [Cpdag(NAMES, [("a", "b"), ("b", "c")])] * 3
    weak = [
        Cpdag(NAMES, [("c", "a"), ("b", "c"), ("a", "b")])
    ]  # no Cpdag of a graph, but two thirds
    weaker = [Cpdag(NAMES, [("c", "a")])]

    averaged = strengths_of(*strong, *weak, *weaker).averaged(threshold=0.1)

    assert averaged.named_edges == (("a", "b"), ("b", "c"))


@pytest.mark.parametrize("seed", range(20))
def test_the_threshold_is_the_step_closest_to_the_strengths_by_trying_all(seed):
    rng = np.random.default_rng(seed)
    names = tuple("abcdef")
    pairs = [(u, v) for u in range(6) for v in range(u)]
    graphs = [
        Cpdag(names, [], [pair for pair in pairs if rng.random() < rng.choice([0.1, 0.5, 0.9])])
        for _ in range(int(rng.integers(1, 30)))
    ]
    strengths = EdgeStrengths.of(names, graphs)

    seen = {frozenset((edge.parent, edge.child)): edge.strength for edge in strengths.edges}
    values = [seen.get(frozenset((names[u], names[v])), 0.0) for u, v in pairs]
    grid = (np.arange(20_000) + 0.5) / 20_000
    distribution = np.array([np.mean(np.array(values) <= x) for x in grid])
    steps = [np.mean(np.array(values) <= value) for value in (0.0, *values)]
    distance = {float(step): float(np.abs(distribution - step).mean()) for step in steps}

    reached = float(np.mean(np.array(values) <= strengths.threshold))
    assert distance[reached] <= min(distance.values()) + 1e-3


def test_thresholds_outside_zero_and_one_are_refused():
    strengths = strengths_of(Cpdag(NAMES, [("a", "b")]))

    with pytest.raises(SettingError, match=r"between 0 and 1; got 1\.5"):
        strengths.averaged(1.5)


def test_no_graph_has_no_strengths():
    with pytest.raises(SettingError, match="at least one graph"):
        strengths_of()


def test_a_single_variable_has_no_edges():
    strengths = EdgeStrengths.of(("a",), [Cpdag(("a",))])

    assert strengths.edges == ()
    assert strengths.averaged() == Dag.from_edges(("a",))


def test_a_data_frame_has_a_row_for_every_pair():
    strengths = strengths_of(Cpdag(NAMES, [("c", "d")], [("a", "b")]), Cpdag(NAMES, [("c", "d")]))

    frame = strengths.to_pandas()

    assert list(frame.columns) == ["parent", "child", "strength", "direction"]
    assert frame.to_numpy().tolist() == [["c", "d", 1.0, 1.0], ["a", "b", 0.5, 0.5]]


def test_around_targets_the_threshold_is_that_of_pairs_that_have_a_target():
    # a – b in all graphs, a – c in 6 of 10; those without a target in 3.
    others = [("b", "c"), ("b", "d"), ("c", "d")]
    graphs = [
        Cpdag(NAMES, [], [("a", "b"), *[("a", "c")] * (i < 6), *others * (i < 3)])
        for i in range(10)
    ]
    around, whole = (EdgeStrengths.of(NAMES, graphs, targets=some) for some in (["a"], None))

    assert (around.n_pairs, whole.n_pairs) == (3, 6)
    assert (around.threshold, whole.threshold) == (0.0, 0.3)
    assert around.skeleton().named_edges == (("a", "b"), ("a", "c"), *others)


def test_around_targets_the_averaged_graph_has_targets_and_what_any_graph_joins():
    graphs = [Cpdag(NAMES, [("b", "c")]), Cpdag(NAMES, [("b", "d")])]
    strengths = EdgeStrengths.of(NAMES, [graphs[0]] * 3 + graphs[1:], targets=["b"])

    assert strengths.averaged(0.5) == Dag.from_edges(("b", "c", "d"), [("b", "c")])
    assert strengths.skeleton(0.5).names == ("b", "c", "d")
    assert repr(strengths) == "EdgeStrengths(4 variables, 2 pairs seen in 4 graphs around b)"


def test_around_targets_a_data_frame_tells_which_pairs_have_one():
    graph = Cpdag(NAMES, [("a", "b")], [("c", "d")])

    frame = EdgeStrengths.of(NAMES, [graph], targets=["a"]).to_pandas()

    assert dict(zip(frame["parent"], frame["has_target"], strict=True)) == {"a": True, "c": False}


def test_targets_that_are_no_variables_are_refused():
    with pytest.raises(SettingError, match="targets must be among the variables; 'z' is not"):
        EdgeStrengths.of(NAMES, [Cpdag(NAMES)], targets=["z"])

"""Laws that distances between graphs obey."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from h2pc import skeleton_scores
from h2pc.graphs import Dag, dag_to_cpdag, equivalent
from h2pc.metrics import Verdict, compare_edges, dag_shd, edge_scores, shd
from reference.slow_graphs import all_dags, members_of_class
from reference.slow_metrics import slow_distance, slow_shd
from strategies import dags, examples


@st.composite
def graphs_on_the_same_names(draw, number: int, max_nodes: int = 7) -> tuple[Dag, ...]:
    n = draw(st.integers(1, max_nodes))
    return tuple(draw(dags(min_nodes=n, max_nodes=n)) for _ in range(number))


@examples(50)
@given(graphs_on_the_same_names(2))
def test_distances_are_those_of_counting_pair_by_pair(graphs):
    learned, true = graphs

    assert dag_shd(learned, true) == slow_distance(learned, true)
    assert shd(learned, true) == slow_distance(dag_to_cpdag(learned), dag_to_cpdag(true))


@examples(50)
@given(graphs_on_the_same_names(2, max_nodes=4))
def test_the_distance_is_that_of_the_classes_listed_member_by_member(graphs):
    assert shd(*graphs) == slow_shd(*graphs)


@examples(50)
@given(graphs_on_the_same_names(3))
def test_both_distances_are_metrics(graphs):
    a, b, c = graphs
    for distance in (shd, dag_shd):
        assert distance(a, a) == 0
        assert distance(a, b) == distance(b, a)
        assert distance(a, c) <= distance(a, b) + distance(b, c)


def test_no_distance_means_equivalent_and_the_other_way_round():
    graphs = all_dags(3)
    for a in graphs:
        for b in graphs:
            assert (shd(a, b) == 0) == equivalent(a, b)
            assert (dag_shd(a, b) == 0) == (a == b)


@examples(50)
@given(graphs_on_the_same_names(2, max_nodes=5), st.randoms())
def test_members_of_a_class_are_exchangeable(graphs, random):
    learned, true = graphs
    others = [random.choice(members_of_class(dag)) for dag in graphs]

    assert shd(*others) == shd(learned, true)
    assert compare_edges(*others) == compare_edges(learned, true)


@examples(50)
@given(graphs_on_the_same_names(2), st.randoms())
def test_the_order_of_the_variables_does_not_matter(graphs, random):
    learned, true = graphs
    names = [random.sample(true.names, len(true.names)) for _ in graphs]
    moved = learned.reordered(names[0]), true.reordered(names[1])

    assert shd(*moved) == shd(learned, true)
    assert dag_shd(*moved) == dag_shd(learned, true)
    assert compare_edges(*moved) == compare_edges(learned, true)
    assert edge_scores(*moved) == edge_scores(learned, true)


@examples(50)
@given(graphs_on_the_same_names(2), st.booleans())
def test_the_distance_is_the_number_of_edges_that_are_not_right(graphs, as_classes):
    learned, true = graphs
    distance = shd(learned, true) if as_classes else dag_shd(learned, true)
    found = Counter(e.verdict for e in compare_edges(learned, true, as_classes=as_classes))

    assert distance == found.total() - found[Verdict.RIGHT]
    assert distance == edge_scores(learned, true, as_classes=as_classes).shd


@examples(50)
@given(graphs_on_the_same_names(2), st.booleans())
def test_adjacencies_are_scored_like_skeletons(graphs, as_classes):
    ours = edge_scores(*graphs, as_classes=as_classes).adjacency
    scores = skeleton_scores(*graphs)

    assert ours.true_positives == scores.true_positives
    assert (ours.false_positives, ours.false_negatives) == (
        scores.false_positives,
        scores.false_negatives,
    )


@examples(50)
@given(graphs_on_the_same_names(2), st.booleans())
def test_right_arrowheads_are_directed_edges_of_both_graphs(graphs, as_classes):
    arrows = [set((dag_to_cpdag(d).directed) if as_classes else d.edges) for d in graphs]
    ours = edge_scores(*graphs, as_classes=as_classes).orientation

    assert ours.true_positives == len(arrows[0] & arrows[1])
    assert ours.false_positives == len(arrows[0] - arrows[1])
    assert ours.false_negatives == len(arrows[1] - arrows[0])


@examples(50)
@given(graphs_on_the_same_names(2))
def test_learned_and_true_swap_what_is_missing_and_what_is_extra(graphs):
    one, other = edge_scores(*graphs), edge_scores(*reversed(graphs))

    assert (one.missing, one.extra) == (other.extra, other.missing)
    assert one.orientation.precision == other.orientation.recall
    assert (one.right, one.reversed, one.differently_marked) == (
        other.right,
        other.reversed,
        other.differently_marked,
    )

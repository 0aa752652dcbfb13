"""Scores of skeletons against counting by hand."""

import math
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from h2pc import Dag, Skeleton, skeleton_scores
from h2pc.errors import GraphError
from h2pc.graphs import dag_to_cpdag
from strategies import dags, names_of


@st.composite
def pairs_of_skeletons(draw):
    n = draw(st.integers(1, 8))
    one, other = (draw(dags(min_nodes=n, max_nodes=n)).skeleton() for _ in range(2))
    return one, other


@given(pairs_of_skeletons())
def test_every_pair_of_variables_is_counted_once(skeletons):
    learned, true = skeletons
    scores = skeleton_scores(learned, true)

    pairs = list(combinations(learned.variables, 2))
    kinds = [(learned.has_edge(*pair), true.has_edge(*pair)) for pair in pairs]
    assert scores.true_positives == kinds.count((True, True))
    assert scores.false_positives == kinds.count((True, False))
    assert scores.false_negatives == kinds.count((False, True))
    assert scores.true_negatives == kinds.count((False, False))


@given(pairs_of_skeletons(), st.randoms())
def test_variables_are_matched_by_name(skeletons, random):
    learned, true = skeletons
    names = random.sample(true.names, len(true.names))

    assert skeleton_scores(learned.reordered(names), true) == skeleton_scores(learned, true)


def test_figures_of_a_small_example():
    names = names_of(5)
    true = Skeleton(names, [(0, 1), (1, 2), (2, 3)])
    learned = Skeleton(names, [(0, 1), (1, 2), (0, 4)])
    scores = skeleton_scores(learned, true)

    assert scores.precision == scores.recall == 2 / 3
    assert scores.false_positive_rate == 1 / 7
    assert scores.distance == pytest.approx(math.sqrt(2) / 3)


@pytest.mark.parametrize("edges", [[], [("a", "b")], [("a", "b"), ("b", "c"), ("a", "c")]])
def test_the_truth_itself_is_perfect(edges):
    true = Skeleton(tuple("abc"), edges)
    scores = skeleton_scores(true, true)

    assert (scores.precision, scores.recall) == (1.0, 1.0)
    assert (scores.false_positive_rate, scores.distance) == (0.0, 0.0)


def test_nothing_learned_is_precise_and_nothing_to_learn_is_recalled():
    empty, full = Skeleton(tuple("ab")), Skeleton(tuple("ab"), [(0, 1)])

    nothing_learned = skeleton_scores(empty, full)
    assert (nothing_learned.precision, nothing_learned.recall) == (1.0, 0.0)
    assert nothing_learned.distance == 1.0
    nothing_to_learn = skeleton_scores(full, empty)
    assert (nothing_to_learn.precision, nothing_to_learn.recall) == (0.0, 1.0)
    assert nothing_to_learn.false_positive_rate == 1.0


def test_directions_do_not_matter():
    dag = Dag.from_edges(tuple("abcd"), [("a", "b"), ("c", "b"), ("b", "d")])

    assert skeleton_scores(dag_to_cpdag(dag), dag).distance == 0.0


def test_other_names_are_an_error():
    with pytest.raises(GraphError, match="same names"):
        skeleton_scores(Skeleton(("a", "b")), Skeleton(("a", "c")))

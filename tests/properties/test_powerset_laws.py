"""Theorems 8 and 9 against the definitions, by enumeration of sets."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from h2pc.graphs import Dag
from h2pc.multilabel.powersets import (
    label_graph,
    label_links,
    minimal_label_powersets,
    powerset_boundary,
)
from reference.slow_graphs import d_separated_by_trails
from reference.slow_powersets import label_powersets, markov_boundaries, minimal_ones
from strategies import dags, examples, random_dag


@st.composite
def labelled_dags(draw, max_nodes=8) -> tuple[Dag, tuple[str, ...]]:
    """A graph, and some of its variables, or all, as labels in any order."""
    dag = draw(dags(min_nodes=1, max_nodes=max_nodes))
    order = draw(st.permutations(dag.names))
    return dag, tuple(order[: draw(st.integers(0, len(order)))])


def numbers(dag: Dag, names) -> frozenset[int]:
    return frozenset(map(dag.variable, names))


def assert_theorem_8(dag: Dag, labels: tuple[str, ...]) -> None:
    found = minimal_label_powersets(dag, labels)

    by_definition = minimal_ones(label_powersets(dag, numbers(dag, labels)))
    assert {numbers(dag, powerset) for powerset in found} == by_definition


def assert_theorem_9(dag: Dag, labels: tuple[str, ...]) -> None:
    everything, all_labels = frozenset(dag.variables), numbers(dag, labels)
    for powerset in label_powersets(dag, all_labels):
        names = [dag.names[y] for y in sorted(powerset)]

        boundary = numbers(dag, powerset_boundary(dag, names, labels))

        features = everything - all_labels
        assert markov_boundaries(dag, powerset, features | powerset) == {boundary}
        assert markov_boundaries(dag, powerset, everything) == {boundary}


THEOREMS = (assert_theorem_8, assert_theorem_9)


@pytest.mark.parametrize("theorem", THEOREMS)
@examples(60)
@given(labelled=labelled_dags())
def test_the_theorems_hold_by_definition(theorem, labelled):
    theorem(*labelled)


@pytest.mark.parametrize("theorem", THEOREMS)
def test_the_theorems_hold_by_definition_on_five_hundred_random_graphs(theorem):
    rng = random.Random(0)
    for _ in range(500):
        n_nodes = rng.randint(6, 9)
        dag = random_dag(rng, n_nodes, n_edges=rng.uniform(0.5, 2.5) * n_nodes)

        theorem(dag, tuple(rng.sample(dag.names, rng.randint(2, 6))))


@pytest.mark.slow
@pytest.mark.parametrize("theorem", THEOREMS)
@examples(2000)
@given(labelled=labelled_dags(max_nodes=10))
def test_the_theorems_hold_by_definition_on_two_thousand_graphs(theorem, labelled):
    theorem(*labelled)


@examples(100)
@given(labelled_dags(max_nodes=6))
def test_labels_are_linked_where_features_leave_a_trail_with_no_other_label(labelled):
    dag, labels = labelled
    features = set(dag.variables) - numbers(dag, labels)
    linked = {link.labels for link in label_links(dag, labels)}

    for one in labels:
        for other in labels:
            if one < other:
                pair = numbers(dag, (one, other))
                among_features = dag.subgraph(sorted(features | pair))
                x, y = (among_features.variable(name) for name in (one, other))
                known = set(among_features.variables) - {x, y}
                open_trail = not d_separated_by_trails(among_features, x, y, known)
                assert ((one, other) in linked) == open_trail


@given(labelled_dags(), st.randoms(use_true_random=False))
def test_neither_the_order_of_labels_nor_that_of_variables_matters(labelled, rng):
    dag, labels = labelled
    other_dag = dag.reordered(rng.sample(dag.names, len(dag.names)))
    other_labels = rng.sample(labels, len(labels))

    powersets = minimal_label_powersets(dag, labels)

    assert minimal_label_powersets(other_dag, other_labels) == powersets
    assert label_graph(other_dag, other_labels) == label_graph(dag, labels)
    assert label_links(other_dag, other_labels) == label_links(dag, labels)
    for powerset in powersets:
        other_boundary = powerset_boundary(other_dag, rng.sample(powerset, len(powerset)), labels)
        assert other_boundary == powerset_boundary(dag, powerset, labels)


@given(labelled_dags())
def test_powersets_part_the_labels_in_the_order_of_their_names(labelled):
    dag, labels = labelled

    powersets = minimal_label_powersets(dag, labels)

    assert sorted(y for powerset in powersets for y in powerset) == sorted(labels)
    assert all(list(powerset) == sorted(powerset) for powerset in powersets)
    assert list(powersets) == sorted(powersets)

"""Irreducible label factors against their definition, by enumeration of sets of labels."""

import random
from itertools import product

import numpy as np
import pytest

from h2pc import Dag, Dataset, DSeparationOracle, irreducible_label_factors
from h2pc.multilabel.powersets import minimal_label_powersets, powerset_boundary
from reference.slow_factors import (
    TableOracle,
    independent_in,
    irreducible_factors,
    smallest_blankets,
)
from strategies import random_dag

BOTH = ("composition", "intersection")


def names_of(n_features: int, n_labels: int) -> list[str]:
    return [f"x{i}" for i in range(n_features)] + [f"y{i}" for i in range(n_labels)]


def found_by(oracle, names, **settings):
    """The factors that an oracle leads to; the sample has names and says nothing."""
    sample = Dataset.from_codes(np.zeros((len(names), 1), int), cards=[2] * len(names), names=names)
    labels = [name for name in names if name.startswith("y")]
    made = lambda data, alpha, power_rule: oracle  # noqa: E731
    return irreducible_label_factors(sample, labels[::-1], test=made, **settings)


def by_number(names, groups):
    return {frozenset(map(names.index, some)) for some in groups}


def assert_exact(p: np.ndarray, names: list[str], **settings) -> None:
    """The factors are those of the definition; where a factor has one boundary, it is found."""
    found = found_by(TableOracle(p), names, **settings)
    features = frozenset(i for i, name in enumerate(names) if name.startswith("x"))
    labels = frozenset(range(len(names))) - features

    assert by_number(names, found.factors) == irreducible_factors(
        labels, features, independent_in(p)
    )
    for factor, near in zip(found.factors, found.boundaries, strict=True):
        own, near = frozenset(map(names.index, factor)), frozenset(map(names.index, near))
        smallest = smallest_blankets(own, features, independent_in(p))
        assert any(blanket <= near for blanket in smallest)
        if len(smallest) == 1:
            assert smallest == {near}


def table_of_factors(rng, n_features, groups, n_labels, features=None) -> np.ndarray:
    """A strictly positive table in which each group of labels depends on some features."""
    x = rng.dirichlet(np.full(2**n_features, 3.0)) if features is None else features
    p = x.reshape((2,) * n_features + (1,) * n_labels)
    for group in groups:
        near = [v for v in range(n_features) if rng.random() < 0.6]
        shape = [2 if v in near or v - n_features in group else 1 for v in range(p.ndim)]
        own = rng.dirichlet(np.full(2 ** len(group), 2.0), size=2 ** len(near))
        if len(group) > 1 and rng.random() < 0.3:  # noisy exclusive-or: pairs are independent
            odd = np.array([sum(each) % 2 for each in product((0, 1), repeat=len(group))])
            own = np.where(odd, 0.8, 0.2) / 2 ** (len(group) - 1) + 0 * own
        p = p * own.reshape(shape)
    return p


def some_groups(rng, n_labels: int) -> list[list[int]]:
    part = rng.integers(0, n_labels, n_labels)
    return [np.flatnonzero(part == k).tolist() for k in range(n_labels) if k in part]


@pytest.mark.parametrize("seed", range(60))
def test_intersection_is_exact_on_positive_distributions(seed):
    rng = np.random.default_rng(seed)
    n_features, n_labels = int(rng.integers(1, 4)), int(rng.integers(2, 5))
    p = table_of_factors(rng, n_features, some_groups(rng, n_labels), n_labels)

    assert_exact(p, names_of(n_features, n_labels), assumption="intersection", boundary="shrink")


def labels_of_parity(n_labels: int, noise: float) -> np.ndarray:
    """Two fair features; every label is their noisy exclusive-or, independently of the others."""
    p = np.full((2, 2) + (1,) * n_labels, 0.25)
    parity = np.array([[0, 1], [1, 0]])
    for label in range(n_labels):
        shape = [2, 2] + [2 if v == label else 1 for v in range(n_labels)]
        one = np.where(parity == 1, 1 - noise, noise)
        p = p * np.stack((1 - one, one), axis=-1).reshape(shape)
    return p


def test_exclusive_or_of_features_is_seen_only_by_backward_elimination():
    p, names = labels_of_parity(3, noise=0.1), names_of(2, 3)
    assert_exact(p, names, assumption="intersection", boundary="shrink")
    assert_exact(p, names, assumption="composition", boundary="shrink")

    grown = found_by(TableOracle(p), names, assumption="composition", boundary="iamb_fdr")

    assert grown.boundaries == ((),)
    assert grown.factors == (("y0", "y1", "y2"),)  # they look dependent: no boundary separates them


def parity_of_labels(noise: float) -> np.ndarray:
    """A feature of no importance, two fair labels, and their noisy exclusive-or."""
    p = np.empty((2, 2, 2, 2))
    for _, a, b, c in product((0, 1), repeat=4):
        p[_, a, b, c] = (1 - noise if a ^ b == c else noise) / 8
    return p


def test_exclusive_or_of_labels_is_beyond_composition_and_not_beyond_intersection():
    p, names = parity_of_labels(noise=0.1), names_of(1, 3)
    assert_exact(p, names, assumption="intersection", boundary="shrink")

    found = found_by(TableOracle(p), names, assumption="composition")

    assert found.factors == (("y0",), ("y1",), ("y2",))


def two_pairs_of_copies() -> np.ndarray:
    """y0 = y1 and y2 = y3, which depend on each other; the feature is of no importance."""
    p = np.zeros((2, 2, 2, 2, 2))
    for x, a, c in product((0, 1), repeat=3):
        p[x, a, a, c, c] = (0.4 if a == c else 0.1) / 2
    return p


@pytest.mark.parametrize("boundary", ["shrink", "iamb", "iamb_fdr"])
def test_copies_are_beyond_intersection_and_not_beyond_composition(boundary):
    p, names = two_pairs_of_copies(), names_of(1, 4)
    assert_exact(p, names, assumption="composition", boundary=boundary)

    found = found_by(TableOracle(p), names, assumption="intersection", boundary=boundary)

    assert found.factors == (("y0", "y1"), ("y2", "y3"))


def table_of(dag: Dag, rng) -> np.ndarray:
    """A joint table of a graph of binary variables, with random conditional probabilities."""
    p = np.ones((1,) * len(dag.names))
    for v in dag.variables:
        parents = dag.parents(v)
        one = rng.uniform(0.1, 0.9, (2,) * len(parents))
        shape = [2 if u in (*parents, v) else 1 for u in dag.variables]
        both = np.stack((1 - one, one), axis=-1)
        order = np.argsort((*parents, v))
        p = p * both.transpose(order).reshape(shape)
    return p


@pytest.mark.parametrize("boundary", ["iamb_fdr", "iamb", "inter_iamb", "shrink"])
@pytest.mark.parametrize("assumption", BOTH)
def test_random_tables_of_graphs_fall_into_the_factors_of_the_definition(assumption, boundary):
    rng = random.Random(3)
    for seed in range(12):
        n_features, n_labels = rng.randint(1, 3), rng.randint(2, 3)
        n_nodes = n_features + n_labels
        dag = random_dag(rng, n_nodes, n_edges=rng.uniform(0.5, 1.5) * n_nodes)
        p = table_of(dag, np.random.default_rng(seed))

        assert_exact(p, names_of(n_features, n_labels), assumption=assumption, boundary=boundary)


def test_composition_is_exact_with_a_copy_of_a_feature():
    """There, faithfulness and Intersection fail, and boundaries are not unique."""
    rng = random.Random(5)
    for seed in range(12):
        dag = random_dag(rng, 4, n_edges=4)
        p = table_of(dag, np.random.default_rng(seed))
        copied = np.zeros((2, *p.shape))  # the first feature twice
        copied[0, 0], copied[1, 1] = p[0], p[1]

        assert_exact(copied, names_of(2, 3), assumption="composition", boundary="iamb")


def renamed(dag: Dag, n_features: int, n_labels: int) -> Dag:
    """The graph with names for features, labels and the hidden rest, in this order."""
    names = names_of(n_features, n_labels)
    hidden = [f"z{i}" for i in range(len(dag.names) - len(names))]
    return Dag.from_edges((*names, *hidden), dag.edges)


@pytest.mark.parametrize("boundary", ["iamb_fdr", "iamb", "inter_iamb", "shrink"])
@pytest.mark.parametrize("assumption", BOTH)
def test_under_faithfulness_all_assumptions_give_theorems_8_and_9(assumption, boundary):
    rng = random.Random(0)
    for _ in range(60):
        n_features, n_labels = rng.randint(0, 4), rng.randint(1, 5)
        n_nodes = n_features + n_labels
        dag = renamed(random_dag(rng, n_nodes, rng.uniform(0.5, 2) * n_nodes), n_features, n_labels)
        labels = dag.names[n_features:]

        settings = {"assumption": assumption, "boundary": boundary}
        found = found_by(DSeparationOracle(dag), list(dag.names), **settings)

        assert found.factors == minimal_label_powersets(dag, labels)
        assert found.boundaries == tuple(
            powerset_boundary(dag, factor, labels) for factor in found.factors
        )


@pytest.mark.parametrize("join", ["either", "both"])
@pytest.mark.parametrize("assumption", BOTH)
def test_hidden_variables_leave_no_faithful_graph_and_the_factors_are_found(assumption, join):
    rng = random.Random(1)
    for _ in range(60):
        n_features, n_labels = rng.randint(1, 4), rng.randint(2, 4)
        n_nodes = n_features + n_labels + rng.randint(1, 3)
        dag = renamed(random_dag(rng, n_nodes, rng.uniform(1, 2) * n_nodes), n_features, n_labels)
        names, oracle = names_of(n_features, n_labels), DSeparationOracle(dag)

        def independent(a, b, z, oracle=oracle):
            pairs = product(sorted(a - z), sorted(b - z))
            return all(oracle.log_p(x, y, tuple(sorted(z))) == 0.0 for x, y in pairs)

        found = found_by(oracle, names, assumption=assumption, join=join)

        features = frozenset(range(n_features))
        labels = frozenset(range(n_features, len(names)))
        factors = irreducible_factors(labels, features, independent)
        assert by_number(names, found.factors) == factors
        for factor, near in zip(found.factors, found.boundaries, strict=True):
            own = frozenset(map(names.index, factor))
            blankets = smallest_blankets(own, features, independent)
            assert blankets == {frozenset(map(names.index, near))}

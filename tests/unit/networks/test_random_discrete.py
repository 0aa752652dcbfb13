"""Random discrete networks have the size that was wanted, and edges that matter."""

from time import process_time

import numpy as np
import pytest

from h2pc import make_bayesian_network
from h2pc.errors import SettingError
from h2pc.networks.random_discrete import parent_effects


@pytest.mark.parametrize("degree", [0, 1, 2.0, 3, 4.5])
def test_the_number_of_edges_follows_from_the_average_degree(degree):
    network = make_bayesian_network(60, average_degree=degree, random_state=3)

    degrees = [len(network.dag.adjacent(v)) for v in network.dag.variables]
    assert np.mean(degrees) == pytest.approx(degree)


@pytest.mark.parametrize("most", [1, 2, 3, 4])
def test_no_variable_has_more_parents_than_allowed_and_some_have_as_many(most):
    network = make_bayesian_network(200, average_degree=2 - 2 / 200, max_parents=most)

    assert max(len(network.dag.parents(v)) for v in network.dag.variables) == most


def test_a_graph_can_be_as_dense_as_its_parents_allow():
    network = make_bayesian_network(10, average_degree=4.8, max_parents=3)

    n_parents = sorted(len(network.dag.parents(v)) for v in network.dag.variables)
    assert n_parents == [0, 1, 2, 3, 3, 3, 3, 3, 3, 3]


def test_parents_and_children_are_spread_over_all_variables():
    n_parents = np.zeros(5)
    for seed in range(300):
        dag = make_bayesian_network(5, random_state=seed).dag
        n_parents += [len(dag.parents(v)) for v in dag.variables]

    assert n_parents / 300 == pytest.approx([1] * 5, abs=0.2)


def test_numbers_of_states_are_drawn_evenly_from_their_range():
    network = make_bayesian_network(1200, levels=(2, 4))

    shares = np.bincount(network.cards) / 1200
    assert shares[2:] == pytest.approx([1 / 3] * 3, abs=0.06)
    assert set(make_bayesian_network(20, levels=(3, 3)).cards) == {3}


@pytest.mark.parametrize("concentration", [0.3, 1.0, 3.0])
def test_no_probability_is_below_the_smallest_and_every_parent_has_its_effect(concentration):
    network = make_bayesian_network(
        100,
        average_degree=3,
        concentration=concentration,
        min_probability=0.03,
        min_effect=0.15,
        random_state=2,
    )

    for table in network.tables:
        assert table.min() >= 0.03 - 1e-12
        assert all(effect >= 0.15 for effect in parent_effects(table))


def test_rows_are_more_alike_where_the_concentration_is_higher():
    spread = [
        np.mean([table.max(axis=-1).mean() for table in network.tables])
        for network in (
            make_bayesian_network(100, levels=(2, 2), concentration=each, min_effect=0)
            for each in (0.2, 1.0, 5.0)
        )
    ]

    assert spread[0] > spread[1] + 0.05 > spread[2] + 0.1


def test_the_effect_of_a_parent_is_the_mean_distance_of_rows_that_differ_in_it_alone():
    table = np.array([[[0.9, 0.1], [0.7, 0.3]], [[0.5, 0.5], [0.7, 0.3]]])

    assert parent_effects(table) == pytest.approx([(0.4 + 0.0) / 2, (0.2 + 0.2) / 2])
    assert parent_effects(np.array([0.2, 0.8])) == []


def test_an_edge_can_be_seen_in_a_sample():
    network = make_bayesian_network(2, average_degree=1, levels=(2, 2), random_state=1)
    (parent, child), codes = network.dag.edges[0], network.sample(20_000, 1).codes

    shares = [np.mean(codes[child][codes[parent] == state]) for state in (0, 1)]

    assert abs(shares[0] - shares[1]) > 0.09


def test_the_same_seed_gives_the_same_network():
    network = make_bayesian_network(30, random_state=5)

    assert make_bayesian_network(30, random_state=5) == network
    assert make_bayesian_network(30, random_state=6) != network


def test_a_thousand_variables_take_less_than_a_few_seconds():
    start = process_time()
    network = make_bayesian_network(1000, average_degree=4)
    data = network.sample(1000)

    assert process_time() - start < 5
    assert data.codes.shape == (1000, 1000)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"n_variables": 0}, "n_variables must be a whole number from 1"),
        ({"average_degree": -1}, "average_degree must be a number from 0"),
        ({"average_degree": 7}, "average_degree must be at most 4.8 for 10 variables"),
        ({"levels": (1, 3)}, "levels must be the smallest"),
        ({"levels": (4, 2)}, "levels must be the smallest"),
        ({"levels": 3}, "levels must be the smallest"),
        ({"concentration": 0}, "concentration must be a number above 0"),
        ({"min_probability": 0.25}, "min_probability must be at least 0 and below 1 / 4"),
        ({"min_effect": 0.5, "concentration": 100}, "min_effect = 0.5 is too large"),
    ],
)
def test_parameters_that_make_no_network_are_refused(changes, message):
    with pytest.raises(SettingError, match=message):
        make_bayesian_network(**{"n_variables": 10, "levels": (2, 4)} | changes)

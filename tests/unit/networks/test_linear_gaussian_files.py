import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from h2pc import (
    Dag,
    LinearGaussianNetwork,
    make_linear_gaussian_network,
    read_network,
    write_network,
)
from h2pc.errors import FileFormatError, SettingError
from h2pc.io.dot import from_dot
from h2pc.networks.network_formats import network_text, parsed_network

FINITE = st.floats(allow_nan=False, allow_infinity=False)


@pytest.mark.parametrize("name", ["a.json", "a.json.gz"])
def test_a_network_comes_back_from_json(tmp_path, name):
    network = make_linear_gaussian_network(12, random_state=3)

    write_network(network, tmp_path / name)

    assert read_network(tmp_path / name) == network


@given(FINITE, FINITE, st.floats(0, 1e308), st.text(st.characters(codec="utf-8"), min_size=1))
def test_every_number_and_name_comes_back_exactly(intercept, coefficient, variance, name):
    dag = Dag.from_edges(["a", f"{name}!"], [("a", f"{name}!")])
    network = LinearGaussianNetwork(dag, [0, intercept], [[], [coefficient]], [1, variance])
    found = parsed_network(network_text(network, ".json").encode(), ".json", "x")

    assert found == LinearGaussianNetwork(
        dag.reordered(sorted(dag.names)), *_by_name(network, sorted(dag.names))
    )


def _by_name(network, names):
    places = [network.dag.variable(name) for name in names]
    return (
        network.intercepts[places],
        [network.coefficients[v] for v in places],
        network.variances[places],
    )


def test_coefficients_follow_the_parents_of_a_file_in_any_order(tmp_path):
    dag = Dag.from_edges(list("abc"), [("a", "c"), ("b", "c")])
    network = LinearGaussianNetwork(dag, [1, 2, 3], [[], [], [0.25, -0.5]], [1, 2, 3])
    document = json.loads(network_text(network, ".json"))
    c = document["variables"][2]
    c["parents"], c["coefficients"] = ["b", "a"], [-0.5, 0.25]
    document["variables"].reverse()
    (tmp_path / "a.json").write_text(json.dumps(document))

    assert read_network(tmp_path / "a.json") == network


@pytest.mark.parametrize("name", ["a.bif", "a.xml", "a.bifxml", "a.xmlbif.gz"])
def test_formats_of_tables_refuse_it(tmp_path, name):
    with pytest.raises(SettingError, match=r"linear-Gaussian network is written to .*\.json"):
        write_network(make_linear_gaussian_network(3), tmp_path / name)

    assert not list(tmp_path.iterdir())


def test_dot_holds_the_graph(tmp_path):
    network = make_linear_gaussian_network(9)

    write_network(network, tmp_path / "a.dot")

    assert from_dot((tmp_path / "a.dot").read_text()) == network.dag


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"coefficients": [1.0, 2.0]}, "'coefficients' of 'b' must be a list of 1 numbers"),
        ({"coefficients": ["1"]}, "'coefficients' of 'b' must be a list of 1 numbers"),
        ({"coefficients": None}, "'coefficients' of 'b'"),
        ({"intercept": True}, "'intercept' of 'b' must be a number"),
        ({"intercept": 10**400}, "A number of 'b' is too large"),
        ({"variance": "1"}, "'variance' of 'b' must be a number"),
        ({"variance": -1.0}, "The variance of 'b' must be a number from 0 on"),
        ({"variance": float("nan")}, "The variance of 'b' must be a number from 0 on"),
        ({"intercept": float("inf")}, "The intercept of 'b' must be a finite number"),
        ({"parents": ["c"]}, "'b' has an unknown parent 'c'"),
        ({"parents": ["b"]}, "'b'"),
        ({"name": "a"}, "'a' comes twice"),
    ],
)
def test_files_that_are_no_network_are_refused(change, message):
    entry = {"parents": [], "intercept": 0.5, "coefficients": [], "variance": 1.0}
    b = {"name": "b", **entry, "parents": ["a"], "coefficients": [2.0], **change}
    document = {
        "format": "h2pc-network",
        "version": 1,
        "kind": "linear-gaussian",
        "variables": [{"name": "a", **entry}, b],
    }

    with pytest.raises(FileFormatError, match=f"^x.json: .*{message}"):
        parsed_network(json.dumps(document).encode(), ".json", "x.json")


def test_an_unknown_kind_is_refused():
    document = {"format": "h2pc-network", "version": 1, "kind": "poisson", "variables": []}

    with pytest.raises(FileFormatError, match=r"'kind' must be 'linear-gaussian'.*'poisson'"):
        parsed_network(json.dumps(document).encode(), ".json", "x.json")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"n_variables": 0}, "n_variables must be a whole number from 1 on"),
        ({"n_edges": 191}, "n_edges must be at most 190, one for each pair of 20"),
        ({"n_edges": -1}, "n_edges must be a whole number from 0 on"),
        ({"coefficients": (1.0, 0.5)}, "coefficients must be the smallest and the largest"),
        ({"variances": 0.5}, "variances must be the smallest and the largest"),
        ({"random_state": "x"}, "random_state must be"),
    ],
)
def test_settings_of_random_networks_are_checked(settings, message):
    with pytest.raises(SettingError, match=message):
        make_linear_gaussian_network(**settings)


def test_random_networks_have_what_was_wished():
    network = make_linear_gaussian_network(
        30, 60, coefficients=(0.2, 0.4), variances=(2.0, 3.0), random_state=7
    )
    sizes = np.abs(np.concatenate(network.coefficients))

    assert len(network.dag.edges) == 60
    assert 0.2 <= sizes.min() < sizes.max() <= 0.4
    assert 2.0 <= network.variances.min() < network.variances.max() <= 3.0
    assert {-1.0, 1.0} == set(np.sign(np.concatenate(network.coefficients)))
    assert network == make_linear_gaussian_network(
        30, 60, coefficients=(0.2, 0.4), variances=(2.0, 3.0), random_state=7
    )
    assert network != make_linear_gaussian_network(30, 60, random_state=8)
    assert len(make_linear_gaussian_network(2).dag.edges) == 1

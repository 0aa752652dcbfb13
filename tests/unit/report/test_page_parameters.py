"""Tables and regressions on a page: those of the network, the most frequent rows first, and few."""

import json
import math

import numpy as np
import pytest

from h2pc import (
    BayesianNetwork,
    Dag,
    Dataset,
    LinearGaussianNetwork,
    load_network,
    make_bayesian_network,
)
from h2pc.errors import GraphError
from h2pc.report.page_parameters import page_parameters

DAG = Dag.from_edges(tuple("abc"), [("a", "c"), ("b", "c")])
WORDS = {
    "a": ["no", "no", "no", "yes", "yes", "no"],
    "b": ["low", "high", "low", "low", "low", "low"],
    "c": [True, False, True, False, True, True],
}


def by_hand(rows, n_seen, n_rows):
    return {"rows": rows, "n_seen": n_seen, "n_rows": n_rows}


def test_rows_have_levels_of_the_parents_samples_and_probabilities():
    network = BayesianNetwork.fit(DAG, WORDS)
    found = page_parameters(DAG, network, WORDS)

    assert found["kind"] == "tables"
    assert found["levels"] == [["no", "yes"], ["high", "low"], ["False", "True"]]
    a, _, c = found["tables"]
    assert a == by_hand([[6, 0.6667, 0.3333]], 1, 1)
    most, second, third = [0, 1, 3, 0.0, 1.0], [1, 1, 2, 0.5, 0.5], [0, 0, 1, 1.0, 0.0]
    assert c == by_hand([most, second, third], 3, 4)  # nobody is "yes" and "high"


def test_the_order_of_columns_in_network_and_data_does_not_matter():
    other = Dag.from_edges(tuple("cba"), [("b", "c"), ("a", "c")])
    turned = {name: WORDS[name] for name in "cba"}

    one = page_parameters(DAG, BayesianNetwork.fit(DAG, WORDS), WORDS)
    two = page_parameters(DAG, BayesianNetwork.fit(other, turned), turned)

    assert one == two


def test_without_data_every_row_is_there_and_none_has_samples():
    network = BayesianNetwork.fit(DAG, WORDS, pseudo_count=1.0)
    table = page_parameters(DAG, network, None)["tables"][2]

    assert [row[:3] for row in table["rows"]] == [
        [0, 0, None],
        [0, 1, None],
        [1, 0, None],
        [1, 1, None],
    ]
    assert table["n_seen"] == table["n_rows"] == 4


def test_rows_without_samples_stay_where_the_network_was_not_fitted_to_the_data():
    asia = load_network("asia")
    dag = asia.dag.reordered(sorted(asia.names))
    table = page_parameters(dag, asia, asia.sample(3, random_state=1))["tables"][
        dag.variable("dysp")
    ]

    assert table["n_seen"] == table["n_rows"] == len(table["rows"]) == 4
    assert table["rows"][-1][2] == 0


def test_missing_cells_count_for_no_row():
    holed = Dataset.from_data(
        {"a": ["x", "x", "y", None], "b": ["u", "v", None, "u"]}, missing="available"
    )
    dag = Dag.from_edges(tuple("ab"), [("a", "b")])
    found = page_parameters(dag, BayesianNetwork.fit(dag, holed), holed)

    assert found["tables"][0]["rows"] == [[3, 0.6667, 0.3333]]
    assert found["tables"][1]["rows"] == [[0, 2, 0.5, 0.5]]


def test_merged_rows_count_as_often_as_they_occurred():
    data = Dataset.from_data(WORDS)
    merged = data.compressed(range(3))
    network = BayesianNetwork.fit(DAG, data)

    assert page_parameters(DAG, network, merged) == page_parameters(DAG, network, data)


@pytest.mark.parametrize(("name", "most"), [("alarm", 10_000), ("link", 250_000)])
def test_tables_of_known_networks_take_little_room(name, most):
    network = load_network(name)
    data = network.sample(1000, random_state=1)
    dag = network.dag.reordered(sorted(network.names))
    found = page_parameters(dag, BayesianNetwork.fit(dag, data, pseudo_count=1.0), data)

    size = len(json.dumps(found, separators=(",", ":")))
    assert most / 5 < size < most


def test_very_large_tables_are_cut_to_the_most_frequent_rows():
    network = make_bayesian_network(
        60, average_degree=4.0, levels=(8, 8), max_parents=4, random_state=1
    )
    dag, data = network.dag, network.sample(5000, random_state=2)
    found = page_parameters(dag, BayesianNetwork.fit(dag, data, pseudo_count=1.0), data)

    cells = sum(len(row) for table in found["tables"] for row in table["rows"])
    cut = [table for table in found["tables"] if len(table["rows"]) < table["n_seen"]]
    assert cells <= 60_000
    assert cut
    for table in cut:
        counts = [row[-9] for row in table["rows"]]
        assert counts == sorted(counts, reverse=True)
        assert len(counts) >= 20


def test_tables_of_very_many_levels_are_left_out():
    rng = np.random.default_rng(1)
    data = Dataset.from_codes([rng.integers(0, 60, 500), rng.integers(0, 2, 500)], names=["a", "b"])
    dag = Dag.from_edges(tuple("ab"), [("a", "b")])
    found = page_parameters(dag, BayesianNetwork.fit(dag, data), data)

    assert found["tables"] == [None, None]
    assert found["levels"] == [None, None]


def test_a_missing_value_that_is_a_level_has_a_name():
    data = Dataset.from_data({"a": ["x", None, "x"]}, missing="level")
    dag = Dag.from_edges(tuple("a"))

    found = page_parameters(dag, BayesianNetwork.fit(dag, data), data)

    assert found["levels"] == [["x", "missing"]]


def test_continuous_variables_have_regressions():
    dag = Dag.from_edges(tuple("xyz"), [("z", "x"), ("y", "x")])
    network = LinearGaussianNetwork(dag, [1.5, 0.0, 2.0], [[0.25, -4.0], [], []], [4.0, 1.0, 9.0])
    data = {name: [0.5, 1.25, 2.75] for name in "xyz"}
    found = page_parameters(dag, network, data)

    assert found["kind"] == "regressions"
    assert found["regressions"][0] == {
        "intercept": 1.5,
        "coefficients": [[1, 0.25], [2, -4.0]],
        "deviation": 2.0,
        "samples": 3,
    }
    assert found["regressions"][2]["deviation"] == 3.0
    assert page_parameters(dag, network, None)["regressions"][0]["samples"] is None


def test_data_without_a_network_say_why_there_is_none():
    dag = Dag.from_edges(tuple("xy"))
    numbers, words = [0.5, 1.25, math.pi], ["u", "v", "u"]

    assert page_parameters(dag, None, None) is None
    assert page_parameters(dag, None, {"x": numbers, "y": words}) == {"kind": "mixed"}
    assert page_parameters(dag, None, {"x": words, "y": words}) == {"kind": "large"}


@pytest.mark.parametrize(
    "other",
    [
        Dag.from_edges(tuple("abc"), [("a", "c")]),
        Dag.from_edges(tuple("abcd"), [("a", "c"), ("b", "c")]),
    ],
)
def test_a_network_of_another_graph_is_refused(other):
    network = BayesianNetwork.fit(other, {**WORDS, "d": WORDS["a"]})

    with pytest.raises(GraphError, match="network must have the variables and the edges"):
        page_parameters(DAG, network, None)

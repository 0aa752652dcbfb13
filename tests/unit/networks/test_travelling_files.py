"""Files that pgmpy and pyAgrum read as well, and networks that come back from their files."""

import numpy as np
import pandas as pd
import pytest

from h2pc import BayesianNetwork, Dag, discretize, load_network, read_network, write_network

pytestmark = pytest.mark.filterwarnings("ignore")


def discretised() -> BayesianNetwork:
    """A network of numbers cut into intervals."""
    rng = np.random.default_rng(1)
    dose = rng.normal(size=300)
    frame = pd.DataFrame({"dose (mg/l)": dose, "Blood pressure": dose + rng.normal(size=300)})
    dag = Dag.from_edges(["Blood pressure", "dose (mg/l)"], [("dose (mg/l)", "Blood pressure")])
    return BayesianNetwork.fit(dag, discretize(frame, levels=3), pseudo_count=1)


def odd() -> BayesianNetwork:
    """A network of names that hardly any format can hold, and of states of all types."""
    names = ["A", "a", "probability", 'é;{}"', "0", "b//c"]
    edges = [("A", "a"), ("a", "probability"), ('é;{}"', "probability"), ("0", "b//c")]
    states = [
        [0, 1],
        [False, True],
        ["type", "(-inf, 1.5]"],
        ["<5", ">=\t5"],
        [-3, 12],
        ["u", None],
    ]
    dag = Dag.from_edges(names, edges)
    rng = np.random.default_rng(2)
    tables = []
    for v in dag.variables:
        weights = rng.random([2] * len((*dag.parents(v), v)))
        tables.append(weights / weights.sum(axis=-1, keepdims=True))
    return BayesianNetwork(dag, states, tables)


NETWORKS = {
    "discretised": discretised,
    "odd": odd,
    "insurance": lambda: load_network("insurance"),
    "sachs": lambda: load_network("sachs"),
}


def by_pyagrum(path) -> BayesianNetwork:
    gum = pytest.importorskip("pyagrum")
    return BayesianNetwork.from_pyagrum(gum.loadBN(str(path)))


def by_pgmpy(path) -> BayesianNetwork:
    readers = pytest.importorskip("pgmpy.readwrite")
    reader = readers.BIFReader if path.suffix == ".bif" else readers.XMLBIFReader
    return BayesianNetwork.from_pgmpy(reader(str(path)).get_model())


def assert_same_tables(found: BayesianNetwork, expected: BayesianNetwork, atol: float) -> None:
    """Compare all numbers, in order of size: variables may have been renamed, and so reordered."""
    numbers = [np.sort(np.concatenate([*map(np.ravel, n.tables)])) for n in (found, expected)]
    np.testing.assert_allclose(*numbers, atol=atol)
    assert len(found.dag.edges) == len(expected.dag.edges)
    assert sorted(found.cards) == sorted(expected.cards)


@pytest.mark.parametrize("ending", [".bif", ".bifxml", ".xml"])
@pytest.mark.parametrize("library", [by_pyagrum, by_pgmpy])
@pytest.mark.parametrize("make", NETWORKS.values(), ids=NETWORKS)
def test_other_libraries_read_what_is_written_also_after_a_round_trip(
    tmp_path, make, library, ending
):
    if library is by_pyagrum and ending == ".xml":
        pytest.skip("pyAgrum reads .bifxml only")
    network, path = make(), tmp_path / f"network{ending}"
    write_network(network, path)

    found = library(path)
    write_network(read_network(path), path)
    again = library(path)

    assert_same_tables(found, network, atol=1e-6)
    assert again == found
    if ending != ".bif":
        assert set(found.names) == set(network.names)


@pytest.mark.parametrize(
    ("name", "ending"),
    # pyAgrum writes states with < to files that are no XML.
    [*((name, ".bif") for name in NETWORKS), ("insurance", ".bifxml"), ("sachs", ".bifxml")],
)
def test_what_other_libraries_write_is_read(tmp_path, name, ending):
    gum, readwrite = pytest.importorskip("pyagrum"), pytest.importorskip("pgmpy.readwrite")
    network, path = NETWORKS[name](), tmp_path / f"network{ending}"
    write_network(network, path)

    gum.saveBN(gum.loadBN(str(path)), str(path), True)  # it may change labels
    from_pyagrum = read_network(path)
    writer = readwrite.BIFWriter if ending == ".bif" else readwrite.XMLBIFWriter
    write_network(network, path)
    writer(by_pgmpy(path).to_pgmpy()).write(str(path))
    from_pgmpy = read_network(path)

    assert_same_tables(from_pyagrum, network, atol=1e-4)
    assert_same_tables(from_pgmpy, network, atol=1e-4)

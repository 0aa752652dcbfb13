import sys

import numpy as np
import pytest

from h2pc import BayesianNetwork, Dag, load_network
from h2pc.errors import DataTypeError, SettingError

NAMES = ["asia", "child", "insurance"]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", NAMES)
def test_pyagrum_gives_the_same_posteriors(name):
    gum = pytest.importorskip("pyagrum")
    network = load_network(name)

    other = network.to_pyagrum()

    inference = gum.LazyPropagation(other)
    first = network.names[0]
    inference.setEvidence({first: network.states[0][0]})
    for v, variable in list(enumerate(network.names))[1:]:
        expected = [*network.posterior(variable, {first: network.states[0][0]}).values()]
        np.testing.assert_allclose(inference.posterior(variable).toarray(), expected, atol=1e-6)
        assert other.variable(variable).labels() == network.states[v]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", NAMES)
def test_pgmpy_gets_the_same_tables(name):
    pytest.importorskip("pgmpy")
    network = load_network(name)

    other = network.to_pgmpy()

    assert other.check_model()
    for v, variable in enumerate(network.names):
        table = other.get_cpds(variable)
        assert table.state_names[variable] == list(network.states[v])
        order = [table.variables.index(network.names[u]) for u in (*network.dag.parents(v), v)]
        assert np.array_equal(table.values.transpose(order), network.tables[v])


@pytest.mark.parametrize("library", ["pyagrum", "pgmpy"])
def test_a_missing_library_is_named_with_its_extra(library, monkeypatch):
    for module in (library, "pgmpy.models", "pgmpy.factors.discrete"):
        monkeypatch.setitem(sys.modules, module, None)

    with pytest.raises(ImportError, match=rf"pip install 'h2pc\[{library}\]'"):
        getattr(load_network("asia"), f"to_{library}")()


MIXED = BayesianNetwork(
    Dag.from_edges(["age group", "b", "c"], [("c", "b"), ("b", "age group")]),
    [["(-inf, 1.5]", "(1.5, inf)"], [0, 2, 3], ["yes", "no"]],
    [[[0.1, 0.9], [0.2, 0.8], [0.3, 0.7]], [[0.2, 0.3, 0.5], [0.5, 0.25, 0.25]], [0.4, 0.6]],
)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("library", ["pyagrum", "pgmpy"])
@pytest.mark.parametrize("network", [MIXED, *map(load_network, NAMES)], ids=["mixed", *NAMES])
def test_a_network_comes_back_from_other_libraries(network, library):
    pytest.importorskip(library)
    other = getattr(network, f"to_{library}")()

    found = getattr(BayesianNetwork, f"from_{library}")(other)

    assert found == network
    assert [list(map(type, states)) for states in found.states] == [
        list(map(type, states)) for states in network.states
    ]


@pytest.mark.filterwarnings("ignore")
def test_other_things_than_networks_are_refused():
    models = pytest.importorskip("pgmpy.models")
    pytest.importorskip("pyagrum")

    for library in ("pyagrum", "pgmpy"):
        with pytest.raises(DataTypeError, match="got list"):
            getattr(BayesianNetwork, f"from_{library}")([])
    with pytest.raises(SettingError, match="has no table for 'a'"):
        BayesianNetwork.from_pgmpy(models.DiscreteBayesianNetwork([("a", "b")]))

import sys

import numpy as np
import pytest

from h2pc.networks import load_network

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

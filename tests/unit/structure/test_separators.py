"""Sets that separate, checked against the graph that the oracle knows."""

from hypothesis import given

from h2pc import GTest, load_network
from h2pc.independence.oracle import DSeparationOracle
from h2pc.structure.separators import separating_sets
from strategies import dags, examples


@given(dags(max_nodes=7))
@examples(50)
def test_separating_sets_separate_and_none_is_there_for_neighbours(dag):
    found = separating_sets(DSeparationOracle(dag), dag.names)

    for (x, y), between in found.items():
        assert dag.d_separated(*map(dag.variable, (x, y)), list(map(dag.variable, between)))
    assert not set(found) & set(dag.skeleton().named_edges)


def test_separating_sets_do_not_depend_on_the_number_of_workers():
    child = load_network("child").sample(500, seed=3)

    one, two = (separating_sets(GTest(child), child.names, n_jobs=n) for n in (1, 2))

    assert list(one.items()) == list(two.items())

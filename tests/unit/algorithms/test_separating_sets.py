"""Sets that separate, checked against the graph that the oracle knows."""

import joblib
import pytest
from hypothesis import given

from h2pc import GTest, load_network, mmpc
from h2pc.algorithms.checkpoints import Checkpoint
from h2pc.algorithms.skeletons import learned_skeleton
from h2pc.independence.oracle import DSeparationOracle
from h2pc.runs import CellStore
from strategies import dags, examples


@given(dags(max_nodes=7))
@examples(50)
def test_separating_sets_separate_and_none_is_there_for_neighbours(dag):
    found = learned_skeleton(DSeparationOracle(dag), dag.names).separating_sets()

    for (x, y), between in found.items():
        assert dag.d_separated(*map(dag.variable, (x, y)), list(map(dag.variable, between)))
    assert not set(found) & set(dag.skeleton().named_edges)


def test_separating_sets_make_pairs_independent_in_the_data():
    data = load_network("child").sample(500, random_state=3)
    ci = GTest(data)

    found = learned_skeleton(ci, data.names).separating_sets()

    for (x, y), between in found.items():
        assert ci.independent(ci.log_p(data.variable(x), data.variable(y), data.variables(between)))
    assert {len(between) for between in found.values()} == {0, 1}


@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_separating_sets_do_not_depend_on_the_workers(backend):
    child = load_network("child").sample(500, random_state=3)

    with joblib.parallel_config(backend=backend):
        one, two = (learned_skeleton(GTest(child), child.names, n_jobs=n) for n in (1, 2))

    assert list(one.separating_sets().items()) == list(two.separating_sets().items())


def test_separating_sets_come_back_from_a_checkpoint(tmp_path):
    child = load_network("child").sample(500, random_state=3)

    def learned():
        with CellStore(tmp_path, Checkpoint.FIELDS, {}) as store:
            return learned_skeleton(GTest(child), child.names, checkpoint=store)

    first, second = learned(), learned()

    assert second == first
    assert second.separating_sets() == first.separating_sets()
    assert second.found == first.found


def test_other_learners_leave_no_separating_sets():
    child = load_network("child").sample(500, random_state=3)

    assert learned_skeleton(GTest(child), child.names, mmpc).separating_sets() == {}

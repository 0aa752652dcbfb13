"""Bootstrap strengths: the same whoever counts them, and resumable."""

import json

import numpy as np
import pytest

from h2pc import H2PC, MMHC, BDeu, EdgeStrengths, edge_strengths, load_network
from h2pc.errors import DataError, SettingError

DATA = load_network("asia").sample(1000, random_state=5)


@pytest.fixture(scope="module")
def strengths() -> EdgeStrengths:
    return edge_strengths(DATA, n_replicates=7)


def test_strengths_are_shares_of_the_networks_of_bootstrap_samples(strengths):
    graphs = []
    for number in range(7):
        rows = np.random.default_rng([0, number]).integers(1000, size=1000)
        graphs.append(H2PC().fit(DATA.take(rows)).cpdag_)

    assert strengths == EdgeStrengths.of(DATA.names, graphs)


def test_strong_links_come_back_and_weak_ones_do_not(strengths):
    found = {frozenset((edge.parent, edge.child)): edge.strength for edge in strengths.edges}

    assert found[frozenset(("either", "lung"))] == 1.0
    assert found.get(frozenset(("asia", "smoke")), 0.0) < 0.5
    assert strengths.averaged().skeleton().has_edge(DATA.variable("either"), DATA.variable("lung"))


def test_workers_and_column_order_change_nothing(strengths):
    frame = DATA.to_pandas()

    assert edge_strengths(frame, n_replicates=7, n_jobs=2) == strengths
    assert edge_strengths(frame[frame.columns[::-1]], n_replicates=7) == strengths


def test_a_learner_and_a_seed_can_be_chosen(strengths):
    assert edge_strengths(DATA, MMHC(), n_replicates=3) != edge_strengths(DATA, n_replicates=3)
    assert edge_strengths(DATA, n_replicates=3, random_state=1) != edge_strengths(
        DATA, n_replicates=3
    )


def test_a_checkpoint_is_gone_on_from(tmp_path, strengths):
    edge_strengths(DATA, n_replicates=4, checkpoint=tmp_path)
    lines = (tmp_path / "results.jsonl").read_text().splitlines()
    # A replicate that is known is not learned again, whatever it says.
    first = {**json.loads(lines[0]), "directed": [], "undirected": []}
    (tmp_path / "results.jsonl").write_text("\n".join([json.dumps(first), *lines[1:4]]) + "\n")

    resumed = edge_strengths(DATA, n_replicates=7, checkpoint=tmp_path)

    assert resumed.n_graphs == 7
    assert sum(n for _, _, n in resumed.half_counts) < sum(n for _, _, n in strengths.half_counts)


def test_a_checkpoint_of_other_data_or_settings_is_refused(tmp_path):
    edge_strengths(DATA, n_replicates=1, checkpoint=tmp_path)

    with pytest.raises(SettingError, match="was begun with data"):
        edge_strengths(DATA.take(range(500)), n_replicates=1, checkpoint=tmp_path)
    with pytest.raises(SettingError, match="was begun with algorithm"):
        edge_strengths(DATA, MMHC(), n_replicates=1, checkpoint=tmp_path)
    with pytest.raises(SettingError, match="was begun with random_state"):
        edge_strengths(DATA, n_replicates=1, random_state=3, checkpoint=tmp_path)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"learner": "h2pc"}, "learner must be a learner of networks"),
        ({"learner": H2PC(targets=["asia"])}, "expected targets=None"),
        ({"n_replicates": 0}, "n_replicates must be a whole number from 1 on"),
        ({"random_state": -1}, "random_state must be None, a whole number"),
        ({"n_jobs": 0}, "n_jobs must be"),
        ({"progress": "yes"}, "progress must be"),
    ],
)
def test_settings_without_sense_are_refused(settings, message):
    with pytest.raises(SettingError, match=message):
        edge_strengths(DATA, **settings)


def test_merged_rows_are_refused():
    with pytest.raises(DataError, match="rows were merged"):
        edge_strengths(DATA.compressed(range(8)), n_replicates=1)


def test_long_lists_of_constraints_tell_checkpoints_apart(tmp_path):
    many = [("asia", "xray")] * 40
    edge_strengths(DATA, H2PC(forbidden=many), n_replicates=1, checkpoint=tmp_path)

    other = H2PC(forbidden=[*many, ("bronc", "smoke")])
    with pytest.raises(SettingError, match="was begun with forbidden"):
        edge_strengths(DATA, other, n_replicates=1, checkpoint=tmp_path)


def test_what_does_not_decide_the_result_does_not_tell_checkpoints_apart(tmp_path):
    edge_strengths(DATA, H2PC(), n_replicates=1, checkpoint=tmp_path)

    edge_strengths(DATA, H2PC(n_jobs=2, progress=False), n_replicates=1, checkpoint=tmp_path)


def test_a_function_without_a_name_has_no_checkpoint(tmp_path):
    with pytest.raises(SettingError, match="scoring has no name of its own"):
        edge_strengths(DATA, H2PC(scoring=lambda data: BDeu(data)), checkpoint=tmp_path)

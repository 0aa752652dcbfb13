"""Bootstrap strengths: the same whoever counts them, and resumable."""

import json

import numpy as np
import pytest

from h2pc import H2PC, MMHC, BDeu, Dataset, EdgeStrengths, edge_strengths, load_network
from h2pc.errors import DataError, SettingError
from h2pc.learners.replicates import replicate_rows, strata_of

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
        ({"learner": H2PC(targets=[])}, "targets must name at least one variable"),
        ({"resampling": "jackknife"}, "resampling must be one of 'bootstrap', 'subsample'"),
        ({"resampling": "subsample", "n_replicates": 3}, "n_replicates must be even.*got 3"),
        ({"n_replicates": 0}, "n_replicates must be a whole number from 1 on"),
        ({"random_state": -1}, "random_state must be None, a whole number"),
        ({"n_jobs": 0}, "n_jobs must be"),
        ({"progress": "yes"}, "progress must be"),
    ],
)
def test_settings_without_sense_are_refused(settings, message):
    with pytest.raises(SettingError, match=message):
        edge_strengths(DATA, **settings)


@pytest.mark.parametrize("settings", [{"learner": H2PC(targets=["asiaa"])}, {"stratify": "asiaa"}])
def test_names_that_the_data_lack_are_refused(settings):
    with pytest.raises(DataError, match="'asiaa'"):
        edge_strengths(DATA, **settings)


def test_strata_of_a_continuous_variable_are_refused():
    data = Dataset.from_data({"a": [0.5, 1.5, 2.5, 3.5], "b": [0, 1, 0, 1]})

    with pytest.raises(SettingError, match="stratify must name a discrete variable; 'a' is cont"):
        edge_strengths(data, stratify="a")


def test_one_row_has_no_halves():
    with pytest.raises(DataError, match="one row has no halves"):
        edge_strengths(DATA.take([0]), n_replicates=2, resampling="subsample")


def test_around_targets_local_graphs_are_counted_and_pairs_without_a_target_kept():
    learner = H2PC(targets=["lung", "asia"])
    strengths = edge_strengths(DATA, learner, n_replicates=4)

    counted = {}
    for number in range(4):
        rows = np.random.default_rng([0, number]).integers(1000, size=1000)
        for edge in H2PC(targets=["asia", "lung"]).fit(DATA.take(rows)).dag_.named_edges:
            counted[frozenset(edge)] = counted.get(frozenset(edge), 0) + 1
    found = {frozenset((e.parent, e.child)): e.strength for e in strengths.edges}
    assert found == {pair: n / 4 for pair, n in counted.items()}
    assert any(not strengths.has_target(edge) for edge in strengths.edges)
    assert strengths.targets == ("asia", "lung")
    assert strengths.n_pairs == 7 + 6


def test_targets_of_an_iterator_are_those_of_a_list():
    listed = edge_strengths(DATA, H2PC(targets=["lung"]), n_replicates=2)

    assert edge_strengths(DATA, H2PC(targets=iter(["lung"])), n_replicates=2) == listed


def test_subsamples_are_learned_from_halves_of_the_rows_in_strata():
    strengths = edge_strengths(DATA, n_replicates=4, resampling="subsample", stratify="smoke")

    strata = strata_of(DATA, "smoke")
    halves = [DATA.take(replicate_rows(i, strata, "subsample", 0)) for i in range(4)]
    graphs = [H2PC().fit(half).cpdag_ for half in halves]
    assert strengths == EdgeStrengths.of(DATA.names, graphs, resampling="subsample")
    assert [half.n_rows for half in halves] == [500] * 4


@pytest.mark.parametrize(
    "known", [{"tiers": [["smoke"], ["bronc"]]}, {"required": [("smoke", "bronc")]}]
)
def test_directions_that_constraints_decide_count_whole(known):
    plain = edge_strengths(DATA, n_replicates=3)
    constrained = edge_strengths(DATA, H2PC(**known), n_replicates=3)

    def direction(strengths):
        frame = strengths.to_pandas().set_index(["parent", "child"])["direction"]
        return frame["smoke", "bronc"] if ("smoke", "bronc") in frame else frame["bronc", "smoke"]

    assert direction(plain) < 1.0
    assert direction(constrained) == 1.0


def test_workers_change_no_replicate_of_halves_around_targets():
    settings = {"n_replicates": 4, "resampling": "subsample", "stratify": "smoke"}
    one = edge_strengths(DATA, H2PC(targets=["lung"]), **settings)

    assert edge_strengths(DATA, H2PC(targets=["lung"]), **settings, n_jobs=2) == one


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("resampling", {}, {"resampling": "subsample"}),
        ("stratify", {"stratify": "smoke"}, {"stratify": "lung"}),
        ("targets", {"learner": H2PC(targets=["lung"])}, {"learner": H2PC(targets=["asia"])}),
    ],
)
def test_what_decides_the_replicates_tells_checkpoints_apart(tmp_path, name, first, second):
    edge_strengths(DATA, **first, n_replicates=2, checkpoint=tmp_path)
    assert edge_strengths(DATA, **first, n_replicates=2, checkpoint=tmp_path).n_graphs == 2

    with pytest.raises(SettingError, match=f"was begun with {name}"):
        edge_strengths(DATA, **second, n_replicates=2, checkpoint=tmp_path)


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

"""Random networks whose powersets are known: what they look like, and that data show it."""

import hashlib
from itertools import product

import numpy as np
import pytest

from h2pc import H2PC
from h2pc.errors import SettingError
from h2pc.multilabel.powersets import minimal_label_powersets, powerset_boundary
from h2pc.multilabel.random_networks import MultilabelNetwork, make_multilabel_network

SEEDS = range(30)
GOLDEN = "857a22c2ff84dd367c3b5a23bebd56c31efdae5eb901c753a4b3aa0391b70d06"


def subset_accuracies(truth: MultilabelNetwork, n_samples: int) -> tuple[float, float]:
    """Share of samples whose labels are all right: guessed together, and one by one; exact."""
    dag, tables = truth.dag, truth.network.tables
    codes = truth.network.sample(n_samples, random_state=1).codes.astype(np.int64)
    labels = [dag.variable(label) for label in truth.labels]
    combinations = np.array(list(product((0, 1), repeat=len(labels))))
    joint = np.ones((len(combinations), n_samples))
    for probabilities, combination in zip(joint, combinations, strict=True):
        codes[labels] = combination[:, None]
        for v in dag.variables:
            probabilities *= tables[v][(*(codes[u] for u in dag.parents(v)), codes[v])]
    joint /= joint.sum(axis=0)
    one_by_one = combinations.T @ joint > 0.5
    same = (combinations[:, :, None] == one_by_one).all(axis=1)
    return joint.max(axis=0).mean(), joint[same].mean()


def test_the_same_seed_gives_the_same_network():
    assert make_multilabel_network(random_state=5) == make_multilabel_network(random_state=5)
    assert make_multilabel_network(random_state=5) != make_multilabel_network(random_state=6)


@pytest.mark.parametrize("seed", SEEDS)
def test_powersets_are_at_most_as_large_as_the_limit(seed):
    truth = make_multilabel_network(n_labels=9, max_powerset=4, random_state=seed)

    assert max(map(len, truth.powersets)) <= 4
    assert sorted(label for some in truth.powersets for label in some) == list(truth.labels)


def test_powersets_of_all_sizes_occur():
    sizes = {
        len(some) for seed in SEEDS for some in make_multilabel_network(random_state=seed).powersets
    }

    assert sizes == {1, 2, 3}


def test_features_are_causes_effects_and_relatives_and_some_are_unconnected():
    nets = [make_multilabel_network(random_state=seed) for seed in SEEDS]
    # Names of labels and features begin with different letters.
    kinds = {(u[0], v[0]) for truth in nets for u, v in truth.dag.named_edges}

    assert kinds == {("Y", "Y"), ("X", "Y"), ("Y", "X"), ("X", "X")}
    # Some features cause labels of different powersets, some are outside of all boundaries.
    assert any(sum(map(len, t.boundaries)) > len({*sum(t.boundaries, ())}) for t in nets)
    assert any(set(t.features) - {*sum(t.boundaries, ())} for t in nets)


def test_truth_is_read_off_the_graph():
    truth = make_multilabel_network(random_state=4)

    assert truth.powersets == minimal_label_powersets(truth.dag, truth.labels)
    assert truth.boundaries == tuple(
        powerset_boundary(truth.dag, powerset, truth.labels) for powerset in truth.powersets
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_every_parent_multiplies_the_odds_whatever_the_others(seed):
    for table in make_multilabel_network(n_states=3, random_state=seed).network.tables:
        assert table.ndim <= 4
        log_odds = np.log(table[..., -1] / table[..., 0])
        for axis in range(log_odds.ndim):
            change = np.take(log_odds, -1, axis) - np.take(log_odds, 0, axis)
            assert np.ptp(change) < 1e-9
            assert 1.6 <= np.abs(change).min() <= 5.2


def test_samples_are_those_of_the_network():
    truth = make_multilabel_network(n_labels=3, n_features=12, n_states=4, random_state=2)

    data = truth.sample(500, random_state=9)

    assert (data.feature_names, data.label_names) == (truth.features, truth.labels)
    assert sorted(set(data.X.ravel().tolist())) == [0, 1, 2, 3]
    drawn = truth.network.sample(500, random_state=9)
    for names, values in ((truth.features, data.X), (truth.labels, data.Y)):
        for name, column in zip(names, values.T, strict=True):
            np.testing.assert_array_equal(column, drawn.codes[drawn.variable(name)])


def test_sparse_samples_have_the_same_numbers():
    truth = make_multilabel_network(n_labels=3, n_features=12, n_states=4, random_state=2)

    dense, sparse = (truth.sample(500, random_state=9, sparse=sparse) for sparse in (False, True))

    assert sparse.is_sparse
    assert sparse.Y.dtype == np.int8
    assert sparse.X.indices.dtype == np.int32  # as trees of scikit-learn need
    np.testing.assert_array_equal(sparse.X.toarray(), dense.X)
    np.testing.assert_array_equal(sparse.Y, dense.Y)
    assert (sparse.feature_names, sparse.label_names) == (dense.feature_names, dense.label_names)


def test_default_networks_stay_what_they_were():
    seen = hashlib.sha256()
    for seed, settings in product(range(5), ({}, {"n_states": 3}, {"n_labels": 12})):
        truth = make_multilabel_network(**settings, random_state=seed)
        seen.update(repr(truth.dag.named_edges).encode())
        # Exponentials may differ in their last bit from machine to machine.
        seen.update(repr([table.round(9).tolist() for table in truth.network.tables]).encode())

    assert seen.hexdigest() == GOLDEN


@pytest.mark.parametrize("seed", range(5))
def test_frequencies_do_not_change_the_graph(seed):
    plain = make_multilabel_network(20, 60, random_state=seed)
    rare = make_multilabel_network(
        20, 60, label_frequencies="long_tailed", feature_frequency=0.05, random_state=seed
    )

    assert rare.dag == plain.dag


@pytest.mark.parametrize("n_states", [2, 4])
def test_rare_labels_and_features_are_as_frequent_as_they_should_be(n_states):
    truth = make_multilabel_network(
        50,
        200,
        n_states=n_states,
        label_frequencies="long_tailed",
        feature_frequency=0.05,
        random_state=3,
    )

    data = truth.sample(20_000, random_state=1, sparse=True)

    wanted = 0.2 / np.arange(1, 51) ** 0.7
    np.testing.assert_allclose(np.sort(data.Y.mean(axis=0))[::-1], wanted, rtol=0.2)
    share = (data.X != 0).sum(axis=0) / 20_000
    assert 0.045 < share.mean() < 0.055
    assert 0.02 < share.min() < 0.03 < 0.07 < share.max() < 0.085
    assert data.X.max() == n_states - 1


@pytest.mark.parametrize("seed", range(5))
def test_parents_make_rare_variables_more_probable_whatever_the_others(seed):
    truth = make_multilabel_network(
        label_frequencies="long_tailed", feature_frequency=0.1, strength=3, random_state=seed
    )
    for table in truth.network.tables:
        present = table[..., 1]
        assert (present > 0).all()
        for axis in range(present.ndim):
            assert (np.diff(present, axis=axis) > 0).all()


def test_features_alone_or_labels_alone_may_be_rare():
    only_features = make_multilabel_network(feature_frequency=0.02, random_state=1)
    only_labels = make_multilabel_network(40, label_frequencies="long_tailed", random_state=1)

    drawn = only_features.sample(5000)
    assert drawn.X.mean() < 0.04
    assert drawn.Y.mean() > 0.1
    drawn = only_labels.sample(5000)
    assert drawn.X.mean() > 0.3
    assert drawn.Y.mean() < 0.05


def test_a_network_of_thousands_of_labels_is_made():
    truth = make_multilabel_network(
        3000, 10_000, label_frequencies="long_tailed", feature_frequency=0.01, random_state=1
    )

    assert len(truth.network.names) == 13_000
    assert sorted(label for some in truth.powersets for label in some) == list(truth.labels)
    assert len(truth.boundaries) == len(truth.powersets)
    assert max(map(len, truth.dag.parent_sets)) == 3


@pytest.mark.parametrize(("n_labels", "n_features"), [(1, 1), (5, 1), (1, 30), (12, 100)])
def test_networks_of_any_size_are_made(n_labels, n_features):
    for seed in range(5):
        truth = make_multilabel_network(n_labels, n_features, random_state=seed)
        assert (len(truth.labels), len(truth.features)) == (n_labels, n_features)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"n_labels": 0}, "n_labels must be a whole number from 1 on; got 0."),
        ({"n_features": 2.5}, "n_features must be a whole number from 1 on; got 2.5."),
        ({"max_powerset": 0}, "max_powerset must be a whole number from 1 on; got 0."),
        ({"n_states": 1}, "n_states must be a whole number from 2 on; got 1."),
        (
            {"label_frequencies": "rare"},
            "label_frequencies must be one of 'balanced', 'long_tailed'; got 'rare'.",
        ),
        ({"feature_frequency": 0}, "feature_frequency must be a number above 0, or None; got 0."),
        ({"feature_frequency": 0.7}, "feature_frequency must be at most 0.5; got 0.7."),
        ({"strength": 0}, "strength must be a number above 0; got 0."),
        ({"strength": float("nan")}, "strength must be a number above 0; got nan."),
        (
            {"random_state": -1},
            "random_state must be None, a whole number from 0 on or a random generator of NumPy; "
            "got -1.",
        ),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings, message):
    with pytest.raises(SettingError) as caught:
        make_multilabel_network(**settings)

    assert str(caught.value) == message


def test_labels_are_better_guessed_together_than_one_by_one():
    gains = []
    for seed in range(10):
        truth = make_multilabel_network(random_state=seed)
        together, one_by_one = subset_accuracies(truth, 300)
        if len(truth.powersets) < len(truth.labels):
            gains.append(together - one_by_one)

    assert np.mean(gains) > 0.01


def test_labels_alone_in_their_powersets_are_guessed_one_by_one():
    together, one_by_one = subset_accuracies(make_multilabel_network(max_powerset=1), 300)

    assert together == pytest.approx(one_by_one, abs=1e-12)


@pytest.mark.slow
def test_h2pc_finds_the_powersets_of_nine_networks_in_ten():
    n_right = 0
    for seed in range(50):
        truth = make_multilabel_network(random_state=seed)
        learner = H2PC(progress=False).fit(truth.network.sample(5000, random_state=seed))
        n_right += minimal_label_powersets(learner.dag_, truth.labels) == truth.powersets

    assert n_right >= 45


def test_h2pc_finds_the_links_of_labels_that_are_frequent_enough():
    truth = make_multilabel_network(
        60, 240, label_frequencies="long_tailed", feature_frequency=0.02, random_state=1
    )
    data = truth.network.sample(10_000)

    learned = H2PC(0.001, targets=truth.labels, progress=False).fit(data).dag_

    frequent = {name for name in truth.labels if data.codes[data.variable(name)].sum() > 100}
    planted = {edge for edge in map(frozenset, truth.dag.named_edges) if edge & frequent}
    found = set(map(frozenset, learned.named_edges))
    assert len(planted & found) >= 0.9 * len(planted)

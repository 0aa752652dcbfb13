import numpy as np
import pytest
from scipy.stats import chi2

from h2pc.data import Dataset
from h2pc.errors import SettingError
from h2pc.graphs import Dag
from h2pc.networks import BayesianNetwork, load_network, network_names

QUICK = ["asia", "sachs", "child", "alarm", "insurance"]
# From our own first version: PCG64 streams keyed by SHA-256 of the names.
FROZEN = [
    [1, 1, 1, 1, 1, 1],
    [1, 1, 1, 1, 0, 1],
    [1, 1, 1, 0, 0, 1],
    [1, 1, 1, 0, 1, 1],
    [1, 1, 1, 1, 1, 1],
    [1, 1, 1, 1, 0, 1],
    [1, 1, 1, 0, 1, 1],
    [1, 1, 1, 0, 1, 1],
]
SLOW = sorted(set(network_names()) - set(QUICK))


def family_p_values(network: BayesianNetwork, data: Dataset) -> list[float]:
    """p-value of Pearson's test of each sampled table against the true one, parents as sampled.

    Cells that expect fewer than five samples are merged into one of their row, or left out.
    """
    p_values = []
    for v in network.dag.variables:
        card = network.cards[v]
        rows = np.zeros(data.n_samples, np.int64)
        for parent in network.dag.parents(v):
            rows = rows * network.cards[parent] + data.codes[parent]
        table = network.tables[v].reshape(-1, card)
        counts = np.bincount(rows * card + data.codes[v], minlength=table.size).reshape(-1, card)
        assert not counts[table == 0].any()
        expected = counts.sum(axis=1, keepdims=True) * table
        large = expected >= 5
        rest = np.stack([(x * ~large).sum(axis=1) for x in (counts, expected)])
        use = rest[1] >= 5
        statistic = ((counts - expected)[large] ** 2 / expected[large]).sum()
        statistic += ((rest[0] - rest[1])[use] ** 2 / rest[1][use]).sum()
        cells = large.sum(axis=1) + use
        freedom = np.maximum(cells - 1, 0)[cells > 0].sum()
        p_values.append(float(chi2.sf(statistic, freedom)) if freedom else 1.0)
    return p_values


def check_all_families(name: str, n_samples: int) -> None:
    network = load_network(name)
    p_values = family_p_values(network, network.sample(n_samples, random_state=20))
    assert min(p_values) > 0.01 / len(p_values), name


@pytest.mark.parametrize("name", QUICK)
def test_sampled_tables_match_the_true_ones(name):
    check_all_families(name, 200_000)


@pytest.mark.slow
@pytest.mark.parametrize("name", SLOW)
def test_sampled_tables_match_the_true_ones_in_large_networks(name):
    check_all_families(name, 200_000)


def test_the_chi_square_test_notices_a_small_error_in_one_table():
    asia = load_network("asia")
    smoke = asia.dag.variable("smoke")
    tables = [np.array([0.51, 0.49]) if v == smoke else t for v, t in enumerate(asia.tables)]
    wrong = BayesianNetwork(asia.dag, asia.states, tables)

    p_values = family_p_values(asia, wrong.sample(200_000))

    assert [p < 0.01 / 8 for p in p_values] == [v == smoke for v in asia.dag.variables]


def test_a_seed_gives_the_same_sample_and_another_seed_another():
    alarm = load_network("alarm")

    first = alarm.sample(200, random_state=5)

    assert first.fingerprint() == alarm.sample(200, random_state=5).fingerprint()
    assert first.fingerprint() != alarm.sample(200, random_state=6).fingerprint()


def test_the_stream_of_a_seed_does_not_change_between_versions():
    codes = load_network("asia").sample(6, random_state=1).codes

    assert codes.tolist() == FROZEN


def test_a_longer_sample_begins_with_the_shorter_one():
    child = load_network("child")

    assert np.array_equal(child.sample(1000).codes[:, :100], child.sample(100).codes)
    assert np.array_equal(child.sample(40_000).codes[:, :17_000], child.sample(17_000).codes)


def test_the_order_of_the_variables_has_no_say_in_the_sample():
    insurance = load_network("insurance")
    order = sorted(insurance.names, key=lambda name: name[::-1])
    dag = insurance.dag.reordered(order)
    old = [insurance.dag.variable(name) for name in order]
    tables = []
    for v in dag.variables:
        parents = insurance.dag.parents(old[v])
        axes = [parents.index(old[p]) for p in dag.parents(v)]
        tables.append(insurance.tables[old[v]].transpose(*axes, len(axes)))
    other = BayesianNetwork(dag, [insurance.states[v] for v in old], tables)

    assert other.sample(300).fingerprint() == insurance.sample(300).fingerprint()


def test_all_declared_levels_are_kept():
    mildew = load_network("mildew")

    data = mildew.sample(10)

    assert data.names == mildew.names
    assert tuple(data.cards.tolist()) == mildew.cards
    assert data.states == mildew.states


def test_impossible_states_are_never_drawn_even_at_the_end_of_a_row_that_misses_one():
    dag = Dag.from_edges(["a", "b"], [("a", "b")])
    rows = [[0.0, 0.4999996, 0.4999996, 0.0], [0.0, 0.0, 0.9999995, 0.0]]
    network = BayesianNetwork(dag, [["x", "y"], list("pqrs")], [[0.5, 0.5], rows])

    codes = network.sample(100_000).codes

    assert set(codes[1][codes[0] == 0]) == {1, 2}
    assert set(codes[1][codes[0] == 1]) == {2}


def test_variables_with_one_state_and_with_more_than_256_can_be_sampled():
    dag = Dag.from_edges(["many", "one"], [("one", "many")])
    states = [[str(i) for i in range(300)], ["only"]]
    network = BayesianNetwork(dag, states, [np.full((1, 300), 1 / 300), [1.0]])

    data = network.sample(20_000)

    assert len(np.unique(data.codes[0])) == 300
    assert not data.codes[1].any()


@pytest.mark.parametrize(
    ("n_samples", "seed", "message"),
    [
        (0, 0, "n_samples must be at least 1; got 0"),
        (-3, 0, "n_samples must be at least 1; got -3"),
        (10, -1, "random_state must be None, a whole number from 0 on"),
    ],
)
def test_sizes_and_seeds_that_make_no_sense_are_refused(n_samples, seed, message):
    with pytest.raises(SettingError, match=message):
        load_network("asia").sample(n_samples, seed)

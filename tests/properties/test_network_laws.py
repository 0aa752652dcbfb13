"""Laws of networks: exact round trips, exact inference, and files that are damaged at random."""

import gzip
import random
from contextlib import suppress
from itertools import product
from string import printable

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from h2pc.errors import FileFormatError
from h2pc.graphs import Dag
from h2pc.networks import BayesianNetwork, load_network, read_network
from h2pc.networks.network_formats import network_text, parsed_network
from strategies import dags

NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
STATES = (NAMES, st.integers(), st.booleans())
TOKENS = [
    *'{}()[],;|"/*-+.e_0 \n\0\x1cé',
    *("//", "/*", "*/", "nan", "inf", "1e400", "9" * 30, "1_0"),
    *("network", "variable", "probability", "discrete", "table", "default", "property"),
]
SOURCE = network_text(load_network("asia"), ".bif") + "// the end\n"


@st.composite
def networks(draw: st.DrawFn, max_nodes: int = 5) -> BayesianNetwork:
    """Networks with any names, one to four states, and zeros in their tables."""
    dag = draw(dags(max_nodes=max_nodes))
    states = [
        tuple(draw(st.lists(draw(st.sampled_from(STATES)), min_size=1, max_size=4, unique=True)))
        for _ in dag.names
    ]
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    tables = []
    for v in dag.variables:
        shape = (*(len(states[p]) for p in dag.parents(v)), len(states[v]))
        weights = rng.random(shape) * (rng.random(shape) < 0.8)
        weights[..., 0] += 1e-3
        tables.append(weights / weights.sum(axis=-1, keepdims=True))
    return BayesianNetwork(dag, states, tables)


def joint(network: BayesianNetwork) -> np.ndarray:
    """Probability of every combination of states, by the chain rule, cell by cell."""
    found = np.empty(network.cards)
    for cell in product(*map(range, network.cards)):
        found[cell] = 1.0
        for v in network.dag.variables:
            parents = tuple(cell[p] for p in network.dag.parents(v))
            found[cell] *= network.tables[v][(*parents, cell[v])]
    return found


@given(networks(), st.data())
def test_every_format_reads_back_exactly(network, data):
    n = len(network.names)
    names = data.draw(st.lists(NAMES, min_size=n, max_size=n, unique=True))
    network = BayesianNetwork(Dag(names, network.dag.parent_sets), network.states, network.tables)
    expected = dict(zip(network.names, network.states, strict=True))

    found = [
        parsed_network(network_text(network, ending).encode(), ending, "x")
        for ending in (".bif", ".xml", ".json")
    ]

    assert found[0] == found[1] == found[2]
    assert dict(zip(found[0].names, found[0].states, strict=True)) == expected
    assert repr(sorted(expected.items())) == repr(
        sorted(zip(found[0].names, found[0].states, strict=True))
    )
    if list(network.names) == sorted(network.names):
        assert found[0] == network


@given(networks(max_nodes=4), st.data())
def test_elimination_agrees_with_the_joint_distribution(network, data):
    target, *others = data.draw(st.permutations(network.dag.variables))
    observed = {v: data.draw(st.integers(0, network.cards[v] - 1)) for v in others[::2]}
    cells = joint(network)[tuple(observed.get(v, slice(None)) for v in network.dag.variables)]
    left = [v for v in network.dag.variables if v not in observed]
    expected = cells.sum(axis=tuple(i for i, v in enumerate(left) if v != target))
    if expected.sum() < 1e-200:
        return

    evidence = {network.names[v]: network.states[v][code] for v, code in observed.items()}
    found = network.posterior(network.names[target], evidence)

    assert tuple(found) == network.states[target]
    np.testing.assert_allclose([*found.values()], expected / expected.sum(), atol=1e-12)


@given(networks(max_nodes=4), st.integers(0, 100))
def test_log_likelihood_is_the_log_of_the_joint_distribution(network, seed):
    data = network.sample(20, seed)
    probabilities = joint(network)[tuple(data.codes)]

    np.testing.assert_allclose(network.log_likelihood(data), np.log(probabilities))


@given(networks(max_nodes=4), st.integers(0, 100))
def test_no_other_tables_fit_the_data_better_than_those_of_maximum_likelihood(network, seed):
    data = network.sample(30, seed)

    fitted = BayesianNetwork.fit(network.dag, data)

    assert fitted.log_likelihood(data).sum() >= network.log_likelihood(data).sum() - 1e-9
    assert fitted.states == network.states


@given(networks(max_nodes=4), st.integers(0, 100), st.data())
def test_predictions_are_the_largest_posteriors(network, seed, data):
    rows = network.sample(5, seed)
    target = data.draw(st.sampled_from(network.dag.variables))

    predicted = network.predict(network.names[target], rows)

    weights = np.moveaxis(joint(network), target, -1)
    for i, state in enumerate(predicted):
        cell = tuple(rows.codes[v, i] for v in network.dag.variables if v != target)
        chosen = network.states[target].index(state)
        assert weights[cell][chosen] == pytest.approx(weights[cell].max())


def damaged(text: str, rng: random.Random) -> str:
    """``text`` after one to four random cuts, copies, swaps and insertions."""
    for _ in range(rng.randint(1, 4)):
        a = rng.randrange(len(text) + 1)
        b = min(len(text), a + rng.choice([0, 1, 2, 5, 20, 200]))
        middle = rng.choice(
            [
                "",
                text[a:b] * 2,
                text[a:b][::-1],
                rng.choice(TOKENS),
                rng.choice(TOKENS) + text[a:b],
                "".join(rng.choices(printable, k=5)),
                text[b : b + 10] + text[a:b],
            ]
        )
        text = text[:a] + middle + text[b:]
    return text[: rng.randrange(len(text) + 1)] if rng.random() < 0.1 else text


def check_network_or_complaint(text: str, ending: str) -> None:
    """Parse ``text``: a network must survive a round trip, a complaint must say where."""
    complaint, network = "", None
    try:
        network = parsed_network(text.encode(), ending, "source")
    except FileFormatError as error:
        complaint = str(error)
    if network is None:
        assert complaint.startswith("source, line " if ending == ".bif" else "source")
    else:
        again = network_text(network, ending).encode()
        assert parsed_network(again, ending, "source") == network


@settings(max_examples=400)
@given(st.randoms(use_true_random=False))
def test_a_damaged_bif_text_is_a_network_or_refused_with_its_line(rng):
    check_network_or_complaint(damaged(SOURCE, rng), ".bif")


@settings(max_examples=200)
@given(st.lists(st.sampled_from([*TOKENS, *SOURCE[:400].split()]), max_size=40))
def test_words_in_any_order_are_a_network_or_refused(words):
    check_network_or_complaint(" ".join(words), ".bif")


@settings(max_examples=200)
@given(st.randoms(use_true_random=False))
def test_a_damaged_json_text_is_a_network_or_refused(rng):
    text = damaged(network_text(load_network("asia"), ".json"), rng)
    check_network_or_complaint(text, ".json")


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rng=st.randoms(use_true_random=False), compressed=st.booleans())
def test_a_file_with_damaged_bytes_is_a_network_or_refused(tmp_path, rng, compressed):
    content = bytearray(gzip.compress(SOURCE.encode(), mtime=0) if compressed else SOURCE.encode())
    for _ in range(rng.randint(1, 5)):
        content[rng.randrange(len(content))] = rng.randrange(256)
    path = tmp_path / "damaged.bif"
    path.write_bytes(content)

    with suppress(FileFormatError):
        assert read_network(path).names


@pytest.mark.slow
def test_ten_thousand_damaged_files_of_other_networks():
    rng = random.Random(7)
    sources = [network_text(load_network(name), ".bif") for name in ("child", "sachs", "insurance")]
    for _ in range(10_000):
        check_network_or_complaint(damaged(rng.choice(sources), rng), ".bif")

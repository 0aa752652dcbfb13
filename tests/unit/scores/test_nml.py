"""qNML and fNML: regrets against their definition, equal scores, and what learners make of them."""

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from h2pc import H2PC, TabuSearch, load_network
from h2pc.data import Dataset
from h2pc.scores import FNML, QNML, LogLikelihood
from reference.slow_scores import slow_log_regret
from strategies import datasets, examples

NML = [QNML, FNML]


def regret(kind, data: Dataset) -> float:
    """What the first variable alone loses of its log likelihood."""
    return LogLikelihood(data).family(0) - kind(data).family(0)


def defined_regret(n: int, k: int) -> float:
    """The largest likelihoods of all k^n samples, added up."""
    total = 0.0
    for sample in product(range(k), repeat=n):
        counts = [sample.count(level) for level in set(sample)]
        total += math.prod((c / n) ** c for c in counts)
    return math.log(total)


@pytest.mark.parametrize("kind", NML)
@pytest.mark.parametrize(("n", "k"), [(1, 2), (1, 7), (2, 3), (5, 4), (7, 3), (9, 2), (3, 20)])
def test_the_regret_is_that_of_all_samples(n, k, kind):
    data = Dataset.from_codes([[0] * n], cards=[k])

    assert regret(kind, data) == pytest.approx(defined_regret(n, k), abs=1e-9)
    assert slow_log_regret(n, k) == pytest.approx(defined_regret(n, k), rel=1e-12)


@pytest.mark.parametrize("kind", NML)
@pytest.mark.parametrize("n", [4095, 4096, 4097, 1_000_000])  # beside what is looked up at once
@pytest.mark.parametrize("k", [2, 5, 1000])
def test_the_regret_of_many_samples_is_that_of_the_recurrence(n, k, kind):
    rows = Dataset.from_codes([[0]], cards=[k])
    data = replace(rows, weights=np.array([n]))

    assert regret(kind, data) == pytest.approx(slow_log_regret(n, k), rel=1e-9)


def test_qnml_is_a_quotient_of_two_tables():
    data = Dataset.from_codes([[0, 1, 1, 0, 1], [0, 1, 2, 0, 1], [1, 1, 0, 0, 0]], cards=[2, 4, 3])

    found = LogLikelihood(data).family(0, (1, 2)) - QNML(data).family(0, (1, 2))

    assert found == pytest.approx(slow_log_regret(5, 24) - slow_log_regret(5, 12), abs=1e-9)


def test_fnml_has_a_regret_for_every_configuration_that_occurs():
    data = Dataset.from_codes([[0, 1, 1, 0, 1], [0, 0, 0, 2, 2]], cards=[3, 50])

    found = LogLikelihood(data).family(0, (1,)) - FNML(data).family(0, (1,))

    assert found == pytest.approx(slow_log_regret(3, 3) + slow_log_regret(2, 3), abs=1e-9)


@pytest.mark.parametrize("kind", NML)
def test_no_family_loses_more_than_the_levels_of_the_child(kind):
    data = Dataset.from_codes(np.arange(2000).reshape(400, 5) % 2, cards=[100] * 400)
    likelihood, score = LogLikelihood(data), kind(data)
    lost = []
    for n_parents in (0, 1, 9, 10, 100, 149, 150, 151, 399):  # 2^1000 is less than 100^151
        parents = tuple(range(1, 1 + n_parents))
        lost.append(likelihood.family(0, parents) - score.family(0, parents))

    assert min(lost) > 5.0
    assert max(lost) <= 5 * math.log(100) + 1e-6
    if kind is QNML:
        assert lost[4:] == pytest.approx([5 * math.log(100)] * 5, rel=1e-9)


def test_equivalent_graphs_are_equal_beyond_what_a_float_can_count():
    rng = np.random.default_rng(1)
    data = Dataset.from_codes(rng.integers(0, 2, (180, 30)), cards=rng.integers(50, 200, 180))
    score = QNML(data)
    totals = []
    for order in (range(180), rng.permutation(180).tolist(), rng.permutation(180).tolist()):
        parents = {v: tuple(order[:i]) for i, v in enumerate(order)}
        totals.append(score.total([parents[v] for v in range(180)]))

    assert totals[0] == totals[1] == totals[2]


@examples(40)
@given(st.data(), datasets(min_variables=7, max_variables=12))
def test_complete_graphs_are_equal_in_any_order(draw, data):
    """Seven or more variables of 700 levels have cells beyond the whole numbers of 64 bits."""
    wide = Dataset.from_codes(data.codes, cards=draw.draw(st.integers(500, 700)) + data.cards)
    score = QNML(wide)
    totals = set()
    for _ in range(3):
        order = draw.draw(st.permutations(range(data.n_variables)))
        parents = {v: tuple(order[:i]) for i, v in enumerate(order)}
        totals.add(score.total([parents[v] for v in range(data.n_variables)]))

    assert len(totals) == 1


@pytest.mark.parametrize("scoring", ["qnml", "fnml"])
@pytest.mark.parametrize("learner", [TabuSearch, H2PC])
def test_neither_the_order_of_rows_nor_that_of_columns_changes_the_graph(learner, scoring):
    frame = load_network("insurance").sample(500, random_state=4).to_pandas()
    expected = learner(scoring=scoring).fit(frame)
    rng = np.random.default_rng(0)

    for _ in range(3):
        rows, columns = rng.permutation(len(frame)), rng.permutation(frame.shape[1])
        found = learner(scoring=scoring).fit(frame.iloc[rows, columns])
        assert set(found.edges_) == set(expected.edges_)
        assert found.score_ == expected.score_


@pytest.mark.parametrize("scoring", ["qnml", "fnml"])
def test_workers_do_not_change_the_graph(scoring):
    data = load_network("asia").sample(1000, random_state=1)

    assert (
        H2PC(scoring=scoring, n_jobs=2).fit(data).result_ == H2PC(scoring=scoring).fit(data).result_
    )


@pytest.mark.parametrize("kind", NML)
def test_independent_variables_gain_nothing_and_copies_do(kind):
    rng = np.random.default_rng(3)
    codes = rng.integers(0, 4, (3, 2000))
    codes[2] = codes[0]
    score = kind(Dataset.from_codes(codes))

    independent, copy = score.changed(0, (), (1, 2)) - score.family(0)

    assert independent < 0 < copy


@pytest.mark.parametrize("kind", NML)
def test_the_regret_is_that_of_the_complete_rows(kind):
    codes = np.array([[0, 1, 1, 0, 1, 0], [0, 1, 0, 1, 1, -1]])
    holed = Dataset.from_codes(codes, cards=[2, 3], missing="available")
    complete = Dataset.from_codes(codes[:, :5], cards=[2, 3])
    gain_of = {
        data: kind(data).family(0, (1,)) - kind(data).family(0) for data in (holed, complete)
    }
    chance = 0.2 * math.sqrt(6 * math.log(6) * (1 / 5) / 2)

    assert gain_of[holed] == pytest.approx(gain_of[complete] * 6 / 5 - chance, abs=1e-7)

"""Scores with prices against a plain sum."""

import math
import pickle
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from continuous_data import continuous_frame, holed, mixed_frame
from h2pc.algorithms.hill_climbing import hill_climbing
from h2pc.data import Dataset
from h2pc.errors import SettingError
from h2pc.scores import BIC, K2, QNML, BDeu, GaussianBIC, LocalScore
from h2pc.scores.priced import PricedScore
from strategies import datasets, examples, incomplete_datasets, questions


class PlainScore(LocalScore):
    """A score that is written in Python."""

    n_variables = 5

    def family(self, child, parents=()):
        return -1.5 * child + sum(0.25 * x for x in parents)


def prices_of(n_variables: int, draw) -> dict:
    pairs = list(combinations(range(n_variables), 2))
    some = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    return {pair: draw(st.floats(0.0, 50.0)) for pair in some}


def assert_plain_sum(priced, child, parents, others):
    score = priced.score
    expected = score.family(child, parents) - sum(priced.price(child, u) for u in parents)
    assert priced.family(child, parents) == expected
    variants = [tuple({*parents} ^ {x}) for x in others]
    found = priced.changed(child, parents, others).tolist()
    assert found == [priced.family(child, variant) for variant in variants]


@given(
    st.data(),
    st.one_of(datasets(min_variables=2, max_rows=80), incomplete_datasets(min_variables=2)),
    st.sampled_from([BDeu, BIC, K2, QNML]),
)
@examples(50)
def test_a_family_costs_the_sum_of_the_prices_of_its_edges(draws, data, kind):
    child, others, parents = draws.draw(questions(data.n_variables))
    prices = prices_of(data.n_variables, draws.draw)
    rest = draws.draw(st.floats(0.0, 50.0))
    priced = PricedScore(kind(data), prices, rest)

    assert_plain_sum(priced, child, parents, (*others, *parents))
    for u, v in combinations(range(data.n_variables), 2):
        assert priced.price(u, v) == priced.price(v, u)
        assert (priced.price(u, v) / priced.unit).is_integer()
        assert abs(priced.price(u, v) - prices.get((u, v), rest)) <= priced.unit / 2


@pytest.mark.parametrize("frame", [continuous_frame(), mixed_frame(), holed(continuous_frame())])
def test_scores_of_continuous_variables_have_prices_on_their_grid(frame):
    data = Dataset.from_data(frame, missing="available")
    priced = PricedScore(GaussianBIC(data), {(0, 1): np.pi, (2, 4): 1.0}, 7.3)

    assert_plain_sum(priced, 0, (1, 2), (1, 2, 3, 4, 5))
    assert priced.unit == priced.score.unit
    assert (priced.price(0, 1) / priced.unit).is_integer()


def test_equivalent_graphs_have_equal_scores():
    data = Dataset.from_codes(np.random.default_rng(3).integers(0, 3, (4, 200)))
    priced = PricedScore(BDeu(data), {(0, 1): 0.1, (1, 2): 0.2}, 0.3)

    chains = [((), (0,), (1,), (2,)), ((1,), (2,), (3,), ()), ((1,), (), (1,), (2,))]
    assert len({priced.total(chain) for chain in chains}) == 1


def test_a_score_that_is_written_in_python_has_prices_as_well():
    priced = PricedScore(PlainScore(), {(4, 0): 0.75, (1, 2): 100.0}, 0.5)

    assert_plain_sum(priced, 4, (0, 1), (0, 1, 2, 3))
    assert priced.price(0, 4) == 0.75
    assert all({u, v} != {1, 2} for u, v in hill_climbing(priced).edges)


def test_an_infinite_price_is_never_paid_and_sums_stay_exact():
    data = Dataset.from_codes(np.tile(np.arange(400) % 2, (3, 1)))
    score = BDeu(data)
    priced = PricedScore(score, {(0, 1): float("inf")}, 1e300)

    assert hill_climbing(priced).edges == ()
    assert priced.family(0, (1,)) + priced.price(0, 1) == score.family(0, (1,))


def test_prices_on_prices_add_up():
    priced = PricedScore(PricedScore(PlainScore(), {}, 1.0), {(0, 1): 2.0}, 0.5)

    assert priced.family(0, (1, 2)) == PlainScore().family(0, (1, 2)) - 4.5


def test_a_copy_has_the_same_prices():
    data = Dataset.from_codes(np.random.default_rng(3).integers(0, 3, (4, 200)))
    priced = PricedScore(BDeu(data), {(0, 1): 0.1}, 0.3)
    expected = priced.changed(0, (1,), (1, 2, 3)).tolist()

    assert pickle.loads(pickle.dumps(priced)).changed(0, (1,), (1, 2, 3)).tolist() == expected


@pytest.mark.parametrize(
    ("prices", "others", "what"),
    [({(0, 1): -1.0}, 0.0, r"that of \(0, 1\) is -1.0"), ({}, float("nan"), "of others is nan")],
)
def test_a_price_below_zero_is_refused(prices, others, what):
    with pytest.raises(SettingError, match=f"A price must be a number from 0 on; .*{what}"):
        PricedScore(PlainScore(), prices, others)


@given(st.data())
@examples(30)
def test_tables_that_are_too_large_cost_more_than_any_edge_gains(draws):
    data = draws.draw(datasets(min_variables=3, max_rows=40))
    levels, score = data.cards.tolist(), BDeu(data)
    limit = draws.draw(st.sampled_from([4, 12, 40]))
    priced = PricedScore(score, {}, levels=levels, max_cells=limit)
    child, *others = draws.draw(st.permutations(range(data.n_variables)))
    parents = tuple(sorted(others[:2]))

    def expected(family):
        is_large = math.prod(levels[v] for v in (child, *family)) > limit
        return score.family(child, family) - is_large * 2.0**50 * score.unit

    assert priced.family(child, parents) == expected(parents)
    changed = priced.changed(child, parents, (child, *others))
    families = [parents, *(tuple(sorted({*parents} ^ {v})) for v in others)]
    assert changed.tolist() == [expected(family) for family in families]


def test_there_is_a_number_of_levels_of_every_variable():
    data = Dataset.from_codes([[0, 1], [0, 1]])
    with pytest.raises(ValueError, match="a number of levels of every variable"):
        PricedScore(BDeu(data), {}, levels=[2]).family(0)

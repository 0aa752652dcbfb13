"""Scores of linear Gaussian families, beside textbook forms."""

import itertools
import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import h2pc._engine as _engine
from h2pc import Dataset
from h2pc.algorithms.tabu import tabu_search
from h2pc.errors import DataError, SettingError
from h2pc.scores import (
    BIC,
    BDeu,
    BGe,
    GaussianAIC,
    GaussianBIC,
    GaussianLogLikelihood,
)
from h2pc.scores.named import local_score
from h2pc.scores.table_score import engine_score
from reference import slow_gaussian


def continuous(n_samples=80, n_variables=5, seed=0):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(n_variables, n_variables)) @ rng.normal(size=(n_variables, n_samples))
    return Dataset.from_values(values * 10.0 ** rng.integers(-6, 6, size=(n_variables, 1)))


def mixed(n_samples=120, seed=0):
    rng = np.random.default_rng(seed)
    a, b, noise = rng.normal(size=(3, n_samples))
    codes = np.digitize(a + noise, [-0.5, 0.5])
    return Dataset.from_data({"a": a, "b": b + a, "k": codes, "two": (b + noise > 0).astype(int)})


def families(n_variables, most=3):
    for child in range(n_variables):
        others = [v for v in range(n_variables) if v != child]
        for size in range(most + 1):
            for parents in itertools.combinations(others, size):
                yield child, parents


@pytest.mark.parametrize("data", [continuous(), mixed()], ids=["continuous", "mixed"])
def test_likelihoods_are_those_of_scipy_and_parameters_cost(data):
    scores = (GaussianLogLikelihood(data), GaussianAIC(data), GaussianBIC(data))
    for child, parents in families(data.n_variables):
        expected = slow_gaussian.family_log_likelihood(data, child, parents)
        n_parameters = slow_gaussian.n_parameters(data, child, parents)
        for score, cost in zip(scores, (0.0, 1.0, math.log(data.n_samples) / 2), strict=True):
            found = score.family(child, parents)
            assert math.isclose(found, expected - cost * n_parameters, rel_tol=1e-9, abs_tol=1e-7)


@pytest.mark.parametrize("weights", [(1.0, None), (0.5, 20.0)])
def test_bge_is_that_of_the_paper(weights):
    data = continuous()
    score = BGe(data, *weights)
    mean_weight, weight = weights[0], weights[1] or data.n_variables + weights[0] + 1
    assert score.prior_weight == weight
    for child, parents in families(data.n_variables):
        expected = slow_gaussian.bge_set(data, (child, *parents), mean_weight, weight)
        expected -= slow_gaussian.bge_set(data, parents, mean_weight, weight)
        assert math.isclose(score.family(child, parents), expected, rel_tol=1e-10, abs_tol=1e-8)


def test_bge_of_one_variable_is_a_chain_of_t_distributions():
    data = Dataset.from_values(continuous().values[:1])
    expected = slow_gaussian.bge_alone(data.values[0], 2.0, 7.0)

    assert math.isclose(BGe(data, 2.0, 7.0).family(0), expected, rel_tol=1e-10)


def test_bge_does_not_depend_on_units():
    data = continuous()
    other = Dataset.from_values(data.values * 1e5 + 7.0)

    for child, parents in families(data.n_variables):
        assert math.isclose(
            BGe(data).family(child, parents), BGe(other).family(child, parents), rel_tol=1e-9
        )


SCORES = [GaussianLogLikelihood, GaussianAIC, GaussianBIC, BGe]


@pytest.mark.parametrize("score", SCORES)
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_equivalent_graphs_score_the_same_in_every_bit(score, seed):
    data = continuous(seed=seed) if score is BGe else mixed(seed=seed)
    made = score(data)
    chain = [((), (0,), (1,), (2,)), ((1,), (2,), (3,), ()), ((1,), (), (1,), (2,))]
    complete = [
        tuple(tuple(order[: order.index(v)]) for v in range(4))
        for order in itertools.permutations(range(4))
    ]

    for graphs in (chain, complete):
        padded = [(*graph, *((),) * (data.n_variables - 4)) for graph in graphs]
        assert len({made.total(graph) for graph in padded}) == 1


@pytest.mark.parametrize("score", SCORES)
def test_rows_may_come_in_any_order_and_parents_too(score):
    data = continuous()
    moved = data.take(np.random.default_rng(1).permutation(data.n_samples))
    one, other = score(data), score(moved)

    for child, parents in families(5):
        assert one.family(child, parents) == other.family(child, parents[::-1])
        assert one.family(child, parents) / one.unit == round(one.family(child, parents) / one.unit)


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("share", [0.0, 0.1])
def test_changed_families_are_families(score, share):
    made = score(holed(continuous(), share))
    parents = (1, 3)
    expected = [made.family(0, p) for p in ((3,), (1,), (1, 3, 2), (1, 3, 4))]

    assert made.changed(0, parents, (1, 3, 2, 4)).tolist() == expected


@pytest.mark.parametrize("score", SCORES)
def test_collinear_and_constant_columns_and_few_samples_have_finite_scores(score):
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 6))
    few = Dataset.from_values([a, b, a + b, 2.0 * a, np.ones(6), *rng.normal(size=(8, 6))])
    made = score(few)

    values = [made.family(child, parents) for child, parents in families(13, most=2)]
    assert np.isfinite(values).all()
    assert np.isfinite(made.family(0, tuple(range(1, 13))))
    assert made.family(4, (0,)) == made.family(4)
    assert made.family(0, (4, 1)) == made.family(0, (1,)) or score in (GaussianAIC, GaussianBIC)


def holed(data, share, seed=0):
    values = data.values.copy()
    values[np.random.default_rng(seed).random(values.shape) < share] = np.nan
    return Dataset.from_values(values)


@pytest.mark.parametrize("score", SCORES)
def test_missing_cells_are_averaged_over_complete_rows(score):
    whole = continuous(n_samples=400)
    data = holed(whole, 0.1)
    made = score(data)
    n = data.n_samples
    present = ~np.isnan(data.values)

    def alone(rows, parents=()):
        part = Dataset.from_values(data.values[:, rows][[0, *parents]])
        if score is BGe:
            prior = part.n_variables + 2.0
            return BGe(part, 1.0, prior).family(0, tuple(range(1, part.n_variables)))
        found = GaussianLogLikelihood(part).family(0, tuple(range(1, part.n_variables)))
        cost = {GaussianLogLikelihood: 0.0, GaussianAIC: 1.0, GaussianBIC: math.log(n) / 2}[score]
        return found - cost * (part.n_variables + 1)

    for parents in ((), (1,), (2, 4)):
        rows = present[[0, *parents]].all(axis=0)
        expected = alone(present[0]) * n / present[0].sum()
        if parents:
            expected += (alone(rows, parents) - alone(rows)) * n / rows.sum()
        odds = [(~present[v]).sum() / present[v].sum() for v in (0, *parents)]
        if score is not GaussianLogLikelihood:
            expected -= sum(0.2 * math.sqrt(n * math.log(n) * (odds[0] + o) / 2) for o in odds[1:])
        assert math.isclose(made.family(0, parents), expected, rel_tol=1e-9, abs_tol=1e-6)


def test_a_variable_that_is_never_there_has_a_score():
    values = continuous().values.copy()
    values[2] = np.nan
    score = GaussianBIC(Dataset.from_values(values))

    assert score.family(2) == 0.0
    assert np.isfinite(score.family(0, (2,)))


def test_searches_run_in_the_engine():
    data = continuous(n_samples=300)
    for score in (GaussianBIC(data), BGe(data)):
        assert isinstance(engine_score(score), _engine.GaussianScore)
        found = tabu_search(score)
        assert found.score == score.total(found.parent_sets) > score.total([()] * 5)


def test_scores_are_pickled():
    score = BGe(continuous(), 2.0, 30.0)
    score.family(0)

    assert pickle.loads(pickle.dumps(score)).family(0, (1,)) == score.family(0, (1,))


def test_names_take_the_class_that_suits_the_data():
    discrete = Dataset.from_codes([[0, 1, 0, 1], [0, 0, 1, 1]])
    kinds = {
        ("discrete", "auto"): BDeu,
        ("discrete", "bic"): BIC,
        ("continuous", "auto"): GaussianBIC,
        ("continuous", "bge"): BGe,
        ("mixed", "auto"): GaussianBIC,
        ("mixed", "aic"): GaussianAIC,
        ("mixed", "loglik"): GaussianLogLikelihood,
    }
    data = {"discrete": discrete, "continuous": continuous(), "mixed": mixed()}

    for (kind, name), expected in kinds.items():
        assert type(local_score(data[kind], name)) is expected


def test_scores_that_do_not_suit_the_data_say_what_does():
    with pytest.raises(DataError, match=r"'a' is continuous.*'bic'.*discretize"):
        local_score(mixed(), "bdeu")
    for data in (mixed(), Dataset.from_codes([[0, 1, 0]])):
        with pytest.raises(DataError, match=r"not continuous.*'bge'.*'bic'"):
            local_score(data, "bge")
    with pytest.raises(SettingError, match="prior_weight must be a number above 6"):
        BGe(continuous(), prior_weight=6.0)
    with pytest.raises(SettingError, match="prior_mean_weight"):
        BGe(continuous(), prior_mean_weight=0.0)

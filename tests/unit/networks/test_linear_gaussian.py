import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import multivariate_normal

from h2pc import Dag, Dataset, LinearGaussianNetwork, make_linear_gaussian_network
from h2pc.errors import DataError, GraphError, SettingError
from strategies import dags, examples

CHAIN = Dag.from_edges(["rain", "river"], [("rain", "river")])


def flood() -> LinearGaussianNetwork:
    return LinearGaussianNetwork(CHAIN, [2.0, 1.0], [[], [0.5]], [4.0, 3.0])


@st.composite
def networks(draw: st.DrawFn, max_nodes: int = 6) -> LinearGaussianNetwork:
    """Networks with coefficients and variances of moderate size."""
    dag = draw(dags(max_nodes=max_nodes))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    return LinearGaussianNetwork(
        dag,
        rng.normal(size=len(dag.names)),
        [rng.normal(size=len(dag.parents(v))) for v in dag.variables],
        rng.uniform(0.2, 2.0, len(dag.names)),
    )


def holed(values: np.ndarray, share: float, seed: int = 0) -> np.ndarray:
    """The same numbers without some of them; one of each variable stays."""
    holes = np.random.default_rng(seed).random(values.shape) < share
    holes[:, 0] = False
    return np.where(holes, np.nan, values)


def test_a_network_shows_what_it_was_made_of():
    network = flood()

    assert network.names == ("rain", "river")
    assert network.intercepts.tolist() == [2.0, 1.0]
    assert [own.tolist() for own in network.coefficients] == [[], [0.5]]
    assert network.variances.tolist() == [4.0, 3.0]
    assert network.n_parameters == 5
    assert repr(network) == "LinearGaussianNetwork(2 variables, 1 edges, 5 parameters)"
    assert "<svg" in network._repr_html_()


def test_parameters_are_copied_and_read_only():
    mine = np.array([2.0, 1.0])
    network = LinearGaussianNetwork(CHAIN, mine, [[], [0.5]], [4.0, 3.0])
    mine[0] = 7.0

    assert network.intercepts[0] == 2.0
    for array in (network.intercepts, network.coefficients[1], network.variances):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0.5


def test_equal_networks_are_equal_and_survive_pickle():
    assert flood() == flood()
    assert hash(flood()) == hash(flood())
    assert pickle.loads(pickle.dumps(flood())) == flood()
    assert flood() != LinearGaussianNetwork(CHAIN, [2.0, 1.0], [[], [0.5]], [4.0, 3.5])
    assert flood() != LinearGaussianNetwork(CHAIN, [2.0, 1.0], [[], [0.6]], [4.0, 3.0])
    assert flood() != "flood"


@pytest.mark.parametrize(
    ("intercepts", "coefficients", "variances", "message"),
    [
        ([2.0], [[], [0.5]], [4.0, 3.0], "2 variables, but 1 intercepts"),
        ([2.0, np.nan], [[], [0.5]], [4.0, 3.0], "intercept of 'river' must be a finite number"),
        ([2.0, "1"], [[], [0.5]], [4.0, 3.0], "intercept of 'river' must be a number"),
        ([2.0, 1.0], [[], []], [4.0, 3.0], "'river' must have 1 coefficients"),
        ([2.0, 1.0], [[1.0], [0.5]], [4.0, 3.0], "'rain' must have 0 coefficients"),
        ([2.0, 1.0], [[], ["much"]], [4.0, 3.0], "coefficients of 'river' must be numbers"),
        ([2.0, 1.0], [[], [np.inf]], [4.0, 3.0], "of 'rain' for 'river' must be a finite"),
        ([2.0, 1.0], [[], [0.5]], [4.0, -1.0], "variance of 'river' must be a number from 0 on"),
        ([2.0, 1.0], [[], [0.5]], [np.inf, 1.0], "variance of 'rain' must be a number from 0 on"),
    ],
)
def test_what_is_no_network_is_refused(intercepts, coefficients, variances, message):
    with pytest.raises(SettingError, match=message):
        LinearGaussianNetwork(CHAIN, intercepts, coefficients, variances)


@given(networks())
def test_mean_and_covariance_are_those_of_the_structural_equations(network):
    n = len(network.names)
    slopes = np.zeros((n, n))
    for v in network.dag.variables:
        slopes[v, list(network.dag.parents(v))] = network.coefficients[v]
    inverse = np.linalg.inv(np.eye(n) - slopes)

    assert np.allclose(network.mean, inverse @ network.intercepts)
    assert np.allclose(network.covariance, inverse @ np.diag(network.variances) @ inverse.T)
    assert np.array_equal(network.covariance, network.covariance.T)


@given(networks())
def test_the_log_likelihood_is_that_of_the_joint_normal(network):
    data = network.sample(20)
    values = data.values[[data.variable(name) for name in network.names]]

    expected = multivariate_normal(network.mean, network.covariance).logpdf(values.T)
    assert np.allclose(network.log_likelihood(data), expected, rtol=1e-9)


@given(networks(), st.sampled_from([0.1, 0.4, 0.9]))
def test_missing_numbers_are_integrated_out(network, share):
    values = holed(network.sample(25).values, share)
    data = Dataset.from_values(values, names=network.names)
    found = network.log_likelihood(data)

    for sample, log in zip(values.T, found, strict=True):
        there = ~np.isnan(sample)
        if not there.any():
            assert log == pytest.approx(0.0, abs=1e-9)
            continue
        own = multivariate_normal(network.mean[there], network.covariance[np.ix_(there, there)])
        assert log == pytest.approx(own.logpdf(sample[there]), rel=1e-9, abs=1e-9)


@given(networks(), st.integers(0, 5), st.sampled_from([0.0, 0.3, 1.0]))
def test_predictions_and_posteriors_are_those_of_the_joint_normal(network, number, share):
    target = number % len(network.names)
    name = network.names[target]
    values = holed(network.sample(8).values, share)
    found = network.predict(name, Dataset.from_values(values, names=network.names))

    for sample, mean in zip(values.T, found, strict=True):
        there = ~np.isnan(sample)
        there[target] = False
        covariance = network.covariance
        weights = np.linalg.solve(covariance[np.ix_(there, there)], covariance[there, target])
        expected = network.mean[target] + weights @ (sample[there] - network.mean[there])
        variance = covariance[target, target] - weights @ covariance[there, target]
        evidence = {network.names[v]: sample[v] for v in np.flatnonzero(there)}
        assert mean == pytest.approx(expected, rel=1e-8, abs=1e-8)
        assert network.posterior(name, evidence).mean == pytest.approx(mean, rel=1e-9, abs=1e-9)
        assert network.posterior(name, evidence).variance == pytest.approx(variance, rel=1e-7)


def test_queries_about_a_network_of_thousands_need_its_ancestors_only():
    network = make_linear_gaussian_network(3000, 3000, random_state=1)

    assert network.posterior("X0000").mean == pytest.approx(network.mean[0])


def test_columns_that_are_absent_are_integrated_out_of_predictions():
    dag = Dag.from_edges(list("abc"), [("a", "b"), ("b", "c")])
    network = LinearGaussianNetwork(dag, [0, 1, 1], [[], [2], [3]], [1, 1, 1])

    assert network.predict("c", {"a": [0.0, 1.5], "d": ["x", "y"]}).tolist() == pytest.approx(
        [4, 13]
    )


def test_unknown_variables_and_own_evidence_are_refused():
    with pytest.raises(GraphError, match="'sea'"):
        flood().posterior("sea")
    with pytest.raises(SettingError, match="'rain' is the variable of the query"):
        flood().posterior("rain", {"rain": 1.0})
    with pytest.raises(SettingError, match="evidence of 'river' must be a finite number"):
        flood().posterior("rain", {"river": float("nan")})


@given(networks(max_nodes=5))
@examples(30)
def test_samples_have_the_moments_of_the_network(network):
    data = network.sample(20_000, random_state=3)
    scale = np.sqrt(np.diag(network.covariance))

    assert data.kind == "continuous"
    assert np.abs((data.values.mean(axis=1) - network.mean) / scale).max() < 0.04
    found = np.atleast_2d(np.cov(data.values))
    assert np.abs((found - network.covariance) / np.outer(scale, scale)).max() < 0.06


def test_samples_depend_on_names_and_not_on_the_order_of_variables():
    network = make_linear_gaussian_network(8, 14, random_state=5)
    names = network.names[::-1]
    dag = network.dag.reordered(names)
    same = LinearGaussianNetwork(
        dag,
        network.intercepts[::-1],
        [network.coefficients[network.dag.variable(name)][::-1] for name in names],
        network.variances[::-1],
    )
    data = network.sample(500, random_state=2)

    assert np.array_equal(same.sample(500, random_state=2).values, data.values)
    assert np.array_equal(same.log_likelihood(data), network.log_likelihood(data))


def test_a_longer_sample_begins_with_the_shorter_one():
    network = make_linear_gaussian_network(4, random_state=1)
    long, short = network.sample(40_000).values, network.sample(17_000).values

    assert np.array_equal(long[:, :17_000], short)
    with pytest.raises(SettingError, match="at least 1; got 0"):
        network.sample(0)


@given(networks(), st.integers(0, 1000))
def test_a_fit_is_the_least_squares_solution_with_the_variance_of_maximum_likelihood(network, seed):
    data = network.sample(60, random_state=seed)
    fitted = LinearGaussianNetwork.fit(network.dag, data)

    for v in network.dag.variables:
        design = np.vstack([np.ones(60), data.values[list(network.dag.parents(v))]]).T
        expected, *_ = np.linalg.lstsq(design, data.values[v], rcond=None)
        left = data.values[v] - design @ expected
        assert fitted.intercepts[v] == pytest.approx(expected[0], rel=1e-9, abs=1e-9)
        assert np.allclose(fitted.coefficients[v], expected[1:], rtol=1e-9, atol=1e-9)
        assert fitted.variances[v] == pytest.approx(np.mean(left**2), rel=1e-9)


def test_a_fit_to_many_samples_is_near_the_truth():
    truth = make_linear_gaussian_network(10, random_state=4)
    fitted = LinearGaussianNetwork.fit(truth.dag, truth.sample(100_000))

    assert np.allclose(fitted.covariance, truth.covariance, atol=0.05)
    assert all(
        map(lambda a, b: np.allclose(a, b, atol=0.02), fitted.coefficients, truth.coefficients)
    )


@given(networks(), st.integers(0, 1000))
@examples(50)
def test_a_fit_has_the_same_bits_for_any_order_of_rows_and_columns(network, seed):
    rng = np.random.default_rng(seed)
    values = holed(network.sample(int(rng.integers(1, 300)), random_state=seed).values, 0.05)
    data = Dataset.from_values(values, names=network.names)
    mixed = rng.permutation(len(values))
    other = Dataset.from_values(
        values[np.ix_(mixed, rng.permutation(values.shape[1]))],
        names=[network.names[v] for v in mixed],
    )

    assert LinearGaussianNetwork.fit(network.dag, other) == LinearGaussianNetwork.fit(
        network.dag, data
    )


def test_a_family_is_fitted_to_the_rows_that_are_complete_in_it():
    frame = pd.DataFrame(
        {
            "rain": [0.5, 1.0, np.nan, 2.5, 4.0],
            "river": [1.5, np.nan, 9.0, 3.0, 5.5],
            "x": [np.nan] * 5,
        }
    )
    data = Dataset.from_data(frame[["rain", "river"]], missing="available")
    found = LinearGaussianNetwork.fit(CHAIN, data)
    slope, intercept = np.polyfit([0.5, 2.5, 4.0], [1.5, 3.0, 5.5], 1)

    assert found.intercepts.tolist() == pytest.approx([2.0, intercept])
    assert found.coefficients[1].tolist() == pytest.approx([slope])
    assert found.variances[0] == pytest.approx(np.var([0.5, 1.0, 2.5, 4.0]))
    with pytest.raises(DataError, match="missing values"):
        LinearGaussianNetwork.fit(CHAIN, frame)


def test_a_family_without_a_complete_row_is_refused():
    values = [[1.0, np.nan, 2.5], [np.nan, 3.5, np.nan]]

    with pytest.raises(DataError, match=r"complete in 'river' and its parents \('rain'\)"):
        LinearGaussianNetwork.fit(CHAIN, Dataset.from_values(values, names=CHAIN.names))


def test_collinear_and_constant_parents_share_the_effect_or_have_none():
    rng = np.random.default_rng(0)
    x = rng.normal(size=50)
    data = {"a": x, "b": 1000 * x - 3, "c": np.full(50, 0.1), "y": 2 * x + rng.normal(size=50)}
    dag = Dag.from_edges(list("abcy"), [("a", "y"), ("b", "y"), ("c", "y")])
    found = LinearGaussianNetwork.fit(dag, data)
    slope, intercept = np.polyfit(x, data["y"], 1)
    a, b, c = found.coefficients[3]

    assert (a, 1000 * b, c) == pytest.approx((slope / 2, slope / 2, 0.0))
    assert found.intercepts[3] == pytest.approx(intercept + 3 * b)
    assert found.variances[2] == 0.0


def test_more_parents_than_rows_leave_no_variance():
    names = [f"x{i}" for i in range(9)]
    dag = Dag.from_edges([*names, "y"], [(name, "y") for name in names])
    values = np.random.default_rng(1).normal(size=(10, 5))
    found = LinearGaussianNetwork.fit(dag, Dataset.from_values(values, names=dag.names))
    fit = found.intercepts[9] + found.coefficients[9] @ values[:9]

    assert fit == pytest.approx(values[9])
    assert found.variances[9] == 0.0


def test_numbers_of_any_size_and_place_are_fitted():
    rng = np.random.default_rng(2)
    x = rng.normal(size=200)
    y = 0.5 * x + rng.normal(size=200)
    plain = LinearGaussianNetwork.fit(CHAIN, {"rain": x, "river": y})
    for scale, shift in ((1e140, 0.0), (1e-140, 0.0), (1.0, 1e8)):
        moved = {"rain": x * scale + shift, "river": y * scale + shift}
        found = LinearGaussianNetwork.fit(CHAIN, moved)
        assert found.coefficients[1] == pytest.approx(plain.coefficients[1], rel=1e-6)
    for scale in (1e200, 1e-200):  # the squares of such numbers are none
        with pytest.raises(DataError, match="variance of 'rain' would be"):
            LinearGaussianNetwork.fit(CHAIN, {"rain": x * scale, "river": y})


def test_a_variable_that_its_parents_determine_has_no_density():
    x = np.random.default_rng(3).normal(size=100)
    found = LinearGaussianNetwork.fit(CHAIN, {"rain": x, "river": 3 * x + 7})

    assert found.variances[1] == 0.0
    assert np.allclose(found.sample(50).values[1], 3 * found.sample(50).values[0] + 7)
    with pytest.raises(SettingError, match="variance of 'river' given its parents is 0"):
        found.log_likelihood({"rain": x, "river": x})


def test_whole_numbers_are_numbers_and_words_are_refused():
    network = LinearGaussianNetwork.fit(CHAIN, {"rain": [1, 2, 3, 5], "river": [2, 1, 4, 4]})

    assert network.mean.tolist() == pytest.approx([2.75, 2.75])
    frame = pl.DataFrame({"rain": [1, None], "river": [2.5, 1.5], "name": ["a", "b"]})
    assert network.log_likelihood(frame).shape == (2,)
    with pytest.raises(DataError, match="'river' holds 'high': expected numbers"):
        network.log_likelihood({"rain": [1, 2], "river": ["high", "low"]})
    with pytest.raises(DataError, match="holds False"):
        LinearGaussianNetwork.fit(CHAIN, {"rain": [True, False], "river": [1.5, 2.5]})
    with pytest.raises(DataError, match="lacks 1 columns of the network: 'river'"):
        network.log_likelihood({"rain": [1.5, 2.5]})


def test_arrays_and_frames_have_the_same_log_likelihood():
    network = make_linear_gaussian_network(5, random_state=2)
    data = network.sample(30)

    frame = pd.DataFrame(data.values.T, columns=network.names)
    expected = network.log_likelihood(data)
    assert np.array_equal(network.log_likelihood(frame), expected)
    assert np.array_equal(network.log_likelihood(frame[frame.columns[::-1]]), expected)
    assert np.array_equal(network.log_likelihood(data.values.T), expected)

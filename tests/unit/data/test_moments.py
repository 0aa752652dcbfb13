"""Second moments: exact sums, in any order, however they are added up."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from threadpoolctl import threadpool_limits

from h2pc.data import Dataset
from h2pc.data.moments import bytes_of_moments, columns_of, correlation_blocks, moments_of


def normal(n_variables, n_samples, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n_variables, n_variables)) @ rng.normal(size=(n_variables, n_samples))


def correlations(values):
    data = Dataset.from_values(values)
    n, found, _ = moments_of(data).of_set(range(data.n_variables))
    assert n == data.n_samples
    return found.reshape(data.n_variables, -1)


def precise(values):
    """Correlations and log variances with sixty digits."""
    with mpmath.workdps(60):
        rows = [[mpmath.mpf(float(x)) for x in row] for row in values]
        rows = [[x - mpmath.fsum(row) / len(row) for x in row] for row in rows]
        squares = [mpmath.fsum(x * x for x in row) for row in rows]
        found = np.empty((len(rows), len(rows)))
        for i, one in enumerate(rows):
            for j, other in enumerate(rows):
                products = mpmath.fsum(x * y for x, y in zip(one, other, strict=True))
                found[i, j] = products / mpmath.sqrt(squares[i] * squares[j])
        return found, [float(mpmath.log(s / len(rows[0]))) for s in squares]


def ill_scaled(values):
    values = values.copy()
    values[1] *= 1e-200
    values[2] = values[2] * 1e200
    values[3] = 1e6 * np.abs(values[3]).max() + values[3]
    return values


@pytest.mark.parametrize(
    "values",
    [
        normal(5, 300),
        ill_scaled(normal(5, 300)),
        np.random.default_rng(0).standard_cauchy((4, 400)),
        np.random.default_rng(0).lognormal(sigma=3, size=(4, 400)),
        np.round(normal(4, 200), 1),
        np.array([[1.0, 1.0 + 2**-52, 1.0], [5e-324, 0.0, 0.0], [-1.7e308, 1.7e308, 0.0]]),
    ],
    ids=["normal", "scales", "cauchy", "lognormal", "rounded", "extremes"],
)
def test_correlations_and_variances_are_those_of_sixty_digits(values):
    expected, log_variances = precise(values)
    data = Dataset.from_values(values)
    _, found, found_variances = moments_of(data).of_set(range(data.n_variables))

    assert np.abs(found.reshape(expected.shape) - expected).max() < 3e-13
    assert np.allclose(found_variances, log_variances, rtol=1e-12, atol=1e-12)


@settings(max_examples=30, deadline=None)
@given(st.data(), st.integers(2, 6), st.integers(2, 1200))
def test_rows_and_columns_may_come_in_any_order(draw, n_variables, n_samples):
    seed = draw.draw(st.integers(0, 1000))
    values = np.random.default_rng(seed).standard_t(2, size=(n_variables, n_samples))
    rows = np.random.default_rng(seed + 1).permutation(n_samples)
    order = np.random.default_rng(seed + 2).permutation(n_variables)

    found = correlations(values)

    assert (found == found.T).all()
    assert (correlations(values[:, rows]) == found).all()
    assert (correlations(values[order]) == found[np.ix_(order, order)]).all()


def test_threads_of_blas_change_nothing():
    values = normal(60, 3000)
    found = []
    for n in (1, 2):
        with threadpool_limits(n):
            found.append(correlations(values))

    assert (found[0] == found[1]).all()


def test_blocks_and_pairs_on_demand_have_the_same_bits():
    data = Dataset.from_values(np.random.default_rng(0).normal(size=(4200, 30)))
    moments = data.moments
    assert not moments.has_all
    chosen = np.random.default_rng(1).choice(4200, 300, replace=False)
    on_demand = moments.of_set(chosen.tolist())[1].reshape(300, 300)
    alone = correlations(data.values[chosen])

    whole = np.zeros((4200, 4200))
    for block in correlation_blocks(columns_of(data), size=700):
        rows, columns = np.array(block.rows), np.array(block.columns)
        whole[np.ix_(rows, columns)] = block.values
        whole[np.ix_(columns, rows)] = block.values.T

    assert (whole[np.ix_(chosen, chosen)] == on_demand).all()
    assert (alone == on_demand).all()


def holed(values, share=0.1, seed=0):
    values = values.copy()
    values[np.random.default_rng(seed).random(values.shape) < share] = np.nan
    return values


def available(values):
    return Dataset.from_values(values)


def test_a_set_has_the_rows_that_are_complete_in_it():
    values = holed(normal(6, 500))
    moments = moments_of(available(values))

    assert not moments.is_complete
    for chosen in ([0], [1, 4], [0, 2, 3], [5, 4, 3, 2, 1, 0]):
        rows = values[chosen][:, ~np.isnan(values[chosen]).any(axis=0)]
        n, found, log_variances = moments.of_set(chosen)
        assert n == rows.shape[1]
        assert np.allclose(found.reshape(len(chosen), -1), np.corrcoef(rows), atol=1e-12)
        assert np.allclose(log_variances, np.log(rows.var(axis=1)), atol=1e-12)


def test_sums_of_available_rows_are_the_same_by_subtraction_and_on_demand():
    values = holed(np.random.default_rng(0).normal(size=(4200, 40)))
    wide = moments_of(available(values))
    few = moments_of(available(values[:30]))

    assert (few.has_all, wide.has_all) == (True, False)
    for chosen in ([0, 1], [2, 29, 7], list(range(12))):
        for one, other in zip(wide.of_set(chosen), few.of_set(chosen), strict=True):
            assert np.array_equal(one, other, equal_nan=True)


def test_columns_of_variables():
    data = Dataset.from_data(
        {
            "constant": [1.5, 1.5, 1.5, 1.5],
            "length": [0.5, 1.0, 1.5, 2.5],
            "one level": ["a", "a", "a", "a"],
            "three": ["x", "y", "z", "x"],
            "two": [False, True, False, False],
        }
    )
    columns = columns_of(data)

    assert columns.first.tolist() == [0, 0, 1, 1, 3, 4]
    assert data.moments.n_columns == 4
    expected = np.corrcoef([[0.5, 1.0, 1.5, 2.5], [0, 1, 0, 0], [0, 0, 1, 0], [0, 1, 0, 0]])
    assert np.allclose(data.moments.of_set(range(5))[1].reshape(4, 4), expected, atol=1e-14)


def test_levels_that_do_not_occur_have_no_column():
    data = Dataset.from_codes([[0, 2, 2, 0]], cards=[4])

    assert columns_of(data).first.tolist() == [0, 1]


def test_a_column_that_is_constant_in_the_complete_rows_has_no_correlation():
    nan = math.nan
    data = available(np.array([[1.0, 2.0, 2.0, 2.0], [nan, 1.0, 3.0, 4.0]]))
    n, found, _ = data.moments.of_set([0, 1])

    assert n == 3
    assert found.tolist() == [0.0, 0.0, 0.0, 1.0]


@pytest.mark.parametrize("shape", [(5, 40), (4200, 3)])
@pytest.mark.parametrize("share", [0.0, 0.2])
def test_bytes_are_foreseen(shape, share):
    data = available(holed(np.random.default_rng(0).normal(size=shape), share))

    assert data.moments.n_bytes <= bytes_of_moments(data)


def test_all_pairs_at_once_need_complete_data():
    with pytest.raises(ValueError, match="missing"):
        list(correlation_blocks(columns_of(available(holed(normal(3, 50))))))

"""The log of the upper tail is right where the tail itself is no double any more."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from h2pc._engine import log_chi_square_tail
from reference.slow_tables import log_tail
from strategies import examples

STATISTICS = np.geomspace(1e-6, 1e6, 13)
# Where the engine changes from one formula to the next.
SEAMS = (0.5, 1199.9, 1200.0, 1200.1, 1418.0, 1420.0, 1500.0)

statistics = st.floats(0.0, 1e7) | st.floats(0.0, 300.0) | st.floats(0.0, 1e-3)
degrees = st.integers(1, 100) | st.integers(1, 10_000)


def log_sf(statistic, df: int) -> np.ndarray:
    values = np.array(statistic, np.float64, ndmin=1)
    return log_chi_square_tail(values, np.full(values.size, df))


def differences(statistic, df: int) -> np.ndarray:
    """Differences from the exact logarithms, relative where these are below -1."""
    exact = np.array([log_tail(s, df) for s in statistic])
    return np.abs(log_sf(statistic, df) - exact) / np.maximum(1.0, np.abs(exact))


@pytest.mark.parametrize("decade", range(10))
def test_the_log_tail_is_exact_to_twelve_digits(decade):
    for df in range(10 * decade + 1, 10 * decade + 11):
        middle = df * np.array([0.5, 0.9, 1.0, 1.0 + 1.9 / df, 1.0 + 2.1 / df, 1.5, 3.0])
        assert differences([*STATISTICS, *SEAMS, *middle], df).max() < 1e-12


@pytest.mark.parametrize("df", [127, 128, 500, 999, 1000, 3001])
def test_the_log_tail_is_exact_to_twelve_digits_for_hundreds_of_degrees_of_freedom(df):
    middle = df * np.array([0.5, 0.9, 1.0, 1.1, 1.5, 3.0])

    assert differences([*STATISTICS, *SEAMS, *middle], df).max() < 1e-12


@pytest.mark.parametrize("df", [10_001, 100_000, 1_000_000])
def test_the_log_tail_is_exact_to_nine_digits_for_any_degrees_of_freedom(df):
    middle = df * np.array([0.99, 1.0, 1.01, 1.1, 2.0])

    assert differences([*STATISTICS, *middle], df).max() < 1e-9


def test_p_values_far_below_the_smallest_double_are_told_apart():
    log_p = log_sf([1500.0, 1500.001, 1e4, 1e5, 1e6], 1)

    assert np.exp(log_p).max() == 0.0
    assert (np.diff(log_p) < 0.0).all()
    assert log_p[-1] == pytest.approx(-500_007.133_548_08, abs=1e-6)


@pytest.mark.parametrize("statistic", [0.0, 1e-6, 1.0, 1e6])
def test_without_degrees_of_freedom_p_is_one(statistic):
    assert log_sf(statistic, 0) == 0.0


@pytest.mark.parametrize("df", [1, 2, 63, 64, 65, 66, 1000])
def test_a_statistic_of_zero_has_p_one(df):
    assert log_sf(0.0, df) == 0.0


@pytest.mark.parametrize("df", [1, 2, 63, 64, 65, 66, 1000])
def test_the_smallest_double_has_p_one(df):
    assert log_sf(5e-324, df) == 0.0


@examples(300)
@given(statistics, degrees)
def test_the_log_tail_is_finite_and_never_above_zero(statistic, df):
    log_p = log_sf(statistic, df)[0]

    assert np.isfinite(log_p)
    assert log_p <= 0.0


@examples(300)
@given(statistics, statistics, degrees)
def test_a_larger_statistic_never_has_a_larger_p_value(one, other, df):
    low, high = sorted([one, other])

    log_low, log_high = log_sf([low, high], df)

    assert log_high <= log_low + 1e-11 * max(1.0, -log_low)
    if low > df and high > 1.0001 * low:
        assert log_high < log_low


@examples(200)
@given(statistics, st.integers(1, 3000))
def test_more_degrees_of_freedom_never_lower_the_p_value(statistic, df):
    fewer, more = log_sf(statistic, df)[0], log_sf(statistic, df + 1)[0]

    assert more >= fewer - 1e-11 * max(1.0, -fewer)


@pytest.mark.parametrize("df", [1, 2, 5, 63, 64, 65, 66, 67, 100])
def test_neighbouring_statistics_are_ranked_where_the_formula_changes(df):
    for seam in (1200.0, df + 2.0, 1416.0):
        log_p = log_sf(seam * (1.0 + np.linspace(-1e-6, 1e-6, 41)), df)
        assert (np.diff(log_p) < 0.0).all()

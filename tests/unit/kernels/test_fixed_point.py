"""n·ln n as integers: precise, and with room for every sum that a table can make."""

import mpmath
import numpy as np
import pytest

from h2pc._kernels.statistics import fixed_point_shift, x_log_x_table


def exact(n: int, shift: int) -> int:
    with mpmath.workdps(50):
        return int(mpmath.nint(mpmath.ldexp(n * mpmath.log(n), shift))) if n > 1 else 0


@pytest.mark.parametrize("n_samples", [1, 2, 3, 10, 500])
def test_the_table_of_few_samples_is_exact_to_the_roundings_of_its_steps(n_samples):
    shift = fixed_point_shift(n_samples)

    table = x_log_x_table(n_samples, shift)

    assert table.size == n_samples + 1
    for n in range(n_samples + 1):
        assert abs(int(table[n]) - exact(n, shift)) <= n  # a unit or less for every step


@pytest.mark.parametrize("n_samples", [5_000, 50_000, 1_000_000])
def test_the_table_of_many_samples_is_exact_to_eleven_digits_after_the_point(n_samples):
    shift = fixed_point_shift(n_samples)

    table = x_log_x_table(n_samples, shift)

    for n in np.linspace(2, n_samples, 50).astype(int).tolist():
        error = abs(int(table[n]) - exact(n, shift)) / 2.0**shift
        assert error < 1e-11 * max(1.0, n / 1_000)


def test_nothing_and_one_have_no_logarithm_to_add():
    assert x_log_x_table(5, 40)[:2].tolist() == [0, 0]


@pytest.mark.parametrize("n_samples", [1, 2, 10, 1_000, 10**6, 10**9, 10**12])
def test_there_is_room_for_the_largest_sums(n_samples):
    shift = fixed_point_shift(n_samples)

    # Σ over cells, rows, columns and strata are four sums, none above N·ln N.
    assert exact(n_samples, shift) < 2**61
    assert shift >= 0


def test_the_table_is_convex_so_no_statistic_is_negative_by_more_than_rounding():
    steps = np.diff(x_log_x_table(100_000, fixed_point_shift(100_000)))

    assert (np.diff(steps) > -2).all()

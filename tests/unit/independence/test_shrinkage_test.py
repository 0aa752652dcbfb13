"""The shrinkage test is that of the textbook; what it shares with others is tested beside them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from h2pc.data import Dataset
from h2pc.independence.shrinkage_test import ShrinkageTest
from h2pc.independence.table_tests import GTest
from reference.slow_resampling import slow_shrinkage
from strategies import datasets, examples, questions


@examples(150)
@given(st.data(), datasets(min_variables=2))
def test_the_outcome_is_that_of_the_textbook(draw, data):
    x, (y, *_), z = draw.draw(questions(data.n_variables))

    found = ShrinkageTest(data, power_rule=0).outcome(x, y, z)

    expected = slow_shrinkage(data, x, y, z)
    assert found.df == expected.df
    assert found.statistic == pytest.approx(expected.statistic, rel=1e-9, abs=1e-9)
    assert found.log_p == pytest.approx(expected.log_p, rel=1e-8, abs=1e-8)


def test_a_table_by_hand():
    # n = 10, S = (16 + 16 + 1 + 1) / 100: (1 - S) / (9 (S - 1/4)) = 0.66 / 0.81.
    data = Dataset.from_codes([[0] * 5 + [1] * 5, [0] * 4 + [1] + [0] + [1] * 4])
    intensity = 0.66 / 0.81
    high, low = (intensity / 4 + (1 - intensity) * share for share in (0.4, 0.1))
    information = 2 * high * np.log(4 * high) + 2 * low * np.log(4 * low)

    found = ShrinkageTest(data, power_rule=0).outcome(0, 1)

    assert found.statistic == pytest.approx(20 * information, rel=1e-12)
    assert found.df == 1


def test_shrinking_fades_as_the_sample_grows():
    rng = np.random.default_rng(0)
    x = rng.integers(0, 3, 200_000)
    data = Dataset.from_codes(
        [x, np.where(rng.random(x.size) < 0.1, x, rng.integers(0, 3, x.size))]
    )

    ratios = [
        ShrinkageTest(some).outcome(0, 1).statistic / GTest(some).outcome(0, 1).statistic
        for some in (data.take(np.arange(n)) for n in (2_000, 20_000, 200_000))
    ]

    assert ratios[0] < ratios[1] < ratios[2] < 1.0
    assert ratios[2] > 0.99

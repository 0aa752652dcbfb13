"""All conditional independence tests of the authors' implementation come out the same."""

from functools import cache

import pytest

from golden import FILES, frame, golden
from h2pc.data import Dataset
from h2pc.independence.base import Outcome
from h2pc.independence.table_tests import GTest
from h2pc.variables import Vars


@cache
def dataset(file: str) -> Dataset:
    return Dataset.from_data(frame(file))


def asked(file: str) -> list[tuple[Vars, dict]]:
    """The variables x, y, *z of every test, and what is known about it."""
    data, tests = dataset(file), golden(file)["ci_tests"]
    return [(data.variables([t["x"], t["y"], *t["z"]]), t) for t in tests]


def assert_golden(found: Outcome, expected: dict) -> None:
    assert found.statistic == pytest.approx(expected["g2"], rel=1e-9, abs=1e-11)
    assert found.df == expected["df"]
    assert found.p == pytest.approx(expected["p"], rel=1e-9, abs=1e-300)


def test_there_are_four_hundred_tests_of_each_data_set():
    assert [len(asked(file)) for file in FILES] == [400] * 8


@pytest.mark.parametrize("file", FILES)
def test_statistic_degrees_of_freedom_and_p_value_are_equal(file):
    test = GTest(dataset(file), power_rule=0.0)

    for (x, y, *z), expected in asked(file):
        assert_golden(test.outcome(x, y, tuple(z)), expected)


@pytest.mark.parametrize("file", FILES)
def test_the_power_rule_allows_the_same_tests(file):
    test = GTest(dataset(file))

    for (x, y, *z), expected in asked(file):
        outcome = test.outcome(x, y, tuple(z))
        assert outcome.performed == expected["enough_samples"]
        if outcome.performed:
            assert_golden(outcome, expected)
        else:
            assert outcome.log_p == 0.0


@pytest.mark.parametrize("file", FILES)
def test_focused_tests_give_the_same_bits(file):
    test = GTest(dataset(file), power_rule=0.0)

    for (x, y, *z), _ in asked(file):
        focused = test.focused((x, y, *z))
        assert focused.outcome(x, y, tuple(z)) == test.outcome(x, y, tuple(z))


@pytest.mark.parametrize("file", FILES)
def test_x_and_y_may_be_swapped_and_z_turned_round(file):
    test = GTest(dataset(file), power_rule=0.0)

    for (x, y, *z), _ in asked(file):
        assert test.outcome(y, x, tuple(z[::-1])) == test.outcome(x, y, tuple(z))

"""Fisher's z and the degenerate Gaussian test, beside regressions by numpy."""

import itertools
import json
import math
import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from h2pc import CITest, Dataset, GaussianTest, MixedTest, hpc, mmpc
from h2pc.algorithms.hpc import hpc_neighbourhood
from h2pc.errors import DataError, SettingError
from reference import slow_gaussian

GOLDEN = Path(__file__).parents[2] / "golden"


def continuous(n_samples=200, n_variables=6, seed=0, share_missing=0.0):
    """A chain with some more links, in units of very different size."""
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(n_variables, n_samples))
    for v in range(1, n_variables):
        values[v] += 0.6 * values[v - 1] + (0.4 * values[0] if v == 3 else 0.0)
    values *= 10.0 ** rng.integers(-8, 8, size=(n_variables, 1))
    values[rng.random(values.shape) < share_missing] = np.nan
    return Dataset.from_values(values)


def mixed(n_samples=300, seed=0, share_missing=0.0):
    """Three continuous variables, and discrete ones of two to four levels."""
    rng = np.random.default_rng(seed)
    a, b, c, noise, more = rng.normal(size=(5, n_samples))
    b += 0.5 * a
    frame = pd.DataFrame(
        {
            "a": a,
            "b": b,
            "four": pd.cut(a + noise, [-np.inf, -1, 0, 1, np.inf], labels=list("pqrs")),
            "three": pd.cut(b + more, 3, labels=list("xyz")),
            "two": (c + noise > 0).astype(str),
            "z": c,
        }
    )
    blank = rng.random(frame.shape) < share_missing
    return Dataset.from_data(
        frame.astype({"four": str, "three": str}).mask(blank), missing="available"
    )


def questions(n_variables, most=3):
    for x, y in itertools.permutations(range(n_variables), 2):
        rest = [v for v in range(n_variables) if v not in (x, y)]
        for size in range(most + 1):
            for z in itertools.combinations(rest, size):
                yield x, y, z


@pytest.mark.parametrize("share_missing", [0.0, 0.1])
def test_fisher_is_that_of_the_inverse_of_the_correlations(share_missing):
    data = continuous(share_missing=share_missing)
    test = GaussianTest(data)
    for x, y, z in questions(6):
        statistic, log_p = slow_gaussian.fisher(data, x, y, z)
        outcome = test.outcome(x, y, z)
        assert (outcome.performed, outcome.df) == (True, 1)
        assert math.isclose(
            test.correlation(x, y, z),
            slow_gaussian.partial_correlation(data, x, y, z),
            rel_tol=1e-10,
            abs_tol=1e-11,
        )
        assert math.isclose(outcome.statistic, statistic, rel_tol=1e-9, abs_tol=1e-9)
        assert math.isclose(outcome.log_p, log_p, rel_tol=1e-9, abs_tol=1e-9)


def test_partial_correlations_are_those_of_pingouin():
    golden = json.loads((GOLDEN / "partial_correlations.json").read_text())
    data = Dataset.from_data(golden["values"])
    test = GaussianTest(data)

    assert len(golden["correlations"]) == 80
    for x, y, z, r in golden["correlations"]:
        found = test.correlation(*data.variables([x, y]), data.variables(list(z)))
        assert abs(found - r) < 1e-10


@pytest.mark.parametrize("share_missing", [0.0, 0.1])
def test_mixed_is_the_ratio_of_determinants(share_missing):
    data = mixed(share_missing=share_missing)
    test = MixedTest(data)
    for x, y, z in questions(6, most=2):
        statistic, df, log_p = slow_gaussian.wilks(data, x, y, z)
        outcome = test.outcome(x, y, z)
        assert outcome.df == df
        assert math.isclose(outcome.statistic, statistic, rel_tol=1e-9, abs_tol=1e-9)
        assert math.isclose(outcome.log_p, log_p, rel_tol=1e-9, abs_tol=1e-9)


@pytest.mark.parametrize("share_missing", [0.0, 0.1])
@pytest.mark.parametrize("test", [GaussianTest, MixedTest])
def test_neither_the_pair_nor_the_conditions_have_an_order(test, share_missing):
    data = (continuous if test is GaussianTest else mixed)(share_missing=share_missing)
    ci = test(data)
    for x, y, z in questions(6):
        assert ci.outcome(x, y, z) == ci.outcome(y, x, z[::-1])
        assert ci.log_p_many(x, (y,), z)[0] == ci.outcome(x, y, z).log_p
        assert ci.first_separator(x, y, z, min_size=len(z)).log_p == ci.outcome(x, y, z).log_p


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), st.booleans(), st.sampled_from([0.0, 0.15]))
def test_rows_and_names_may_come_in_any_order(seed, is_mixed, share_missing):
    data = (mixed if is_mixed else continuous)(n_samples=60, seed=seed, share_missing=share_missing)
    rng = np.random.default_rng(seed)
    moved = data.take(rng.permutation(data.n_samples))
    test, other = (MixedTest(d) if is_mixed else GaussianTest(d) for d in (data, moved))

    for x, y, z in itertools.islice(questions(6), 0, None, 7):
        assert test.outcome(x, y, z) == other.outcome(x, y, z)


class Plain(CITest):
    """The same answers, one at a time and all of them exact."""

    def __init__(self, test):
        super().__init__(test.alpha)
        self.test = test

    def log_p_given(self, target, candidates, z):
        return np.array([self.test.outcome(target, x, z).log_p for x in candidates])


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("share_missing", [0.0, 0.05])
@pytest.mark.parametrize("is_mixed", [False, True])
def test_shortcuts_change_no_result(seed, is_mixed, share_missing):
    if is_mixed:
        data = mixed(seed=seed, share_missing=share_missing)
    else:
        data = continuous(n_variables=12, n_samples=90, seed=seed, share_missing=share_missing)
    test = (MixedTest if is_mixed else GaussianTest)(data)
    everyone = tuple(range(data.n_variables))
    for target in everyone:
        fast, slow = (hpc_neighbourhood(target, ci, everyone) for ci in (test, Plain(test)))
        assert fast == slow
        assert mmpc(target, test, everyone) == mmpc(target, Plain(test), everyone)


def test_wide_tables_give_the_same_answers_on_demand():
    values = np.random.default_rng(0).normal(size=(4200, 60))
    values[1] += values[0]
    values[2] += values[0] + values[1]
    wide, few = (GaussianTest(Dataset.from_values(part)) for part in (values, values[:40]))

    assert not wide.data.moments.has_all
    for z in ((), (5,), (3, 7, 1)):
        rest = tuple(v for v in range(40) if v not in (*z, 0))
        assert (wide.log_p_many(0, rest, z) == few.log_p_many(0, rest, z)).all()
    assert 2 in hpc(0, wide, tuple(range(4200)))


def test_what_the_conditions_determine_is_independent_of_everything():
    a, b, c = np.random.default_rng(0).normal(size=(3, 80))
    test = GaussianTest(Dataset.from_values([a, b, c, 3.0 * a + 1.0, a - b]))

    assert test.outcome(3, 2, (0,)) == (0.0, 0, 0.0, True)
    assert test.outcome(4, 2, (0, 1)).log_p == 0.0
    assert test.correlation(3, 2, (0,)) == 0.0
    # A condition that is there twice counts once.
    assert math.isclose(test.outcome(1, 2, (0, 3)).log_p, test.outcome(1, 2, (0,)).log_p)


def test_perfect_links_are_certain():
    a, b = np.random.default_rng(0).normal(size=(2, 80))
    words = np.where(a > 0, "high", "low")
    data = Dataset.from_data({"a": a, "b": b, "copy": -7.0 * a, "sum": a + b, "word": words})
    test = MixedTest(data)

    assert GaussianTest(Dataset.from_values([a, a])).log_p(0, 1) == -math.inf
    assert test.log_p(0, 2) == -math.inf
    assert test.log_p(0, 3, (1,)) == -math.inf
    assert -math.inf < test.log_p(0, 4) < test.log_alpha
    twins = Dataset.from_codes([[0, 1, 2] * 9, [2, 1, 0] * 9])
    assert MixedTest(twins).outcome(0, 1) == (math.inf, 4, -math.inf, True)


def test_constant_variables_depend_on_nothing():
    data = Dataset.from_data(
        {"a": [0.5, 1.5, 2.5, 4.0, 5.0, 6.5], "b": [1.5] * 6, "c": ["x"] * 6, "d": list("xyxyxx")}
    )
    test = MixedTest(data)

    assert all(test.outcome(x, y).log_p == 0.0 for x in (0, 3) for y in (1, 2))
    assert test.outcome(0, 3, (1, 2)) == test.outcome(0, 3)
    assert test.correlation(0, 1) == 0.0
    assert test.correlation(0, 3) is None


@pytest.mark.parametrize("share_missing", [0.0, 0.3])
def test_tests_without_samples_are_not_performed(share_missing):
    data = continuous(n_samples=8, n_variables=12, share_missing=share_missing)
    test = GaussianTest(data)

    assert test.outcome(0, 1, (2, 3, 4, 5, 6)) == (0.0, 0, 0.0, False)
    assert not test.performs(0, 1, tuple(range(2, 12)))
    assert np.isfinite([test.log_p(x, y, z) for x, y, z in questions(6, most=4)]).all()


@pytest.mark.parametrize("share_missing", [0.0, 0.3])
@pytest.mark.parametrize("n_samples", [4, 6, 9, 14])
@pytest.mark.parametrize("kind", ["continuous", "mixed"])
def test_whether_a_test_is_performed_is_known_without_its_outcome(kind, n_samples, share_missing):
    if kind == "continuous":
        test = GaussianTest(continuous(n_samples, share_missing=share_missing))
    else:
        test = MixedTest(mixed(n_samples, share_missing=share_missing))
    performed = {key: test.outcome(*key).performed for key in questions(6, most=4)}

    assert {key: test.performs(*key) for key in performed} == performed
    conditions = {1: (), 2: (1, 3), 3: (1,), 5: (1, 2, 3, 4)}
    few = tuple(v for v, z in conditions.items() if not performed[0, v, z])
    assert test.unperformed(0, conditions) == few


def test_a_pair_that_is_never_complete_is_not_tested():
    nan = math.nan
    test = GaussianTest(Dataset.from_values([[1.0, 2.0, nan, nan], [nan, nan, 1.0, 3.0]]))

    assert test.outcome(0, 1) == (0.0, 0, 0.0, False)


def test_tests_of_any_kind_are_pickled_and_ignore_the_power_rule():
    for test in (GaussianTest(continuous(), 0.01, power_rule=10.0), MixedTest(mixed())):
        back = pickle.loads(pickle.dumps(test))

        assert (back.alpha, back.outcome(0, 1, (2,))) == (test.alpha, test.outcome(0, 1, (2,)))
        assert test.focused((0, 1)) is test


def test_discrete_variables_have_no_partial_correlation():
    with pytest.raises(DataError, match=r"'four'.*mixed.*discretize"):
        GaussianTest(mixed())
    with pytest.raises(SettingError, match="alpha"):
        GaussianTest(continuous(), 2.0)
    with pytest.raises(IndexError):
        GaussianTest(continuous()).outcome(0, 99)

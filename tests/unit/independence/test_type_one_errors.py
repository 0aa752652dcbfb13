"""Where its assumptions hold, a test finds links in as many independent samples as its level says.

``benchmarks/type_one_error.py`` has more samples, and cells in which they do not hold.
"""

import numpy as np
import pytest
from scipy.stats import binom

from h2pc import ChiSquareTest, GaussianTest, GTest, MixedTest, PermutationTest, ShrinkageTest
from h2pc.independence.resampling import Column, dataset_of

REPETITIONS, ALPHA = 600, 0.05
# Over all cells together the chance of an error is 2 %.
LOW, HIGH = binom.ppf([0.0005, 0.9995], REPETITIONS, ALPHA)


def semiparametric(data, alpha, **settings):
    return PermutationTest(data, alpha, semiparametric=True, **settings)


def levels(rng, n, n_conditions, card=2):
    """Discrete variables, of which each follows the one before, and x and y the last, at times."""
    columns = []
    for _ in range(n_conditions):
        before = columns[-1] if columns else rng.integers(0, card, n)
        columns.append(np.where(rng.random(n) < 0.4, before, rng.integers(0, card, n)))
    follow = columns[-1] if columns else np.zeros(n, int)
    x, y = (np.where(rng.random(n) < 0.3, follow, rng.integers(0, card, n)) for _ in range(2))
    return tuple(Column(values, card) for values in (x, y, *columns))


def numbers(rng, n, n_conditions):
    """Linear-Gaussian variables."""
    z = rng.normal(size=(n_conditions, n))
    x, y = (0.7 * z.sum(axis=0) + rng.normal(size=n) for _ in range(2))
    return tuple(map(Column, (x, y, *z)))


def groups(rng, n, n_conditions):
    """A variable of three levels beside numbers."""
    x, y, *z = numbers(rng, n, n_conditions)
    return x.cut(3), y, *z


def n_found(test, model, n, n_conditions):
    """In how many samples the test finds a link."""
    found = 0
    for i in range(REPETITIONS):
        data = dataset_of(model(np.random.default_rng([n, n_conditions, i]), n, n_conditions))
        own = test(data, ALPHA, power_rule=0.0)
        found += not own.independent(own.outcome(0, 1, tuple(range(2, 2 + n_conditions))).log_p)
    return found


EXACT = [
    (GTest, levels, 1000, 0),
    (GTest, levels, 1000, 1),
    (ChiSquareTest, levels, 200, 1),
    (ChiSquareTest, levels, 1000, 2),
    (semiparametric, levels, 200, 1),
    (semiparametric, levels, 1000, 2),
    (PermutationTest, levels, 1000, 0),
    (PermutationTest, levels, 200, 2),
    (GaussianTest, numbers, 50, 0),
    (GaussianTest, numbers, 50, 3),
    (GaussianTest, numbers, 1000, 2),
    (MixedTest, numbers, 50, 2),
    (MixedTest, groups, 50, 1),
    (MixedTest, groups, 200, 3),
]
CAUTIOUS = [
    (PermutationTest, levels, 50, 0),
    (PermutationTest, levels, 50, 3),
    (semiparametric, levels, 50, 3),
    (ShrinkageTest, levels, 50, 0),
    (ShrinkageTest, levels, 200, 3),
]


def cells(chosen):
    names = [f"{test.__name__}-{model.__name__}-{n}-{k}" for test, model, n, k in chosen]
    return pytest.mark.parametrize("cell", chosen, ids=names)


@cells(EXACT)
def test_the_error_is_within_the_limits_of_chance(cell):
    assert LOW <= n_found(*cell) <= HIGH


@cells(CAUTIOUS)
def test_the_error_of_discrete_p_values_and_of_shrinking_is_at_most_the_level(cell):
    assert n_found(*cell) <= HIGH


def test_small_strata_give_the_chi_square_law_errors_that_permutations_do_not_have():
    def sparse(rng, n, n_conditions):
        return levels(rng, n, n_conditions, card=4)

    assert n_found(GTest, sparse, 200, 2) > 2 * HIGH
    assert n_found(PermutationTest, sparse, 200, 2) <= HIGH

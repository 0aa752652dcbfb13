"""Tests by name."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal, get_args

from h2pc.checks import chosen
from h2pc.data import Dataset
from h2pc.data.kinds import AUTO_TESTS
from h2pc.errors import SettingError
from h2pc.independence.base import CITest
from h2pc.independence.gaussian_tests import GaussianTest, MixedTest
from h2pc.independence.permutation_test import PermutationTest
from h2pc.independence.shrinkage_test import ShrinkageTest
from h2pc.independence.table_tests import ChiSquareTest, GTest

TestName = Literal[
    "auto", "g2", "chi2", "gaussian", "mixed", "permutation", "semiparametric", "shrinkage"
]
TEST_NAMES: tuple[str, ...] = get_args(TestName)

CITestFactory = Callable[..., CITest]
"""Makes a test, called as ``factory(data, alpha, power_rule=power_rule)``."""

TESTS: dict[str, CITestFactory] = {
    "g2": GTest,
    "chi2": ChiSquareTest,
    "gaussian": GaussianTest,
    "mixed": MixedTest,
    "permutation": PermutationTest,
    "semiparametric": partial(PermutationTest, semiparametric=True),
    "shrinkage": ShrinkageTest,
}


def suitable_test(data: Dataset) -> str:
    """Return the name of the test that ``test="auto"`` takes for some data."""
    return AUTO_TESTS[data.kind]


def independence_test(
    data: Dataset,
    test: str | CITestFactory = "auto",
    alpha: float = 0.05,
    power_rule: float = 5.0,
    **caches: int,
) -> CITest:
    """Return the test on the data that goes by a name, or that a function makes.

    Parameters
    ----------
    data : Dataset
        The sample.
    test : str or callable, default="auto"
        The name, or a function that is called as ``test(data, alpha, power_rule=power_rule)``.
    alpha, power_rule : float, default=0.05, 5.0
        Parameters of the test.
    caches
        Sizes of the caches of tests on contingency tables; others make no use of them.

    Examples
    --------
    >>> type(independence_test(Dataset.from_values([[0.5, 1.5, 0.0], [1.0, 2.5, 3.0]]))).__name__
    'GaussianTest'
    """
    if test == "auto":
        test = suitable_test(data)
    factory: CITestFactory = test if callable(test) else chosen("test", test, TESTS)
    more = caches if factory in (GTest, ChiSquareTest) else {}
    made: object = factory(data, alpha, power_rule=power_rule, **more)
    if not isinstance(made, CITest):
        raise SettingError(f"test must make a CITest; {test!r} made a {type(made).__name__}.")
    return made

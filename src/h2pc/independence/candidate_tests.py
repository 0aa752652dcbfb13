"""The tests that a table of a kind can be tested with."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NamedTuple

from h2pc.checks import chosen
from h2pc.data import Dataset
from h2pc.errors import SettingError
from h2pc.independence.gaussian_tests import GaussianTest, MixedTest
from h2pc.independence.permutation_test import PermutationTest
from h2pc.independence.shrinkage_test import ShrinkageTest
from h2pc.independence.table_tests import ChiSquareTest, GTest


class Candidate(NamedTuple):
    """A test that is compared with others."""

    label: str
    make: Callable[..., Any]
    """Makes the test, called as ``make(data, alpha, power_rule=power_rule)``."""
    name: str | None
    """What learners call it in their parameter ``test``; None where they have no name for it."""
    levels: int | None = None
    """Number of levels that continuous variables are cut into; None where they stay as they are."""
    is_drawn: bool = False
    """Whether it takes a seed."""


def _uncached(test: Callable[..., Any], **settings: Any) -> Callable[..., Any]:
    return partial(test, cache_size=0, bytes_for_rounds=0, **settings)


_MIXED = Candidate("mixed", MixedTest, "mixed")
_CUT = tuple(
    Candidate(f"g2 on {levels} levels", _uncached(GTest), "g2", levels) for levels in (3, 2)
)
CANDIDATES = {
    "discrete": (
        Candidate("g2", _uncached(GTest), "g2"),
        Candidate("g2, df unadjusted", _uncached(GTest, adjust_df=False), None),
        Candidate("chi2", _uncached(ChiSquareTest), "chi2"),
        Candidate(
            "semiparametric", partial(PermutationTest, semiparametric=True), "semiparametric"
        ),
        _MIXED,
        Candidate("shrinkage", ShrinkageTest, "shrinkage"),
        Candidate("permutation", PermutationTest, "permutation", is_drawn=True),
    ),
    "continuous": (Candidate("gaussian", GaussianTest, "gaussian"), _MIXED, *_CUT),
    "mixed": (_MIXED, *_CUT),
}
"""By kind of data. The default comes first, then the faster ones: ties go to the first."""


def candidates_for(data: Dataset, names: Iterable[str] | None = None) -> tuple[Candidate, ...]:
    """Return the tests that suit the data, or those of them that have one of these names."""
    suited = CANDIDATES[data.kind]
    if names is None:
        return suited
    if isinstance(names, str):
        raise SettingError(f"tests must be a list of names; got {names!r}.")
    known = {name: None for each in suited for name in (each.name, each.label) if name}
    wanted = list(names)
    for name in wanted:
        chosen("tests", name, known)
    found = tuple(each for each in suited if each.name in wanted or each.label in wanted)
    if not found:
        raise SettingError("tests must name at least one test, or be None for all.")
    return found

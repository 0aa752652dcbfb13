"""Warnings about data: samples that are too few for the levels, copies of variables."""

from __future__ import annotations

import warnings
from collections.abc import Mapping

import numpy as np

from h2pc.data import Dataset
from h2pc.data.moments import MOST_LEVELS
from h2pc.data.power import untestable, untested_shares
from h2pc.errors import DataWarning, Remedy
from h2pc.independence.base import CITest
from h2pc.independence.gaussian_tests import MixedTest
from h2pc.independence.table_tests import TableTest
from h2pc.variables import Var

_MOST_NAMED = 3
_MOST_UNTESTED = 0.5


def warn_of_untestable(ci: CITest, *, stacklevel: int = 3) -> None:
    """Warn of variables that get no edge: too few samples for a test of counts, too many levels."""
    if isinstance(ci, MixedTest):
        _warn_of_many_levels(ci.data, stacklevel=stacklevel + 1)
    if not isinstance(ci, TableTest):
        return
    data, power_rule = ci.data, ci.power_rule
    found = untestable(data.cards, data.n_samples, power_rule)
    if not found:
        return
    largest = sorted(found, key=lambda v: (-data.cards[v], data.names[v]))
    shown = ", ".join(f"{data.names[v]!r}" for v in largest[:_MOST_NAMED])
    more = f" and {len(found) - _MOST_NAMED:,} more" if len(found) > _MOST_NAMED else ""
    warnings.warn(
        DataWarning(
            f"no test of {shown}{more} has {power_rule:g} samples per cell: {data.n_samples:,} "
            f"samples are too few for the levels, and there will be no edge"
        ),
        stacklevel=stacklevel,
    )


def warn_of_copies(data: Dataset, copies: Mapping[Var, Var], *, stacklevel: int = 3) -> None:
    """Warn of variables that say the same as others."""
    if not copies:
        return
    named = [f"{data.names[v]!r} of {data.names[u]!r}" for v, u in copies.items()]
    shown = ", ".join(named[:_MOST_NAMED])
    more = f" and {len(named) - _MOST_NAMED:,} more" if len(named) > _MOST_NAMED else ""
    warnings.warn(
        DataWarning(
            f"some variables are copies of others, level for level: {shown}{more}; each is "
            "joined to the variable that it copies, and to no other"
        ),
        stacklevel=stacklevel,
    )


def _warn_of_many_levels(data: Dataset, *, stacklevel: int) -> None:
    """Warn of discrete variables that have no columns in the mixed test."""
    observed = {
        v: np.count_nonzero(np.bincount(data.codes[v])[: data.cards[v]])
        for v in np.flatnonzero(data.cards > MOST_LEVELS).tolist()
    }
    many = [v for v, n_levels in observed.items() if n_levels > MOST_LEVELS]
    if not many:
        return
    shown = ", ".join(f"{data.names[v]!r} ({observed[v]:,})" for v in many[:_MOST_NAMED])
    more = f" and {len(many) - _MOST_NAMED:,} more" if len(many) > _MOST_NAMED else ""
    warnings.warn(
        DataWarning(
            f"more than {MOST_LEVELS} levels of {shown}{more} are too many for the mixed test, and "
            f"there will be no edge; group them into fewer levels"
        ),
        stacklevel=stacklevel,
    )


def warn_of_few_samples(ci: CITest, *, stacklevel: int = 3) -> None:
    """Warn where most tests given one variable are left out, and two levels would help."""
    if not isinstance(ci, TableTest):
        return
    data, power_rule = ci.data, ci.power_rule
    own = untested_shares(data.cards, data.n_samples, power_rule).given_one
    two = untested_shares(np.minimum(data.cards, 2), data.n_samples, power_rule).given_one
    if own <= _MOST_UNTESTED or two >= own:
        return
    warnings.warn(
        DataWarning(
            f"{data.n_samples:,} samples are few: {100 * own:.0f} % of the tests given one "
            f"variable are left out, with two levels {100 * two:.0f} %",
            Remedy("levels", 2, "cuts numbers into two levels"),
        ),
        stacklevel=stacklevel,
    )

"""The same test, made to count in other ways: what a way of counting needs is taken from it."""

from __future__ import annotations

from copy import copy

import numpy as np

from h2pc._kernels.handles import handle_of
from h2pc.independence.table_test import TableTest
from h2pc.variables import Vars

NO_PAIRS = np.empty((0, 0), np.int32)
NO_BITMAPS = np.empty((0, 0), np.uint64)


def without(test: TableTest, **missing: np.ndarray) -> TableTest:
    """A test whose sample lacks some of its arrays."""
    sample, settings, *_ = test._handle
    other = copy(test)
    other._handle = handle_of(sample._replace(**missing), settings)
    return other


def all_ways(test: TableTest) -> dict[str, TableTest]:
    """Tests that have to count in another way than ``test``, all with the same answers.

    ``test`` must not remember its answers, or they would not count at all.
    """
    data = test.data
    everything: Vars = tuple(range(data.n_variables))
    merged = type(test)(
        data.compressed(everything),
        test.alpha,
        power_rule=test.power_rule,
        adjust_df=test.adjust_df,
        remembered=0,
    )
    return {
        "as planned": test,
        "no pairs": without(test, pairs=NO_PAIRS),
        "no bitmaps": without(test, bitmaps=NO_BITMAPS),
        "codes alone": without(test, pairs=NO_PAIRS, bitmaps=NO_BITMAPS),
        "focused": test.focused(everything),
        "focused, codes alone": without(
            test.focused(everything), pairs=NO_PAIRS, bitmaps=NO_BITMAPS
        ),
        "merged": merged,
        "merged, no pairs": without(merged, pairs=NO_PAIRS),
    }

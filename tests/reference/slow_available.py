"""The textbook twin of available-case analysis: rows with a missing value are dropped first."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from h2pc.data import Dataset
from h2pc.independence.table_tests import Outcome, TableTest
from h2pc.scores import BIC, LogLikelihood
from h2pc.scores.table_score import TableScore
from h2pc.variables import Var, Vars
from reference.slow_scores import TWINS, sizes, slow_log_likelihood


def complete_rows(data: Dataset, variables: Sequence[Var]) -> Dataset | None:
    """These variables alone, in the samples that are complete in them; None if there is none."""
    chosen = list(variables)
    codes, cards = data.codes[chosen], data.cards[chosen]
    if data.weights is not None:
        codes = np.repeat(codes, data.weights, axis=1)
    is_complete = (codes < cards[:, None]).all(axis=0)
    return Dataset.from_codes(codes[:, is_complete], cards=cards) if is_complete.any() else None


def available_outcome(test: TableTest, x: Var, y: Var, z: Vars = ()) -> Outcome:
    """One test in full, on data without missing values."""
    rules = {"power_rule": test.power_rule, "adjust_df": test.adjust_df}
    rows = complete_rows(test.data, (x, y, *z))
    if rows is None:
        df = int((test.data.cards[[x, y]] - 1).prod() * test.data.cards[list(z)].prod())
        performed = test.power_rule == 0.0
        return Outcome(0.0, df if performed and not test.adjust_df else 0, 0.0, performed)
    assert rows.is_complete
    return type(test)(rows, test.alpha, cache_size=0, **rules).outcome(
        0, 1, tuple(range(2, 2 + len(z)))
    )


def node_average(score: TableScore, child: Var, parents: Vars) -> float:
    """The score of the complete rows of a family, for all rows, less what may be chance."""
    n = score.data.n_samples
    rows = complete_rows(score.data, (child, *parents))
    if rows is None:
        return -n * math.log(score.data.cards[child])
    own = tuple(range(1, rows.n_variables))
    if isinstance(score, BIC):  # a parameter costs as much as in a complete sample
        r, q = sizes(rows, 0, own)
        value = slow_log_likelihood(rows, 0, own) - 0.5 * math.log(n) * (r - 1) * q
    else:
        value = TWINS[type(score)](rows, 0, own)
    more = n / rows.n_samples
    by_chance = 0.0 if type(score) is LogLikelihood else math.sqrt(n * math.log(n) * (more - 1))
    return value * more - by_chance

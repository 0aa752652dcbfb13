"""The textbook twin of available-case analysis: rows with a missing value are dropped first."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from h2pc.data import Dataset
from h2pc.independence.base import Outcome
from h2pc.independence.table_tests import TableTest
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


def score_of_rows(score: TableScore, rows: Dataset, child: Var, parents: Vars) -> float:
    """The textbook's score; a parameter costs as much as in a complete sample."""
    if not isinstance(score, BIC):
        return TWINS[type(score)](rows, child, parents)
    r, q = sizes(rows, child, parents)
    penalty = 0.5 * math.log(score.data.n_samples) * (r - 1) * q
    return slow_log_likelihood(rows, child, parents) - penalty


def node_average(score: TableScore, child: Var, parents: Vars) -> float:
    """The average score of complete rows, for all rows, less what may be chance.

    The child alone has all rows in which it is there, what the parents add those of the family.
    """
    data, n = score.data, score.data.n_samples
    present, rows = complete_rows(data, (child,)), complete_rows(data, (child, *parents))
    if present is None:
        total = -n * math.log(data.cards[child])
    else:
        total = score_of_rows(score, present, 0, ()) * n / present.n_samples
    if rows is not None:
        own = tuple(range(1, rows.n_variables))
        more = score_of_rows(score, rows, 0, own) - score_of_rows(score, rows, 0, ())
        total += more * n / rows.n_samples
    if type(score) is not LogLikelihood:
        odds = data.n_missing / np.maximum(1, n - data.n_missing)
        for x in parents:
            total -= 0.2 * math.sqrt(n * math.log(n) * (odds[child] + odds[x]) / 2)
    return total

"""The rows of replicates: drawn with replacement, or halves of the rows; in strata or not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from h2pc.data import Dataset
from h2pc.errors import SettingError

Resampling = Literal["bootstrap", "subsample"]
RESAMPLINGS: tuple[Resampling, ...] = ("bootstrap", "subsample")

Rows = NDArray[np.intp]


def strata_of(sample: Dataset, stratify: str | None) -> tuple[Rows, ...]:
    """Return the rows of each level of a discrete variable; all rows where there is none.

    Missing values are a level of their own. Strata come in the order of their first rows, so that
    the names of the levels do not matter.
    """
    everything = np.arange(sample.n_rows)
    if stratify is None:
        return (everything,)
    v = sample.variable(stratify)
    if sample.is_continuous[v]:
        raise SettingError(f"stratify must name a discrete variable; {stratify!r} is continuous.")
    codes = sample.codes[v]
    levels, first = np.unique(codes, return_index=True)
    return tuple(everything[codes == level] for level in levels[np.argsort(first)])


def replicate_rows(number: int, strata: Sequence[Rows], resampling: Resampling, seed: int) -> Rows:
    """Return the rows of a replicate; those of one number are the same however many follow.

    A bootstrap sample has as many rows of each stratum as there are. Subsamples 2k and 2k + 1 are
    the two halves of one random split (Shah and Samworth, 2013): of each stratum they have equally
    many rows, or one has one more; of an odd number of rows, one is in neither.
    """
    if resampling == "bootstrap":
        rng = np.random.default_rng([seed, number])
        drawn = [rows[rng.integers(len(rows), size=len(rows))] for rows in strata]
        return np.concatenate(drawn)
    rng = np.random.default_rng([seed, number // 2])
    mixed = [rng.permutation(rows) for rows in strata]
    # Neighbours in this order go to different halves.
    paired = [rows[: len(rows) // 2 * 2] for rows in mixed]
    left_over = rng.permutation(np.concatenate([rows[len(rows) // 2 * 2 :] for rows in mixed]))
    order = np.concatenate([*paired, left_over])
    return order[: len(order) // 2 * 2].reshape(-1, 2)[:, number % 2]

"""From a data set to what the counting kernels are given."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from h2pc._kernels import merging
from h2pc._kernels.growing import list_rare_levels
from h2pc._kernels.handles import Handle, empty_answers, handle_of, handle_with
from h2pc._kernels.questions import count_pairs
from h2pc._kernels.sample import Sample, Settings
from h2pc.data.dataset import Dataset
from h2pc.variables import Vars

_LARGEST_PAIRS = 1 << 28  # bytes
WORTH_MERGING = 0.7  # with more rows left, the bitmaps of single samples are as fast
_SPARSE = 0.125  # the share of rarer levels up to which they are listed
_NO_WEIGHTS = np.empty(0, np.int64)
_NO_STARTS = np.empty(0, np.int64)
_NO_VARIABLES = np.empty(0, np.uint16)
_NO_PAIRS = np.empty((0, 0), np.int32)
_NO_SETTINGS = Settings(np.empty(0, np.int64), 0, 0.0, True, 0.0)


def sample_of(data: Dataset, n_answers: int) -> Sample:
    """Return the sample of a data set, with the counts of all pairs of levels if these fit."""
    level_counts = _level_counts(data)
    n_levels = level_counts.size
    sample = Sample(
        codes=data.codes,
        code_rows=np.arange(data.n_variables),
        weights=_NO_WEIGHTS if data.weights is None else data.weights,
        bitmaps=data.bitmaps,
        first_row=data.first_row,
        cards=data.cards,
        modes=_modes(level_counts, data.first_row),
        level_counts=level_counts,
        pairs=_NO_PAIRS,
        answers=empty_answers(n_answers),
        rare_starts=_NO_STARTS,
        rare_variables=_NO_VARIABLES,
        n_samples=data.n_samples,
    )
    if 4 * n_levels * n_levels > _LARGEST_PAIRS or data.n_samples > np.iinfo(np.int32).max:
        return sample
    pairs = np.empty((n_levels, n_levels), np.int32)
    count_pairs(*handle_of(sample, _NO_SETTINGS).arguments, pairs)
    return _with_rare_levels(sample._replace(pairs=pairs))


def _with_rare_levels(sample: Sample) -> Sample:
    """Return the sample with lists of what is at its rarer level, where these are short."""
    binary = np.flatnonzero(sample.cards == 2)
    rarer = sample.first_row[binary] + 1 - sample.modes[binary]
    n_listed = int(sample.level_counts[rarer].sum())
    is_sparse = n_listed <= _SPARSE * binary.size * sample.n_samples
    if not (is_sparse and sample.bitmaps.size and sample.cards.size <= np.iinfo(np.uint16).max):
        return sample
    starts = np.zeros(sample.n_samples + 1, np.int64)
    variables = np.empty(n_listed, np.uint16)
    list_rare_levels(*handle_of(sample, _NO_SETTINGS).arguments, starts, variables)
    return sample._replace(rare_starts=starts, rare_variables=variables)


def merged(handle: Handle, variables: Vars) -> Handle | None:
    """Return the sample with equal rows of ``variables`` merged; others lose their codes.

    None where so many rows would be left that merging does not pay.
    """
    chosen = np.array(variables, np.int64)
    codes, code_rows, weights = merging.merged(*handle.arguments, chosen, WORTH_MERGING)
    if not weights.size:
        return None
    codes.flags.writeable = False  # as those of a data set: one type for the compiler
    return handle_with(handle, codes=codes, code_rows=code_rows, weights=weights)


def _level_counts(data: Dataset) -> NDArray[np.int64]:
    if data.weights is None:
        counts: NDArray[np.int64] = np.bitwise_count(data.bitmaps).sum(axis=1, dtype=np.int64)
        return counts
    by_variable = [
        np.bincount(codes, data.weights, card)
        for codes, card in zip(data.codes, data.cards, strict=True)
    ]
    return np.concatenate(by_variable).astype(np.int64)


def _modes(level_counts: NDArray[np.int64], first_row: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the most frequent level of every variable, the first of several."""
    cards = np.diff(first_row)
    variable = np.repeat(np.arange(cards.size), cards)
    order = np.lexsort((-level_counts, variable))
    return order[first_row[:-1]] - first_row[:-1]

"""Which way to count is cheapest, and what has to be built for it once."""

import math
from typing import NamedTuple

import numpy as np

from h2pc._kernels import cells as cells_of
from h2pc._kernels import costs, counting
from h2pc._kernels._jit import borrowed, inlined, part

_LARGEST_TABLE = 1 << 22  # entries
_LARGEST_MASKS = 1 << 22  # words

# SUBTRACTION counts pairs, or triples from known pairs. EITHER chooses between bitmaps and keys for
# every varying variable.
_SUBTRACTION, _BITMAPS, _KEYS, _EITHER = 0, 1, 2, 3
_SET_BITS, _SCATTER = 4, 5


class Prepared(NamedTuple):
    """What counting many tables with the same fixed variables needs."""

    plan: int
    masks: np.ndarray
    """Bitmaps of the cells, with their numbers and counts."""
    cells: np.ndarray
    counts: np.ndarray
    n_cells: int
    n_strata: int
    keys: np.ndarray
    """The cells of ``n_rows`` rows, numbered over ``n_key_strata`` strata."""
    rows: np.ndarray
    n_rows: int
    cell_of_row: np.ndarray
    """The same for all rows; -1 for those left out."""
    cell_counts: np.ndarray
    n_key_strata: int


@inlined
def _cost_by_set_bits(sample, v):
    if sample.weights.size > 0 or sample.bitmaps.shape[1] == 0:
        return math.inf  # a bit is a sample, not a row
    mode = sample.first_row[v] + sample.modes[v]
    outside_mode = sample.n_samples - sample.level_counts[mode]
    words = (sample.cards[v] - 1) * sample.bitmaps.shape[1]
    return outside_mode * costs.BIT + words * costs.BIT_WORD


@inlined
def _cost_by_keys(sample, v):
    return min(sample.codes.shape[1] * costs.ROW, _cost_by_set_bits(sample, v))


@inlined
def _cost_by_bitmaps(sample, n_cells, v):
    return n_cells * (sample.cards[v] - 1) * sample.bitmaps.shape[1] * costs.WORD


@part
def cheapest_plan(sample, fixed, possible_cells, varying, is_open):
    """Choose the least total of what is built once and what every question costs."""
    n_rows, n_words = sample.codes.shape[1], sample.bitmaps.shape[1]
    if n_words == 0:
        return _SUBTRACTION if fixed.size == 1 and sample.pairs.size > 0 else _KEYS
    subtraction = math.inf
    free_cells = 1.0
    if fixed.size == 1 or (fixed.size == 2 and sample.pairs.size > 0):
        subtraction = 0.0
        for v in fixed:
            free_cells *= sample.cards[v] - 1
    bitmaps = 2.0 * possible_cells * n_words * costs.WORD
    keys = (fixed.size + 1) * n_rows * costs.KEY
    either = bitmaps + keys
    most_levels = np.int64(1)
    for i in range(varying.size):
        if is_open[i]:
            most_levels = max(most_levels, sample.cards[varying[i]])
            by_bitmaps = _cost_by_bitmaps(sample, possible_cells, varying[i])
            by_keys = _cost_by_keys(sample, varying[i])
            subtraction += _cost_by_bitmaps(sample, free_cells, varying[i])
            bitmaps += by_bitmaps
            keys += by_keys
            either += min(by_bitmaps, by_keys)
    if possible_cells * max(n_words, most_levels) > _LARGEST_MASKS:
        bitmaps = either = math.inf
    if possible_cells * most_levels > _LARGEST_TABLE:
        subtraction = math.inf
    if not (cells_of.has_codes(sample, fixed) and cells_of.has_codes(sample, varying)):
        keys = either = math.inf
    best = min(bitmaps, keys, either)
    if min(best, subtraction) == math.inf:
        raise IndexError("a focused test was asked about a variable outside its focus")
    if subtraction <= best:
        return _SUBTRACTION
    if bitmaps == best:
        return _BITMAPS
    return _KEYS if keys == best else _EITHER


@part
def prepared(sample, fixed, n_strata_variables, plan, possible_cells):
    """Build what ``plan`` needs for the cells of ``fixed``."""
    per_level = np.int64(1)
    for position in range(n_strata_variables + 1, fixed.size):
        per_level *= sample.cards[fixed[position]]
    per_stratum = per_level * sample.cards[fixed[n_strata_variables]]

    n_masks = n_numbers = np.int64(0)
    if plan == _SUBTRACTION and fixed.size == 2:
        n_masks = (sample.cards[fixed[0]] - 1) * (sample.cards[fixed[1]] - 1)
        n_numbers = np.int64(possible_cells)
    elif plan == _BITMAPS or plan == _EITHER:
        n_masks = n_numbers = np.int64(possible_cells) + 1  # one more to work in
    masks = np.empty((n_masks, sample.bitmaps.shape[1]), np.uint64)
    cells = np.empty(n_numbers, np.int64)
    counts = np.empty(n_numbers, np.int64)
    n_cells = n_strata = n_key_strata = n_key_cells = np.int64(0)
    if plan == _SUBTRACTION:
        n_strata = sample.cards[fixed[0]] if n_strata_variables == 1 else np.int64(1)
        if fixed.size == 2:
            cells_of.triple_masks(sample, fixed[0], fixed[1], masks, cells)
    elif n_masks > 0:
        n_cells = cells_of.bitmap_cells(sample, fixed, masks, cells, counts)
        n_possible = np.int64(possible_cells) // per_stratum
        n_cells, n_strata = cells_of.drop_constant_strata(
            n_possible, per_stratum, per_level, masks, cells, counts, n_cells
        )
    keys = np.empty(sample.codes.shape[1] if plan == _KEYS or plan == _EITHER else 0, np.int64)
    rows = np.empty(keys.size, np.int64)
    cell_of_row = np.empty(keys.size, np.int64)
    n_rows = np.int64(0)
    if keys.size > 0:
        n_key_strata = cells_of.row_keys(sample, fixed, n_strata_variables, cell_of_row)
        n_rows, n_key_strata = cells_of.active_rows(
            sample, fixed, n_strata_variables, cell_of_row, n_key_strata, keys, rows
        )
        if sample.weights.size == 0 and n_key_strata * per_stratum <= keys.size:
            n_key_cells = n_key_strata * per_stratum
    cell_counts = np.zeros(n_key_cells, np.int64)
    if n_key_cells > 0:
        for i in range(n_rows):
            cell_counts[keys[i]] += 1
    return Prepared(
        plan,
        masks,
        cells,
        counts,
        n_cells,
        n_strata,
        keys,
        rows,
        n_rows,
        cell_of_row,
        cell_counts,
        n_key_strata,
    )


@inlined
def lent(ready):
    """Return what was prepared with all arrays borrowed."""
    return Prepared(
        ready.plan,
        borrowed(ready.masks),
        borrowed(ready.cells),
        borrowed(ready.counts),
        ready.n_cells,
        ready.n_strata,
        borrowed(ready.keys),
        borrowed(ready.rows),
        ready.n_rows,
        borrowed(ready.cell_of_row),
        borrowed(ready.cell_counts),
        ready.n_key_strata,
    )


@part
def table_size(ready, per_stratum, card):
    """Return the number of entries to set aside for tables of at most ``card`` levels.

    Only counting by keys can go through the strata in several parts.
    """
    by_keys = min(ready.n_key_strata * per_stratum * card, _LARGEST_TABLE)
    return max(ready.n_strata * per_stratum * card, by_keys, per_stratum * card)


@inlined
def _way(sample, ready, v):
    """How the table of ``v`` is counted under a plan: a plan, or the two ways to use keys."""
    if ready.plan == _SUBTRACTION or ready.plan == _BITMAPS:
        return ready.plan
    by_rows = ready.n_rows * costs.ROW
    by_bits = _cost_by_set_bits(sample, v) if ready.cell_counts.size > 0 else math.inf
    if ready.plan == _EITHER and _cost_by_bitmaps(sample, ready.n_cells, v) <= min(
        by_rows, by_bits
    ):
        return _BITMAPS
    return _SET_BITS if by_bits < by_rows else _SCATTER


@inlined
def fill(sample, fixed, ready, per_stratum, v, low, table):
    """Count the strata from ``low`` on that fit into ``table``; (strata counted, all strata)."""
    size = per_stratum * sample.cards[v]
    way = _way(sample, ready, v)
    if way == _SUBTRACTION:
        if fixed.size == 2:
            counting.count_triple(sample, fixed[0], fixed[1], v, ready.masks, ready.cells, table)
        elif sample.pairs.size > 0:
            counting.copy_pair(sample, fixed[0], v, table)
        else:
            counting.count_pair_by_bitmaps(sample, fixed[0], v, table)
        return ready.n_strata, ready.n_strata
    if way == _BITMAPS:
        table[: ready.n_strata * size] = 0
        counting.count_by_bitmaps(
            sample, v, ready.masks, ready.cells, ready.counts, ready.n_cells, table
        )
        return ready.n_strata, ready.n_strata
    some = min(ready.n_key_strata - low, table.size // size)
    whole = some == ready.n_key_strata
    table[: some * size] = 0
    if way == _SET_BITS and whole:
        counting.count_by_set_bits(sample, v, ready.cell_of_row, ready.cell_counts, table)
    else:
        counting.count_by_scatter(
            sample,
            v,
            ready.keys,
            ready.rows,
            ready.n_rows,
            low * per_stratum,
            table,
            some * size,
            whole,
        )
    return some, ready.n_key_strata


@inlined
def count_pair(sample, a, b, table):
    """Count ``table[a, b]`` in the cheaper way."""
    n_rows = sample.codes.shape[1]
    by_bitmaps = _cost_by_bitmaps(sample, sample.cards[a] - 1, b)
    if sample.bitmaps.shape[1] > 0 and by_bitmaps <= n_rows * costs.ROW:
        counting.count_pair_by_bitmaps(sample, a, b, table)
    else:
        counting.count_pair_by_scatter(sample, a, b, table)

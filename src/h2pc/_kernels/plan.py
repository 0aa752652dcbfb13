"""Which way to count is cheapest, and what has to be built for it once."""

import math
from typing import NamedTuple

import numpy as np

from h2pc._kernels import binary, costs, counting
from h2pc._kernels import cells as cells_of
from h2pc._kernels._jit import beyond, borrowed, inlined, part

_LARGEST_TABLE = 1 << 22  # entries
_LARGEST_MASKS = 1 << 22  # words

# SUBTRACTION counts pairs, or triples from known pairs. EITHER chooses between bitmaps and keys for
# every varying variable.
_SUBTRACTION, _BITMAPS, _KEYS, _EITHER = 0, 1, 2, 3
_SET_BITS, _SCATTER, BINARY = 4, 5, 6


class Prepared(NamedTuple):
    """What counting many tables with the same fixed variables needs: addresses, and sizes."""

    plan: int
    masks: np.ndarray
    """Bitmaps of the cells, with their numbers and counts."""
    cells: np.ndarray
    counts: np.ndarray
    n_cells: int
    n_strata: int
    listed: np.ndarray
    """Samples of cells with few of them, which have no bitmaps, then the numbers of their cells."""
    n_listed: int
    keys: np.ndarray
    """The cells of ``n_rows`` rows, numbered over ``n_key_strata`` strata."""
    rows: np.ndarray
    weights: np.ndarray
    """The weights of these rows; not there where all rows are there and count once."""
    n_rows: int
    cell_of_row: np.ndarray
    """The same for all rows; -1 for those left out."""
    n_key_strata: int
    cell_counts: np.ndarray
    n_key_cells: int
    """Number of ``cell_counts``; 0 where set bits cannot be used."""
    table: np.ndarray
    table_size: int
    columns: np.ndarray
    """Room for the sums of the columns of a table."""


@inlined
def _cost_by_set_bits(view, v):
    if view.weighted or view.n_words == 0:
        return math.inf  # a bit is a sample, not a row
    mode = view.first_row[v] + view.modes[v]
    outside_mode = view.n_samples - view.level_counts[mode]
    words = (view.cards[v] - 1) * view.n_words
    return outside_mode * costs.BIT + words * costs.BIT_WORD


@inlined
def _cost_by_keys(view, v):
    return min(view.n_rows * costs.ROW, _cost_by_set_bits(view, v))


@inlined
def _cost_by_bitmaps(view, n_cells, v):
    return n_cells * (view.cards[v] - 1) * view.n_words * costs.WORD


@part
def cheapest_plan(view, fixed, possible_cells, varying, is_open, is_g2):
    """Choose the least total of what is built once and what every question costs."""
    n_rows, n_words = view.n_rows, view.n_words
    if n_words == 0:
        return _SUBTRACTION if fixed.size == 1 and view.n_levels > 0 else _KEYS
    subtraction = math.inf
    free_cells = 1.0
    if fixed.size == 1 or (fixed.size == 2 and view.n_levels > 0):
        subtraction = 0.0
        for v in fixed:
            free_cells *= view.cards[v] - 1
    bitmaps = 2.0 * possible_cells * n_words * costs.WORD
    keys = (fixed.size + 1) * n_rows * costs.KEY
    either = bitmaps + keys
    most_levels = np.int64(1)
    for i in range(varying.size):
        if is_open[i]:
            most_levels = max(most_levels, view.cards[varying[i]])
            by_bitmaps = _cost_by_bitmaps(view, possible_cells, varying[i])
            by_keys = _cost_by_keys(view, varying[i])
            subtraction += _cost_by_bitmaps(view, free_cells, varying[i])
            bitmaps += by_bitmaps
            keys += by_keys
            either += min(by_bitmaps, by_keys)
    if possible_cells * max(n_words, most_levels) > _LARGEST_MASKS:
        bitmaps = either = math.inf
    if possible_cells * most_levels > _LARGEST_TABLE:
        subtraction = math.inf
    if not (cells_of.has_codes(view, fixed) and cells_of.has_codes(view, varying)):
        keys = either = math.inf
    best = min(bitmaps, keys, either)
    if min(best, subtraction) == math.inf:
        raise IndexError("a focused test was asked about a variable outside its focus")
    if is_g2 and view.n_levels > 0 and binary.serves(view, fixed, varying):
        n_masks = binary.n_masks(fixed.size)
        if varying.size * n_masks * n_words * costs.WORD <= min(best, subtraction):
            return BINARY
    if subtraction <= best:
        return _SUBTRACTION
    if bitmaps == best:
        return _BITMAPS
    return _KEYS if keys == best else _EITHER


@part
def few_samples(view, fixed, varying, is_open):
    """Up to how many samples of a cell are listed: going through them beats going through words."""
    if view.weighted or not (cells_of.has_codes(view, fixed) and cells_of.has_codes(view, varying)):
        return 0  # a bit is a sample, not a row
    by_bitmap, by_sample = -view.n_words * costs.BIT_WORD, costs.BIT
    for i in range(varying.size):
        if is_open[i]:
            by_bitmap += _cost_by_bitmaps(view, 1, varying[i])
            by_sample += costs.ROW
    return max(0, np.int64(by_bitmap / by_sample))


@part
def prepared(view, fixed, n_strata_variables, plan, possible_cells, most_levels, few):
    """Build what ``plan`` needs for the cells of ``fixed``; also return the arrays behind it.

    ``most_levels`` is the most that a varying variable has; cells with up to ``few`` samples get no
    bitmaps.
    """
    n_target = view.cards[fixed[n_strata_variables]]
    per_level = np.int64(1)
    for position in range(n_strata_variables + 1, fixed.size):
        per_level *= view.cards[fixed[position]]
    per_stratum = per_level * n_target

    n_masks = n_numbers = np.int64(0)
    if plan == BINARY:
        n_masks, n_numbers = np.int64(binary.n_masks(fixed.size)), np.int64(possible_cells)
    elif plan == _SUBTRACTION and fixed.size == 2:
        n_masks = (view.cards[fixed[0]] - 1) * (view.cards[fixed[1]] - 1)
        n_numbers = np.int64(possible_cells)
    elif plan == _BITMAPS or plan == _EITHER:
        n_masks = n_numbers = np.int64(possible_cells) + 1  # one more to work in
    n_keys = view.n_rows if plan == _KEYS or plan == _EITHER else 0
    bits = np.empty(n_masks * view.n_words, np.uint64)
    room = np.empty(2 * n_numbers + 4 * n_keys, np.int64)
    masks, cells = borrowed(bits), borrowed(room)
    counts = beyond(cells, n_numbers)
    cell_of_row = beyond(counts, n_numbers)
    keys = beyond(cell_of_row, n_keys)
    rows = beyond(keys, n_keys)
    weights = beyond(rows, n_keys)

    n_cells = n_strata = n_listed = n_key_strata = n_key_cells = n_rows = np.int64(0)
    if plan == BINARY:
        binary.prepare(view, fixed, masks, cells, counts)
    elif plan == _SUBTRACTION:
        n_strata = view.cards[fixed[0]] if n_strata_variables == 1 else np.int64(1)
        if fixed.size == 2:
            cells_of.triple_masks(view, fixed[0], fixed[1], masks, cells)
    elif n_masks > 0:
        n_cells = cells_of.bitmap_cells(view, fixed, masks, cells, counts)
        n_possible = np.int64(possible_cells) // per_stratum
        n_cells, n_strata = cells_of.drop_constant_strata(
            n_possible, per_stratum, per_level, masks, view.n_words, cells, counts, n_cells
        )
        for c in range(n_cells):
            n_listed += counts[c] if counts[c] <= few else 0
    if n_keys > 0:
        n_key_strata = cells_of.row_keys(view, fixed, n_strata_variables, cell_of_row)
        n_rows, n_key_strata = cells_of.active_rows(
            view, fixed, n_strata_variables, cell_of_row, n_key_strata, keys, rows
        )
        if not view.weighted and n_key_strata * per_stratum <= n_keys:
            n_key_cells = n_key_strata * per_stratum
        for i in range(n_rows if view.weighted or n_rows < n_keys else 0):
            weights[i] = view.weights[rows[i]] if view.weighted else 1

    # Only counting by keys can go through the strata in several parts.
    by_keys = min(n_key_strata * per_stratum * most_levels, _LARGEST_TABLE)
    table_size = max(n_strata * per_stratum * most_levels, by_keys, per_stratum * most_levels)
    n_columns = max(most_levels, per_level)
    tables = np.empty(n_key_cells + n_columns + table_size + 2 * n_listed, np.int64)
    cell_counts = borrowed(tables)
    columns = beyond(cell_counts, n_key_cells)
    table = beyond(columns, n_columns)
    listed = beyond(table, table_size)
    if n_listed > 0:
        n_cells = cells_of.list_few(
            few, masks, view.n_words, cells, counts, n_cells, listed, n_listed
        )
    for cell in range(n_key_cells):
        cell_counts[cell] = 0
    for i in range(n_rows if n_key_cells > 0 else 0):
        cell_counts[keys[i]] += 1
    ready = Prepared(
        plan,
        masks,
        cells,
        counts,
        n_cells,
        n_strata,
        listed,
        n_listed,
        keys,
        rows,
        weights,
        n_rows,
        cell_of_row,
        n_key_strata,
        cell_counts,
        n_key_cells,
        table,
        table_size,
        columns,
    )
    return ready, (bits, room, tables)


@inlined
def _way(view, ready, v):
    """How the table of ``v`` is counted under a plan: a plan, or the two ways to use keys."""
    if ready.plan == _SUBTRACTION or ready.plan == _BITMAPS:
        return ready.plan
    by_rows = ready.n_rows * costs.ROW
    by_bits = _cost_by_set_bits(view, v) if ready.n_key_cells > 0 else math.inf
    if ready.plan == _EITHER and _cost_by_bitmaps(view, ready.n_cells, v) <= min(by_rows, by_bits):
        return _BITMAPS
    return _SET_BITS if by_bits < by_rows else _SCATTER


@inlined
def fill(view, fixed, ready, per_stratum, v, low):
    """Count the strata from ``low`` on that fit into the table; (strata counted, all strata)."""
    way = _way(view, ready, v)
    if way == _SUBTRACTION:
        if fixed.size == 2:
            counting.count_triple(
                view, fixed[0], fixed[1], v, ready.masks, ready.cells, ready.table
            )
        elif view.n_levels > 0:
            counting.copy_pair(view, fixed[0], v, ready.table)
        else:
            counting.count_pair_by_bitmaps(view, fixed[0], v, ready.table)
        return ready.n_strata, ready.n_strata
    card, mode = view.cards[v], view.modes[v]
    size = per_stratum * card
    first = view.first_row[v] * view.n_words
    if way == _BITMAPS:
        counting.clear(ready.table, ready.n_strata * size)
        counting.count_by_bitmaps(
            view.bitmaps,
            first,
            view.n_words,
            card,
            mode,
            ready.masks,
            ready.cells,
            ready.counts,
            ready.n_cells,
            ready.table,
        )
        start = view.code_rows[v] * view.n_rows
        for i in range(ready.n_listed):
            level = view.codes[start + ready.listed[i]]
            ready.table[ready.listed[ready.n_listed + i] * card + level] += 1
        return ready.n_strata, ready.n_strata
    some = min(ready.n_key_strata - low, ready.table_size // size)
    whole = some == ready.n_key_strata
    start = view.code_rows[v] * view.n_rows
    counting.clear(ready.table, some * size)
    if way == _SET_BITS and whole:
        counting.count_by_set_bits(
            view.bitmaps,
            first,
            view.n_words,
            card,
            mode,
            ready.cell_of_row,
            ready.cell_counts,
            ready.n_key_cells,
            ready.table,
        )
    elif not (whole and ready.n_rows == view.n_rows):
        weighted = view.weighted or ready.n_rows < view.n_rows
        counting.scatter_some(
            view.codes,
            start,
            card,
            ready.keys,
            ready.rows,
            ready.weights,
            weighted,
            ready.n_rows,
            ready.table,
            low * per_stratum * card,
            some * size,
        )
    elif view.weighted:
        counting.scatter_weighted(
            view.codes, start, card, ready.keys, view.weights, view.n_rows, ready.table
        )
    else:
        counting.scatter(view.codes, start, card, ready.keys, view.n_rows, ready.table)
    return some, ready.n_key_strata


@inlined
def count_pair(view, a, b, table):
    """Count ``table[a, b]`` in the cheaper way."""
    by_bitmaps = _cost_by_bitmaps(view, view.cards[a] - 1, b)
    if view.n_words > 0 and by_bitmaps <= view.n_rows * costs.ROW:
        counting.count_pair_by_bitmaps(view, a, b, table)
    else:
        counting.count_pair_by_scatter(view, a, b, table)

"""Cells: the combinations of levels of the variables that stay the same over many questions.

They are found once, as bitmaps or as a number for every row, and then every table is counted with
them. Cells are numbered as mixed-radix numbers of ``fixed`` = (strata …, target[, candidate]).
"""

import numpy as np

from h2pc._kernels._jit import part, popcount
from h2pc._kernels.sample import Sample

_RENUMBER_BY_TABLE = 1 << 22  # numbers


@part
def check_variables(sample, variables):
    """Raise where a number is not that of a variable: kernels read memory as they are told."""
    for v in variables:
        if not 0 <= v < sample.cards.size:
            raise IndexError("a variable number is out of range")


@part
def has_codes(sample, variables):
    """Whether the codes of all variables are there: a focused sample has those of a few."""
    for v in variables:
        if sample.code_rows[v] < 0:
            return False
    return True


@part
def triple_masks(sample, a, b, masks, mask_of):
    """Bitmaps of the occupied cells of (a, b) without a most frequent level; -1 for the others."""
    n_masks = 0
    for i in range(sample.cards[a]):
        for j in range(sample.cards[b]):
            cell = i * sample.cards[b] + j
            mask_of[cell] = -1
            if i != sample.modes[a] and j != sample.modes[b]:
                row_a, row_b = sample.first_row[a] + i, sample.first_row[b] + j
                if sample.pairs[row_a, row_b] > 0:
                    for w in range(masks.shape[1]):
                        masks[n_masks, w] = sample.bitmaps[row_a, w] & sample.bitmaps[row_b, w]
                    mask_of[cell] = n_masks
                    n_masks += 1


@part
def bitmap_cells(sample, fixed, masks, cells, counts):
    """Bitmaps, mixed-radix numbers and counts of the occupied cells of ``fixed``; how many."""
    n_cells = 0
    for level in range(sample.cards[fixed[0]]):
        row = sample.first_row[fixed[0]] + level
        if sample.level_counts[row] > 0:
            for w in range(masks.shape[1]):
                masks[n_cells, w] = sample.bitmaps[row, w]
            cells[n_cells] = level
            counts[n_cells] = sample.level_counts[row]
            n_cells += 1
    for position in range(1, fixed.size):
        n_cells = _split_cells(sample, fixed[position], n_cells, masks, cells, counts)
    return n_cells


@part
def _split_cells(sample, variable, n_cells, masks, cells, counts):
    """Split every cell by the levels of ``variable``; return the number of occupied ones.

    One part of a cell stays in its place, the others go to the end.
    """
    n_words = masks.shape[1]
    card = sample.cards[variable]
    n_after = n_cells
    for cell in range(n_cells):
        rest = counts[cell]
        remaining_level = card - 1
        for level in range(card - 1):
            row = sample.first_row[variable] + level
            n = 0
            for w in range(n_words):
                word = masks[cell, w] & sample.bitmaps[row, w]
                masks[n_after, w] = word
                n += popcount(word)
            if n == rest:
                remaining_level = level
                break
            if n > 0:
                for w in range(n_words):
                    masks[cell, w] &= ~masks[n_after, w]
                cells[n_after] = cells[cell] * card + level
                counts[n_after] = n
                n_after += 1
                rest -= n
        cells[cell] = cells[cell] * card + remaining_level
        counts[cell] = rest
    return n_after


@part
def drop_constant_strata(n_possible, per_stratum, per_level, masks, cells, counts, n_cells):
    """Keep the cells of strata in which the target varies, numbered anew; (cells, strata) left."""
    first_level = np.full(n_possible, -1, np.int64)
    new_number = np.full(n_possible, -1, np.int64)
    for c in range(n_cells):
        stratum, level = cells[c] // per_stratum, cells[c] % per_stratum // per_level
        if first_level[stratum] < 0:
            first_level[stratum] = level
        elif first_level[stratum] != level:
            new_number[stratum] = 0
    n_strata = 0
    for stratum in range(n_possible):
        if new_number[stratum] == 0:
            new_number[stratum] = n_strata
            n_strata += 1
    n_kept = 0
    for c in range(n_cells):
        number = new_number[cells[c] // per_stratum]
        if number >= 0:
            if n_kept != c:
                for w in range(masks.shape[1]):
                    masks[n_kept, w] = masks[c, w]
                counts[n_kept] = counts[c]
            cells[n_kept] = number * per_stratum + cells[c] % per_stratum
            n_kept += 1
    return n_kept, n_strata


@part
def row_keys(sample, variables, n_variables, keys):
    """Number the cell of ``n_variables`` variables that every row is in; return how many numbers.

    Mixed-radix numbers; once they could outnumber the rows, those that occur are renumbered, so no
    set of variables overflows.
    """
    n_numbers = 1
    for r in range(keys.size):
        keys[r] = 0
    for position in range(n_variables):
        card = sample.cards[variables[position]]
        codes = sample.codes[sample.code_rows[variables[position]]]
        for r in range(keys.size):
            keys[r] = keys[r] * card + codes[r]
        n_numbers *= card
        if n_numbers > keys.size:
            n_numbers = _renumber(keys, n_numbers)
    return n_numbers


@part
def _renumber(keys, n_numbers):
    """Replace the numbers that occur by 0, 1, …; return how many there are.

    ``slots`` is a table of all numbers, or where these are too many, a hash table.
    """
    n_slots = n_numbers
    if n_numbers > _RENUMBER_BY_TABLE:
        n_slots = 4 * keys.size
    slots = np.full(n_slots, -1, np.int64)
    numbers = np.empty(keys.size, np.int64)
    n_new = 0
    for r in range(keys.size):
        slot = keys[r] % n_slots
        while slots[slot] >= 0 and numbers[slots[slot]] != keys[r]:
            slot = (slot + 1) % n_slots
        if slots[slot] < 0:
            slots[slot] = n_new
            numbers[n_new] = keys[r]
            n_new += 1
        keys[r] = slots[slot]
    return n_new


@part
def active_rows(sample, fixed, n_strata_variables, strata, n_strata, keys, rows):
    """Cells and numbers of the rows whose stratum has several levels of the target.

    Other strata add nothing to a statistic; in ``strata`` every row gets its cell, or -1. Returns
    the number of such rows and of their strata, which are numbered anew.
    """
    target = sample.codes[sample.code_rows[fixed[n_strata_variables]]]
    card = sample.cards[fixed[n_strata_variables]]
    first_level = np.full(n_strata, -1, np.int64)
    new_number = np.full(n_strata, -1, np.int64)
    n_active = 0
    for r in range(strata.size):
        if first_level[strata[r]] < 0:
            first_level[strata[r]] = target[r]
        elif first_level[strata[r]] != target[r] and new_number[strata[r]] < 0:
            new_number[strata[r]] = 0
            n_active += 1
            if n_active == n_strata:
                break
    n_active = 0
    for stratum in range(n_strata):
        if new_number[stratum] == 0:
            new_number[stratum] = n_active
            n_active += 1
    last = sample.codes[sample.code_rows[fixed[fixed.size - 1]]]
    separating = fixed.size == n_strata_variables + 2
    last_card = sample.cards[fixed[fixed.size - 1]]
    n_rows = 0
    for r in range(strata.size):
        number = new_number[strata[r]]
        cell = number * card + target[r]
        if separating:
            cell = cell * last_card + last[r]
        strata[r] = cell if number >= 0 else -1
        keys[n_rows] = cell
        rows[n_rows] = r
        n_rows += number >= 0
    return n_rows, n_active


@part
def with_rows_merged(sample, variables):
    """Return the sample with equal rows of ``variables`` merged; the others lose their codes."""
    keys = np.empty(sample.codes.shape[1], np.int64)
    n_numbers = row_keys(sample, variables, variables.size, keys)
    row_of = np.full(n_numbers, -1, np.int64)
    n_rows = 0
    for r in range(keys.size):
        if row_of[keys[r]] < 0:
            row_of[keys[r]] = n_rows
            n_rows += 1
    weights = np.zeros(n_rows, np.int64)
    codes = np.empty((variables.size, n_rows), sample.codes.dtype)
    code_rows = np.empty(sample.code_rows.size, np.int64)
    for i in range(variables.size):
        code_rows[variables[i]] = i
        old = sample.codes[sample.code_rows[variables[i]]]
        for r in range(keys.size):
            codes[i, row_of[keys[r]]] = old[r]
    for r in range(keys.size):
        weights[row_of[keys[r]]] += sample.weights[r] if sample.weights.size > 0 else 1
    return Sample(
        codes,
        code_rows,
        weights,
        sample.bitmaps,
        sample.first_row,
        sample.cards,
        sample.modes,
        sample.level_counts,
        sample.pairs,
        sample.answers,
        sample.n_samples,
    )

"""Cells: the combinations of levels of the variables that stay the same over many questions.

They are found once, as bitmaps or as a number for every row, and then every table is counted with
them. Cells are numbered as mixed-radix numbers of ``fixed`` = (strata …, target[, candidate]).
"""

import numpy as np

from h2pc._kernels._jit import lowest_bit, part, popcount

_RENUMBER_BY_TABLE = 1 << 22  # numbers


@part
def check_variables(view, variables):
    """Raise where a number is not that of a variable: kernels read memory as they are told."""
    for v in variables:
        if not 0 <= v < view.n_variables:
            raise IndexError("a variable number is out of range")


@part
def has_codes(view, variables):
    """Whether the codes of all variables are there: a focused sample has those of a few."""
    for v in variables:
        if view.code_rows[v] < 0:
            return False
    return True


@part
def triple_masks(view, a, b, masks, mask_of):
    """Bitmaps of the occupied cells of (a, b) without a most frequent level; -1 for the others."""
    n_masks, n_words = 0, view.n_words
    for i in range(view.cards[a]):
        for j in range(view.cards[b]):
            cell = i * view.cards[b] + j
            mask_of[cell] = -1
            if i != view.modes[a] and j != view.modes[b]:
                row_a, row_b = view.first_row[a] + i, view.first_row[b] + j
                if view.pairs[row_a * view.n_levels + row_b] > 0:
                    start, a_start, b_start = n_masks * n_words, row_a * n_words, row_b * n_words
                    for w in range(n_words):
                        masks[start + w] = view.bitmaps[a_start + w] & view.bitmaps[b_start + w]
                    mask_of[cell] = n_masks
                    n_masks += 1


@part
def bitmap_cells(view, fixed, masks, cells, counts):
    """Bitmaps, mixed-radix numbers and counts of the occupied cells of ``fixed``; how many."""
    n_cells, n_words = 0, view.n_words
    for level in range(view.cards[fixed[0]]):
        row = view.first_row[fixed[0]] + level
        if view.level_counts[row] > 0:
            for w in range(n_words):
                masks[n_cells * n_words + w] = view.bitmaps[row * n_words + w]
            cells[n_cells] = level
            counts[n_cells] = view.level_counts[row]
            n_cells += 1
    for position in range(1, fixed.size):
        n_cells = _split_cells(view, fixed[position], n_cells, masks, cells, counts)
    return n_cells


@part
def _split_cells(view, variable, n_cells, masks, cells, counts):
    """Split every cell by the levels of ``variable``; return the number of occupied ones.

    One part of a cell stays in its place, the others go to the end.
    """
    n_words = view.n_words
    card = view.cards[variable]
    n_after = n_cells
    for cell in range(n_cells):
        rest = counts[cell]
        own = cell * n_words
        remaining_level = card - 1
        for level in range(card - 1):
            start = (view.first_row[variable] + level) * n_words
            new = n_after * n_words
            n = 0
            for w in range(n_words):
                word = masks[own + w] & view.bitmaps[start + w]
                masks[new + w] = word
                n += popcount(word)
            if n == rest:
                remaining_level = level
                break
            if n > 0:
                for w in range(n_words):
                    masks[own + w] &= ~masks[new + w]
                cells[n_after] = cells[cell] * card + level
                counts[n_after] = n
                n_after += 1
                rest -= n
        cells[cell] = cells[cell] * card + remaining_level
        counts[cell] = rest
    return n_after


@part
def drop_constant_strata(
    n_possible, per_stratum, per_level, masks, n_words, cells, counts, n_cells
):
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
                for w in range(n_words):
                    masks[n_kept * n_words + w] = masks[c * n_words + w]
                counts[n_kept] = counts[c]
            cells[n_kept] = number * per_stratum + cells[c] % per_stratum
            n_kept += 1
    return n_kept, n_strata


@part
def list_few(few, masks, n_words, cells, counts, n_cells, listed, n_listed):
    """List the samples of cells with up to ``few``, and their cells; return how many others stay.

    The others keep their bitmaps.
    """
    n_kept = place = 0
    for c in range(n_cells):
        if counts[c] > few:
            if n_kept != c:
                for w in range(n_words):
                    masks[n_kept * n_words + w] = masks[c * n_words + w]
                cells[n_kept], counts[n_kept] = cells[c], counts[c]
            n_kept += 1
            continue
        left = counts[c]
        w = 0
        while left > 0:
            word = masks[c * n_words + w]
            while word != 0:
                listed[place], listed[n_listed + place] = w * 64 + lowest_bit(word), cells[c]
                word &= word - np.uint64(1)
                place += 1
                left -= 1
            w += 1
    return n_kept


@part
def row_keys(view, variables, n_variables, keys):
    """Number the cell of ``n_variables`` variables that every row is in; return how many numbers.

    Mixed-radix numbers; once they could outnumber the rows, those that occur are renumbered, so no
    set of variables overflows.
    """
    n_numbers = np.int64(1)
    for r in range(view.n_rows):
        keys[r] = 0
    for position in range(n_variables):
        card = view.cards[variables[position]]
        start = view.code_rows[variables[position]] * view.n_rows
        for r in range(view.n_rows):
            keys[r] = keys[r] * card + view.codes[start + r]
        n_numbers *= card
        if n_numbers > view.n_rows:
            n_numbers = _renumber(keys, view.n_rows, n_numbers)
    return n_numbers


@part
def _renumber(keys, n_rows, n_numbers):
    """Replace the numbers that occur by 0, 1, …; return how many there are.

    ``slots`` is a table of all numbers, or where these are too many, a hash table.
    """
    n_slots = n_numbers
    if n_numbers > _RENUMBER_BY_TABLE:
        n_slots = 4 * n_rows
    slots = np.full(n_slots, -1, np.int64)
    numbers = np.empty(n_rows, np.int64)
    n_new = 0
    for r in range(n_rows):
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
def active_rows(view, fixed, n_strata_variables, strata, n_strata, keys, rows):
    """Cells and numbers of the rows whose stratum has several levels of the target.

    Other strata add nothing to a statistic; in ``strata`` every row gets its cell, or -1. Returns
    the number of such rows and of their strata, which are numbered anew.
    """
    target = fixed[n_strata_variables]
    start, card = view.code_rows[target] * view.n_rows, view.cards[target]
    first_level = np.full(n_strata, -1, np.int64)
    new_number = np.full(n_strata, -1, np.int64)
    n_active = 0
    for r in range(view.n_rows):
        stratum, level = strata[r], np.int64(view.codes[start + r])
        if first_level[stratum] < 0:
            first_level[stratum] = level
        elif first_level[stratum] != level and new_number[stratum] < 0:
            new_number[stratum] = 0
            n_active += 1
            if n_active == n_strata:
                break
    n_active = np.int64(0)
    for stratum in range(n_strata):
        if new_number[stratum] == 0:
            new_number[stratum] = n_active
            n_active += 1
    last = fixed[fixed.size - 1]
    last_start, last_card = view.code_rows[last] * view.n_rows, view.cards[last]
    separating = fixed.size == n_strata_variables + 2
    n_rows = 0
    for r in range(view.n_rows):
        number = new_number[strata[r]]
        cell = number * card + view.codes[start + r]
        if separating:
            cell = cell * last_card + view.codes[last_start + r]
        strata[r] = cell if number >= 0 else -1
        keys[n_rows] = cell
        rows[n_rows] = r
        n_rows += number >= 0
    return n_rows, n_active

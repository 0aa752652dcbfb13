"""Contingency tables, counted in the way that is cheapest for the question at hand.

Three ways give the same integers:

* *bitmaps*: AND the bitmap of a cell with that of a level, count the bits. Cost: cells × words.
* *set bits*: walk through the bits of every level but the most frequent one, and scatter them.
  Cost: the number of samples outside that level.
* *scatter*: one pass over the codes. Cost: rows. The only way for weighted rows.

A question is laid out as *cells* (combinations of the levels of the variables that stay the same
over many questions) times the levels of the one variable that changes: ``table[cell, level]``.
"""

import numpy as np

from h2pc._kernels._jit import inlined, lowest_bit, part, popcount
from h2pc._kernels.sample import Sample

_RENUMBER_BY_TABLE = 1 << 22


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
def and_count(a, i, b, j):
    """Return the number of bits set in both row ``i`` of ``a`` and row ``j`` of ``b``."""
    n = 0
    for w in range(b.shape[1]):
        n += popcount(a[i, w] & b[j, w])
    return n


@inlined
def count_pair_by_bitmaps(sample, a, b, table):
    """Count ``table[a, b]``; the most frequent levels follow by subtraction."""
    rows_a, rows_b = sample.first_row[a], sample.first_row[b]
    n_a, n_b = sample.cards[a], sample.cards[b]
    mode_a, mode_b = sample.modes[a], sample.modes[b]
    for i in range(n_a):
        if i != mode_a:
            rest = sample.level_counts[rows_a + i]
            for j in range(n_b):
                if j != mode_b:
                    n = 0
                    if rest > 0:
                        n = and_count(sample.bitmaps, rows_a + i, sample.bitmaps, rows_b + j)
                    table[i * n_b + j] = n
                    rest -= n
            table[i * n_b + mode_b] = rest
    for j in range(n_b):
        rest = sample.level_counts[rows_b + j]
        for i in range(n_a):
            if i != mode_a:
                rest -= table[i * n_b + j]
        table[mode_a * n_b + j] = rest


@part
def count_pair_by_scatter(sample, a, b, table):
    """Count ``table[a, b]`` in one pass over the codes."""
    n_a, n_b = sample.cards[a], sample.cards[b]
    codes_a, codes_b = sample.codes[sample.code_rows[a]], sample.codes[sample.code_rows[b]]
    weights = sample.weights
    for i in range(n_a * n_b):
        table[i] = 0
    for r in range(codes_a.size):
        table[codes_a[r] * n_b + codes_b[r]] += weights[r] if weights.size > 0 else 1


@inlined
def copy_pair(sample, a, b, table):
    """Take ``table[a, b]`` from the known counts of pairs."""
    rows_a, rows_b = sample.first_row[a], sample.first_row[b]
    n_b = sample.cards[b]
    for i in range(sample.cards[a]):
        for j in range(n_b):
            table[i * n_b + j] = sample.pairs[rows_a + i, rows_b + j]


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


@inlined
def count_triple(sample, a, b, c, masks, mask_of, table):
    """Count ``table[a, b, c]`` from the bitmaps of the cells of (a, b) and the counts of pairs.

    Only cells without any most frequent level are counted; the others follow by subtraction.
    """
    rows_a, rows_b, rows_c = sample.first_row[a], sample.first_row[b], sample.first_row[c]
    n_a, n_b, n_c = sample.cards[a], sample.cards[b], sample.cards[c]
    mode_a, mode_b, mode_c = sample.modes[a], sample.modes[b], sample.modes[c]
    pairs = sample.pairs
    for k in range(n_c):
        if k == mode_c:
            continue
        for i in range(n_a):
            if i == mode_a:
                continue
            rest = np.int64(pairs[rows_a + i, rows_c + k])
            for j in range(n_b):
                if j != mode_b:
                    n = 0
                    mask = mask_of[i * n_b + j]
                    if mask >= 0 and rest > 0:
                        n = and_count(masks, mask, sample.bitmaps, rows_c + k)
                    table[(i * n_b + j) * n_c + k] = n
                    rest -= n
            table[(i * n_b + mode_b) * n_c + k] = rest
        for j in range(n_b):
            rest = np.int64(pairs[rows_b + j, rows_c + k])
            for i in range(n_a):
                if i != mode_a:
                    rest -= table[(i * n_b + j) * n_c + k]
            table[(mode_a * n_b + j) * n_c + k] = rest
    for i in range(n_a):
        for j in range(n_b):
            rest = np.int64(pairs[rows_a + i, rows_b + j])
            start = (i * n_b + j) * n_c
            for k in range(n_c):
                if k != mode_c:
                    rest -= table[start + k]
            table[start + mode_c] = rest


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


@inlined
def count_by_bitmaps(sample, variable, masks, cells, counts, n_cells, table):
    """Count ``table[cell, level]`` for the given cells; the others stay as they are."""
    card, mode, first = sample.cards[variable], sample.modes[variable], sample.first_row[variable]
    for c in range(n_cells):
        start = cells[c] * card
        rest = counts[c]
        for level in range(card):
            if level != mode and rest > 0:
                n = and_count(masks, c, sample.bitmaps, first + level)
                table[start + level] = n
                rest -= n
        table[start + mode] = rest


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


@inlined
def count_by_set_bits(sample, variable, keys, cell_counts, table):
    """Count ``table[cell, level]`` by the rows outside the most frequent level of ``variable``."""
    card, mode, first = sample.cards[variable], sample.modes[variable], sample.first_row[variable]
    for cell in range(cell_counts.size):
        table[cell * card + mode] = cell_counts[cell]
    for level in range(card):
        if level == mode:
            continue
        for w in range(sample.bitmaps.shape[1]):
            word = sample.bitmaps[first + level, w]
            while word != 0:
                start = keys[w * 64 + lowest_bit(word)] * card
                if start >= 0:
                    table[start + level] += 1
                    table[start + mode] -= 1
                word &= word - np.uint64(1)


@inlined
def count_by_scatter(sample, variable, keys, rows, n_rows, low, table, n_table, whole):
    """Count ``table[cell, level]`` for the cells from ``low`` on that fit into ``n_table``.

    ``whole`` says that all of them do.
    """
    card = sample.cards[variable]
    codes = sample.codes[sample.code_rows[variable]]
    weights = sample.weights
    weighted = weights.size > 0
    low_index = low * card
    if whole and n_rows == codes.size:  # every row, in order
        if weighted:
            for r in range(n_rows):
                table[keys[r] * card + codes[r]] += weights[r]
        else:
            for r in range(n_rows):
                table[keys[r] * card + codes[r]] += 1
        return
    for i in range(n_rows):
        index = keys[i] * card + codes[rows[i]] - low_index
        if 0 <= index < n_table:
            table[index] += weights[rows[i]] if weighted else 1


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

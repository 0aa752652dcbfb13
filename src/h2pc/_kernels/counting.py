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

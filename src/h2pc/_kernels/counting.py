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

from h2pc._kernels._jit import lowest_bit, part, popcount


@part
def clear(table, n):
    """Set the first ``n`` entries of a table to 0."""
    for i in range(n):
        table[i] = 0


@part
def and_count(a, a_start, b, b_start, n_words):
    """Return the number of bits set both in ``a`` and in ``b``, from their starts on."""
    n = 0
    for w in range(n_words):
        n += popcount(a[a_start + w] & b[b_start + w])
    return n


@part
def count_pair_by_bitmaps(view, a, b, table):
    """Count ``table[a, b]``; the most frequent levels follow by subtraction."""
    rows_a, rows_b = view.first_row[a], view.first_row[b]
    n_a, n_b = view.cards[a], view.cards[b]
    mode_a, mode_b = view.modes[a], view.modes[b]
    bitmaps, n_words = view.bitmaps, view.n_words
    for i in range(n_a):
        if i != mode_a:
            rest = view.level_counts[rows_a + i]
            for j in range(n_b):
                if j != mode_b:
                    n = 0
                    if rest > 0:
                        start_a, start_b = (rows_a + i) * n_words, (rows_b + j) * n_words
                        n = and_count(bitmaps, start_a, bitmaps, start_b, n_words)
                    table[i * n_b + j] = n
                    rest -= n
            table[i * n_b + mode_b] = rest
    for j in range(n_b):
        rest = view.level_counts[rows_b + j]
        for i in range(n_a):
            if i != mode_a:
                rest -= table[i * n_b + j]
        table[mode_a * n_b + j] = rest


@part
def count_pair_by_scatter(view, a, b, table):
    """Count ``table[a, b]`` in one pass over the codes."""
    n_a, n_b = view.cards[a], view.cards[b]
    start_a, start_b = view.code_rows[a] * view.n_rows, view.code_rows[b] * view.n_rows
    for i in range(n_a * n_b):
        table[i] = 0
    for r in range(view.n_rows):
        cell = np.int64(view.codes[start_a + r]) * n_b + view.codes[start_b + r]
        table[cell] += view.weights[r] if view.weighted else 1


@part
def copy_pair(view, a, b, table):
    """Take ``table[a, b]`` from the known counts of pairs."""
    n_b = view.cards[b]
    for i in range(view.cards[a]):
        start = (view.first_row[a] + i) * view.n_levels + view.first_row[b]
        for j in range(n_b):
            table[i * n_b + j] = view.pairs[start + j]


@part
def count_triple(view, a, b, c, masks, mask_of, table):
    """Count ``table[a, b, c]`` from the bitmaps of the cells of (a, b) and the counts of pairs.

    Only cells without any most frequent level are counted; the others follow by subtraction.
    """
    rows_a, rows_b, rows_c = view.first_row[a], view.first_row[b], view.first_row[c]
    n_a, n_b, n_c = view.cards[a], view.cards[b], view.cards[c]
    mode_a, mode_b, mode_c = view.modes[a], view.modes[b], view.modes[c]
    pairs, n_levels, n_words = view.pairs, view.n_levels, view.n_words
    for k in range(n_c):
        if k == mode_c:
            continue
        for i in range(n_a):
            if i == mode_a:
                continue
            rest = np.int64(pairs[(rows_a + i) * n_levels + rows_c + k])
            for j in range(n_b):
                if j != mode_b:
                    n = 0
                    mask = mask_of[i * n_b + j]
                    if mask >= 0 and rest > 0:
                        start = (rows_c + k) * n_words
                        n = and_count(masks, mask * n_words, view.bitmaps, start, n_words)
                    table[(i * n_b + j) * n_c + k] = n
                    rest -= n
            table[(i * n_b + mode_b) * n_c + k] = rest
        for j in range(n_b):
            rest = np.int64(pairs[(rows_b + j) * n_levels + rows_c + k])
            for i in range(n_a):
                if i != mode_a:
                    rest -= table[(i * n_b + j) * n_c + k]
            table[(mode_a * n_b + j) * n_c + k] = rest
    for i in range(n_a):
        for j in range(n_b):
            rest = np.int64(pairs[(rows_a + i) * n_levels + rows_b + j])
            start = (i * n_b + j) * n_c
            for k in range(n_c):
                if k != mode_c:
                    rest -= table[start + k]
            table[start + mode_c] = rest


@part
def count_by_bitmaps(bitmaps, first, n_words, card, mode, masks, cells, counts, n_cells, table):
    """Count ``table[cell, level]`` for the given cells; the others stay as they are.

    ``first`` is where the bitmaps of the variable begin.
    """
    for c in range(n_cells):
        start = cells[c] * card
        rest = counts[c]
        for level in range(card):
            if level != mode and rest > 0:
                n = and_count(masks, c * n_words, bitmaps, first + level * n_words, n_words)
                table[start + level] = n
                rest -= n
        table[start + mode] = rest


@part
def count_by_set_bits(
    bitmaps, first, n_words, card, mode, cell_of_row, cell_counts, n_cells, table
):
    """Count ``table[cell, level]`` by the rows outside the most frequent level of the variable."""
    for cell in range(n_cells):
        table[cell * card + mode] = cell_counts[cell]
    for level in range(card):
        if level == mode:
            continue
        for w in range(n_words):
            word = bitmaps[first + level * n_words + w]
            while word != 0:
                start = cell_of_row[w * 64 + lowest_bit(word)] * card
                if start >= 0:
                    table[start + level] += 1
                    table[start + mode] -= 1
                word &= word - np.uint64(1)


@part
def scatter(codes, start, card, keys, n_rows, table):
    """Count ``table[cell, level]`` over all rows, in order."""
    for r in range(n_rows):
        table[keys[r] * card + codes[start + r]] += 1


@part
def scatter_weighted(codes, start, card, keys, weights, n_rows, table):
    """Count ``table[cell, level]`` over all rows, each as often as its weight says."""
    for r in range(n_rows):
        table[keys[r] * card + codes[start + r]] += weights[r]


@part
def scatter_some(
    codes, start, card, keys, rows, weights, weighted, n_rows, table, first_entry, n_table
):
    """Count ``table[cell, level]`` over some rows, from ``first_entry`` on, as far as it goes."""
    for i in range(n_rows):
        entry = keys[i] * card + codes[start + rows[i]] - first_entry
        if 0 <= entry < n_table:
            table[entry] += weights[i] if weighted else 1

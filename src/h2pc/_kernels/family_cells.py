"""The cells of a family, and how often each occurs with the levels of one more parent.

They are found as bitmaps or as a number for every row, whichever is cheaper. ``fixed`` is
(parents …, child), and cells are its mixed-radix numbers.
"""

from typing import NamedTuple

import numpy as np

from h2pc._kernels import cells, costs, counting
from h2pc._kernels._jit import inlined, part, unowned

_KEY = 0.25  # nanoseconds, as in ``costs``: extend a 32-bit number of a row by one variable


class Cells(NamedTuple):
    """The cells of a family, and what is needed to split them."""

    n_cells: int
    masks: np.ndarray
    """Bitmaps of the cells that occur, with their numbers and counts; may be empty."""
    numbers: np.ndarray
    mask_counts: np.ndarray
    n_masks: int
    keys: np.ndarray
    """The cell of every row; may be empty."""
    counts: np.ndarray
    """Samples of every cell; may be empty."""


@part
def _bitmaps_are_cheaper(view, n_fixed, n_cells, counted, n_splits, n_levels):
    """Whether to find the cells as bitmaps, with the costs of what is done with them after."""
    n_rows, n_words = view.n_rows, view.n_words
    keys = n_rows * (n_fixed * _KEY + (n_splits + np.int64(counted)) * costs.ROW)
    bitmaps = n_cells * n_words * (2 + n_levels - n_splits) * costs.WORD
    return 0.0 < bitmaps < keys


@part
def found_cells(view, fixed, n_cells, counted, n_splits, n_levels):
    """Find the cells, and count them if ``counted`` says so; nothing where ``n_cells`` is 0.

    They are to be split ``n_splits`` times, by variables of ``n_levels`` levels together.
    """
    by_bitmaps = _bitmaps_are_cheaper(view, fixed.size, n_cells, counted, n_splits, n_levels)
    n_numbers = n_cells + 1 if by_bitmaps else np.int64(0)  # one more to work in
    masks = np.empty(n_numbers * view.n_words, np.uint64)
    numbers = np.empty(n_numbers, np.int64)
    mask_counts = np.empty(n_numbers, np.int64)
    n_masks = np.int64(0)
    keys = np.empty(0 if by_bitmaps or n_cells == 0 else view.n_rows, np.int32)
    counts = np.zeros(n_cells if counted else 0, np.int64)
    if by_bitmaps:
        n_masks = cells.bitmap_cells(view, fixed, masks, numbers, mask_counts)
        if counted:
            for i in range(n_masks):
                counts[numbers[i]] = mask_counts[i]
    elif n_cells > 0:
        _number_rows(view, fixed, keys)
        if counted:
            for r in range(keys.size):
                counts[keys[r]] += view.weights[r] if view.weighted else 1
    return Cells(n_cells, masks, numbers, mask_counts, n_masks, keys, counts)


@part
def _number_rows(view, fixed, keys):
    """Number the cell of every row; in 32 bits, because twice as many are done at once."""
    start = view.code_rows[fixed[0]] * view.n_rows
    for r in range(view.n_rows):
        keys[r] = view.codes[start + r]
    for i in range(1, fixed.size):
        card = np.int32(view.cards[fixed[i]])
        start = view.code_rows[fixed[i]] * view.n_rows
        for r in range(view.n_rows):
            keys[r] = keys[r] * card + np.int32(view.codes[start + r])


@inlined
def lent(found):
    """Return the cells with all arrays unowned."""
    return Cells(
        found.n_cells,
        unowned(found.masks),
        unowned(found.numbers),
        unowned(found.mask_counts),
        found.n_masks,
        unowned(found.keys),
        unowned(found.counts),
    )


@inlined
def split(view, found, variable, table):
    """Fill in ``table[cell, level]``: every cell split by the levels of a variable."""
    card = view.cards[variable]
    counting.clear(table, found.n_cells * card)
    start, n_rows = view.code_rows[variable] * view.n_rows, view.n_rows
    if found.keys.size == 0:
        counting.count_by_bitmaps(
            view.bitmaps,
            view.first_row[variable] * view.n_words,
            view.n_words,
            card,
            view.modes[variable],
            found.masks,
            found.numbers,
            found.mask_counts,
            found.n_masks,
            table,
        )
    elif view.weighted:
        counting.scatter_weighted(view.codes, start, card, found.keys, view.weights, n_rows, table)
    else:
        counting.scatter(view.codes, start, card, found.keys, n_rows, table)


@part
def add_up(view, fixed, place, counts, table):
    """Fill in the cells without the parent at ``place``, or all of them if it is -1; how many."""
    card = view.cards[fixed[place]] if place >= 0 else np.int64(1)
    inner = np.int64(1)
    for i in range(place + 1, fixed.size):
        inner *= view.cards[fixed[i]]
    outer = counts.size // (card * inner)
    for i in range(outer * inner):
        table[i] = 0
    for i in range(outer):
        for level in range(card):
            start = (i * card + level) * inner
            for j in range(inner):
                table[i * inner + j] += counts[start + j]
    return outer * inner

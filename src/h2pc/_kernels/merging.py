"""Identical rows found in one pass, whatever the number of columns."""

import numpy as np

from h2pc._kernels import costs
from h2pc._kernels._jit import borrowed, kept_alive, kernel, part, scrambled
from h2pc._kernels.cells import check_variables
from h2pc._kernels.sample import View, opened

# 2^64 divided by the golden ratio; odd, so that no column is ever multiplied away.
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_EXACT = 2.0**63  # cells that a word can number
_WORD = 64  # bits
_TABLE = 4.0  # cells per row up to which there is a slot for every cell


@part
def _number_rows(codes, starts, cards, n_rows, keys, exact):
    """Give every row a word: the number of its cell, or where these are too many, a hash."""
    for r in range(n_rows):
        keys[r] = np.uint64(0)
    for i in range(starts.size):
        factor = np.uint64(cards[i]) if exact else _GOLDEN
        start = starts[i]
        for r in range(n_rows):
            keys[r] = scrambled(keys[r], factor, codes[start + r])


@part
def _pack_rows(codes, starts, cards, n_rows, keys):
    """Put the codes of every row into a word, side by side: quicker than numbering the cells."""
    for r in range(n_rows):
        keys[r] = np.uint64(0)
    for i in range(starts.size):
        start, n_bits = starts[i], np.uint64(_n_bits(cards[i]))
        for r in range(n_rows):
            keys[r] = keys[r] << n_bits | np.uint64(codes[start + r])


@part
def _n_bits(card):
    """Bits that a code needs."""
    n_bits = 0
    while 1 << n_bits < card:
        n_bits += 1
    return n_bits


@part
def _rows_agree(codes, starts, i, j):
    """Whether rows ``i`` and ``j`` have the same codes."""
    for start in starts:
        if codes[start + i] != codes[start + j]:
            return False
    return True


@part
def _distinct_rows(codes, starts, cards, n_rows, weights, weighted, most, first, totals):
    """Write the first row and the samples of each distinct row; return how many there are.

    Where there are more than ``most``, -1. The codes of a variable begin at its start.
    """
    n_cells, n_packed = 1.0, 0
    for card in cards:
        n_cells = min(n_cells * card, _EXACT)  # beyond it does not matter how many
        n_packed += _n_bits(card)
    exact = n_cells < _EXACT
    room = np.empty(n_rows, np.uint64)
    keys = borrowed(room)
    if n_cells > _TABLE * n_rows and n_packed <= _WORD:
        _pack_rows(codes, starts, cards, n_rows, keys)
    else:
        _number_rows(codes, starts, cards, n_rows, keys, exact)

    n_bits = np.int64(4)
    while 1 << n_bits < 2 * n_rows:
        n_bits += 1
    n_slots, factor, shift = np.int64(1) << n_bits, _GOLDEN, np.uint64(64 - n_bits)
    if n_cells <= _TABLE * n_rows:  # every cell has a slot of its own
        n_slots, factor, shift = np.int64(n_cells), np.uint64(1), np.uint64(0)
    all_slots = np.full(n_slots, -1, np.int32)
    slots = borrowed(all_slots)
    n_distinct = np.int64(0)
    for r in range(n_rows):
        slot = np.int64(scrambled(keys[r], factor, 0) >> shift)
        group = slots[slot]
        while group >= 0:
            other = first[group]
            if keys[other] == keys[r] and (exact or _rows_agree(codes, starts, r, other)):
                break
            slot = (slot + 1) & (n_slots - 1)
            group = slots[slot]
        weight = weights[r] if weighted else np.int64(1)
        if group >= 0:
            totals[group] += weight
            continue
        if n_distinct == most:
            n_distinct = np.int64(-1)
            break
        slots[slot] = n_distinct
        first[n_distinct], totals[n_distinct] = r, weight
        n_distinct += 1
    return n_distinct + kept_alive((room, all_slots))


@kernel()
def merged_rows(codes, cards, variables, weights):
    """First row and total weight of each distinct row of ``variables``, by first occurrence.

    ``codes[v, i]`` is below ``cards[v]``; ``weights[i]`` is what row ``i`` counts for.
    """
    n_rows = codes.shape[1]
    first, totals = np.empty(n_rows, np.int64), np.empty(n_rows, np.int64)
    starts = variables * n_rows
    n = _distinct_rows(
        borrowed(codes.ravel()),
        starts,
        cards[variables],
        n_rows,
        borrowed(weights),
        True,
        n_rows,
        borrowed(first),
        borrowed(totals),
    )
    kept_alive((codes, weights))
    return first[:n].copy(), totals[:n].copy()


@part
def _merged(view, like, variables, most):
    """Codes of the distinct rows of ``variables``, where they are, and what each row counts for.

    The codes are of the type of ``like``; there are none where the rows are more than ``most``.
    """
    first, totals = np.empty(max(most, 0), np.int64), np.empty(max(most, 0), np.int64)
    starts, cards = np.empty(variables.size, np.int64), np.empty(variables.size, np.int64)
    for i in range(variables.size):
        starts[i] = view.code_rows[variables[i]] * view.n_rows
        cards[i] = view.cards[variables[i]]
    n_rows = np.int64(-1)
    if most >= 0:
        n_rows = _distinct_rows(
            view.codes,
            starts,
            cards,
            view.n_rows,
            view.weights,
            view.weighted,
            most,
            borrowed(first),
            borrowed(totals),
        )
    if n_rows < 0:
        return np.empty(0, like.dtype), np.empty(0, np.int64), np.empty(0, np.int64)
    codes = np.empty(variables.size * n_rows, like.dtype)
    code_rows = np.full(view.n_variables, -1, np.int64)
    for i in range(variables.size):
        code_rows[variables[i]] = i
        for r in range(n_rows):
            codes[i * n_rows + r] = view.codes[starts[i] + first[r]]
    return codes, code_rows, totals[:n_rows].copy()


@kernel()
def merged(codes, layout, reals, variables, worth):
    """Codes of the distinct rows of ``variables``, where they are, and what each row counts for.

    There are none where going through them does not pay. It pays for a share ``worth`` of the rows
    that could be gone through while the bits of one variable are, on average.
    """
    view, _ = opened(codes, layout, reals)
    check_variables(view, variables)
    merged_codes, code_rows, weights = merged_if_worth(view, codes, variables, worth)
    return merged_codes.reshape((variables.size, weights.size)), code_rows, weights


@part
def merged_if_worth(view, like, variables, worth):
    """Codes of the distinct rows, as of :func:`merged`."""
    most = np.float64(view.n_rows)
    if view.n_words > 0:
        cost = 0.0
        for v in variables:
            n_bits = view.n_samples - view.level_counts[view.first_row[v] + view.modes[v]]
            cost += n_bits * costs.BIT + (view.cards[v] - 1) * view.n_words * costs.BIT_WORD
        most = min(most, cost / variables.size / costs.ROW)
    return _merged(view, like, variables, np.int64(worth * most))


@part
def with_rows_merged(view, like, variables, wanted):
    """Return the sample with equal rows of ``variables`` merged, and the arrays that it borrows.

    The codes are of the type of ``like``; other variables lose theirs. Unless ``wanted``, the
    sample stays as it is.
    """
    codes, code_rows, weights = _merged(view, like, variables, view.n_rows if wanted else -1)
    owners = (codes, code_rows, weights)
    if not wanted:
        return view, owners
    merged_view = View(
        borrowed(codes),
        np.int64(weights.size),
        borrowed(code_rows),
        borrowed(weights),
        True,
        view.bitmaps,
        view.n_words,
        view.first_row,
        view.cards,
        view.n_variables,
        view.modes,
        view.level_counts,
        view.pairs,
        view.n_levels,
        view.answers,
        view.n_answers,
        view.rare_starts,
        view.rare_variables,
        view.n_listed,
        view.n_samples,
    )
    return merged_view, owners

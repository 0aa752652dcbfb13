"""Tables of binary variables: eight or sixteen counts that never leave the registers.

Which of its two levels a variable is at does not matter to a statistic. So a cell is named by the
variables that are at their rarer level, and all counts follow from those of such levels together:
single levels and pairs are known, and of more variables one bitmap for each set of them is enough.
"""

from h2pc._kernels._jit import inlined, part, popcount
from h2pc._kernels.statistics import half_g2_of_four


@part
def serves(view, fixed, varying):
    """Whether all variables have two levels, and two or three of them stay the same."""
    if not 2 <= fixed.size <= 3:
        return False
    for v in fixed:
        if view.cards[v] != 2:
            return False
    for v in varying:
        if view.cards[v] != 2:
            return False
    return True


@inlined
def rarer(view, v):
    """Row of the rarer level."""
    return view.first_row[v] + 1 - view.modes[v]


@inlined
def _pair(view, row, other):
    return view.pairs[row * view.n_levels + other]


@inlined
def n_masks(n_fixed):
    """Return the number of bitmaps for two or three variables that stay the same."""
    return 1 if n_fixed == 2 else 4


@part
def prepare(view, fixed, masks, rows, counts):
    """Write the bitmaps of two or three variables, their rows, and the counts of their cells.

    The cells of (a, b) are in the order ab, a, b, none, those of (a, b, c) with c first, then
    without. The bitmaps of (a, b, c) lie interleaved: ab, ac, bc, abc.
    """
    bits, n_words = view.bitmaps, view.n_words
    for i in range(fixed.size):
        rows[i] = rarer(view, fixed[i])
    a, b = rows[0], rows[1]
    n_a, n_b, n_ab = view.level_counts[a], view.level_counts[b], _pair(view, a, b)
    if fixed.size == 2:
        for w in range(n_words):
            masks[w] = bits[a * n_words + w] & bits[b * n_words + w]
        counts[0], counts[1], counts[2] = n_ab, n_a - n_ab, n_b - n_ab
        counts[3] = view.n_samples - n_a - n_b + n_ab
        return
    c = rows[2]
    n_abc = 0
    for w in range(n_words):
        in_a, in_b, in_c = bits[a * n_words + w], bits[b * n_words + w], bits[c * n_words + w]
        masks[4 * w] = in_a & in_b
        masks[4 * w + 1] = in_a & in_c
        masks[4 * w + 2] = in_b & in_c
        masks[4 * w + 3] = in_a & in_b & in_c
        n_abc += popcount(in_a & in_b & in_c)
    n_c, n_ac, n_bc = view.level_counts[c], _pair(view, a, c), _pair(view, b, c)
    counts[0], counts[1], counts[2] = n_abc, n_ac - n_abc, n_bc - n_abc
    counts[3] = n_c - n_ac - n_bc + n_abc
    counts[4], counts[5], counts[6] = n_ab - n_abc, n_a - n_ab - counts[1], n_b - n_ab - counts[2]
    counts[7] = view.n_samples - n_a - n_b + n_ab - counts[3]


@inlined
def half_of_three(view, masks, rows, counts, v, separating, f):
    """Half of G² in fixed point, and the adjusted df, of (a, b) and ``v``.

    Separating, it is that of a ⊥ b | v, else that of b ⊥ v | a.
    """
    row, n_words = rarer(view, v), view.n_words
    start = row * n_words
    ab = 0
    for w in range(n_words):
        ab += popcount(masks[w] & view.bitmaps[start + w])
    a, b = _pair(view, rows[0], row) - ab, _pair(view, rows[1], row) - ab
    none = view.level_counts[row] - a - b - ab
    more_ab, more_a = counts[0] - ab, counts[1] - a
    more_b, more_none = counts[2] - b, counts[3] - none
    if separating:
        half, df = half_g2_of_four(ab, a, b, none, f)
        more, more_df = half_g2_of_four(more_ab, more_a, more_b, more_none, f)
    else:
        half, df = half_g2_of_four(ab, more_ab, a, more_a, f)
        more, more_df = half_g2_of_four(b, more_b, none, more_none, f)
    return half + more, df + more_df


@inlined
def half_of_four(view, masks, rows, counts, v, separating, f):
    """Half of G² in fixed point, and the adjusted df, of (a, b, c) and ``v``.

    Separating, it is that of b ⊥ c | a, v, else that of c ⊥ v | a, b.
    """
    row, n_words = rarer(view, v), view.n_words
    start = row * n_words
    ab = ac = bc = abc = 0
    for w in range(n_words):
        word = view.bitmaps[start + w]
        ab += popcount(masks[4 * w] & word)
        ac += popcount(masks[4 * w + 1] & word)
        bc += popcount(masks[4 * w + 2] & word)
        abc += popcount(masks[4 * w + 3] & word)
    a, b = _pair(view, rows[0], row) - ab, _pair(view, rows[1], row) - ab  # without the other
    none = view.level_counts[row] - a - b - ab
    ac, bc = ac - abc, bc - abc
    c = _pair(view, rows[2], row) - ac - bc - abc
    ab, a, b, none = ab - abc, a - ac, b - bc, none - c
    more_abc, more_ac, more_bc, more_c = (
        counts[0] - abc,
        counts[1] - ac,
        counts[2] - bc,
        counts[3] - c,
    )
    more_ab, more_a, more_b, more_none = (
        counts[4] - ab,
        counts[5] - a,
        counts[6] - b,
        counts[7] - none,
    )
    if separating:
        h1, d1 = half_g2_of_four(abc, ab, ac, a, f)
        h2, d2 = half_g2_of_four(bc, b, c, none, f)
        h3, d3 = half_g2_of_four(more_abc, more_ab, more_ac, more_a, f)
        h4, d4 = half_g2_of_four(more_bc, more_b, more_c, more_none, f)
    else:
        h1, d1 = half_g2_of_four(abc, ab, more_abc, more_ab, f)
        h2, d2 = half_g2_of_four(ac, a, more_ac, more_a, f)
        h3, d3 = half_g2_of_four(bc, b, more_bc, more_b, f)
        h4, d4 = half_g2_of_four(c, none, more_c, more_none, f)
    return h1 + h2 + h3 + h4, d1 + d2 + d3 + d4

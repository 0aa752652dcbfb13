"""Counts that grow with the members: IAMBFDR's rounds on sparse binary data.

Which of its two levels a variable is at does not matter to a statistic, so it is enough to know
what is at its rarer level, sample by sample. A member that enters moves the samples at its rarer
level, each from its stratum to a child of that stratum; all others stay where they are, and so do
their counts. Strata in which the target does not vary add nothing to a statistic: they are *dead*,
and nothing is counted in them any more.
"""

from typing import NamedTuple

import numpy as np

from h2pc._kernels import costs
from h2pc._kernels._jit import beyond, borrowed, inlined, kept_alive, kernel, lowest_bit, part
from h2pc._kernels.answers import EXACT, log_p_of
from h2pc._kernels.binary import rarer
from h2pc._kernels.sample import opened
from h2pc._kernels.statistics import half_g2_of_four

_MOST_MEMBERS = 16
_SPEED_OF_ARRAYS = 4  # counts subtracted as arrays, while one is sought out and changed

# Columns of ``strata``: samples at the target's usual and at its rarer level, and a bit for every
# member that is at its rarer level.
_USUAL, _RARE, _PATTERN = 0, 1, 2


class Grown(NamedTuple):
    """The strata of some members, and what is counted in them; all arrays are written to.

    A stratum has two cells, ``2 * stratum`` and, for the rarer level of the target, the next.
    """

    members: np.ndarray
    """In the order of entry."""
    sizes: np.ndarray
    """Number of members and of strata; no stratum where nothing has been counted yet."""
    strata: np.ndarray
    """(room for strata, 3)."""
    cells: np.ndarray
    """The cell that every sample is in; empty where the counts are not in use."""
    counts: np.ndarray
    """(cells, variables), flat: samples at the rarer level of a variable, in live strata."""


@kernel()
def list_rare_levels(codes, layout, reals, starts, variables):
    """Write the binary variables that every sample has at their rarer level, and where they begin.

    ``starts`` has a place for every sample and one more, and is 0.
    """
    view, _ = opened(codes, layout, reals)
    n_words = view.n_words
    for filling in (False, True):
        for v in range(view.n_variables):
            first = rarer(view, v) * n_words
            for w in range(n_words if view.cards[v] == 2 else 0):
                word = view.bitmaps[first + w]
                while word != 0:
                    sample = w * 64 + lowest_bit(word)
                    if filling:
                        variables[starts[sample]] = v
                    starts[sample] += 1
                    word &= word - np.uint64(1)
        # Now every entry is the length of its list, or where it ends; it shall be where it begins.
        begin = 0
        for sample in range(starts.size):
            end = starts[sample] if filling else begin + starts[sample]
            starts[sample] = begin
            begin = end


@part
def begun(view, rules, target, candidates, members, room):
    """Return counts to grow in ``room``; they are not in use where they would not serve."""
    serves = _serves(view, rules, target, candidates, members)
    n_strata = min(room.size // (2 * view.n_variables), view.n_samples) if serves else 0
    return Grown(
        np.empty(_MOST_MEMBERS, np.int64),
        np.zeros(2, np.int64),
        np.empty((n_strata, 3), np.int64),
        np.empty(view.n_samples if n_strata > 0 else 0, np.int32),
        room,
    )


@part
def _serves(view, rules, target, candidates, members):
    """Whether all variables are binary, and there are lists of what is at its rarer level."""
    if not rules.is_g2 or view.weighted or view.n_listed == 0 or view.n_levels == 0:
        return False
    for v in members:
        if view.cards[v] != 2:
            return False
    for v in candidates:
        if view.cards[v] != 2:
            return False
    return view.cards[target] == 2


@part
def grow_to(view, grown, target, members, n_asked):
    """Count given ``members``; return whether there was room for it, and it paid.

    Members that follow those counted so far are added to them; for others it all begins again.
    """
    if grown.cells.size == 0 or members.size > _MOST_MEMBERS:
        return False
    n = grown.sizes[0]
    begins = grown.sizes[1] == 0 or n > members.size or (grown.members[:n] != members[:n]).any()
    cost = view.n_variables * costs.ROW if begins else 0.0
    for v in members[0 if begins else n :]:
        n_moved = view.level_counts[rarer(view, v)]
        cost += n_moved * (view.n_listed / view.n_samples) * costs.MOVE
    if cost > _cost_of_asking(view, members.size, n_asked):
        return False
    if begins:
        _begin_again(view, grown, target)
    for i in range(grown.sizes[0], members.size):
        if not _add_member(view, grown, members[i]):
            return False
    return True


@inlined
def _cost_of_asking(view, n_members, n_asked):
    """What counting anew costs, for some outsiders and for the members."""
    n_bits = view.n_listed / view.n_variables
    keys = (n_members + 1) * view.n_rows * costs.KEY
    by_bits = keys + n_asked * (n_bits * costs.BIT + view.n_words * costs.BIT_WORD)
    by_bitmaps = (n_asked + 2) * 2.0 ** (n_members + 1) * view.n_words * costs.WORD
    return min(by_bits, by_bitmaps) + (keys if n_members > 0 else 0.0)


@part
def _begin_again(view, grown, target):
    """Put all samples into one stratum: its counts are those of pairs."""
    row = rarer(view, target)
    n = view.level_counts[row]
    grown.sizes[0], grown.sizes[1] = 0, 1
    grown.strata[0, _USUAL], grown.strata[0, _RARE] = view.n_samples - n, n
    grown.strata[0, _PATTERN] = 0
    for v in range(view.n_variables):
        if view.cards[v] == 2:  # others have no rarer level, and are not asked about
            both = view.pairs[row * view.n_levels + rarer(view, v)]
            grown.counts[v] = view.level_counts[rarer(view, v)] - both
            grown.counts[view.n_variables + v] = both
    grown.cells[:] = 0
    for w in range(view.n_words):
        word = view.bitmaps[row * view.n_words + w]
        while word != 0:
            grown.cells[w * 64 + lowest_bit(word)] = 1
            word &= word - np.uint64(1)


@inlined
def _is_live(strata, stratum):
    """Whether the target varies in a stratum."""
    return strata[stratum, _USUAL] > 0 and strata[stratum, _RARE] > 0


@part
def _add_member(view, grown, member):
    """Count given one more member; False where there is no room for it."""
    n_words, first = view.n_words, rarer(view, member) * view.n_words
    n_members, n_strata = grown.sizes
    moved = np.zeros((n_strata, 2), np.int64)
    for w in range(n_words):
        word = view.bitmaps[first + w]
        while word != 0:
            cell = grown.cells[w * 64 + lowest_bit(word)]
            moved[cell >> 1, cell & 1] += 1
            word &= word - np.uint64(1)
    strata = grown.strata
    child_of = np.arange(n_strata)  # itself where all of its samples move, or none
    n_after = n_strata
    for stratum in range(n_strata):
        n_moved = moved[stratum, 0] + moved[stratum, 1]
        if 0 < n_moved < strata[stratum, _USUAL] + strata[stratum, _RARE]:
            child_of[stratum] = n_after
            n_after += 1
    if n_after > len(strata):
        return False

    # Where counts go down and up with every sample of a cell; -1 for nowhere.
    source = np.full(2 * n_strata, -1, np.int64)
    goal = np.full(2 * n_strata, -1, np.int64)
    many = view.n_variables * view.n_samples // (_SPEED_OF_ARRAYS * view.n_listed)
    for stratum in range(n_strata):
        usual, rare = moved[stratum]
        child = child_of[stratum]
        if child == stratum:
            strata[stratum, _PATTERN] |= np.int64(usual + rare > 0) << n_members
            continue
        was_live = _is_live(strata, stratum)
        strata[stratum, _USUAL] -= usual
        strata[stratum, _RARE] -= rare
        strata[child, _USUAL], strata[child, _RARE] = usual, rare
        strata[child, _PATTERN] = strata[stratum, _PATTERN] | 1 << n_members
        for level in range(2 if was_live else 0):
            cell = 2 * stratum + level
            if _is_live(strata, child):
                goal[cell] = (2 * child + level) * view.n_variables
                grown.counts[goal[cell] : goal[cell] + view.n_variables] = 0
            at_once = goal[cell] >= 0 and moved[stratum, level] > many
            if _is_live(strata, stratum) and not at_once:
                source[cell] = cell * view.n_variables
    _move(view, first, grown.cells, child_of, source, goal, grown.counts)
    for cell in range(2 * n_strata):
        if source[cell] < 0 and goal[cell] >= 0 and _is_live(strata, cell >> 1):
            start = cell * view.n_variables
            for v in range(view.n_variables):
                grown.counts[start + v] -= grown.counts[goal[cell] + v]
    grown.members[n_members] = member
    grown.sizes[0], grown.sizes[1] = n_members + 1, n_after
    return True


@part
def _move(view, first, cells, child_of, source, goal, counts):
    """Move the samples of a bitmap that begins at ``first`` to the children of their strata."""
    counted = borrowed(counts)
    for w in range(view.n_words):
        word = view.bitmaps[first + w]
        while word != 0:
            sample = w * 64 + lowest_bit(word)
            word &= word - np.uint64(1)
            cell = cells[sample]
            cells[sample] = 2 * child_of[cell >> 1] + (cell & 1)
            begin, end = view.rare_starts[sample], view.rare_starts[sample + 1]
            if source[cell] >= 0:
                _add(beyond(counted, source[cell]), view.rare_variables, begin, end, -1)
            if goal[cell] >= 0:
                _add(beyond(counted, goal[cell]), view.rare_variables, begin, end, 1)
    return kept_alive(counts)


@inlined
def _add(counts, variables, begin, end, n):
    for i in range(begin, end):
        counts[variables[i]] += n


@inlined
def has_power(view, rules, n_variables):
    """Whether the power rule allows a table of so many binary variables."""
    return 2.0**n_variables * rules.power <= view.n_samples


@part
def ask_outsiders(view, rules, grown, asked, log_p, wanted):
    """Answer target ⊥ x | members for every x asked about."""
    n_members, n_strata = grown.sizes
    strata, counts = grown.strata, grown.counts
    halves, dfs = np.zeros(asked.size, np.int64), np.zeros(asked.size, np.int64)
    for stratum in range(n_strata):
        if _is_live(strata, stratum):
            _add_halves(
                beyond(borrowed(counts), 2 * stratum * view.n_variables),
                beyond(borrowed(counts), (2 * stratum + 1) * view.n_variables),
                strata[stratum, _USUAL],
                strata[stratum, _RARE],
                borrowed(asked),
                asked.size,
                borrowed(halves),
                borrowed(dfs),
                rules.x_log_x,
            )
    for i in range(asked.size):
        df = dfs[i] if rules.adjust_df else np.int64(1) << n_members
        statistic = max(0.0, np.float64(halves[i]) * rules.unit)
        log_p[i] = log_p_of(statistic, df, rules, wanted, log_p)
    return kept_alive((counts, asked, halves, dfs))


@inlined
def _add_halves(usual, rare, n_usual, n_rare, asked, n_asked, halves, dfs, f):
    """Add half of G² in fixed point, and the adjusted df, of one stratum for every variable."""
    total = n_usual + n_rare
    own = f[total] - f[n_usual] - f[n_rare]
    for i in range(n_asked):
        a, b = np.int64(usual[asked[i]]), np.int64(rare[asked[i]])
        n = a + b
        if n > 0:
            half = f[a] + f[b] + f[n_usual - a] + f[n_rare - b] - f[n] - f[total - n]
            halves[i] += half + own
            dfs[i] += n < total


@part
def ask_members(view, rules, grown, log_p):
    """Answer target ⊥ member | the other members for every member, from the strata alone."""
    n_members, n_strata = grown.sizes
    strata = grown.strata
    stratum_of = np.full(1 << n_members, -1, np.int64)
    for stratum in range(n_strata):
        stratum_of[strata[stratum, _PATTERN]] = stratum
    for i in range(n_members):
        if not has_power(view, rules, n_members + 1):
            log_p[i] = 0.0
            continue
        half = df = np.int64(0)
        for stratum in range(n_strata):
            other = stratum_of[strata[stratum, _PATTERN] ^ 1 << i]
            if other > stratum:
                more, more_df = half_g2_of_four(
                    strata[stratum, _USUAL],
                    strata[stratum, _RARE],
                    strata[other, _USUAL],
                    strata[other, _RARE],
                    rules.x_log_x,
                )
                half += more
                df += more_df
        if not rules.adjust_df:
            df = np.int64(1) << n_members - 1
        statistic = max(0.0, np.float64(half) * rules.unit)
        log_p[i] = log_p_of(statistic, df, rules, EXACT, log_p)

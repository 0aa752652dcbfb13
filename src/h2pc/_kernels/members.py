"""Members given each other: all answers from one table of the members and the target."""

import numpy as np

from h2pc._kernels import cells, costs
from h2pc._kernels._jit import borrowed, kept_alive, part
from h2pc._kernels.answers import EXACT, ask, log_p_of, plain_df
from h2pc._kernels.merging import with_rows_merged
from h2pc._kernels.sample import extended
from h2pc._kernels.statistics import half_of_strata

_LARGEST_TABLE = 1 << 14  # cells; larger ones are mostly empty


@part
def ask_without_each(view, like, rules, target, members, log_p):
    """Log p-value of (target ⊥ member | the other members) for every member."""
    everyone = extended(members, target)
    n_cells = 1.0
    for v in everyone:
        n_cells *= view.cards[v]
    if n_cells * rules.power > view.n_samples:
        log_p[: members.size] = 0.0
        return
    by_rows = everyone.size * view.n_rows * costs.KEY
    by_bitmaps = np.inf
    if view.n_words > 0:
        by_bitmaps = 2.0 * n_cells * view.n_words * costs.WORD
    if not cells.has_codes(view, everyone):
        by_rows = np.inf
    if members.size < 2 or n_cells > _LARGEST_TABLE or min(by_rows, by_bitmaps) == np.inf:
        _ask_one_by_one(view, like, rules, target, members, log_p)
        return
    table = np.zeros(np.int64(n_cells), np.int64)
    if by_bitmaps < by_rows:
        _count_by_bitmaps(view, everyone, table)
    else:
        _count_by_rows(view, everyone, borrowed(table))
    n_target, n_inner = view.cards[target], table.size // view.cards[target]
    room = np.empty(table.size, np.int64)
    most_levels = np.int64(1)
    for v in everyone:
        most_levels = max(most_levels, view.cards[v])
    columns = np.empty(most_levels, np.int64)
    for i in range(members.size):
        card = view.cards[members[i]]
        n_inner //= card
        n_strata = table.size // (card * n_target)
        _bring_last(borrowed(table), n_strata // n_inner, card, n_inner, n_target, borrowed(room))
        half, df = half_of_strata(
            borrowed(room), n_strata, n_target, card, np.int64(1), borrowed(columns), rules
        )
        if not rules.adjust_df:
            df = plain_df(np.float64(n_strata), n_target, card)
        statistic = max(0.0, np.float64(half) * rules.unit)
        log_p[i] = log_p_of(statistic, df, rules, EXACT, log_p)
    kept_alive((table, room, columns))


@part
def _bring_last(table, n_outer, card, n_inner, n_target, goal):
    """Write ``table[outer, member, inner, target]`` as ``goal[outer, inner, target, member]``."""
    place = 0
    for outer in range(n_outer):
        for inner in range(n_inner):
            for t in range(n_target):
                start = (outer * card * n_inner + inner) * n_target + t
                for _ in range(card):
                    goal[place] = table[start]
                    place += 1
                    start += n_inner * n_target


@part
def _count_by_bitmaps(view, variables, table):
    """Count how often all combinations of levels of the variables occur."""
    masks = np.empty((table.size + 1) * view.n_words, np.uint64)
    numbers, counts = np.empty(table.size + 1, np.int64), np.empty(table.size + 1, np.int64)
    n = cells.bitmap_cells(view, variables, borrowed(masks), borrowed(numbers), borrowed(counts))
    for c in range(n):
        table[numbers[c]] = counts[c]
    kept_alive((masks, numbers, counts))


@part
def _count_by_rows(view, variables, table):
    """Count how often all combinations of levels of the variables occur."""
    room = np.zeros(view.n_rows, np.int64)
    keys = borrowed(room)
    for v in variables:
        card, start = view.cards[v], view.code_rows[v] * view.n_rows
        for r in range(view.n_rows):
            keys[r] = keys[r] * card + view.codes[start + r]
    for r in range(view.n_rows):
        table[keys[r]] += view.weights[r] if view.weighted else 1
    kept_alive(room)


@part
def _ask_one_by_one(view, like, rules, target, members, log_p):
    """The same, one question after the other: for tables that are too large to be made."""
    no_details = np.empty((2, 0))
    everyone = extended(members, target)
    wanted = members.size > 1 and cells.has_codes(view, everyone)
    view, owners = with_rows_merged(view, like, everyone, wanted)
    fixed = np.empty(members.size, np.int64)
    for i in range(members.size):
        for j in range(members.size - 1):
            fixed[j] = members[j] if j < i else members[j + 1]
        fixed[members.size - 1] = target
        one, answer = members[i : i + 1], log_p[i : i + 1]
        ask(view, rules, fixed, members.size - 1, one, answer, no_details, EXACT, False)
    return kept_alive(owners)

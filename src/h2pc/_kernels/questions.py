"""The questions of the independence tests: one kernel for every verb, each asking in bulk."""

import numpy as np

from h2pc._kernels import cells, plan
from h2pc._kernels._jit import borrowed, kept_alive, kernel, part
from h2pc._kernels.answers import EXACT, LINKS, ask
from h2pc._kernels.members import ask_without_each
from h2pc._kernels.sample import extended, opened


@kernel()
def log_p_grid(codes, layout, reals, target, candidates, groups, xs, details):
    """Log p-value of (target ⊥ candidate | z, x) for every candidate, with a ``z`` for each group.

    One row for every x, and 0 for independence and where ``z`` has it; without any x, one row of
    (target ⊥ candidate | z), all as they are. ``groups`` holds the number of groups, where they
    begin and end among the candidates, where their sets begin and end, and the sets:
    ``[g, *starts, *z_starts, *zs]``. ``details`` receives statistic and df of a single question, or
    is empty.
    """
    view, rules = opened(codes, layout, reals)
    check_questions(view, target, candidates, groups, xs)
    log_p = np.zeros((max(xs.size, 1), candidates.size))
    if xs.size > 0:
        fill_grid(view, rules, target, candidates, groups, xs, log_p)
        return log_p
    for g in range(groups[0]):
        start, stop, z = group(groups, g)
        fixed = extended(z, target)
        some, answers = candidates[start:stop], log_p[0][start:stop]
        ask(view, rules, fixed, fixed.size - 1, some, answers, details, EXACT, False)
    return log_p


@part
def check_questions(view, target, candidates, groups, xs):
    """Raise where a number is not that of a variable."""
    cells.check_variables(view, np.array([target]))
    cells.check_variables(view, candidates)
    cells.check_variables(view, groups[2 * groups[0] + 3 :])
    cells.check_variables(view, xs)


@part
def group(groups, g):
    """Where a group begins and ends, and its set."""
    n_groups = groups[0]
    z_starts = groups[n_groups + 2 : 2 * n_groups + 3]
    z = groups[2 * n_groups + 3 :][z_starts[g] : z_starts[g + 1]]
    return groups[g + 1], groups[g + 2], z


@part
def fill_grid(view, rules, target, candidates, groups, xs, log_p):
    """Answer the questions of a grid, 0 for independence; return how many were asked."""
    no_details = np.empty((2, 0))
    n_tests = 0
    for g in range(groups[0]):
        start, stop, z = group(groups, g)
        n_given = xs.size
        for x in xs:
            n_given -= (z == x).any()
        n_tests += n_given * (stop - start)
        if stop - start < xs.size:
            _ask_by_columns(view, rules, target, candidates, start, stop, z, xs, log_p, no_details)
        else:
            _ask_by_rows(view, rules, target, candidates, start, stop, z, xs, log_p, no_details)
    for row in range(xs.size):
        for column in range(candidates.size):
            if log_p[row, column] > rules.log_alpha:
                log_p[row, column] = 0.0
    return n_tests


@part
def _ask_by_rows(view, rules, target, candidates, start, stop, z, xs, log_p, details):
    """Answer about candidates with one ``z``, given one x after the other."""
    for row in range(xs.size):
        if not (z == xs[row]).any():
            fixed = extended(extended(z, xs[row]), target)
            ask(
                view,
                rules,
                fixed,
                fixed.size - 1,
                candidates[start:stop],
                log_p[row][start:stop],
                details,
                LINKS,
                False,
            )


@part
def _ask_by_columns(view, rules, target, candidates, start, stop, z, xs, log_p, details):
    """Answer about one candidate after the other, each given all xs: there are more of these."""
    rows = np.empty(xs.size, np.int64)
    n_rows = 0
    for row in range(xs.size):
        if not (z == xs[row]).any():
            rows[n_rows] = row
            n_rows += 1
    rows = rows[:n_rows]
    given = xs[rows]
    answers = np.empty(n_rows)
    for column in range(start, stop):
        fixed = extended(extended(z, target), candidates[column])
        ask(view, rules, fixed, z.size, given, answers, details, LINKS, False)
        for i in range(n_rows):
            log_p[rows[i], column] = answers[i]


@kernel()
def log_p_without_each(codes, layout, reals, target, members):
    """Log p-value of (target ⊥ member | the other members) for every member."""
    view, rules = opened(codes, layout, reals)
    cells.check_variables(view, np.array([target]))
    cells.check_variables(view, members)
    log_p = np.empty(members.size)
    ask_without_each(view, codes, rules, target, members, log_p)
    return log_p


@kernel()
def count_pairs(codes, layout, reals, pairs):
    """Count how often any two levels occur together."""
    view, _ = opened(codes, layout, reals)
    most = np.int64(0)
    for v in range(view.n_variables):
        most = max(most, view.cards[v])
    room = np.empty(most * most, np.int64)
    table = borrowed(room)
    for a in range(view.n_variables):
        first_a, n_a = view.first_row[a], view.cards[a]
        for i in range(n_a):
            for j in range(n_a):
                pairs[first_a + i, first_a + j] = view.level_counts[first_a + i] if i == j else 0
        for b in range(a + 1, view.n_variables):
            plan.count_pair(view, a, b, table)
            first_b, n_b = view.first_row[b], view.cards[b]
            for i in range(n_a):
                for j in range(n_b):
                    pairs[first_a + i, first_b + j] = table[i * n_b + j]
                    pairs[first_b + j, first_a + i] = table[i * n_b + j]
    kept_alive(room)

"""Sifting: candidates that separate each other from the target, and those that are left."""

import numpy as np

from h2pc._kernels import cells
from h2pc._kernels._jit import kernel, part
from h2pc._kernels.answers import EXACT, LARGEST, VERDICTS, ask
from h2pc._kernels.ordering import stable_order
from h2pc._kernels.questions import check_questions, fill_grid
from h2pc._kernels.sample import opened, write

_UNKNOWN, _STAYS, _GOES, _DEPENDS = 0, 1, 2, 3  # fates; the last on that of its separator


@kernel()
def sift(codes, layout, reals, target, base, candidates, found):
    """Drop what is independent of the target, and what another one still there separates from it.

    ``found`` receives in [0] those that stay, from the strongest link to the weakest, in [1] those
    that were separated by another one, as they went, and in [2] what separated them. Returns how
    many there are of these, and the number of tests.
    """
    view, rules = opened(codes, layout, reals)
    cells.check_variables(view, np.array([target]))
    cells.check_variables(view, base)
    cells.check_variables(view, candidates)
    fixed = np.empty(base.size + 2, np.int64)
    write(base, fixed)
    fixed[base.size] = target
    no_details = np.empty((2, 0))
    log_p = np.empty(candidates.size)
    given = fixed[:-1]
    ask(view, rules, given, base.size, candidates, log_p, no_details, EXACT, False)
    n_tests = candidates.size
    is_linked = log_p <= rules.log_alpha
    candidates, log_p = candidates[is_linked], log_p[is_linked]
    strengths, answers = np.empty(candidates.size), np.empty(candidates.size)
    kept, dropped, separators = found[0], found[1], found[2]
    n_kept = n_dropped = 0
    for i in range(candidates.size):
        _insert(candidates[i], log_p[i], kept, strengths, n_kept)
        n_kept += 1
    by_number = stable_order(candidates)
    turns = by_number[stable_order(-log_p[by_number])]
    for x in candidates[turns]:
        place = 0
        while kept[place] != x:
            place += 1
        largest = strengths[place]
        n_kept -= 1
        for i in range(place, n_kept):
            kept[i], strengths[i] = kept[i + 1], strengths[i + 1]
        fixed[base.size + 1] = x
        others = kept[:n_kept]
        stop = ask(view, rules, fixed, base.size, others, answers, no_details, LARGEST, True)
        if stop >= 0:
            n_tests += stop + 1
            dropped[n_dropped], separators[n_dropped] = x, kept[stop]
            n_dropped += 1
        else:
            n_tests += n_kept
            for i in range(n_kept):
                largest = max(largest, answers[i])
            _insert(x, largest, kept, strengths, n_kept)
            n_kept += 1
    return n_kept, n_dropped, n_tests


@part
def _insert(x, strength, kept, strengths, n_kept):
    """Put a candidate where it belongs among ``n_kept``: strongest first, ties by number."""
    place = n_kept
    while place > 0 and (strengths[place - 1], kept[place - 1]) > (strength, x):
        kept[place], strengths[place] = kept[place - 1], strengths[place - 1]
        place -= 1
    kept[place], strengths[place] = x, strength


@kernel()
def sift_given_any(codes, layout, reals, target, candidates, groups, xs, is_kept):
    """Mark every candidate that a sift given some x would keep; return the number of tests.

    A candidate is one given x if it is linked to the target given x and a ``z`` of its own, as of
    the ``groups`` of :func:`log_p_grid`. At its turn all stronger ones are still there, and those
    of the weaker ones that stayed. So its fate is looked for in the row where its link is
    strongest, then in the next, until it stays in one; and the fates of weaker ones are looked for
    only where they would decide. Weak candidates come first: of those who go, nobody asks again.
    """
    view, rules = opened(codes, layout, reals)
    check_questions(view, target, candidates, groups, xs)
    log_p = np.zeros((xs.size, candidates.size))
    n_tests = fill_grid(view, rules, target, candidates, groups, xs, log_p)
    starts, columns = _links_by_row(log_p, stable_order(candidates), rules.log_alpha)
    fates = np.zeros(columns.size, np.int8)
    tried = np.zeros(columns.size, np.int64)
    waiting = np.empty(candidates.size, np.int64)
    fixed = np.array([0, target, 0])
    for column in _weakest_first(log_p, columns):
        for row in _rows_by_strength(log_p, column, rules.log_alpha):
            if is_kept[column]:
                break
            fixed[0] = xs[row]
            start, stop = starts[row], starts[row + 1]
            links = columns[start:stop]
            place = np.flatnonzero(links == column)[0]
            pool = candidates[links]
            n_tests += _decide(
                view, rules, fixed, pool, place, fates[start:stop], tried[start:stop], waiting
            )
            for i in range(start, stop):
                is_kept[columns[i]] |= fates[i] == _STAYS
    return n_tests


@part
def _links_by_row(log_p, by_number, limit):
    """Where each row begins, and the columns of its candidates in the reverse of their turns.

    ``by_number`` has the columns in the order that breaks ties.
    """
    starts = np.zeros(log_p.shape[0] + 1, np.int64)
    for row in range(log_p.shape[0]):
        n_links = 0
        for column in range(log_p.shape[1]):
            n_links += log_p[row, column] <= limit
        starts[row + 1] = starts[row] + n_links
    columns = np.empty(starts[-1], np.int64)
    for row in range(log_p.shape[0]):
        links, place = columns[starts[row] : starts[row + 1]], starts[row + 1] - starts[row]
        for column in by_number if place > 0 else by_number[:0]:
            if log_p[row, column] <= limit:
                place -= 1
                links[place] = column
        if links.size > 1:
            write(links[stable_order(log_p[row][links])], links)
    return starts, columns


@part
def _weakest_first(log_p, columns):
    """Columns that are candidates anywhere: those whose strongest link is weak come first."""
    is_linked = np.zeros(log_p.shape[1], np.bool_)
    is_linked[columns] = True
    linked = np.flatnonzero(is_linked)
    strengths = np.empty(linked.size)
    for i in range(linked.size):
        strengths[i] = -log_p[:, linked[i]].min()
    return linked[stable_order(strengths)]


@part
def _rows_by_strength(log_p, column, limit):
    """Rows where a column is a candidate, from its strongest link to its weakest."""
    rows = np.empty(log_p.shape[0], np.int64)
    strengths = np.empty(rows.size)
    n_rows = 0
    for row in range(rows.size):
        if log_p[row, column] <= limit:
            rows[n_rows], strengths[n_rows] = row, log_p[row, column]
            n_rows += 1
    return rows[stable_order(strengths[:n_rows])]


@part
def _decide(view, rules, fixed, pool, place, fates, tried, waiting):
    """Find the fate of one of the pool, and of those that it depends on; return the tests.

    ``tried`` tells how far the pool has been tried for each of it, and ``waiting`` is room for
    those whose fate depends on the one after them.
    """
    no_details = np.empty((2, 0))
    answers = np.empty(pool.size)
    others, places = np.empty(pool.size, np.int64), np.empty(pool.size, np.int64)
    n_tests = 0
    waiting[0], n_waiting = place, np.int64(fates[place] == _UNKNOWN)
    while n_waiting > 0:
        place = waiting[n_waiting - 1]
        if fates[place] == _UNKNOWN:
            n_others = 0
            for i in range(tried[place], pool.size):
                if i < place or (i > place and fates[i] != _GOES):
                    others[n_others], places[n_others] = pool[i], i
                    n_others += 1
            fixed[2] = pool[place]
            left = others[:n_others]
            stop = ask(view, rules, fixed, 1, left, answers, no_details, VERDICTS, True)
            n_tests += stop + 1 if stop >= 0 else n_others
            fates[place] = _DEPENDS if stop >= 0 else _STAYS
            tried[place] = places[stop] if stop >= 0 else pool.size
        separator = tried[place]
        if fates[place] == _STAYS:
            n_waiting -= 1
        elif separator < place or fates[separator] == _STAYS:
            fates[place] = _GOES
            n_waiting -= 1
        elif fates[separator] == _GOES:
            fates[place] = _UNKNOWN
        else:
            waiting[n_waiting] = separator
            n_waiting += 1
    return n_tests

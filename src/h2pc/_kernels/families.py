"""Scores of a family, and of its neighbours by one parent more or less, in one call.

The cells of the family as it is are found once. For one parent less their counts are added up; for
one more every cell is split by the levels of the newcomer. Where at most one parent is left, the
counts of pairs are known already. Where a table of all cells would be large, the rows are sorted by
configuration instead.

A family is laid out as ``fixed`` = (parents …, child). A change is a variable: a parent leaves,
another variable enters, and the child itself stands for no change.
"""

import math

import numpy as np
from numba.core import types

from h2pc._kernels import cells, counting, family_cells
from h2pc._kernels import terms as terms_of
from h2pc._kernels._jit import inlined, kept_alive, kernel, part, unowned
from h2pc._kernels.sample import extended, opened

_LEVELS, _PAIR, _FEWER, _MORE, _ROWS = 0, 1, 2, 3, 4  # where the counts come from
_ENTRIES_PER_ROW = 4  # larger tables take longer to add up than the rows to sort
_SMALL_TABLE = 1 << 12
_ASTRONOMICAL = 1e300  # cells: no need to tell more apart


@part
def _place(fixed, variable):
    """Return where a variable is among the parents, or -1."""
    for i in range(fixed.size - 1):
        if fixed[i] == variable:
            return i
    return -1


@part
def _enters(fixed, other):
    """Whether the change adds a parent."""
    return _place(fixed, other) < 0 and other != fixed[fixed.size - 1]


@part
def _largest_table(view):
    """Return the number of entries that a table may have; 32 bits can number them."""
    return max(_ENTRIES_PER_ROW * view.n_rows, _SMALL_TABLE)


@part
def _way(view, fixed, other, possible_cells):
    """Where the counts of the family come from after a change."""
    n_parents = fixed.size - 1
    way, card = _FEWER, np.int64(1)
    if _enters(fixed, other):
        n_parents += 1
        way, card = _MORE, view.cards[other]
    elif _place(fixed, other) >= 0:
        n_parents -= 1
    if n_parents == 0:
        return _LEVELS
    if n_parents == 1 and view.n_levels > 0:
        return _PAIR
    return way if possible_cells * card <= _largest_table(view) else _ROWS


@part
def _table_size(view, fixed, other, way, possible_cells):
    """Return the number of entries of the table that a change needs."""
    n_levels = view.cards[fixed[fixed.size - 1]]
    card = view.cards[other] if _enters(fixed, other) else np.int64(1)
    if way == _FEWER or way == _MORE:
        return np.int64(possible_cells) * card
    if way == _PAIR:
        for i in range(fixed.size - 1):
            card = max(card, view.cards[fixed[i]])
        return n_levels * card
    return n_levels * card if n_levels * card <= _largest_table(view) else n_levels


@part
def _fill_pair(view, fixed, other, table):
    """Fill in ``table[parent, level]`` for the only parent left; return its number of levels."""
    parent = other if fixed.size == 1 else fixed[0]
    if fixed.size == 3 and parent == other:
        parent = fixed[1]
    counting.copy_pair(view, parent, fixed[fixed.size - 1], table)
    return view.cards[parent]


@inlined
def _fill(view, fixed, other, way, found, table):
    """Fill in ``table[configuration, level, candidate]``; (configurations, candidate's levels)."""
    child = fixed[fixed.size - 1]
    n_levels = view.cards[child]
    n_configurations = card = np.int64(1)
    if way == _LEVELS:
        for level in range(n_levels):
            table[level] = view.level_counts[view.first_row[child] + level]
    elif way == _PAIR:
        n_configurations = _fill_pair(view, fixed, other, table)
    elif way == _FEWER:
        place = _place(fixed, other)
        n_cells = family_cells.add_up(view, fixed, place, found.counts, table)
        n_configurations = n_cells // n_levels
    else:
        family_cells.split(view, found, other, table)
        n_configurations = found.n_cells // n_levels
        card = view.cards[other]
    return n_configurations, card


@part
def _sorting(view, fixed, other):
    """Return the variables to sort the rows by, and one that splits them further, or -1."""
    parents = fixed[: fixed.size - 1]
    place = _place(fixed, other)
    if place >= 0:
        return np.concatenate((parents[:place], parents[place + 1 :])), np.int64(-1)
    if other == fixed[fixed.size - 1]:
        return parents.copy(), np.int64(-1)
    if view.cards[fixed[fixed.size - 1]] * view.cards[other] <= _largest_table(view):
        return parents.copy(), other
    return extended(parents, other), np.int64(-1)


@part
def _sort_rows(view, variables, order):
    """Order the rows by the configuration of some variables; return where each one begins."""
    keys = np.empty(order.size, np.int64)
    n_configurations = cells.row_keys(view, variables, variables.size, keys)
    starts = np.zeros(n_configurations + 2, np.int64)
    for r in range(keys.size):
        starts[keys[r] + 2] += 1
    for configuration in range(2, starts.size):
        starts[configuration] += starts[configuration - 1]
    for r in range(keys.size):
        order[starts[keys[r] + 1]] = r
        starts[keys[r] + 1] += 1
    return starts[: n_configurations + 1]


@kernel()
def family_scores(codes, layout, reals, question, alphas):
    """Score of a family after one change, for each of ``others``.

    ``question`` is ``[number of parents, *parents, child, *others]``; ``alphas`` has the a of cells
    and that of configurations for each change (see ``terms``).
    """
    view, rules = opened(codes, layout, reals)
    n_parents = question[0]
    fixed = question[1 : n_parents + 2]
    others = question[n_parents + 2 :]
    cells.check_variables(view, question[1:])
    possible_cells = 1.0
    for v in fixed:
        possible_cells = min(possible_cells * view.cards[v], _ASTRONOMICAL)

    ways = np.empty(others.size, np.int64)
    n_table = n_columns = np.int64(1)
    n_cells = n_splits = n_levels = n_order = np.int64(0)
    counted = False
    for i in range(others.size):
        card = view.cards[others[i]]
        ways[i] = _way(view, fixed, others[i], possible_cells)
        n_table = max(n_table, _table_size(view, fixed, others[i], ways[i], possible_cells))
        n_columns = max(n_columns, card)
        if ways[i] == _FEWER or ways[i] == _MORE:
            n_cells = np.int64(possible_cells)
        if ways[i] == _MORE:
            n_splits, n_levels = n_splits + 1, n_levels + card
        counted |= ways[i] == _FEWER
        if ways[i] == _ROWS:
            n_order = np.int64(view.n_rows)
    found = family_cells.found_cells(view, fixed, n_cells, counted, n_splits, n_levels)
    known = np.empty((2, terms_of.N_KNOWN), np.int64)
    chosen = np.full((2, 2), np.nan)
    order = np.empty(n_order, np.int64)
    table = np.empty(n_table, np.int64)
    columns = np.empty(n_columns, np.int64)
    scores = np.empty(others.size)
    _score(
        view,
        terms_of.Terms(unowned(chosen), unowned(known), rules.shift),
        unowned(fixed),
        unowned(others),
        unowned(alphas),
        unowned(ways),
        family_cells.lent(found),
        unowned(order),
        unowned(table),
        unowned(columns),
        unowned(scores),
    )
    kept_alive((question, alphas, ways, found, known, chosen, order, table, columns))
    return scores


def to_compile(codes):
    """Return the kernel, and the types of its arguments for codes of a type."""
    wholes, reals = types.Array(types.int64, 1, "C"), types.Array(types.float64, 1, "C")
    alphas = types.Array(types.float64, 2, "C")
    return {family_scores: (codes, wholes, reals, wholes, alphas)}


@inlined
def _score(view, terms, fixed, others, alphas, ways, found, order, table, columns, scores):
    """Count and add up the family after every change."""
    child = fixed[fixed.size - 1]
    starts = np.empty(0, np.int64)
    sorted_by_parents = False
    for i in range(others.size):
        terms_of.choose(terms, terms_of.CELLS, alphas[i, 0])
        terms_of.choose(terms, terms_of.CONFIGURATIONS, alphas[i, 1])
        if ways[i] == _ROWS:
            variables, candidate = _sorting(view, fixed, others[i])
            by_parents = variables.size == fixed.size - 1
            if not (by_parents and sorted_by_parents):
                starts = _sort_rows(view, variables, order)
            sorted_by_parents = by_parents
            total = terms_of.sum_of_rows(
                terms, view, child, candidate, starts, order, table, columns
            )
        else:
            n_configurations, card = _fill(view, fixed, others[i], ways[i], found, table)
            total = terms_of.sum_of_table(
                terms, table, n_configurations, view.cards[child], card, columns
            )
        scores[i] = math.ldexp(np.float64(total), -terms.shift)

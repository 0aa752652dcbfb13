"""The questions of the independence tests: one kernel for every verb, each asking in bulk."""

import numpy as np

from h2pc._kernels import cells, plan
from h2pc._kernels._jit import kernel, part
from h2pc._kernels.answers import ask
from h2pc._kernels.sample import opened

# Members of a pool from which on the subsets are so many that merging equal rows pays.
_MERGE_FOR_POOL = 3


@kernel()
def log_p_grid(codes, layout, reals, target, candidates, groups, xs, details):
    """Log p-value of (target ⊥ candidate | z, x) for every candidate, with a ``z`` for each group.

    One row for every x, and 0 where ``z`` has it; without any x, one row of (target ⊥ candidate |
    z). ``groups`` holds the number of groups, where they begin and end among the candidates, where
    their sets begin and end, and the sets: ``[g, *starts, *z_starts, *zs]``. ``details`` receives
    statistic and df of a single question, or is empty.
    """
    sample, settings = opened(codes, layout, reals)
    n_groups = groups[0]
    starts = groups[1 : n_groups + 2]
    z_starts = groups[n_groups + 2 : 2 * n_groups + 3]
    zs = groups[2 * n_groups + 3 :]
    cells.check_variables(sample, np.array([target]))
    cells.check_variables(sample, candidates)
    cells.check_variables(sample, zs)
    cells.check_variables(sample, xs)
    n_extra = min(xs.size, 1)
    log_p = np.zeros((max(xs.size, 1), candidates.size))
    for row in range(log_p.shape[0]):
        for g in range(n_groups):
            start, stop = starts[g], starts[g + 1]
            z = zs[z_starts[g] : z_starts[g + 1]]
            fixed = np.empty(z.size + n_extra + 1, np.int64)
            known = False
            for i in range(z.size):
                fixed[i] = z[i]
                known |= n_extra > 0 and z[i] == xs[row]
            if n_extra > 0:
                fixed[z.size] = xs[row]
            fixed[z.size + n_extra] = target
            if not known:
                ask(
                    sample,
                    settings,
                    fixed,
                    z.size + n_extra,
                    candidates[start:stop],
                    log_p[row, start:stop],
                    details,
                )
    return log_p


@kernel()
def log_p_without_each(codes, layout, reals, target, members):
    """Log p-value of (target ⊥ member | the other members) for every member."""
    sample, settings = opened(codes, layout, reals)
    log_p = np.empty(members.size)
    no_details = np.empty((2, 0))
    everyone = np.empty(members.size + 1, np.int64)
    everyone[0] = target
    for i in range(members.size):
        everyone[i + 1] = members[i]
    cells.check_variables(sample, everyone)
    if members.size > 1 and cells.has_codes(sample, everyone):
        sample = cells.with_rows_merged(sample, everyone)
    fixed = np.empty(members.size, np.int64)
    for i in range(members.size):
        for j in range(members.size - 1):
            fixed[j] = members[j] if j < i else members[j + 1]
        fixed[members.size - 1] = target
        ask(
            sample,
            settings,
            fixed,
            members.size - 1,
            members[i : i + 1],
            log_p[i : i + 1],
            no_details,
        )
    return log_p


@kernel()
def sift(codes, layout, reals, target, base, order, kept, log_p, separators):
    """Drop every candidate that one of the others still there separates from the target.

    ``order`` is how the candidates are gone through; ``kept`` has them from the strongest link to
    the weakest, with their ``log_p``, and stays so as larger ones are met. ``separators`` receives
    what separated the i-th of ``order``, or -1. Returns how many are kept, and the number of tests.
    """
    sample, settings = opened(codes, layout, reals)
    n_kept = kept.size
    n_tests = 0
    fixed = np.empty(base.size + 2, np.int64)
    for i in range(base.size):
        fixed[i] = base[i]
    fixed[base.size] = target
    cells.check_variables(sample, fixed[: base.size + 1])
    cells.check_variables(sample, kept)
    no_details = np.empty((2, 0))
    answers = np.empty(kept.size)
    for step in range(order.size):
        x = order[step]
        place = 0
        while kept[place] != x:
            place += 1
        largest = log_p[place]
        n_kept -= 1
        for i in range(place, n_kept):
            kept[i], log_p[i] = kept[i + 1], log_p[i + 1]
        fixed[base.size + 1] = x
        stop = ask(sample, settings, fixed, base.size, kept[:n_kept], answers, no_details)
        separators[step] = kept[stop] if stop >= 0 else -1
        n_tests += stop + 1 if stop >= 0 else n_kept
        if stop < 0:
            for i in range(n_kept):
                largest = max(largest, answers[i])
            place = n_kept
            while place > 0 and (log_p[place - 1], kept[place - 1]) > (largest, x):
                kept[place], log_p[place] = kept[place - 1], log_p[place - 1]
                place -= 1
            kept[place], log_p[place] = x, largest
            n_kept += 1
    return n_kept, n_tests


@part
def _next_combination(positions, n_pool):
    """Step ``positions`` to the next combination in lexicographic order; False after the last."""
    i = positions.size - 1
    while i >= 0 and positions[i] == n_pool - positions.size + i:
        i -= 1
    if i < 0:
        return False
    positions[i] += 1
    for j in range(i + 1, positions.size):
        positions[j] = positions[j - 1] + 1
    return True


@kernel()
def first_separator(codes, layout, reals, target, candidate, base, pool, min_size, max_size, found):
    """Search the subsets of ``pool``, small first, for one that separates together with ``base``.

    Returns its size, or -1, and the largest log p-value met; its members are written to ``found``.
    All subsets that differ in the last member only are asked about at once.
    """
    sample, settings = opened(codes, layout, reals)
    largest = -np.inf
    no_details = np.empty((2, 0))
    log_p = np.empty(pool.size + 1)
    only_candidate = np.array([candidate])
    everyone = np.empty(base.size + pool.size + 2, np.int64)
    for i in range(base.size):
        everyone[i] = base[i]
    for i in range(pool.size):
        everyone[base.size + i] = pool[i]
    everyone[base.size + pool.size] = target
    everyone[base.size + pool.size + 1] = candidate
    cells.check_variables(sample, everyone)
    many = pool.size >= _MERGE_FOR_POOL and max_size > 1
    if many and cells.has_codes(sample, everyone):
        sample = cells.with_rows_merged(sample, everyone)
    for size in range(min_size, max_size + 1):
        n_prefix = max(size - 1, 0)
        prefix = np.arange(n_prefix)
        fixed = np.empty(base.size + n_prefix + (1 if size == 0 else 2), np.int64)
        for i in range(base.size):
            fixed[i] = base[i]
        n_strata_variables = base.size + n_prefix
        fixed[n_strata_variables] = target
        if size > 0:
            fixed[n_strata_variables + 1] = candidate
        going = True
        while going:
            for i in range(n_prefix):
                fixed[base.size + i] = pool[prefix[i]]
            after = prefix[n_prefix - 1] + 1 if n_prefix > 0 else 0
            varying = pool[after:] if size > 0 else only_candidate
            stop = ask(sample, settings, fixed, n_strata_variables, varying, log_p, no_details)
            if size == 0:
                stop = 0 if log_p[0] > settings.log_alpha else -1
            if stop >= 0:
                for i in range(n_prefix):
                    found[i] = pool[prefix[i]]
                if size > 0:
                    found[size - 1] = varying[stop]
                return size, log_p[stop]
            for i in range(varying.size):
                largest = max(largest, log_p[i])
            going = n_prefix > 0 and _next_combination(prefix, pool.size - 1)
    return -1, largest


@kernel()
def count_pairs(codes, layout, reals, pairs):
    """Count how often any two levels occur together."""
    sample, _ = opened(codes, layout, reals)
    most = np.int64(0)
    for v in range(sample.cards.size):
        most = max(most, sample.cards[v])
    table = np.empty(most * most, np.int64)
    for a in range(sample.cards.size):
        first_a, n_a = sample.first_row[a], sample.cards[a]
        for i in range(n_a):
            for j in range(n_a):
                pairs[first_a + i, first_a + j] = sample.level_counts[first_a + i] if i == j else 0
        for b in range(a + 1, sample.cards.size):
            plan.count_pair(sample, a, b, table)
            first_b, n_b = sample.first_row[b], sample.cards[b]
            for i in range(n_a):
                for j in range(n_b):
                    pairs[first_a + i, first_b + j] = table[i * n_b + j]
                    pairs[first_b + j, first_a + i] = table[i * n_b + j]

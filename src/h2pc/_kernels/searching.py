"""Searches for what separates two variables, through the subsets of a pool."""

import numpy as np

from h2pc._kernels import cells
from h2pc._kernels._jit import kept_alive, kernel, part
from h2pc._kernels.answers import EXACT, LARGEST, LINKS, VERDICTS, ask
from h2pc._kernels.merging import with_rows_merged
from h2pc._kernels.sample import extended, opened

# Members of a pool from which on the subsets are so many that merging equal rows pays.
_MERGE_FOR_POOL = 3


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


@part
def _searched(view, rules, target, candidate, base, pool, min_size, max_size, wanted, found):
    """Search the subsets of ``pool``, small first, for one that separates together with ``base``.

    Returns its size, or -1, the largest log p-value met, as exactly as it is wanted, and the number
    of subsets tried; its members are written to ``found``. All subsets that differ in the last
    member only are asked about at once.
    """
    largest, n_tests = -np.inf, 0
    no_details = np.empty((2, 0))
    log_p = np.empty(pool.size + 1)
    only_candidate = np.array([candidate])
    for size in range(min_size, max_size + 1):
        n_prefix = max(size - 1, 0)
        prefix = np.arange(n_prefix)
        n_strata_variables = base.size + n_prefix
        fixed = np.empty(n_strata_variables + (1 if size == 0 else 2), np.int64)
        for i in range(base.size):
            fixed[i] = base[i]
        fixed[n_strata_variables] = target
        if size > 0:
            fixed[n_strata_variables + 1] = candidate
        going = True
        while going:
            for i in range(n_prefix):
                fixed[base.size + i] = pool[prefix[i]]
            after = prefix[n_prefix - 1] + 1 if n_prefix > 0 else 0
            varying = pool[after:] if size > 0 else only_candidate
            stop = ask(
                view, rules, fixed, n_strata_variables, varying, log_p, no_details, wanted, size > 0
            )
            if size == 0:
                stop = 0 if log_p[0] > rules.log_alpha else -1
            if stop >= 0:
                for i in range(n_prefix):
                    found[i] = pool[prefix[i]]
                if size > 0:
                    found[size - 1] = varying[stop]
                return size, log_p[stop], n_tests + stop + 1
            for i in range(varying.size):
                largest = max(largest, log_p[i])
            n_tests += varying.size
            going = n_prefix > 0 and _next_combination(prefix, pool.size - 1)
    return -1, largest, n_tests


@kernel()
def first_separator(codes, layout, reals, target, candidate, base, pool, min_size, max_size, found):
    """Search the subsets of ``pool``, small first, for one that separates together with ``base``.

    Returns its size, or -1, and the largest log p-value met; its members are written to ``found``.
    """
    view, rules = opened(codes, layout, reals)
    everyone = np.concatenate((base, pool, np.array([target, candidate])))
    cells.check_variables(view, everyone)
    many = pool.size >= _MERGE_FOR_POOL and max_size > 1 and cells.has_codes(view, everyone)
    view, owners = with_rows_merged(view, codes, everyone, many)
    size, log_p, _ = _searched(
        view, rules, target, candidate, base, pool, min_size, max_size, EXACT, found
    )
    return size + kept_alive(owners), log_p


@kernel()
def weakest_links(codes, layout, reals, target, candidates, base, pool, log_p):
    """Largest log p-value of every candidate given ``base`` and any subset of ``pool``.

    It is 0 where one of them separates the candidate from the target. Returns the number of tests.
    """
    view, rules = opened(codes, layout, reals)
    given = np.concatenate((base, pool, np.array([target])))
    cells.check_variables(view, given)
    cells.check_variables(view, candidates)
    no_details, found = np.empty((2, 0)), np.empty(pool.size, np.int64)
    fixed = extended(base, target)
    ask(view, rules, fixed, base.size, candidates, log_p, no_details, LINKS, False)
    n_tests = candidates.size
    may_merge = pool.size >= _MERGE_FOR_POOL and cells.has_codes(view, given)
    for i in range(candidates.size if pool.size > 0 else 0):
        if log_p[i] > rules.log_alpha:
            continue
        x = candidates[i]
        everyone = extended(given, x)
        many = may_merge and cells.has_codes(view, everyone)
        merged, owners = with_rows_merged(view, codes, everyone, many)
        size, largest, n_tried = _searched(
            merged, rules, target, x, base, pool, 1, pool.size, LARGEST, found
        )
        log_p[i] = 0.0 if size >= 0 else max(log_p[i], largest)
        n_tests += n_tried + kept_alive(owners)
    return n_tests


@kernel()
def inseparable(codes, layout, reals, target, candidates, pool, is_kept):
    """Mark every candidate that no subset of the others in ``pool`` separates from the target.

    Returns the number of tests.
    """
    view, rules = opened(codes, layout, reals)
    everyone = np.concatenate((pool, np.array([target])))
    cells.check_variables(view, candidates)
    cells.check_variables(view, everyone)
    many = pool.size > _MERGE_FOR_POOL and cells.has_codes(view, everyone)
    view, owners = with_rows_merged(view, codes, everyone, many)
    nothing, found = np.empty(0, np.int64), np.empty(pool.size, np.int64)
    n_tests = 0
    for i in range(candidates.size):
        others = pool[pool != candidates[i]]
        size, _, n_tried = _searched(
            view, rules, target, candidates[i], nothing, others, 0, others.size, VERDICTS, found
        )
        is_kept[i] = size < 0
        n_tests += n_tried
    return n_tests + kept_alive(owners)

"""From questions of one shape to answers: counts, statistic, log p-value.

All verbs come down to it: some variables are *fixed*, one *varies*. Many candidates with one
conditioning set fix (z, target) and vary the candidate; single separators fix (base, target,
candidate) and vary the separator.
"""

import math

import numpy as np

from h2pc._kernels import costs, memory, plan
from h2pc._kernels._jit import borrowed, inlined, kept_alive, part
from h2pc._kernels.chi_square import log_sf
from h2pc._kernels.statistics import half_g2, half_g2_of_four, half_pearson

_LARGEST_DF = 1e15


@inlined
def _add_strata(table, n_strata, n_rows, n_columns, inner, columns, settings):
    """Half statistic and df, summed over ``n_strata`` × ``inner`` strata of a table."""
    half = np.int64(0)
    df = np.int64(0)
    for stratum in range(n_strata):
        for level in range(inner):
            base = stratum * n_rows * n_columns * inner + level
            if n_rows == 2 and n_columns == 2 and settings.x_log_x.size > 0:
                h, d = half_g2_of_four(
                    table[base],
                    table[base + inner],
                    table[base + 2 * inner],
                    table[base + 3 * inner],
                    settings.x_log_x,
                )
            elif settings.x_log_x.size > 0:
                h, d = half_g2(
                    table,
                    base,
                    n_rows,
                    n_columns * inner,
                    n_columns,
                    inner,
                    columns,
                    settings.x_log_x,
                )
            else:
                h, d = half_pearson(
                    table,
                    base,
                    n_rows,
                    n_columns * inner,
                    n_columns,
                    inner,
                    columns,
                    settings.shift,
                )
            half += h
            df += d
    return half, df


@part
def _ask_marginal(sample, settings, target, varying, is_open, log_p, details):
    """Answer target ⊥ varying from the known counts of pairs: no table is made."""
    f = settings.x_log_x
    first, card = sample.first_row[target], sample.cards[target]
    rows = 0
    own = f[sample.n_samples]
    for t in range(first, first + card):
        own -= f[sample.level_counts[t]]
        rows += sample.level_counts[t] > 0
    for i in range(varying.size):
        if not is_open[i]:
            continue
        start = sample.first_row[varying[i]]
        stop = start + sample.cards[varying[i]]
        half = own
        columns = 0
        for y in range(start, stop):
            half -= f[sample.level_counts[y]]
            columns += sample.level_counts[y] > 0
        for t in range(first, first + card):
            for y in range(start, stop):
                half += f[sample.pairs[t, y]]
        df = (rows - 1) * (columns - 1)
        if not settings.adjust_df:
            df = (card - 1) * (stop - start - 1)
        statistic = max(0.0, math.ldexp(np.float64(half), 1 - settings.shift))
        log_p[i] = log_sf(statistic, df)
        if details.shape[1] > 0:
            details[0, i], details[1, i] = statistic, df


@part
def ask(sample, settings, fixed, n_strata_variables, varying, log_p, details):
    """Answer for every varying variable; return the first independence if they separate, else -1.

    ``fixed`` = (strata …, target) asks about target ⊥ varying | strata, and
    ``fixed`` = (strata …, target, candidate) about target ⊥ candidate | strata, varying; there the
    search ends with the first independence. ``details`` receives statistic and df, or is empty.
    """
    separating = fixed.size == n_strata_variables + 2
    n_rows = sample.cards[fixed[n_strata_variables]]
    fixed_columns = sample.cards[fixed[fixed.size - 1]] if separating else np.int64(1)
    possible_cells = 1.0  # a float: it may be astronomical
    for v in fixed:
        possible_cells *= sample.cards[v]
    remembering = (
        sample.answers.shape[0] > 0
        and details.shape[1] == 0
        and possible_cells * sample.bitmaps.shape[1] * costs.WORD > costs.REMEMBER
    )
    is_open = np.ones(varying.size, np.bool_)
    if remembering:
        memory.recall(sample.answers, fixed, n_strata_variables, varying, is_open, log_p)
    n_asked = varying.size
    most_levels = np.int64(0)
    for i in range(varying.size):
        card = sample.cards[varying[i]]
        if is_open[i] and possible_cells * card * settings.power > sample.n_samples:
            is_open[i] = False
            log_p[i] = 0.0
        if is_open[i]:
            most_levels = max(most_levels, card)
        elif separating and log_p[i] > settings.log_alpha:
            n_asked = i + 1
            break
    if most_levels == 0:
        last = n_asked - 1
        return last if separating and last >= 0 and log_p[last] > settings.log_alpha else -1

    if fixed.size == 1 and sample.pairs.size > 0 and settings.x_log_x.size > 0:
        _ask_marginal(sample, settings, fixed[0], varying, is_open, log_p, details)
        return -1
    chosen = plan.cheapest_plan(sample, fixed, possible_cells, varying[:n_asked], is_open)
    ready = plan.prepared(sample, fixed, n_strata_variables, chosen, possible_cells)
    per_stratum = n_rows * fixed_columns
    table = np.empty(plan.table_size(ready, per_stratum, most_levels), np.int64)
    columns = np.empty(max(most_levels, fixed_columns), np.int64)
    stop = _answer(
        sample,
        settings,
        borrowed(fixed),
        n_strata_variables,
        plan.lent(ready),
        borrowed(varying[:n_asked]),
        borrowed(is_open),
        borrowed(table),
        borrowed(columns),
        remembering,
        borrowed(log_p),
        borrowed(details),
    )
    return stop + kept_alive((ready, fixed, varying, is_open, table, columns, log_p, details))


@inlined
def _answer(
    sample,
    settings,
    fixed,
    n_strata_variables,
    ready,
    varying,
    is_open,
    table,
    columns,
    remembering,
    log_p,
    details,
):
    """Count, test and remember every open question; see :func:`ask`."""
    separating = fixed.size == n_strata_variables + 2
    n_rows = sample.cards[fixed[n_strata_variables]]
    fixed_columns = sample.cards[fixed[fixed.size - 1]] if separating else np.int64(1)
    per_stratum = n_rows * fixed_columns
    for i in range(varying.size):
        if is_open[i]:
            card = sample.cards[varying[i]]
            n_columns, inner = (fixed_columns, card) if separating else (card, np.int64(1))
            half = df = low = np.int64(0)
            n_strata = np.int64(1)
            while low < n_strata:
                some, n_strata = plan.fill(
                    sample, fixed, ready, per_stratum, varying[i], low, table
                )
                h, d = _add_strata(table, some, n_rows, n_columns, inner, columns, settings)
                half += h
                df += d
                low += some
            if not settings.adjust_df:
                strata = _possible_strata(sample, fixed, n_strata_variables) * inner
                df = np.int64(min(strata * (n_rows - 1) * (n_columns - 1), _LARGEST_DF))
            statistic = max(0.0, math.ldexp(np.float64(half), 1 - settings.shift))
            log_p[i] = log_sf(statistic, df)
            if details.shape[1] > 0:
                details[0, i], details[1, i] = statistic, df
            if remembering:
                memory.remember(sample.answers, fixed, n_strata_variables, varying[i], log_p[i])
        if separating and log_p[i] > settings.log_alpha:
            return i
    return -1


@part
def _possible_strata(sample, fixed, n_strata_variables):
    """Return the number of combinations of levels of the strata variables."""
    strata = 1.0
    for i in range(n_strata_variables):
        strata *= sample.cards[fixed[i]]
    return strata

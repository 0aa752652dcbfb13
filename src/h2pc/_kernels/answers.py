"""From questions of one shape to answers: counts, statistic, log p-value.

All verbs come down to it: some variables are *fixed*, one *varies*. Many candidates with one
conditioning set fix (z, target) and vary the candidate; single separators fix (base, target,
candidate) and vary the separator.
"""

from functools import lru_cache

import numpy as np
from numba import from_dtype
from numba.core import types

from h2pc._kernels import binary, costs, memory, plan
from h2pc._kernels._jit import (
    JIT_DISABLED,
    address_of,
    borrowed,
    call_of,
    inlined,
    kept_alive,
    kernel,
    only_part,
    part,
)
from h2pc._kernels.chi_square import N_CRITICAL, log_sf
from h2pc._kernels.compiling import helped
from h2pc._kernels.sample import kinds_of
from h2pc._kernels.statistics import half_of_strata

_LARGEST_DF = 1e15

# What is wanted of log p-values: all of them; those of links, and 0 for independence; the largest
# of the links, and -inf for the others; 0 for independence and -inf for links.
EXACT, LINKS, LARGEST, VERDICTS = 0, 1, 2, 3
_BELOW, _ABOVE = 1.0 - 1e-9, 1.0 + 1e-9  # what rounding cannot turn round


@inlined
def _half_of_binary(view, fixed, ready, v, separating, rules):
    """Half statistic and df of a table of binary variables."""
    masks, rows, counts, f = ready.masks, ready.cells, ready.counts, rules.x_log_x
    if fixed.size == 2:
        return binary.half_of_three(view, masks, rows, counts, v, separating, f)
    return binary.half_of_four(view, masks, rows, counts, v, separating, f)


@part
def _ask_marginal(view, rules, target, varying, is_open, log_p, details):
    """Answer target ⊥ varying from the known counts of pairs: no table is made."""
    f = rules.x_log_x
    first, card = view.first_row[target], view.cards[target]
    rows = 0
    own = f[view.n_samples]
    for t in range(first, first + card):
        own -= f[view.level_counts[t]]
        rows += view.level_counts[t] > 0
    for i in range(varying.size):
        if not is_open[i]:
            continue
        start = view.first_row[varying[i]]
        stop = start + view.cards[varying[i]]
        half = own
        columns = 0
        for y in range(start, stop):
            half -= f[view.level_counts[y]]
            columns += view.level_counts[y] > 0
        for t in range(first, first + card):
            for y in range(start, stop):
                half += f[view.pairs[t * view.n_levels + y]]
        df = (rows - 1) * (columns - 1)
        if not rules.adjust_df:
            df = (card - 1) * (stop - start - 1)
        statistic = max(0.0, np.float64(half) * rules.unit)
        log_p[i] = log_sf(statistic, df)
        if details.shape[1] > 0:
            details[0, i], details[1, i] = statistic, df


@inlined
def log_p_of(statistic, df, rules, wanted, least):
    """Log p-value, as exactly as it is wanted; ``least`` has the least statistics of links."""
    if wanted != EXACT and df < N_CRITICAL:
        critical = rules.critical[df]
        if statistic < critical * _BELOW:
            return 0.0
        if wanted == VERDICTS and statistic > critical * _ABOVE:
            return -np.inf
        if wanted == LARGEST:
            if statistic > least[df] * _ABOVE:
                return -np.inf
            least[df] = min(statistic, least[df])
    return log_sf(statistic, df)


@kernel()
def _ask(view, rules, fixed, n_strata_variables, varying, log_p, details, wanted, searching):
    """Answer for every varying variable, as ``wanted``.

    ``fixed`` = (strata …, target) asks about target ⊥ varying | strata, and
    ``fixed`` = (strata …, target, candidate) about target ⊥ candidate | strata, varying. A search
    ends with the first independence and returns where it is, or -1. ``details`` receives statistic
    and df, or is empty.
    """
    possible_cells = 1.0  # a float: it may be astronomical
    for v in fixed:
        possible_cells *= view.cards[v]
    remembering = (
        view.n_answers > 0
        and details.shape[1] == 0
        and possible_cells * view.n_words * costs.WORD > costs.REMEMBER
    )
    is_open = np.ones(varying.size, np.uint8)  # an address of booleans would not compile
    if remembering:
        memory.recall(
            view.answers, view.n_answers, fixed, n_strata_variables, varying, is_open, log_p
        )
    n_asked = varying.size
    most_levels = np.int64(0)
    for i in range(varying.size):
        card = view.cards[varying[i]]
        if is_open[i] and possible_cells * card * rules.power > view.n_samples:
            is_open[i] = 0
            log_p[i] = 0.0
        if is_open[i]:
            most_levels = max(most_levels, card)
        elif searching and log_p[i] > rules.log_alpha:
            n_asked = i + 1
            break
    if most_levels == 0:
        last = n_asked - 1
        return last if searching and last >= 0 and log_p[last] > rules.log_alpha else -1

    if fixed.size == 1 and view.n_levels > 0 and rules.is_g2:
        _ask_marginal(view, rules, fixed[0], varying, is_open, log_p, details)
        return -1
    asked = varying[:n_asked]
    chosen = plan.cheapest_plan(view, fixed, possible_cells, asked, is_open, rules.is_g2)
    ready, owners = plan.prepared(
        view,
        fixed,
        n_strata_variables,
        chosen,
        possible_cells,
        most_levels,
        plan.few_samples(view, fixed, asked, is_open),
    )
    least = np.full(N_CRITICAL, np.inf) if wanted == LARGEST else log_p  # else it is not used
    stop = _answer(
        view,
        rules,
        fixed,
        n_strata_variables,
        ready,
        borrowed(varying),
        n_asked,
        borrowed(is_open),
        remembering,
        borrowed(log_p),
        details,
        EXACT if remembering else wanted,
        borrowed(least),
        searching,
    )
    return stop + kept_alive((owners, fixed, varying, is_open, log_p, details, least))


@only_part
def _answer(
    view,
    rules,
    fixed,
    n_strata_variables,
    ready,
    varying,
    n_asked,
    is_open,
    remembering,
    log_p,
    details,
    wanted,
    least,
    searching,
):
    """Count, test and remember every open question; see :func:`ask`."""
    separating = fixed.size == n_strata_variables + 2
    n_rows = view.cards[fixed[n_strata_variables]]
    fixed_columns = view.cards[fixed[fixed.size - 1]] if separating else np.int64(1)
    per_stratum = n_rows * fixed_columns
    for i in range(n_asked):
        if is_open[i]:
            card = view.cards[varying[i]]
            n_columns, inner = (fixed_columns, card) if separating else (card, np.int64(1))
            half = df = low = np.int64(0)
            n_strata = np.int64(0 if ready.plan == plan.BINARY else 1)
            if ready.plan == plan.BINARY:
                half, df = _half_of_binary(view, fixed, ready, varying[i], separating, rules)
            while low < n_strata:
                some, n_strata = plan.fill(view, fixed, ready, per_stratum, varying[i], low)
                h, d = half_of_strata(
                    ready.table, some, n_rows, n_columns, inner, ready.columns, rules
                )
                half += h
                df += d
                low += some
            if not rules.adjust_df:
                strata = _possible_strata(view, fixed, n_strata_variables) * inner
                df = plain_df(strata, n_rows, n_columns)
            statistic = max(0.0, np.float64(half) * rules.unit)
            log_p[i] = log_p_of(statistic, df, rules, wanted, least)
            if details.shape[1] > 0:
                details[0, i], details[1, i] = statistic, df
            if remembering:
                memory.remember(
                    view.answers, view.n_answers, fixed, n_strata_variables, varying[i], log_p[i]
                )
        if searching and log_p[i] > rules.log_alpha:
            return i
    return -1


@inlined
def plain_df(n_strata, n_rows, n_columns):
    """Degrees of freedom where zeros do not reduce them."""
    return np.int64(min(n_strata * (n_rows - 1) * (n_columns - 1), _LARGEST_DF))


@part
def _possible_strata(view, fixed, n_strata_variables):
    """Return the number of combinations of levels of the strata variables."""
    strata = 1.0
    for i in range(n_strata_variables):
        strata *= view.cards[fixed[i]]
    return strata


def _kinds(codes):
    """Return the types of the arguments of :func:`ask` for codes of a type."""
    wholes, reals = types.Array(types.int64, 1, "C"), types.Array(types.float64, 1, "C")
    details, whole = types.Array(types.float64, 2, "C"), types.int64
    return (*kinds_of(codes), wholes, whole, wholes, reals, details, whole, types.boolean)


@lru_cache
def address_of_ask(dtype):
    """Return where the code of :func:`ask` is for codes of a dtype."""
    with helped(dtype):
        return address_of(_ask, _kinds(from_dtype(dtype)))


if JIT_DISABLED:
    ask = _ask
else:
    _call = call_of(lambda view: _kinds(view.types[0].dtype))

    @inlined
    def ask(view, rules, fixed, n_strata_variables, varying, log_p, details, wanted, searching):
        """Answer for every varying variable: see :func:`_ask`, which is compiled once for all."""
        size, how = np.int64(n_strata_variables), np.int64(wanted)
        is_search = np.int64(searching) != 0
        return _call(rules.ask, (view, rules, fixed, size, varying, log_p, details, how, is_search))

"""HPC of one target in one kernel: supersets, a weak learner, and what its neighbours say to it.

The steps are kernels of their own, called by their addresses.
"""

from functools import lru_cache

import numpy as np
from numba.core import types

from h2pc._kernels import rounds, searching, sifting
from h2pc._kernels._jit import address_of, call_of, kept_alive, kernel, part
from h2pc._kernels.cells import check_variables
from h2pc._kernels.merging import merged_if_worth
from h2pc._kernels.ordering import in_order, stable_order
from h2pc._kernels.sample import N_ARRAYS, extended, kind_of_codes, opened, write

# Members of a boundary up to which its subsets are gone through without a word to the user.
_MOST_MEMBERS = 11

_WHOLES = types.Array(types.int64, 1, "C")
_MARKS = types.Array(types.boolean, 1, "C")
_LIMITS = types.Array(types.float64, 1, "C", readonly=True)
_REMEMBERED = (
    _WHOLES,
    types.Array(types.uint64, 3, "C"),
    types.Array(types.float64, 3, "C"),
    types.Array(types.int32, 1, "C"),
)


def _kinds(*after_target):
    """Return the types of the arguments of a kernel, given the type of the codes."""
    sample = _WHOLES, types.Array(types.float64, 1, "C"), types.int64
    return lambda codes: (codes, *sample, *after_target)


_FOUND = types.Array(types.int64, 2, "C")
_SIFT = _kinds(_WHOLES, _WHOLES, _FOUND)
_SIFT_GIVEN_ANY = _kinds(_WHOLES, _WHOLES, _WHOLES, _MARKS)
_SETTLED = _kinds(_WHOLES, _WHOLES, _LIMITS, *_REMEMBERED, _WHOLES)
_INSEPARABLE = _kinds(_WHOLES, _WHOLES, _MARKS)
_HPC = _kinds(_WHOLES, _WHOLES, _LIMITS, types.float64, _WHOLES, *_REMEMBERED, _FOUND)

_sift = call_of(_SIFT, types.UniTuple(types.int64, 3))
_sift_given_any = call_of(_SIFT_GIVEN_ANY)
_settle = call_of(_SETTLED, types.UniTuple(types.int64, 2))
_separate = call_of(_INSEPARABLE)


_STEPS = (
    (sifting.sift, _SIFT),
    (sifting.sift_given_any, _SIFT_GIVEN_ANY),
    (rounds.settled, _SETTLED),
    (searching.inseparable, _INSEPARABLE),
)


@lru_cache
def addresses_for(dtype):
    """Return where the code is that :func:`hpc` calls, for codes of a dtype."""
    codes = kind_of_codes(dtype)
    return np.array([address_of(step, kinds(codes)) for step, kinds in _STEPS])


def to_compile(codes):
    """Return the kernels of HPC, and the types of their arguments for codes of a type."""
    return {step: kinds(codes) for step, kinds in (*_STEPS, (hpc, _HPC))}


@kernel()
def hpc(
    codes,
    layout,
    reals,
    target,
    universe,
    asked,
    limits,
    worth,
    code,
    owners,
    keys,
    rows,
    room,
    found,
):
    """What HPC finds out about the target; ``asked`` has those that lines 3 to 6 may look at.

    ``limits`` has those of IAMBFDR for one candidate, for two, and so on; ``code`` has the
    addresses of what is called; ``owners`` to ``room`` are for :func:`rounds.settled`.
    ``found`` receives in its rows the superset of the parents and children, what another one
    separated from the target, what separated it, the superset of the spouses, the parents and
    children, and the boundary. Returns how many there are of these, and the number of tests. There
    are -1 parents and children where lines 3 to 6 are left to others: there are no limits for so
    many candidates, or the subsets of a boundary may take long.
    """
    view, _ = opened(codes, layout, reals)
    check_variables(view, asked)
    candidates = in_order(universe[universe != target])
    nothing = np.empty(0, np.int64)
    n_pcs, n_gone, n_tests = _sift(
        code[0], (codes, layout, reals, target, nothing, candidates, found[:3])
    )
    pcs, spouses, pc, mb = found[0, :n_pcs], found[3], found[4], found[5]
    n_sps = 0
    if n_pcs > 1:
        separators = np.full(view.n_variables, -1)
        for i in range(n_gone):
            separators[found[1, i]] = found[2, i]
        outside, groups = _outside(candidates, pcs, separators)
        is_kept = np.zeros(outside.size, np.bool_)
        n_tests += _sift_given_any(
            code[1], (codes, layout, reals, target, outside, groups, pcs, is_kept)
        )
        for x in outside[is_kept]:
            spouses[n_sps] = x
            n_sps += 1
    if n_pcs < 2 or n_pcs + n_sps < 3:  # nothing else could explain a link
        write(pcs, pc)
        write(pcs, mb)
        return n_pcs, n_gone, n_sps, n_pcs, n_pcs, n_tests
    nearby = np.concatenate((pcs, spouses[:n_sps]))
    is_wanted = np.zeros(view.n_variables, np.bool_)
    is_wanted[asked] = True
    if not is_wanted[nearby].any():
        return n_pcs, n_gone, n_sps, 0, 0, n_tests
    first_limit = nearby.size * (nearby.size - 1) // 2
    if first_limit + nearby.size > limits.size:
        return n_pcs, n_gone, n_sps, -1, 0, n_tests

    focused, owners_of_rows = _focused(codes, layout, reals, target, nearby, worth)
    n_pc, n_mb, n_more = _corrected(
        (codes, focused, reals),
        target,
        pcs,
        nearby,
        is_wanted,
        limits[first_limit : first_limit + nearby.size],
        code,
        (owners, keys, rows, room),
        pc,
        mb,
    )
    kept_alive(owners_of_rows)
    return n_pcs, n_gone, n_sps, n_pc, n_mb, n_tests + (n_more if n_pc >= 0 else 0)


@part
def _outside(candidates, pcs, separators):
    """Candidates outside ``pcs`` by what separates them, and the groups of :func:`log_p_grid`."""
    is_inside = np.zeros(separators.size, np.bool_)
    is_inside[pcs] = True
    outside = candidates[~is_inside[candidates]]
    outside = outside[stable_order(separators[outside])]
    starts = np.empty(outside.size, np.int64)
    n_groups = 0
    for i in range(outside.size):
        if i == 0 or separators[outside[i]] != separators[outside[i - 1]]:
            starts[n_groups] = i
            n_groups += 1
    # The first one may be the group of those that nothing separates: an empty set.
    n_empty = np.int64(n_groups > 0 and separators[outside[0]] < 0)
    groups = np.empty(3 * n_groups + 3 - n_empty, np.int64)
    groups[0] = n_groups
    write(starts[:n_groups], groups[1:])
    groups[1 + n_groups] = outside.size
    sets = 2 + n_groups  # where their starts begin, and after these the sets
    groups[sets] = 0
    for i in range(n_groups):
        groups[sets + 1 + i] = i + 1 - n_empty
        if i >= n_empty:
            groups[sets + 1 + n_groups + i - n_empty] = separators[outside[starts[i]]]
    return outside, groups


@part
def _focused(codes, layout, reals, target, nearby, worth):
    """Return the layout of the sample with equal rows of these variables merged, if it is worth it.

    The arrays that it has the addresses of are returned as well.
    """
    view, _ = opened(codes, layout, reals)
    share = -1.0 if view.weighted else worth  # merged already
    variables = in_order(extended(nearby, target))
    merged, code_rows, weights = merged_if_worth(view, codes, variables, share)
    owners = (merged, code_rows, weights)
    if weights.size == 0:
        return layout, owners
    layout = layout.copy()
    layout[0] = np.int64(merged.ctypes.data)
    layout[1] = np.int64(code_rows.ctypes.data)
    layout[2] = np.int64(weights.ctypes.data)
    layout[N_ARRAYS], layout[N_ARRAYS + 1] = variables.size, weights.size
    layout[N_ARRAYS + 4] = weights.size
    return layout, owners


@part
def _corrected(sample, target, pcs, nearby, is_wanted, limits, code, remembered, pc, mb):
    """Lines 3 to 6: write parents and children, and the boundary; return how many, and the tests.

    Uses ``is_wanted`` up.
    """
    codes, layout, reals = sample
    owners, keys, rows, room = remembered
    candidates = in_order(extended(nearby, target))
    arguments = codes, layout, reals, target, candidates, pcs[:2].copy(), limits
    n_mb, n_tests = _settle(code[2], (*arguments, owners, keys, rows, room, mb))  # line 3
    if n_mb > _MOST_MEMBERS:
        return np.int64(-1), n_mb, n_tests
    members = mb[:n_mb].copy()
    tried = members[is_wanted[members]]
    is_kept = np.zeros(max(tried.size, 1), np.bool_)
    n_tests += _separate(code[3], (codes, layout, reals, target, tried, members, is_kept))
    n_pc = 0
    for i in range(tried.size):
        if is_kept[i]:
            pc[n_pc] = tried[i]
            is_wanted[tried[i]] = False
            n_pc += 1

    nothing, only_target = np.empty(0, np.int64), np.array([target])
    others = np.empty(candidates.size, np.int64)
    for x in pcs:  # line 4
        if not is_wanted[x]:  # nobody asks, or it is found already
            continue
        arguments = codes, layout, reals, x, candidates, nothing, limits
        n_others, n_more = _settle(code[2], (*arguments, owners, keys, rows, room, others))
        n_tests += n_more
        its_members = others[:n_others].copy()
        if (its_members == target).any():
            if n_others > _MOST_MEMBERS:
                return np.int64(-1), n_mb, n_tests
            is_kept[0] = False
            n_tests += _separate(
                code[3], (codes, layout, reals, x, only_target, its_members, is_kept)
            )  # line 5
            if is_kept[0]:
                pc[n_pc] = x  # line 6
                n_pc += 1
    return n_pc, n_mb, n_tests

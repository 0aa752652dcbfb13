"""Lines 3 to 6 of HPC in one kernel: a weak learner, corrected by its neighbours' views."""

from functools import lru_cache

import numpy as np
from numba import carray, from_dtype  # type: ignore[attr-defined]
from numba.core import types

from h2pc._kernels._jit import address_of, call_of, kept_alive, kernel, part, pointer_to
from h2pc._kernels.cells import check_variables
from h2pc._kernels.merging import merged_if_worth
from h2pc._kernels.rounds import settled
from h2pc._kernels.sample import N_ARRAYS, opened
from h2pc._kernels.searching import inseparable

# Members of a boundary up to which its subsets are gone through without a word to the user.
_MOST_MEMBERS = 11


def _sample_kinds(codes):
    """Return the types of what every kernel is given first."""
    reals = types.Array(types.float64, 1, "C")
    return codes, types.Array(types.int64, 1, "C"), reals, types.int64


def _settled_kinds(codes):
    """Return the types of the arguments of :func:`settled`."""
    wholes = types.Array(types.int64, 1, "C")
    limits = types.Array(types.float64, 1, "C", readonly=True)
    keys, rows = types.Array(types.uint64, 2, "C"), types.Array(types.float64, 2, "C")
    room = types.Array(types.int32, 1, "C")
    return (*_sample_kinds(codes), wholes, wholes, limits, keys, rows, room, wholes)


def _inseparable_kinds(codes):
    """Return the types of the arguments of :func:`inseparable`."""
    wholes = types.Array(types.int64, 1, "C")
    return (*_sample_kinds(codes), wholes, wholes, types.Array(types.boolean, 1, "C"))


_settle = call_of(_settled_kinds, types.UniTuple(types.int64, 2))
_separate = call_of(_inseparable_kinds)


@lru_cache
def addresses_for(dtype):
    """Return where the code is that :func:`corrected` calls, for codes of a dtype."""
    codes = types.Array(from_dtype(dtype), 2, "C", readonly=True)
    return np.array(
        [
            address_of(settled, _settled_kinds(codes)),
            address_of(inseparable, _inseparable_kinds(codes)),
        ]
    )


@part
def _focused(codes, layout, reals, variables, worth):
    """Return the layout of the sample with equal rows of ``variables`` merged, if it is worth it.

    The arrays that it has the addresses of are returned as well.
    """
    view, _ = opened(codes, layout, reals)
    share = -1.0 if view.weighted else worth  # merged already
    merged, code_rows, weights = merged_if_worth(view, codes, np.sort(variables), share)
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
def _boundary(sample, target, candidates, start, limits, code, table, room, found):
    """Write the boundary of the target; return its size and the number of tests."""
    codes, layout, reals = sample
    keys = carray(pointer_to(table[0], np.uint64), (table[2] + 1, 2))
    rows = carray(pointer_to(table[1], np.float64), (table[2], table[3]))
    return _settle(
        code,
        (codes, layout, reals, target, candidates, start, limits, keys, rows, room, found),
    )


@kernel()
def corrected(
    codes,
    layout,
    reals,
    target,
    start,
    asked,
    nearby,
    wanted,
    limits,
    worth,
    code,
    tables,
    room,
    found,
):
    """Parents and children of the target among ``wanted``, as lines 3 to 6 of HPC find them.

    Line 3 begins with ``start``, and lines 4 to 6 look at ``asked``, which are wanted. ``tables``
    has the addresses and the shape of the rounds remembered about the target and then
    about each of ``asked``; ``code`` has the addresses of what is called. ``found`` receives the
    parents and children in [0] and the boundary of the target in [1]. Returns their numbers and
    that of the tests; -1 where a boundary is so large that its subsets may take long.
    """
    view, _ = opened(codes, layout, reals)
    check_variables(view, nearby)
    check_variables(view, wanted)
    is_wanted = np.zeros(view.n_variables, np.bool_)
    is_wanted[wanted] = True
    focused, owners = _focused(codes, layout, reals, nearby, worth)
    sample = codes, focused, reals
    candidates = np.sort(nearby)
    pc, mb = found[0], found[1]

    n_mb, n_tests = _boundary(
        sample, target, candidates, start, limits, code[0], tables[0], room, mb
    )
    if n_mb > _MOST_MEMBERS:
        return np.int64(-1), n_mb, n_tests
    members = mb[:n_mb].copy()
    tried = members[is_wanted[members]]
    is_kept = np.zeros(max(tried.size, 1), np.bool_)
    n_tests += _separate(code[1], (codes, focused, reals, target, tried, members, is_kept))
    n_pc = 0
    for i in range(tried.size):
        if is_kept[i]:
            pc[n_pc] = tried[i]
            is_wanted[tried[i]] = False
            n_pc += 1

    nothing, only_target = np.empty(0, np.int64), np.array([target])
    others = np.empty(nearby.size, np.int64)
    for i in range(asked.size):
        x = asked[i]
        if not is_wanted[x]:  # found already
            continue
        n_others, n_more = _boundary(
            sample, x, candidates, nothing, limits, code[0], tables[i + 1], room, others
        )
        n_tests += n_more
        its_members = others[:n_others].copy()
        if (its_members == target).any():
            if n_others > _MOST_MEMBERS:
                return np.int64(-1), n_mb, n_tests
            n_tests += _separate(
                code[1], (codes, focused, reals, x, only_target, its_members, is_kept)
            )
            if is_kept[0]:
                pc[n_pc] = x
                n_pc += 1
    return n_pc, n_mb, n_tests + kept_alive(owners)

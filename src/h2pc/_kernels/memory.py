"""Answers remembered across targets and threads: x ⊥ y | z and y ⊥ x | z are one question.

A table of fixed size: an answer goes to the slot that the hash of its question names, over what was
there. Threads share it without locks: a slot holds the two halves of a 128-bit hash, each XORed
with the answer, and the answer; whatever two threads leave there between them does not check out
unless it is one whole entry (the lockless hashing of Hyatt and Mann, 2002). An answer is the same
whoever worked it out, so no result depends on what is remembered.
"""

import numpy as np

from h2pc._kernels._jit import JIT_DISABLED, bits_of, inlined, real_of

_ALL_BITS = (1 << 64) - 1
_PAIR, _SET = np.uint64(0), np.uint64(2)  # a variable in the pair, or in the conditioning set


@inlined
def _mixed(x):
    """Scramble 64 bits (the finaliser of SplitMix64)."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@inlined
def _hash_of(variable, role, half):
    """One half of the hash of a variable in a role."""
    return _mixed(
        (np.uint64(variable) * np.uint64(4) + role + half) * np.uint64(0x9E3779B97F4A7C15)
    )


@inlined
def recall(answers, n_answers, fixed, n_strata_variables, varying, is_open, log_p):
    """Fill in the answers that are remembered; their questions are not open any more.

    Hashes of variables are added up, so that no order of them matters.
    """
    separating = fixed.size == n_strata_variables + 2
    role = _SET if separating else _PAIR
    first, second = _hash_of_fixed(fixed, n_strata_variables)
    mask = np.uint64(n_answers - 1)
    for i in range(varying.size):
        a = first + _hash_of(varying[i], role, np.uint64(0))
        b = second + _hash_of(varying[i], role, np.uint64(1))
        slot = 4 * np.int64(_mixed(a) & mask)
        value = answers[slot + 2]
        if answers[slot] ^ value == a and answers[slot + 1] ^ value == b:
            is_open[i] = 0
            log_p[i] = real_of(value)


@inlined
def remember(answers, n_answers, fixed, n_strata_variables, variable, log_p):
    """Write one answer into its slot."""
    separating = fixed.size == n_strata_variables + 2
    role = _SET if separating else _PAIR
    first, second = _hash_of_fixed(fixed, n_strata_variables)
    a = first + _hash_of(variable, role, np.uint64(0))
    b = second + _hash_of(variable, role, np.uint64(1))
    slot = 4 * np.int64(_mixed(a) & np.uint64(n_answers - 1))
    value = bits_of(log_p)
    answers[slot] = a ^ value
    answers[slot + 1] = b ^ value
    answers[slot + 2] = value


@inlined
def _hash_of_fixed(fixed, n_strata_variables):
    first = second = np.uint64(0)
    for i in range(fixed.size):
        role = _SET if i < n_strata_variables else _PAIR
        first += _hash_of(fixed[i], role, np.uint64(0))
        second += _hash_of(fixed[i], role, np.uint64(1))
    return first, second


if JIT_DISABLED:

    def hash_of_set(variables):
        """Both halves of the hash of a set, whatever its order; never zeros."""
        key = tuple(sorted(variables.tolist()))
        return hash((0, *key)) & _ALL_BITS | 1, hash((1, *key)) & _ALL_BITS

else:

    @inlined
    def hash_of_set(variables):
        """Both halves of the hash of a set, whatever its order; never zeros."""
        first = second = np.uint64(0)
        for v in variables:
            first += _hash_of(v, _SET, np.uint64(0))
            second += _hash_of(v, _SET, np.uint64(1))
        return first | np.uint64(1), second

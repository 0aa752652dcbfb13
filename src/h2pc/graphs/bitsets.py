"""Sets of variables as Python integers: bit ``v`` is set where ``v`` belongs to the set."""

from collections.abc import Iterable

from h2pc.variables import Vars


def bitset(variables: Iterable[int]) -> int:
    """Integer whose set bits are ``variables``."""
    bits = 0
    for v in variables:
        bits |= 1 << v
    return bits


def adjacency(n_variables: int, edges: Iterable[tuple[int, int]]) -> Vars:
    """For every variable, the bitset of the second ends of its edges."""
    bits = [0] * n_variables
    for u, v in edges:
        bits[u] |= 1 << v
    return tuple(bits)


def members(bits: int) -> Vars:
    """Set bits of ``bits``, in ascending order."""
    found = []
    while bits:
        lowest = bits & -bits
        found.append(lowest.bit_length() - 1)
        bits ^= lowest
    return tuple(found)

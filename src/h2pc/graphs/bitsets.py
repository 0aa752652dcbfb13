"""Sets of variables as Python integers: bit ``v`` is set where ``v`` belongs to the set."""

from collections.abc import Iterable

from h2pc.variables import Vars


def bitset(variables: Iterable[int]) -> int:
    """Integer whose set bits are ``variables``."""
    bits = 0
    for v in variables:
        bits |= 1 << v
    return bits


def members(bits: int) -> Vars:
    """Set bits of ``bits``, in ascending order."""
    found = []
    while bits:
        lowest = bits & -bits
        found.append(lowest.bit_length() - 1)
        bits ^= lowest
    return tuple(found)

"""The vocabulary of the algorithms: variables are small integers, sets of them are ordered."""

from bisect import bisect_left
from collections.abc import Iterable

Var = int
"""A variable: the index of a column of a :class:`~h2pc.data.Dataset`."""

Vars = tuple[int, ...]
"""An ordered set of variables. A Python ``set`` would let its order decide ties."""


def without(variables: Iterable[Var], *removed: Var) -> Vars:
    """``variables`` in their order, except the ``removed`` ones."""
    gone = frozenset(removed)
    if isinstance(variables, tuple) and 8 * len(gone) < len(variables):
        # Few of many, mostly sorted: cut them out. What is not found by bisection is looked for.
        places = {v: bisect_left(variables, v) for v in gone}
        if all(i < len(variables) and variables[i] == v for v, i in places.items()):
            kept = list(variables)
            for i in sorted(places.values(), reverse=True):
                del kept[i]
            return tuple(kept)
    return tuple([v for v in variables if v not in gone])  # quicker than a generator

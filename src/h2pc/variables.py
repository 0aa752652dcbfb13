"""The vocabulary of the algorithms: variables are small integers, sets of them are ordered."""

from collections.abc import Iterable

Var = int
"""A variable: the index of a column of a :class:`~h2pc.data.Dataset`."""

Vars = tuple[int, ...]
"""An ordered set of variables. A Python ``set`` would let its order decide ties."""


def without(variables: Iterable[Var], *removed: Var) -> Vars:
    """``variables`` in their order, except the ``removed`` ones."""
    gone = frozenset(removed)
    return tuple([v for v in variables if v not in gone])  # quicker than a generator

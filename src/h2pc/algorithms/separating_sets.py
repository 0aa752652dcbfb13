"""What makes variables independent that are not linked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from h2pc.algorithms.checkpoints import Finished
from h2pc.variables import Var, Vars


def separating_sets(
    names: Sequence[str], found: Mapping[Var, Finished]
) -> dict[tuple[str, str], tuple[str, ...]]:
    """Sets of at most one variable that make pairs independent, as DE-PCS found them on the way.

    Parameters
    ----------
    names : sequence of str
        The names of all variables.
    found : mapping of Var to Finished
        What HPC found out about targets.

    Returns
    -------
    dict of (str, str) to tuple of str
        For every pair that such a set separates, names sorted, the set; the smaller one where both
        ends have found one.

    Examples
    --------
    >>> from h2pc.algorithms.hpc import Neighbourhood
    >>> inside = Neighbourhood(0, pc=(1,), pcs=(1,), dsep={2: (1,)})
    >>> separating_sets(("a", "b", "c"), {0: Finished((1,), 3, 0, inside)})
    {('a', 'c'): ('b',)}
    """
    sets: dict[tuple[Var, Var], Vars] = {}
    for x, own in sorted(found.items()):
        if own.inside is None:
            continue
        linked = frozenset((x, *own.inside.pcs))
        for y in range(len(names)):
            if y in linked:
                continue
            pair, z = (min(x, y), max(x, y)), own.inside.dsep.get(y, ())
            if pair not in sets or len(z) < len(sets[pair]):
                sets[pair] = z
    return {(names[x], names[y]): tuple(names[v] for v in z) for (x, y), z in sorted(sets.items())}

"""What makes variables independent that are not linked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from h2pc.independence.base import CITest
from h2pc.local.de_pcs import de_pcs
from h2pc.structure.neighbourhoods import neighbourhoods


def separating_sets(
    ci: CITest, names: Sequence[str], *, n_jobs: int | None = None
) -> dict[tuple[str, str], tuple[str, ...]]:
    """Sets of at most one variable that make pairs independent, as DE-PCS finds them.

    Parameters
    ----------
    ci : CITest
        The independence test that answers.
    names : sequence of str
        The names of its variables.
    n_jobs : int, optional
        The number of workers, as joblib counts them.

    Returns
    -------
    dict of (str, str) to tuple of str
        For every pair that such a set separates, names sorted, the set; the smaller one where both
        ends have found one.

    Examples
    --------
    >>> from h2pc import Dag, DSeparationOracle
    >>> dag = Dag.from_edges(tuple("abc"), [("a", "b"), ("b", "c")])
    >>> separating_sets(DSeparationOracle(dag), dag.names)
    {('a', 'c'): ('b',)}
    """
    universe = tuple(range(len(names)))
    learner: Any = de_pcs
    views: Any = neighbourhoods(universe, ci, universe, learner, n_jobs=n_jobs).sets
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for x in universe:
        for y, z in sorted(views[x][1].items()):
            pair, between = (names[min(x, y)], names[max(x, y)]), tuple(names[v] for v in z)
            if pair not in found or len(between) < len(found[pair]):
                found[pair] = between
    return dict(sorted(found.items()))

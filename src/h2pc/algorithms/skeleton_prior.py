"""The skeleton as a prior: edges outside it have a price, and may come in all the same."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass

import numpy as np

from h2pc.algorithms.skeletons import SkeletonResult
from h2pc.graphs import Skeleton
from h2pc.scores.base import LocalScore
from h2pc.scores.priced import PricedScore
from h2pc.variables import Var, Vars

Pair = tuple[Var, Var]
"""Two variables, the smaller number first."""

# Between two polls; a score that is written in Python may take a while for each.
_PAIRS_AT_ONCE = 512


@dataclass(frozen=True)
class SkeletonPrior:
    """What an edge costs that is not one of the skeleton, in units of ln p, for p variables.

    Attributes
    ----------
    one_sided : float or None
        The price where only one end has found the other; with None there are no such edges.
    outside : float or None
        The price of all other edges; with None there are none.
    levels : tuple of int
        The number of levels of every variable; without them families may be of any size.
    max_cells : float
        The largest number of cells of the table of a family.

    Examples
    --------
    >>> SkeletonPrior(one_sided=0.5, outside=None)
    SkeletonPrior(one_sided=0.5, outside=None, levels=(), max_cells=0.0)
    """

    one_sided: float | None = 1.5
    outside: float | None = 3.0
    levels: tuple[int, ...] = ()
    max_cells: float = 0.0

    def priced(self, score: LocalScore, skeleton: Skeleton, one_sided: Set[Pair]) -> PricedScore:
        """Score less the prices; one end has found the other in ``one_sided`` pairs."""
        log_p = math.log(max(1, score.n_variables))
        price = (self.one_sided or 0.0) * log_p
        prices = dict.fromkeys(one_sided, price) | dict.fromkeys(skeleton.edges, 0)
        others = (self.outside or 0.0) * log_p
        return PricedScore(score, prices, others, self.levels, self.max_cells)


def one_sided_pairs(found: SkeletonResult) -> frozenset[Pair]:
    """Pairs of which one has found the other, and that are no edges of the skeleton."""
    pairs = {(min(x, y), max(x, y)) for x, own in found.found.items() for y in own.pc}
    return frozenset(pairs.difference(found.skeleton.edges))


def pairs_near(pairs: Set[Pair], variables: Vars, near: Set[Var] | None) -> frozenset[Pair]:
    """Those of some variables; with ``near``, those of its members."""
    inside = frozenset(variables)
    return frozenset(
        (u, v)
        for u, v in pairs
        if u in inside and v in inside and (near is None or u in near or v in near)
    )


def gaining_pairs(
    score: LocalScore,
    variables: Vars,
    near: Set[Var] | None = None,
    poll: Callable[[], bool] | None = None,
) -> Iterator[Pair]:
    """Pairs of some sorted variables that gain by themselves; with ``near``, those of its members.

    Once ``poll`` returns True, there are no more.
    """
    for i, v in enumerate(variables):
        others = variables[:i]
        if near is not None and v not in near:
            others = tuple(u for u in others if u in near)
        alone = score.family(v)
        for first in range(0, len(others), _PAIRS_AT_ONCE):
            if poll is not None and poll():
                return
            block = others[first : first + _PAIRS_AT_ONCE]
            for place in np.flatnonzero(score.changed(v, (), block) > alone).tolist():
                yield block[place], v

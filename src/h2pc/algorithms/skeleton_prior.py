"""The skeleton as a prior: edges outside it have a price, and may come in all the same."""

from __future__ import annotations

import math
from collections.abc import Callable, Set
from contextlib import closing, nullcontext
from dataclasses import dataclass
from functools import partial
from itertools import pairwise, starmap
from threading import Event
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray

import h2pc._engine as _engine
from h2pc.algorithms.search import SECONDS_BETWEEN_POLLS
from h2pc.algorithms.skeletons import SkeletonResult
from h2pc.graphs import Skeleton
from h2pc.runs.progress import ProgressBar
from h2pc.runs.workers import are_processes, mapped
from h2pc.scores.base import LocalScore
from h2pc.scores.priced import PricedScore
from h2pc.scores.table_score import engine_score
from h2pc.variables import Var, Vars

Pair = tuple[Var, Var]
"""Two variables, the smaller number first."""

# Threads share the work in so many batches; below so many variables they would not pay.
_MOST_BATCHES, _MANY = 256, 500


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
    *,
    n_jobs: int | None = None,
    bar: ProgressBar | None = None,
) -> NDArray[np.int32]:
    """Pairs of some sorted variables that gain by themselves; with ``near``, those of its members.

    Each is a row, sorted by the second variable: there may be millions. Once ``poll`` returns True,
    there are no more.
    """
    batches = _batches(variables)
    if bar is not None:
        bar.expect(len(variables), len(variables) ** 2)
    interrupted = Event()
    scan = partial(
        _engine.gaining_pairs,
        engine_score(score),
        variables=variables,
        near=None if near is None else sorted(near),
        poll=lambda *_: interrupted.is_set() or (poll is not None and poll()),
        poll_seconds=SECONDS_BETWEEN_POLLS,
    )

    def scanned(start: int, end: int) -> tuple[int, int, NDArray[np.int32]]:
        return start, end, np.array(scan(variables[start:end])[0], np.int32).reshape(-1, 2)

    n_workers = 1 if len(variables) < _MANY or are_processes() else effective_n_jobs(n_jobs)
    finished: Any = (
        nullcontext(starmap(scanned, batches))
        if n_workers == 1
        else closing(mapped(scanned, batches, n_workers, stop=interrupted.set))
    )
    found: dict[int, NDArray[np.int32]] = {}
    with finished as outcomes:
        for start, end, pairs in outcomes:
            found[start] = pairs
            if bar is not None:
                bar.advance(end - start, end**2 - start**2)
    return np.concatenate([np.empty((0, 2), np.int32), *(found[start] for start in sorted(found))])


def _batches(variables: Vars) -> list[tuple[int, int]]:
    """Ranges of places, about as many pairs each: of a variable, with those before it."""
    n = len(variables)
    n_batches = min(n, _MOST_BATCHES)
    ends = sorted({0, *(round(n * math.sqrt((i + 1) / n_batches)) for i in range(n_batches))})
    return list(pairwise(ends))

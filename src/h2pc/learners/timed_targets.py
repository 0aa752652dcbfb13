"""Neighbourhoods of a few targets, timed: what those of all take is estimated from them.

Targets are drawn with probabilities that grow with the number of variables that they depend on, as
their time does. The total of a figure is then the mean of figure / probability over the draws
(Hansen and Hurwitz, 1943). Draws follow the sequence of van der Corput, so that the first ones of
them are spread as evenly as all; nothing is random.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import accumulate, count
from time import perf_counter
from typing import NamedTuple

from joblib import parallel_config

from h2pc.algorithms.hpc import Neighbourhood, hpc
from h2pc.algorithms.neighbourhoods import Learner, links_with_some, neighbourhoods
from h2pc.independence.base import CITest
from h2pc.runs.limits import Watch
from h2pc.variables import Var, Vars, without

# Targets are timed until so many are drawn, or until the time is over; a few in any case, unless
# they would take more than this share of what all take.
_MOST_DRAWN, _FEWEST_DRAWN, _SHARE_OF_ALL = 255, 15, 0.05

# A target that depends on none of the variables that were looked at takes time as well.
_LINKS_OF_ANY = 3.0


@dataclass(frozen=True)
class TimedTargets:
    """Some targets that were timed, and what they stand for.

    Attributes
    ----------
    n_drawn_from : int
        The number of targets that they were drawn from.
    sum_of_weights : float
        The weights of all of these.
    draws : tuple of (Var, float)
        Targets as they were drawn, the same one perhaps twice, with their weights.
    timed : mapping of Var to (float, Neighbourhood)
        Seconds, and what was found.
    n_targets : float
        The number of targets that they stand for, an estimate where only the run will find them.
    """

    n_drawn_from: int
    sum_of_weights: float
    draws: tuple[tuple[Var, float], ...]
    timed: Mapping[Var, tuple[float, Neighbourhood]]
    n_targets: float

    @property
    def seconds(self) -> float:
        """The time of all targets, one after the other."""
        return self._total(lambda x: self.timed[x][0])

    @property
    def found(self) -> tuple[Neighbourhood, ...]:
        """What was found for the targets that were timed."""
        return tuple(found for _, found in self.timed.values())

    def total(self, figure: Callable[[Neighbourhood], float]) -> float:
        """Return the sum of a figure over all targets."""
        return self._total(lambda x: figure(self.timed[x][1]))

    def _total(self, figure: Callable[[Var], float]) -> float:
        if len(self.timed) == self.n_drawn_from:
            found = math.fsum(map(figure, self.timed))
        else:
            ratios = math.fsum(figure(x) / weight for x, weight in self.draws)
            found = self.sum_of_weights * ratios / len(self.draws)
        return found * self.n_targets / max(1, self.n_drawn_from)

    def standing_for(self, n_targets: float) -> TimedTargets:
        """Return the same for another number of targets."""
        return replace(self, n_targets=n_targets)


class Waves(NamedTuple):
    """The targets that a run learns, one wave after the other."""

    learned: tuple[TimedTargets, ...]
    near: tuple[TimedTargets, ...]
    """Those whose edges the search will have."""


@dataclass(frozen=True)
class Timing:
    """How targets are timed: with which test, local learner and limits, and for how long."""

    ci: CITest
    universe: Vars
    learner: Learner
    watch: Watch
    """The limits of searches; it limits neither time nor memory."""
    seconds: float

    def timed(self, targets: Vars, wanted: Mapping[Var, Vars] | None = None) -> TimedTargets:
        """Return some of these targets, timed."""
        start = perf_counter()
        links = links_with_some(targets, self.ci, self.universe)
        targets = tuple(sorted(targets, key=lambda x: links[x]))  # alike ones together
        weights = {x: links[x] + _LINKS_OF_ANY for x in targets}
        ends = list(accumulate(weights.values(), initial=0.0))[1:]
        timed: dict[Var, tuple[float, Neighbourhood]] = {}
        sample = TimedTargets(len(targets), sum(weights.values()), (), timed, len(targets))
        for place in _evenly_spread() if targets else ():
            x = targets[bisect_left(ends, place * ends[-1])]
            if x not in timed:
                timed[x] = self._one(x, wanted)
            sample = replace(sample, draws=(*sample.draws, (x, weights[x])))
            n_draws, passed = len(sample.draws), perf_counter() - start
            if len(timed) == len(targets) or n_draws == _MOST_DRAWN:
                break
            is_enough = n_draws >= _FEWEST_DRAWN or passed >= _SHARE_OF_ALL * sample.seconds
            if passed >= self.seconds and is_enough:
                break
        return sample

    def _one(self, target: Var, wanted: Mapping[Var, Vars] | None) -> tuple[float, Neighbourhood]:
        """Return how long a target takes, and what was found."""
        start = perf_counter()
        with parallel_config("sequential"):
            found = neighbourhoods(
                (target,), self.ci, self.universe, self.learner, wanted=wanted, watch=self.watch
            )
        return perf_counter() - start, found[target]

    def everywhere(self, targets: Vars | None) -> Waves:
        """Return the single wave of a run that learns all neighbourhoods."""
        every = self.timed(self.universe)
        if targets is None:
            return Waves((every,), (every,))
        n_near = len(targets) + sum(len(each.pc) for each in every.found) / len(every.timed)
        return Waves((every,), (every.standing_for(min(n_near, len(self.universe))),))

    def around(self, targets: Vars) -> Waves:
        """Return the waves that learning around targets takes, as `learned_skeleton` has them.

        After the targets come the variables that they found, which have to confirm it; then whole
        neighbourhoods of those that do, and what confirms these.
        """
        first = self.timed(targets)
        finders = _finders(first.found, targets)
        if not finders:
            return Waves((first,), (first,))
        in_part = self.learner is hpc
        left = len(self.universe) - len(targets)
        n_second = _n_different(first, finders, left)
        second = self.timed(tuple(sorted(finders)), finders if in_part else None)
        second = second.standing_for(n_second)
        n_ring = second.total(lambda each: _has_any(each.pc, finders[each.target]))
        if n_ring == 0.0:
            return Waves((first, second), (first,))
        ring = second
        if in_part:  # those that were timed are the slower ones, unless all were
            known = second.timed if len(second.timed) == len(finders) else {}
            unconfirmed = (x for x in known if not _has_any(known[x][1].pc, finders[x]))
            ring = self.timed(without(finders, *unconfirmed))
        ring = ring.standing_for(n_ring)
        farther = _finders(ring.found, (*targets, *finders))
        last = second.standing_for(_n_different(ring, farther, left - n_second))
        return Waves((first, second, *((ring,) if in_part else ()), last), (first, ring))


def _evenly_spread() -> Iterator[float]:
    """Places between 0 and 1: the half, the quarters, the eighths, and so on."""
    for number in count(1):
        bits = f"{number:b}"[::-1]
        yield int(bits, 2) / 2 ** len(bits)


def _has_any(found: Vars, some: Vars) -> bool:
    return not frozenset(found).isdisjoint(some)


def _finders(found: tuple[Neighbourhood, ...], known: Vars) -> dict[Var, Vars]:
    """Variables that some targets have found, but for known ones, with these targets."""
    finders: dict[Var, Vars] = {}
    for each in found:
        for y in without(each.pc, *known):
            finders[y] = (*finders.get(y, ()), each.target)
    return finders


def _n_different(sample: TimedTargets, finders: Mapping[Var, Vars], most: float) -> float:
    """Number of variables that all targets find, from those that the timed ones have found.

    As if all that is found were drawn from some number of variables, of which so many different
    ones have come up so far.
    """
    n_seen, n_found = len(finders), sum(map(len, finders.values()))
    n_all = sample.total(lambda each: sum(each.target in finders.get(y, ()) for y in each.pc))
    if n_all <= n_found or n_seen >= most:
        return n_seen
    low, high = float(n_seen), float(most)
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if _different(n_found, middle) < n_seen else (low, middle)
    return max(n_seen, _different(n_all, high))


def _different(n_draws: float, n_variables: float) -> float:
    """Expected number of different variables among so many draws."""
    return -n_variables * math.expm1(-n_draws / n_variables)

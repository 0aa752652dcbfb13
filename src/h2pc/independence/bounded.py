"""Tests whose searches are bounded, and tests that look at the clock: wrappers of any other."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from math import comb
from typing import Self

import numpy as np

from h2pc.independence.base import (
    CITest,
    FoundByHpc,
    Kept,
    Linked,
    LogP,
    Separation,
    Settled,
    Sifted,
)
from h2pc.independence.subsets import pieces_of_subsets
from h2pc.runs.limits import Limits, Watch
from h2pc.variables import Var, Vars

_MANY_SUBSETS = 10_000_000
"""Of one search, after which we say that it takes long."""


class _Wrapper(CITest):
    """All questions go to another test, but for the search for a separating set."""

    def __init__(self, ci: CITest) -> None:
        super().__init__(ci.alpha)
        self.ci = ci

    @abstractmethod
    def first_separator(
        self,
        target: Var,
        candidate: Var,
        pool: Vars,
        *,
        base: Vars = (),
        min_size: int = 0,
        max_size: int | None = None,
    ) -> Separation:
        """First ``Z ⊆ pool`` with target ⊥ candidate | base ∪ Z, as :class:`CITest` says it."""

    def log_p_many(self, target: Var, candidates: Vars, z: Vars = ()) -> LogP:
        """Log p-value of (target ⊥ candidate | z) for every candidate; ``z`` is shared."""
        return self.ci.log_p_many(target, candidates, z)

    def log_p_each(self, target: Var, candidates: Vars, zs: Sequence[Vars]) -> LogP:
        """Log p-value of (target ⊥ candidate | z) for every candidate with a ``z`` of its own."""
        return self.ci.log_p_each(target, candidates, zs)

    def log_p_grid(self, target: Var, candidates: Vars, zs: Sequence[Vars], xs: Vars) -> LogP:
        """Log p-value of (target ⊥ candidate | z ∪ x), as :class:`CITest` says it."""
        return self.ci.log_p_grid(target, candidates, zs, xs)

    def log_p_without_each(self, target: Var, members: Vars) -> LogP:
        """Log p-value of (target ⊥ member | the other members) for every member."""
        return self.ci.log_p_without_each(target, members)

    def sift(self, target: Var, candidates: Vars, *, base: Vars = ()) -> Sifted:
        """Drop every candidate that another one separates, as :class:`CITest` says it."""
        return self.ci.sift(target, candidates, base=base)

    def sift_given_any(self, target: Var, candidates: Vars, zs: Sequence[Vars], xs: Vars) -> Kept:
        """Candidates that a sift given some x keeps, as :class:`CITest` says it."""
        return self.ci.sift_given_any(target, candidates, zs, xs)

    def change(
        self, target: Var, candidates: Vars, members: Vars, limits: LogP, newcomer: Var | None
    ) -> Var | None:
        """Member that leaves or candidate that enters, as :class:`CITest` says it."""
        return self.ci.change(target, candidates, members, limits, newcomer)

    def settled(self, target: Var, candidates: Vars, members: Vars, limits: LogP) -> Settled:
        """Members that no change improves, as :class:`CITest` says it."""
        return self.ci.settled(target, candidates, members, limits)

    def focused(self, variables: Vars) -> Self:
        """Return a test with the same answers, made ready for questions about ``variables``."""
        return self._with(ci=self.ci.focused(variables))


class BoundedTest(_Wrapper):
    """The same answers as another test, but searches for a separating set end at a limit.

    A search that is cut short says that nothing separates the pair, and is counted. All other
    questions are answered in full.

    Parameters
    ----------
    ci : CITest
        The test that answers.
    limits : Limits
        Its ``max_conditioning`` bounds the conditioning sets of a search, its ``max_subset_tests``
        the number of subsets that are tried.

    Examples
    --------
    >>> from h2pc.graph import Dag
    >>> from h2pc.independence.oracle import DSeparationOracle
    >>> oracle = DSeparationOracle(Dag.from_edges(tuple("abcd"), [(0, 1), (0, 2), (1, 3), (2, 3)]))
    >>> test = BoundedTest(oracle, Limits(max_conditioning=1))
    >>> oracle.first_separator(0, 3, (1, 2)).z, test.first_separator(0, 3, (1, 2)).z, test.n_cut
    ((1, 2), None, 1)
    """

    def __init__(self, ci: CITest, limits: Limits) -> None:
        super().__init__(ci)
        self.limits = limits
        self._cut: list[Var] = []  # threads may append at the same time

    @property
    def n_cut(self) -> int:
        """The number of searches that were cut short so far, those of focused tests included."""
        return len(self._cut)

    def first_separator(
        self,
        target: Var,
        candidate: Var,
        pool: Vars,
        *,
        base: Vars = (),
        min_size: int = 0,
        max_size: int | None = None,
    ) -> Separation:
        """First ``Z ⊆ pool`` with target ⊥ candidate | base ∪ Z within the limits."""
        whole = len(pool) if max_size is None else min(max_size, len(pool))
        largest = whole
        if self.limits.max_conditioning is not None:
            largest = min(whole, self.limits.max_conditioning - len(base))
        left: float = self.limits.max_subset_tests or math.inf
        weakest = -math.inf
        size = min_size
        while size <= largest and left > 0:
            for first, rest in pieces_of_subsets(pool, size, left, math.inf):
                n_more = size - len(first)
                z, log_p = self.ci.first_separator(
                    target, candidate, rest, base=base + first, min_size=n_more, max_size=n_more
                )
                if z is not None:
                    return Separation(first + z, log_p)
                weakest = max(weakest, log_p)
            left -= comb(len(pool), size)
            size += 1
        if left < 0 or size <= whole:
            self._cut.append(target)
        return Separation(None, weakest)


class WatchedTest(_Wrapper):
    """The same answers as another test, which a watch may stop between any two pieces of work.

    Where the time or the memory is limited, questions that may take long are asked in pieces. It
    warns of a search that has tried ten million subsets and goes on.

    Parameters
    ----------
    ci : CITest
        The test that answers.
    watch : Watch
        What is looked at before every piece.

    Raises
    ------
    LimitReachedError
        From any question, once the watch has come to a limit.

    Examples
    --------
    >>> from h2pc.graph import Dag
    >>> from h2pc.independence.oracle import DSeparationOracle
    >>> oracle = DSeparationOracle(Dag.from_edges(tuple("abc"), [(0, 1), (1, 2)]))
    >>> WatchedTest(oracle, Watch()).first_separator(0, 2, (1,)).z
    (1,)
    """

    piece = 1 << 11
    """Most tests between two looks, as far as they can be taken apart."""

    def __init__(self, ci: CITest, watch: Watch) -> None:
        super().__init__(ci)
        self.watch = watch

    def log_p_many(self, target: Var, candidates: Vars, z: Vars = ()) -> LogP:
        """Look, and ask about some candidates at a time."""
        if self._is_small(len(candidates)):
            return self.ci.log_p_many(target, candidates, z)
        parts = [self.ci.log_p_many(target, some, z) for some in self._in_turn(candidates, 1)]
        return np.concatenate(parts)

    def log_p_each(self, target: Var, candidates: Vars, zs: Sequence[Vars]) -> LogP:
        """Look, and ask."""
        self.watch.check()
        return self.ci.log_p_each(target, candidates, zs)

    def log_p_grid(self, target: Var, candidates: Vars, zs: Sequence[Vars], xs: Vars) -> LogP:
        """Look, and ask about some rows at a time."""
        if self._is_small(len(candidates) * len(xs)):
            return self.ci.log_p_grid(target, candidates, zs, xs)
        rows = self._in_turn(xs, len(candidates))
        return np.concatenate([self.ci.log_p_grid(target, candidates, zs, some) for some in rows])

    def log_p_without_each(self, target: Var, members: Vars) -> LogP:
        """Look, and ask."""
        self.watch.check()
        return self.ci.log_p_without_each(target, members)

    def sift(self, target: Var, candidates: Vars, *, base: Vars = ()) -> Sifted:
        """Look, and sift one candidate at a time."""
        if self._is_small(len(candidates) ** 2):
            return self.ci.sift(target, candidates, base=base)
        return CITest.sift(self, target, candidates, base=base)

    def sift_given_any(self, target: Var, candidates: Vars, zs: Sequence[Vars], xs: Vars) -> Kept:
        """Look, and decide about one candidate at a time."""
        if self._is_small(len(candidates) ** 2 * len(xs)):
            return self.ci.sift_given_any(target, candidates, zs, xs)
        return CITest.sift_given_any(self, target, candidates, zs, xs)

    def change(
        self, target: Var, candidates: Vars, members: Vars, limits: LogP, newcomer: Var | None
    ) -> Var | None:
        """Look, and ask."""
        self.watch.check()
        return self.ci.change(target, candidates, members, limits, newcomer)

    def settled(self, target: Var, candidates: Vars, members: Vars, limits: LogP) -> Settled:
        """Look, and settle one round at a time."""
        # Mostly there are some ten rounds; there may be as many as candidates.
        if self._is_small(10 * len(candidates)):
            return self.ci.settled(target, candidates, members, limits)
        return CITest.settled(self, target, candidates, members, limits)

    def first_separator(
        self,
        target: Var,
        candidate: Var,
        pool: Vars,
        *,
        base: Vars = (),
        min_size: int = 0,
        max_size: int | None = None,
    ) -> Separation:
        """Look, and try some subsets at a time."""
        self.watch.check()
        largest = len(pool) if max_size is None else min(max_size, len(pool))
        if len(pool) < self.piece.bit_length():  # all subsets together are one piece
            return self.ci.first_separator(
                target, candidate, pool, base=base, min_size=min_size, max_size=largest
            )
        weakest, n_tried = -math.inf, 0
        for size in range(min_size, largest + 1):
            for first, rest in pieces_of_subsets(pool, size, math.inf, self.piece):
                n_more = size - len(first)
                n_tried += comb(len(rest), n_more)
                if n_tried > _MANY_SUBSETS:
                    self._warn_of(target, candidate)
                self.watch.check()
                z, log_p = self.ci.first_separator(
                    target, candidate, rest, base=base + first, min_size=n_more, max_size=n_more
                )
                if z is not None:
                    return Separation(first + z, log_p)
                weakest = max(weakest, log_p)
        return Separation(None, weakest)

    def weakest_links(self, target: Var, candidates: Vars, base: Vars, pool: Vars) -> Linked:
        """Look, and search for one candidate at a time."""
        few_subsets = len(pool) < self.piece.bit_length()
        if few_subsets and self._is_small(len(candidates) << len(pool)):
            return self.ci.weakest_links(target, candidates, base, pool)
        return CITest.weakest_links(self, target, candidates, base, pool)

    def inseparable(self, target: Var, candidates: Vars, pool: Vars) -> Kept:
        """Look, and search for one candidate at a time."""
        few_subsets = len(pool) < self.piece.bit_length()
        if few_subsets and self._is_small(len(candidates) << len(pool)):
            return self.ci.inseparable(target, candidates, pool)
        return CITest.inseparable(self, target, candidates, pool)

    def hpc(self, target: Var, universe: Vars, asked: Vars, limits: LogP) -> FoundByHpc | None:
        """In one piece only where nothing is watched."""
        if self.watch.limits.are_watched:
            return None
        return self.ci.hpc(target, universe, asked, limits)

    def _is_small(self, n_tests: int) -> bool:
        """Look; whether so many tests may be asked for at once."""
        if not self.watch.limits.are_watched:
            return True
        self.watch.check()
        return n_tests <= self.piece

    def _in_turn(self, variables: Vars, n_tests: int) -> Iterator[Vars]:
        """Some of the variables at a time, with a look before each, if each takes so many tests."""
        step = max(1, self.piece // max(1, n_tests))
        for start in range(0, len(variables), step):
            self.watch.check()
            yield variables[start : start + step]

    def _warn_of(self, target: Var, candidate: Var) -> None:
        """Say that a search takes long, and what bounds it."""
        one, other = self.watch.name(target), self.watch.name(candidate)
        self.watch.warn(
            f"The search for what separates {one!r} from {other!r} has tried {_MANY_SUBSETS:,} "
            "subsets and goes on: max_subset_tests or max_conditioning bounds such searches."
        )

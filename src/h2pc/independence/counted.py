"""A test that counts the questions it is asked."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from threading import Lock
from typing import Any

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
from h2pc.independence.subsets import subsets_tried
from h2pc.variables import Var, Vars


class _Counter:
    """A number that several threads may add to."""

    def __init__(self) -> None:
        self.value = 0
        self._lock = Lock()

    def add(self, n: int) -> None:
        with self._lock:
            self.value += n

    def __getstate__(self) -> int:
        return self.value

    def __setstate__(self, value: int) -> None:
        self.__init__()  # type: ignore[misc]
        self.value = value


class CountedTest(CITest):
    """The same answers as another test, and how many questions were asked.

    A search for a separating set counts every subset that it tried.

    Examples
    --------
    >>> from h2pc import CountedTest, Dataset, GTest
    >>> test = CountedTest(GTest(Dataset.from_codes([[0, 1] * 20, [0, 1] * 20, [1] * 40])))
    >>> test.log_p_many(0, (1, 2)).size, test.n_tests
    (2, 2)
    """

    def __init__(self, inner: CITest) -> None:
        super().__init__(inner.alpha)
        self.inner = inner
        self._counter = _Counter()

    @property
    def n_tests(self) -> int:
        """The number of questions so far, those of focused tests included."""
        return self._counter.value

    def log_p_many(self, target: Var, candidates: Vars, z: Vars = ()) -> LogP:
        """Ask, and count the candidates."""
        self._counter.add(len(candidates))
        return self.inner.log_p_many(target, candidates, z)

    def log_p_each(self, target: Var, candidates: Vars, zs: Sequence[Vars]) -> LogP:
        """Ask, and count the candidates."""
        self._counter.add(len(candidates))
        return self.inner.log_p_each(target, candidates, zs)

    def first_separator(self, target: Var, candidate: Var, pool: Vars, **limits: Any) -> Separation:
        """Search, and count the subsets tried."""
        found = self.inner.first_separator(target, candidate, pool, **limits)
        self._counter.add(subsets_tried(found.z, pool, **limits))
        return found

    def weakest_links(self, target: Var, candidates: Vars, base: Vars, pool: Vars) -> Linked:
        """Ask, and count the candidates and the subsets tried."""
        linked = self.inner.weakest_links(target, candidates, base, pool)
        self._counter.add(linked.n_tests)
        return linked

    def inseparable(self, target: Var, candidates: Vars, pool: Vars) -> Kept:
        """Search, and count the subsets tried."""
        kept = self.inner.inseparable(target, candidates, pool)
        self._counter.add(kept.n_tests)
        return kept

    def log_p_grid(self, target: Var, candidates: Vars, zs: Sequence[Vars], xs: Vars) -> LogP:
        """Ask, and count the candidates for every x that is not in their set."""
        known = sum(map(frozenset(xs).__contains__, chain.from_iterable(zs)))
        self._counter.add(len(xs) * len(zs) - known)
        return self.inner.log_p_grid(target, candidates, zs, xs)

    def log_p_without_each(self, target: Var, members: Vars) -> LogP:
        """Ask, and count the members."""
        self._counter.add(len(members))
        return self.inner.log_p_without_each(target, members)

    def sift(self, target: Var, candidates: Vars, *, base: Vars = ()) -> Sifted:
        """Sift, and count what was asked."""
        sifted = self.inner.sift(target, candidates, base=base)
        self._counter.add(sifted.n_tests)
        return sifted

    def sift_given_any(self, target: Var, candidates: Vars, zs: Sequence[Vars], xs: Vars) -> Kept:
        """Sift, and count what was asked."""
        kept = self.inner.sift_given_any(target, candidates, zs, xs)
        self._counter.add(kept.n_tests)
        return kept

    def change(
        self, target: Var, candidates: Vars, members: Vars, limits: LogP, newcomer: Var | None
    ) -> Var | None:
        """Ask, and count the candidates."""
        self._counter.add(len(candidates))
        return self.inner.change(target, candidates, members, limits, newcomer)

    def settled(self, target: Var, candidates: Vars, members: Vars, limits: LogP) -> Settled:
        """Ask, and count the candidates of every round."""
        settled = self.inner.settled(target, candidates, members, limits)
        self._counter.add(settled.n_tests)
        return settled

    def hpc(self, target: Var, universe: Vars, asked: Vars, limits: LogP) -> FoundByHpc | None:
        """Ask, and count what was asked."""
        found = self.inner.hpc(target, universe, asked, limits)
        if found is not None:
            self._counter.add(found.n_tests)
        return found

    def focused(self, variables: Vars) -> CITest:
        """Return a focused test that adds to the same count."""
        return self._with(inner=self.inner.focused(variables))

"""The questions that algorithms ask: the verbs of a conditional independence test."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from bisect import insort
from collections.abc import Sequence
from itertools import combinations, compress
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from h2pc.errors import SettingError
from h2pc.independence.subsets import subsets_tried
from h2pc.variables import Var, Vars, without

LogP = NDArray[np.float64]
"""Natural logarithms of p-values: they do not underflow, so they can be ranked."""


class Separation(NamedTuple):
    """The outcome of a search for a separating set."""

    z: Vars | None
    """The first set that separates, or None where none does."""
    log_p: float
    """The largest log p-value met on the way; with ``z``, it is that of ``z``."""


class Sifted(NamedTuple):
    """What is left of candidates that were tried as each other's separators."""

    kept: Vars
    """Those that none of the others separates, from the strongest link to the weakest."""
    separators: dict[Var, Var]
    """What separated others; those that are in neither were independent anyway."""
    n_tests: int


class Kept(NamedTuple):
    """The candidates that are left."""

    members: Vars
    """In the order of the candidates."""
    n_tests: int


class Linked(NamedTuple):
    """The candidates that are left, and how weak their links have been."""

    weakest: dict[Var, float]
    """The largest log p-value of each, in the order of the candidates."""
    n_tests: int


class Settled(NamedTuple):
    """A boundary that no single change improves."""

    members: Vars
    """In the order of entry."""
    n_tests: int


class FoundByHpc(NamedTuple):
    """What HPC finds out about a target."""

    pcs: Vars
    """The superset of the parents and children, from the strongest link to the weakest."""
    separators: dict[Var, Var]
    """What separated others; those that are in neither were independent anyway."""
    sps: Vars
    """The superset of the spouses."""
    pc: Vars | None = None
    """The parents and children; None where lines 3 to 6 are still to be gone through."""
    mb: Vars = ()
    """The boundary, in the order of entry."""
    n_tests: int = 0


class CITest(ABC):
    """A conditional independence test at level ``alpha``.

    Algorithms know these verbs and nothing else. Variables are integers; they are numbered in the
    order of their names, so that ties broken by number are broken by name.

    Parameters
    ----------
    alpha : float
        Independence means p > alpha.

    Examples
    --------
    Two verbs make a test; all others follow. This one finds numbers dependent that are close.

    >>> import numpy as np
    >>> from h2pc import CITest, mmpc
    >>> class Closeness(CITest):
    ...     def log_p_many(self, target, candidates, z=()):
    ...         return self.log_p_each(target, candidates, [z] * len(candidates))
    ...
    ...     def log_p_each(self, target, candidates, zs):
    ...         return np.array([-10.0 if abs(target - x) == 1 else 0.0 for x in candidates])
    >>> mmpc(2, Closeness(), (0, 1, 2, 3, 4))
    (1, 3)
    """

    def __init__(self, alpha: float = 0.05) -> None:
        if not 0.0 < alpha < 1.0:
            raise SettingError(f"alpha must lie between 0 and 1, both excluded; got {alpha!r}.")
        self.alpha = float(alpha)
        self.log_alpha = math.log(alpha)

    @abstractmethod
    def log_p_many(self, target: Var, candidates: Vars, z: Vars = ()) -> LogP:
        """Log p-value of (target ⊥ candidate | z) for every candidate; ``z`` is shared."""

    @abstractmethod
    def log_p_each(self, target: Var, candidates: Vars, zs: Sequence[Vars]) -> LogP:
        """Log p-value of (target ⊥ candidate | z) for every candidate with a ``z`` of its own."""

    def log_p_grid(self, target: Var, candidates: Vars, zs: Sequence[Vars], xs: Vars) -> LogP:
        """Log p-value of (target ⊥ candidate | z ∪ x) for every x (rows) and candidate (columns).

        Every candidate has a ``z`` of its own. Independence is answered by 0; where ``z`` contains
        x already nothing is asked, and the answer is the same.
        """
        grid = np.zeros((len(xs), len(candidates)))
        for row, x in zip(grid, xs, strict=True):
            new = [i for i, z in enumerate(zs) if x not in z]
            row[new] = self.log_p_each(
                target, tuple(candidates[i] for i in new), [(*zs[i], x) for i in new]
            )
        grid[grid > self.log_alpha] = 0.0
        return grid

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
        """First ``Z ⊆ pool`` with target ⊥ candidate | base ∪ Z, and the weakest link on the way.

        Subsets are tried by size, small first, and within a size in lexicographic order of the
        positions in ``pool``, as :func:`itertools.combinations` gives them. The ``z`` returned
        does not contain ``base``.
        """
        largest = -math.inf
        stop = len(pool) if max_size is None else min(max_size, len(pool))
        for size in range(min_size, stop + 1):
            for z in combinations(pool, size):
                log_p = float(self.log_p_many(target, (candidate,), base + z)[0])
                if self.independent(log_p):
                    return Separation(z, log_p)
                largest = max(largest, log_p)
        return Separation(None, largest)

    def weakest_links(self, target: Var, candidates: Vars, base: Vars, pool: Vars) -> Linked:
        """Candidates that nothing from ``base`` to ``base ∪ pool`` separates from the target.

        What is independent given ``base`` alone is not asked about again.
        """
        weakest: dict[Var, float] = {}
        alone = self.log_p_many(target, candidates, base).tolist()
        n_tests = len(candidates)
        for x, given_base in zip(candidates, alone, strict=True):
            if self.independent(given_base):
                continue
            z, given_more = self.first_separator(target, x, pool, base=base, min_size=1)
            n_tests += subsets_tried(z, pool, min_size=1)
            if z is None:
                weakest[x] = max(given_base, given_more)
        return Linked(weakest, n_tests)

    def inseparable(self, target: Var, candidates: Vars, pool: Vars) -> Kept:
        """Candidates that no subset of the others in ``pool`` separates from the target."""
        members: list[Var] = []
        n_tests = 0
        for x in candidates:
            others = without(pool, x)
            z = self.first_separator(target, x, others).z
            n_tests += subsets_tried(z, others)
            if z is None:
                members.append(x)
        return Kept(tuple(members), n_tests)

    def log_p_without_each(self, target: Var, members: Vars) -> LogP:
        """Log p-value of (target ⊥ member | the other members) for every member."""
        others = [members[:i] + members[i + 1 :] for i in range(len(members))]
        return self.log_p_each(target, members, others)

    def sift(self, target: Var, candidates: Vars, *, base: Vars = ()) -> Sifted:
        """Drop every candidate x with target ⊥ x | base, or | base, y for another y still there.

        Candidates are gone through from the weakest link to the strongest, and separators are tried
        from the strongest to the weakest, by the largest log p-value that was seen for each so far.
        Ties are broken by number.
        """
        answers = self.log_p_many(target, candidates, base).tolist()
        n_tests = len(candidates)
        links = sorted(
            (log_p, x)
            for log_p, x in zip(answers, candidates, strict=True)
            if not self.independent(log_p)
        )
        separators: dict[Var, Var] = {}
        for largest, x in sorted(links, key=lambda link: (-link[0], link[1])):
            links.remove((largest, x))
            pool = tuple(y for _, y in links)
            z, weakest = self.first_separator(target, x, pool, base=base, min_size=1, max_size=1)
            if z is not None:
                separators[x] = z[0]
                n_tests += pool.index(z[0]) + 1
            else:
                insort(links, (max(largest, weakest), x))
                n_tests += len(pool)
        return Sifted(tuple(x for _, x in links), separators, n_tests)

    def sift_given_any(self, target: Var, candidates: Vars, zs: Sequence[Vars], xs: Vars) -> Kept:
        """Candidates that a :meth:`sift` given some x keeps.

        Given x, those are candidates that depend on the target given x and a ``z`` of their own. At
        the turn of a candidate all stronger ones are still there, and the weaker ones that stayed.
        So nothing is asked about a candidate that has stayed in a row, and fates of weaker ones are
        looked for only where they would decide. Weak candidates come first.
        """
        log_p = self.log_p_grid(target, candidates, zs, xs)
        rows = [
            _Row(x, tuple(compress(candidates, linked)), row[linked])
            for x, row, linked in zip(xs, log_p, log_p <= self.log_alpha, strict=True)
        ]
        columns = list(zip(candidates, log_p.T, strict=True)) if rows else []
        for x, strengths in sorted(columns, key=lambda column: -column[1].min()):
            for i in strengths.argsort(kind="stable"):
                if any(row.fates.get(x) for row in rows) or strengths[i] > self.log_alpha:
                    break
                self._decide(target, x, rows[i])
        members = tuple(x for x in candidates if any(row.fates.get(x) for row in rows))
        n_grid = sum(x not in z for z in zs for x in xs)
        return Kept(members, n_grid + sum(row.n_tests for row in rows))

    def _decide(self, target: Var, x: Var, row: _Row) -> None:
        """Find out whether ``x`` stays in its row, and the others that this depends on."""
        waiting = [] if x in row.fates else [x]
        while waiting:
            x = waiting[-1]
            if x not in row.separators:
                left = row.left_for(x)
                z = self.first_separator(target, x, left, base=(row.x,), min_size=1, max_size=1).z
                row.separators[x] = None if z is None else z[0]
                row.n_tests += len(left) if z is None else left.index(z[0]) + 1
            separator = row.separators[x]
            if separator is None:
                row.fates[x] = True
                waiting.pop()
            elif row.is_stronger(separator, x) or row.fates.get(separator):
                row.fates[x] = False
                waiting.pop()
            elif separator in row.fates:
                row.tried[x] = separator
                del row.separators[x]
            else:
                waiting.append(separator)

    def change(
        self, target: Var, candidates: Vars, members: Vars, limits: LogP, newcomer: Var | None
    ) -> Var | None:
        """Weakest member that is no discovery; if there is none, strongest outsider that is one.

        Every member is asked about given the others, every other candidate given all members. They
        are ranked by their log p-values, and a discovery has one of at most the limit of its rank.
        The newcomer, a member, does not count as one that is no discovery. Ties are broken by
        number, but members of equal log p-values rank in their order, after such outsiders.
        """
        outside = without(candidates, *members)
        asked = outside + members
        log_p = np.concatenate(
            (self.log_p_many(target, outside, members), self.log_p_without_each(target, members))
        )
        order = log_p.argsort(kind="stable")
        member = order >= len(outside)
        discovered = log_p[order] <= limits[: len(asked)]

        leaving: list[int] = [
            i for i in order[member & ~discovered].tolist() if asked[i] != newcomer
        ]
        if leaving:
            return asked[min(leaving, key=lambda i: (-log_p[i], asked[i]))]
        entering: list[int] = order[discovered & ~member].tolist()
        return asked[entering[0]] if entering else None

    def settled(self, target: Var, candidates: Vars, members: Vars, limits: LogP) -> Settled:
        """Members after one :meth:`change` a round, until there is none.

        What brings back members that have been there before is taken out, and barred for good. The
        target itself is left out of the candidates.
        """
        candidates = without(candidates, target)
        newcomer: Var | None = None
        seen = {frozenset(members)}
        n_tests = len(candidates)
        while (x := self.change(target, candidates, members, limits, newcomer)) is not None:
            if x in members:
                members, newcomer = without(members, x), None
            else:
                members, newcomer = (*members, x), x
            if is_going_in_circles(members, seen):
                members, candidates, newcomer = without(members, x), without(candidates, x), None
            seen.add(frozenset(members))
            n_tests += len(candidates)
        return Settled(members, n_tests)

    def hpc(
        self,
        target: Var,  # noqa: ARG002
        universe: Vars,  # noqa: ARG002
        asked: Vars,  # noqa: ARG002
        limits: LogP,  # noqa: ARG002
    ) -> FoundByHpc | None:
        """HPC in one piece; None where its lines are gone through one by one.

        A shortcut for :func:`h2pc.hpc`, with the same outcome: lines 3 to 6 look at ``asked``
        alone. ``limits`` has those of IAMBFDR for one candidate, for two, and so on: where there
        are more, lines 3 to 6 are left to others.
        """
        return None

    def log_p(self, x: Var, y: Var, z: Vars = ()) -> float:
        """Log p-value of the single question x ⊥ y | z."""
        return float(self.log_p_many(x, (y,), z)[0])

    def independent(self, log_p: float) -> bool:
        """Whether a log p-value means independence: p > alpha."""
        return log_p > self.log_alpha

    def focused(self, variables: Vars) -> CITest:  # noqa: ARG002
        """Return a test with the same answers, made ready for questions about ``variables``."""
        return self

    def _with(self, **changed: Any) -> Self:
        """Return a copy with other attributes."""
        test = object.__new__(type(self))
        test.__dict__ |= self.__dict__ | changed
        return test

    def with_power_rule(self, power_rule: float) -> CITest | None:  # noqa: ARG002
        """Return a test that asks for fewer samples per cell; None where it is none the bolder."""
        return None


class _Row:
    """The sift given ``x``, as far as it is known."""

    def __init__(self, x: Var, linked: Vars, log_p: LogP) -> None:
        self.x = x
        turns = sorted(zip(-log_p, linked, strict=True))
        self.pool: Vars = tuple(y for _, y in reversed(turns))
        """The candidates, in the reverse order of their turns."""
        self.fates: dict[Var, bool] = {}
        """Whether a candidate stays."""
        self.separators: dict[Var, Var | None] = {}
        """What separates a candidate, whether or not it is still there at its turn."""
        self.tried: dict[Var, Var] = {}
        """The last one of the pool that has been tried for a candidate in vain."""
        self.n_tests = 0

    def left_for(self, x: Var) -> Vars:
        """What is left to try for a candidate; weaker ones that went are not."""
        start = self.pool.index(self.tried[x]) if x in self.tried else 0
        others = without(self.pool[start:], x)
        return tuple(y for y in others if self.is_stronger(y, x) or self.fates.get(y) is not False)

    def is_stronger(self, one: Var, other: Var) -> bool:
        """Whether one candidate has its turn after the other."""
        return self.pool.index(one) < self.pool.index(other)


def is_going_in_circles(members: Vars, seen: set[frozenset[Var]]) -> bool:
    """Whether there were these members before: on data, nothing else would end the rounds."""
    return frozenset(members) in seen
